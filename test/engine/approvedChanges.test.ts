import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { itInCi, sampled } from '../support/drawn';
import { EXACT_REQUESTS } from './support/exactRequests';
import { locator } from './support/fields';
import { runNode } from './support/runNode';
import { useScene } from './support/scene';
import { PEOPLE, TAGS } from './support/seeded';
import { lapse } from './support/timeLapse';

/*
 * Somebody approves the changes of a preview. Days may pass before the write. It makes these changes and no others.
 */
const scene = useScene();
const [{ id, emailAddresses }] = PEOPLE;
const [{ email = '' }] = emailAddresses as Array<{ email: string }>;
const personId = locator(id);
const [A, B, C] = TAGS.map((tag) => `/tags/${tag}`);
const held = () => scene.service.store.people.get(id)!;
const REFUSED = /^Not what was approved: /;

/** Operations with a result that only the service knows, or that write nothing. */
const UNFORESEEN = /^apiRequest| (get|getAll|duplicate|export|findDuplicates)$/;
const FORESEEN = Object.entries(EXACT_REQUESTS).filter(([name]) => !UNFORESEEN.test(name));

async function previewOf(resource: 'person', operation: string, parameters: IDataObject) {
	const options = { ...(parameters.options as object), previewOnly: true };
	const { items } = await scene[resource](operation, { ...parameters, options });
	const [{ json }] = items;
	const writes = items.filter(({ json: one }) => one.preview !== 'unchanged').length;
	return { ...(json as { preview: string; changes: IDataObject }), writes };
}

async function approved(
	resource: 'person',
	operation: string,
	parameters: IDataObject,
	approvedChanges: unknown,
) {
	const options = { ...(parameters.options as object), approvedChanges };
	return await scene[resource](operation, { ...parameters, options });
}

describe('each operation whose preview shows changes', () => {
	it.each(sampled(FORESEEN, 4))(
		'The operation %s writes only what its preview showed and somebody approved',
		async (name, [given]) => {
			const [resource, operation] = name.split(' ') as ['person', string];
			const parameters = given as IDataObject;
			const { preview, changes, writes } = await previewOf(resource, operation, parameters);
			scene.clear();
			const others = await approved(resource, operation, parameters, {});
			expect(scene.writes()).toEqual([]);
			if (preview === 'unchanged') expect(others.error).toBeUndefined();
			else expect(others.error?.message).toMatch(REFUSED);
			const asText = JSON.stringify(changes);
			const { items, error } = await approved(resource, operation, parameters, asText);
			expect(error).toBeUndefined();
			expect(scene.writes()).toHaveLength(writes);
			expect(items[0].json.changes).toEqual(preview === 'unchanged' ? {} : expect.any(Object));
		},
	);

	it('The tests of Approved Changes cover more than twenty operations', () => {
		expect(FORESEEN.length).toBeGreaterThan(20);
	});
});

