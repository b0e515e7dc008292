import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import type { SwitchChanges } from '../service';
import { items, useScene } from './support/scene';
import * as seeded from './support/seeded';
import { lapse } from './support/timeLapse';
import { locator } from './support/fields';

/*
 * What went wrong once with the data of whoever connects a table with holes in it, each judged by what
 * the service holds afterwards.
 */

const { COLUMNS, DISCUSSED, PEOPLE, TASKS } = seeded;
/** As the service holds them. */
const TAGS = seeded.TAGS.map((id) => `/tags/${id}`);
const SEGMENTS = seeded.SEGMENTS.map((id) => `/segments/${id}`);

const BLANKS = [null, '', '  ', undefined];
const [JAN, EVA] = PEOPLE;
const EMAIL = JAN.emailAddresses[0].email!;

const person = (operation: string, more: object) => ({ resource: 'person', operation, ...more });
const update = (more: object, id = JAN.id) =>
	person('update', { personId: locator(id), updateFields: more });
const upsert = (more: object) =>
	person('upsert', { matchBy: 'email', familyName: 'Jansen', ...more });

describe("a user's data", () => {
	const scene = useScene();
	const people = () => [...scene.service.store.people.values()];
	const held = (id: string) => scene.service.store.people.get(id)!;
	const hostile = (switches: SwitchChanges) => Object.assign(scene.service.switches, switches);
	const known = (changes: object, id = JAN.id) => {
		scene.service.store.people.set(id, { ...held(id), ...changes });
		return held(id);
	};
	const writes = () => scene.requests().filter(({ method }) => method !== 'GET');

	it.each(BLANKS)('is not wiped by a cell that holds %j, at any depth', async (cell) => {
		const before = known({ jobTitle: 'Buyer', address: { ...JAN.address, city: 'Utrecht' } });
		const fields = {
			jobTitle: '={{ $json.cell }}',
			givenName: 'New',
			address: { city: '={{ $json.cell }}', street: 'Oudegracht 1' },
			emailAddresses: ['={{ $json.cell }}'],
			tags: '={{ $json.cell }}',
		};
		const input = [{ cell: cell as never, email: EMAIL }];
		await scene.run({ parameters: update(fields), input });
		await scene.run({
			parameters: upsert({ matchValue: '={{ $json.email }}', additionalFields: fields }),
			input,
		});
		expect(held(JAN.id)).toMatchObject({
			jobTitle: 'Buyer',
			givenName: 'New',
			address: { ...before.address, street: 'Oudegracht 1' },
			emailAddresses: before.emailAddresses,
			tags: before.tags,
		});
	});

	it.each(BLANKS)('is not listed whole where the expression of a filter gives %j', async (cell) => {
		for (const name of ['q', 'tagsId', 'ownerId', 'emailAddressesEmail', 'createdAtAfter']) {
			const { items: listed, error } = await scene.run({
				parameters: person('getAll', { filters: { [name]: '={{ $json.cell }}' } }),
				input: [{ cell: cell as never }],
			});
			expect(listed).toEqual([]);
			expect(error?.message).toMatch(/ is empty: its expression gave nothing for this item$/);
		}
		expect(scene.requests()).toEqual([]);
	});

	it('keeps the address by which a person was found, and the lists that the person had', async () => {
		known({ tags: [TAGS[0]], segments: [SEGMENTS[0]] });
		const additionalFields = {
			emailAddresses: ['other@mail.example'],
			tags: [TAGS[1]],
			segments: [SEGMENTS[1]],
		};
		for (const replaceLists of [[], ['emailAddresses']]) {
			await scene.run({
				parameters: upsert({ matchValue: EMAIL, additionalFields, replaceLists }),
			});
		}
		expect(people()).toHaveLength(PEOPLE.length);
		const after = held(JAN.id);
		expect(after.emailAddresses.map(({ email }) => email)).toEqual([EMAIL, 'other@mail.example']);
		expect(after.tags).toEqual([TAGS[0], TAGS[1]]);
		expect(after.segments).toEqual([SEGMENTS[0], SEGMENTS[1]]);
	});

	it('is replaced in the lists that the user says', async () => {
		known({ tags: [TAGS[0]] });
		const additionalFields = { tags: [TAGS[1]] };
		await scene.run({
			parameters: upsert({ matchValue: EMAIL, additionalFields, replaceLists: ['tags'] }),
		});
		expect(held(JAN.id).tags).toEqual([TAGS[1]]);
	});

	it.each([
		['p1@example.com', 'P1@Example.com', 'email'],
		['+31611112222', '+31 6 1111 2222', 'identifier'],
		['+31 6 1111 2222', '+31611112222', 'identifier'],
		['0611112222', '0031 6 11 11 22 22', 'identifier'],
	])(
		'is not doubled where the service compares exactly: %s, looked for as %s',
		async (stored, given, matchBy) => {
			hostile({ comparison: 'exact' });
			known(
				stored.includes('@')
					? { emailAddresses: [{ email: stored }] }
					: { phoneNumbers: [{ phoneNumber: stored, phoneType: 'mobile' }] },
			);
			await scene.run({ parameters: upsert({ matchBy, matchValue: given }) });
			expect(people()).toHaveLength(PEOPLE.length);
		},
	);

	it('has one person for a number that is written in three ways in one run', async () => {
		hostile({ comparison: 'exact' });
		const numbers = ['+31 6 9999 8888', '0699998888', '0031-699998888'];
		await scene.run({
			parameters: upsert({ matchBy: 'identifier', matchValue: '={{ $json.phone }}' }),
			input: numbers.map((phone) => ({ phone })),
		});
		expect(people()).toHaveLength(PEOPLE.length + 1);
	});

	it.each(['NaN', 'Infinity', '2 ** 60'])('has nobody for the Value to Find %s', async (value) => {
		const { error } = await scene.run({
			parameters: upsert({ matchBy: 'identifier', matchValue: `={{ ${value} }}` }),
		});
		expect(error?.message).toMatch(/^Value to Find: expected an identifier, got /);
		expect(people()).toHaveLength(PEOPLE.length);
	});

	it.each<[string, SwitchChanges, object | undefined]>([
		['answers nothing', {}, {}],
		['answers a problem', {}, { message: 'Not now', status: 500 }],
		['shows no tags', { omitFields: ['tags'] }, undefined],
		['shows tags as a problem', {}, { id: JAN.id, tags: { message: 'no' } }],
		['answers another person', {}, { ...EVA, '@id': `/people/${EVA.id}` }],
	])('keeps the tags of a person where the service %s', async (_, switches, body) => {
		known({ tags: [TAGS[0], TAGS[1]] });
		hostile({
			...switches,
			...(body
				? { faults: [{ kind: 'status', status: 200, body, match: { method: 'GET' } }] }
				: {}),
		} as SwitchChanges);
		const { error } = await scene.run({
			parameters: person('addTags', { personId: locator(JAN.id), tags: [TAGS[2]] }),
		});
		expect(error).toBeDefined();
		expect(writes()).toEqual([]);
		expect(held(JAN.id).tags).toEqual([TAGS[0], TAGS[1]]);
	});

	it.each<SwitchChanges>([
		{ mapLists: ['tags'] },
		{ references: 'embedded', generatedIds: 'embedded' },
		{ iriOrigin: 'https://crm.example' },
		{ generatedIds: 'everywhere' },
	])('keeps the tags of a person in whatever form they come: %j', async (switches) => {
		known({ tags: [TAGS[0], TAGS[1]] });
		hostile(switches);
		const lists = (operation: string, tags: string[]) =>
			person(operation, { personId: locator(JAN.id), tags });
		const added = await scene.run({ parameters: lists('addTags', [TAGS[2]]) });
		expect(added.error).toBeUndefined();
		expect(held(JAN.id).tags).toEqual([TAGS[0], TAGS[1], TAGS[2]]);
		await scene.run({ parameters: lists('removeTags', [TAGS[0]]) });
		expect(held(JAN.id).tags).toEqual([TAGS[1], TAGS[2]]);
	});

	it.each<[string, object | string]>([
		['a problem', { title: 'An error occurred', status: 500, detail: 'No' }],
		['a page', '<html><body>Welcome</body></html>'],
		['nothing', {}],
	])('is not made up from %s that comes with 200', async (_, body) => {
		const fault = typeof body === 'string' ? { body: 'html' } : { body };
		hostile({ faults: [{ kind: 'status', status: 200, ...fault }] } as SwitchChanges);
		for (const parameters of [
			person('get', { personId: locator(JAN.id) }),
			person('getAll', {}),
			person('create', { familyName: 'Jansen' }),
			update({ jobTitle: 'Buyer' }),
		]) {
			const { items: given, error } = await scene.run({ parameters });
			expect(given).toEqual([]);
			expect(error).toBeDefined();
		}
	});

	it.each<[string, object, string]>([
		['tags.id', { tagsId: 'vip-1' }, 'Tag'],
		['owner.id', { ownerId: 'nobody-1' }, 'Owner'],
		['segments.uuid', { segmentsUuid: SEGMENTS[0] }, 'Segment'],
		['emailAddresses.email', { emailAddressesEmail: 'nobody@mail.example' }, 'Email'],
		['exists[archivedAt]', { existsArchivedAt: true }, 'Archived'],
		['createdAt[after]', { createdAtAfter: '2099-01-01' }, 'Created After'],
	])(
		'is not listed as if it met a filter that the service drops: %s',
		async (query, filters, label) => {
			hostile({ dropFilters: [query] });
			for (const output of ['simplified', 'identifiers']) {
				const { items: listed, error } = await scene.run({
					parameters: person('getAll', { filters, output }),
				});
				expect(listed).toEqual([]);
				expect(error?.message).toBe(
					`${label}: the service returned people that do not meet the filter`,
				);
			}
		},
	);

	it('is listed whole, or not at all, where the service gives page one for every page', async () => {
		hostile({ ignorePage: true });
		const { items: listed, error } = await scene.run({
			parameters: person('getAll', { returnAll: true }),
		});
		expect(error?.message).toMatch(
			/^The service says that there are \d+ people, and shows 30 of them$/,
		);
		expect(listed).toEqual([]);
	});

	it('is as the last item says, whatever time each answer takes', async () => {
		hostile({ faults: [{ kind: 'slow', afterMs: 120, match: { method: 'PATCH', nth: [1, 3] } }] });
		await scene.run({
			parameters: update({ jobTitle: '={{ $json.title }}' }),
			input: items(5, (index) => ({ title: `Title ${index}` })),
		});
		expect(held(JAN.id).jobTitle).toBe('Title 4');
	});

	it('has comments in the order of the items, whatever time each answer takes', async () => {
		hostile({ faults: [{ kind: 'slow', afterMs: 120, match: { method: 'POST', nth: [1, 3] } }] });
		const before = scene.service.store.comments.get(DISCUSSED.id)!.length;
		await scene.run({
			parameters: {
				resource: 'comment',
				operation: 'create',
				taskId: locator(DISCUSSED.id),
				description: '={{ $json.text }}',
			},
			input: items(5, (index) => ({ text: `Comment ${index}` })),
		});
		const comments = scene.service.store.comments.get(DISCUSSED.id)!.slice(before);
		expect(comments.map(({ description }) => description)).toEqual(
			[0, 1, 2, 3, 4].map((index) => `Comment ${index}`),
		);
	});

	it('is not doubled by a retry of the node after one item failed', async () => {
		hostile({
			faults: [{ kind: 'status', status: 500, stored: true, match: { method: 'POST', nth: 2 } }],
		});
		const { error } = await scene.run({
			parameters: person('create', { familyName: '={{ $json.name }}' }),
			input: items(3, (index) => ({ name: `Retried ${index}` })),
			retryOnFail: true,
		});
		const names = people().map(({ familyName }) => String(familyName));
		const retried = names.filter((name) => name.startsWith('Retried'));
		expect(retried).toEqual([...new Set(retried)]);
		expect(retried).toContain('Retried 1');
		expect(error?.message).toMatch(/^This item is not sent again, since it may have taken effect/);
	});

	it('is whole after a retry of the node where nothing was done the first time', async () => {
		hostile({
			faults: [{ kind: 'status', status: 422, body: 'json', match: { method: 'POST', nth: 2 } }],
		});
		const { items: given, error } = await scene.run({
			parameters: person('create', { familyName: '={{ $json.name }}' }),
			input: items(3, (index) => ({ name: `Retried ${index}` })),
			retryOnFail: true,
		});
		expect(error).toBeUndefined();
		expect(given.map(({ json }) => json.familyName)).toEqual(
			[0, 1, 2].map((index) => `Retried ${index}`),
		);
		expect(people()).toHaveLength(PEOPLE.length + 3);
	});

	it('is not touched by an update in which nothing is given', async () => {
		const { updatedAt } = held(JAN.id);
		await lapse(sleep(5_000));
		await scene.run({ parameters: update({ jobTitle: '={{ $json.nothing }}' }) });
		expect(writes()).toEqual([]);
		expect(held(JAN.id).updatedAt).toBe(updatedAt);
	});

	it('has estimations as numbers, though a table gives them as text', async () => {
		const [task] = TASKS;
		await scene.run({
			parameters: {
				resource: 'task',
				operation: 'update',
				taskId: locator(task.id),
				updateFields: { timeEstimation: '={{ "90" }}', storyPointEstimation: '={{ " 2.5 " }}' },
			},
		});
		expect(scene.request().body).toEqual({ timeEstimation: 90, storyPointEstimation: 2.5 });
	});

	it.each<SwitchChanges['identifiers']>([
		'iris',
		'id-objects',
		'uuid-objects',
		'iri-array',
		'id-object-array',
		'uuid-object-array',
	])('gives its ids in whatever form the service has them: %s', async (identifiers) => {
		hostile({ identifiers });
		const { items: listed } = await scene.run({
			parameters: person('getAll', { output: 'identifiers', limit: 3 }),
		});
		expect(listed.map(({ json }) => json)).toEqual(PEOPLE.slice(0, 3).map(({ id }) => ({ id })));
	});

	it('gives the id of what was created without a body', async () => {
		hostile({ createdAnswer: 'location' } as SwitchChanges);
		const { items: given } = await scene.run({
			parameters: person('create', { familyName: 'New' }),
		});
		const { id } = people().find(({ familyName }) => familyName === 'New')!;
		expect(given.map(({ json }) => json)).toEqual([{ id }]);
	});

	it('takes the people of a task as ids', async () => {
		const { error } = await scene.run({
			parameters: {
				resource: 'task',
				operation: 'create',
				inputMode: 'json',
				jsonBody: JSON.stringify({ title: 'Call', status: COLUMNS[0], people: [JAN.id] }),
			},
		});
		expect(error).toBeUndefined();
		expect((scene.request().body as IDataObject).people).toEqual([
			{ '@id': `/people/${JAN.id}`, id: JAN.id },
		]);
	});

	it('gives of Selected Fields what the record has of its own', async () => {
		const { items: given } = await scene.run({
			parameters: person('get', {
				personId: locator(JAN.id),
				output: 'selectedFields',
				fields: '={{ ["id", "constructor", "toString"] }}',
			}),
		});
		expect(given[0].json).toEqual({ id: JAN.id });
	});
});