describe('a record or item that changes after the approval', () => {
	const upsert = { email, additionalFields: { jobTitle: 'Buyer', tags: [A] } };

	it.each([
		['upsert', upsert],
		['update', { personId, updateFields: { jobTitle: 'Buyer' } }],
		['replace', { personId, familyName: 'Vos', additionalFields: { jobTitle: 'Buyer' } }],
	] as Array<[string, IDataObject]>)(
		'The operation %s refuses to overwrite a value that a colleague changed after approval',
		async (operation, parameters) => {
			scene.change('people', id, { jobTitle: 'Chef', tags: [] });
			const { changes } = await previewOf('person', operation, parameters);
			scene.change('people', id, { jobTitle: 'Director' });
			const { error } = await approved('person', operation, parameters, changes);
			expect(error?.message).toBe('Not what was approved: Job Title (from "Director" to "Buyer")');
			expect(error?.description).toMatch(/^It was not written\..*new preview/);
			expect(scene.writes()).toEqual([]);
			const again = await previewOf('person', operation, { ...parameters });
			const second = await approved('person', operation, parameters, again.changes);
			expect(second.error).toBeUndefined();
			expect(held().jobTitle).toBe('Buyer');
		},
	);

	it('Create or Update refuses to update a person whom somebody created after the approval', async () => {
		const parameters = { email: 'new@crm.example', familyName: 'Vos', phone: '+31 6 12345678' };
		const { preview, changes } = await previewOf('person', 'upsert', parameters);
		expect(preview).toBe('create');
		await scene.person('create', { email: 'new@crm.example', familyName: 'Vos' });
		scene.clear();
		const { error } = await approved('person', 'upsert', parameters, changes);
		expect(error?.message).toBe(
			'Not what was approved: a new person, and somebody has created it meanwhile',
		);
		expect(scene.writes()).toEqual([]);
	});

	it('If an item gives unapproved values, the error names this possible cause', async () => {
		const changes = { jobTitle: { from: held().jobTitle, to: 'Seller' } };
		const { error } = await approved('person', 'upsert', upsert, changes);
		expect(error?.description).toContain('or the item gives other values');
		expect(scene.writes()).toEqual([]);
	});

	it('Create or Update refuses to create a person if somebody approved an update', async () => {
		const parameters = { ...upsert, familyName: 'Vos' };
		const { preview, changes } = await previewOf('person', 'upsert', parameters);
		expect(preview).toBe('update');
		scene.change('people', id, { emailAddresses: [] });
		const { error } = await approved('person', 'upsert', parameters, changes);
		expect(error?.message).toMatch(/^Not what was approved: .*Family Name/);
		expect(scene.writes()).toEqual([]);
	});

	it('If a colleague already made one approved change, Create or Update makes the rest', async () => {
		scene.change('people', id, { jobTitle: 'Chef', tags: [] });
		const { changes } = await previewOf('person', 'upsert', upsert);
		scene.change('people', id, { jobTitle: 'Buyer', tags: [B] });
		const { error } = await approved('person', 'upsert', upsert, changes);
		expect(error).toBeUndefined();
		expect(scene.writes().map(({ body }) => body)).toEqual([{ tags: [B, A] }]);
	});

	it('Update refuses to replace a list that somebody extended after the approval', async () => {
		const replace = { personId, updateFields: { tags: [TAGS[0]] } };
		scene.change('people', id, { tags: [B] });
		const { changes } = await previewOf('person', 'update', replace);
		expect(changes.tags).toEqual({ added: [A], removed: [B] });
		scene.change('people', id, { tags: [B, C] });
		const { error } = await approved('person', 'update', replace, changes);
		expect(error?.message).toBe('Not what was approved: Tags');
		expect(held().tags).toEqual([B, C]);
	});

	it('Update of an address fails only if a colleague changed an approved part', async () => {
		const update = { personId, updateFields: { address: { city: 'Delft', street: 'Markt 1' } } };
		const address = { city: 'Leiden', street: 'Plein 2', postalCode: null, country: 'NL' };
		scene.change('people', id, { address });
		const { changes } = await previewOf('person', 'update', update);
		scene.change('people', id, { address: { ...address, street: 'Kade 3' } });
		const { error } = await approved('person', 'update', update, changes);
		expect(error?.message).toBe('Not what was approved: Address');
		scene.change('people', id, { address: { ...address, postalCode: '2611 GS' } });
		expect((await approved('person', 'update', update, changes)).error).toBeUndefined();
		expect(held().address).toMatchObject({ city: 'Delft', postalCode: '2611 GS' });
	});

	itInCi(
		'If a colleague changes the value while an approved update waits, the update fails',
		async () => {
			const people = PEOPLE.slice(0, 25);
			for (const person of people) scene.change('people', person.id, { jobTitle: 'Chef' });
			const last = people.at(-1)!;
			const changes = { jobTitle: { from: 'Chef', to: 'Buyer' } };
			const running = runNode(
				{ url: scene.service.url, apiKey: scene.apiKey },
				{
					parameters: {
						...{ resource: 'person', operation: 'update' },
						personId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
						updateFields: { jobTitle: 'Buyer' },
						options: { approvedChanges: changes },
					},
					input: people.map((person) => ({ id: person.id })),
					onError: 'continueErrorOutput',
				},
			);
			await lapse(sleep(30_000));
			scene.change('people', last.id, { jobTitle: 'Director' });
			const { items, errorItems } = await lapse(running);
			expect(items).toHaveLength(24);
			expect(errorItems.map(({ json }) => json.error)).toEqual([
				'Not what was approved: Job Title (from "Director" to "Buyer")',
			]);
			expect(scene.service.store.people.get(last.id)!.jobTitle).toBe('Director');
		},
	);

	it('A preview shows an item as refused if its change was not approved', async () => {
		const update = { personId, updateFields: { jobTitle: 'Buyer' } };
		scene.change('people', id, { jobTitle: 'Director' });
		const changes = { jobTitle: { from: 'Chef', to: 'Buyer' } };
		const options = { previewOnly: true, approvedChanges: changes };
		const { items } = await scene.person('update', { ...update, options });
		expect(items[0].json).toMatchObject({
			preview: 'refused',
			reason: 'Not what was approved: Job Title (from "Director" to "Buyer")',
		});
	});
});

describe('the order of phone numbers that somebody approves', () => {
	const [work, home, mobile] = ['work', 'home', 'mobile'].map((phoneType, nth) => ({
		...{ phoneNumber: `+31 20 123456${nth}`, phoneType },
	}));
	const update = { personId, updateFields: { phoneNumbers: [home, work] } };

	it('Update reorders phone numbers only if the approved preview showed their present order', async () => {
		scene.change('people', id, { phoneNumbers: [work, home] });
		const { changes } = await previewOf('person', 'update', update);
		scene.change('people', id, { phoneNumbers: [work, mobile, home] });
		const { error } = await approved('person', 'update', update, changes);
		expect(error?.message).toBe('Not what was approved: Phone Numbers');
		scene.change('people', id, { phoneNumbers: [work, home] });
		expect((await approved('person', 'update', update, changes)).error).toBeUndefined();
		expect(held().phoneNumbers).toEqual([home, work]);
	});
});

describe('values that are no changes of a preview', () => {
	it.each([
		['', 'Approved Changes is empty'],
		['={{ $json.none }}', 'Approved Changes is empty'],
		['yes', 'Approved Changes: expected the changes of a preview, got "yes"'],
		[{ preview: 'update', changes: {} }, 'Approved Changes: expected the changes of a preview'],
		[{ tags: { added: ['x'] } }, 'Approved Changes: expected the changes of a preview'],
	])('Update refuses %j as Approved Changes, and sends nothing', async (value, message) => {
		const update = { personId, updateFields: { jobTitle: 'Buyer' } };
		const { error } = await approved('person', 'update', update, value);
		expect(error?.message).toContain(message);
		expect(scene.requests()).toEqual([]);
	});
});
