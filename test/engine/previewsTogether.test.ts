import type { IDataObject } from 'n8n-workflow';
import { itInCi } from '../support/drawn';
import { locator } from './support/fields';
import { items as itemsOf, useScene } from './support/scene';
import { PEOPLE, TASKS } from './support/seeded';
import type { NodeResult } from './support/runNode';
import { get } from './support/wire';

const [person] = PEOPLE;
const path = `/people/${person.id}`;
const personId = locator(person.id);
const taskId = locator(TASKS[0].id);
const [{ email = '' }] = person.emailAddresses as Array<{ email: string }>;
const byEmail = (value: string) => ({ ...locator(value), mode: 'email' });

const previewOnly = { options: { previewOnly: true } };
const wordsOf = ({ items }: NodeResult) =>
	items.map(({ json }) => String(json.preview ?? json.result));

describe('previews whose items refer to one another', () => {
	const scene = useScene();

	it('A preview finds people by e-mail addresses that earlier items would have given them', async () => {
		const [one, two] = ['one@mail.example', 'two@mail.example'];
		const input = [
			{ by: email, to: one },
			{ by: email, to: two },
			{ by: one, to: two },
			{ by: two, to: email },
		];
		const { items } = await scene.person(
			'update',
			{
				...{ personId: byEmail('={{ $json.by }}'), ...previewOnly },
				updateFields: { emailAddresses: ['={{ $json.to }}'] },
			},
			{ input },
		);
		const change = (added: string, removed: string) => ({
			emailAddresses: { added: [{ email: added }], removed: [{ email: removed }] },
		});
		expect(items.map(({ json }) => json.changes)).toEqual([
			change(one, email),
			{},
			change(two, one),
			change(email, two),
		]);
		expect(items[1].json.reason).toBe(`Nobody has the e-mail address "${email}"`);
	});

	it('If several items give one e-mail address, a preview looks it up once', async () => {
		const input = [PEOPLE[1], PEOPLE[2], PEOPLE[1]].map(({ id }) => ({ id }));
		const byId = locator('={{ $json.id }}');
		const parameters = { personId: byId, email: 'new@mail.example', ...previewOnly };
		const result = await scene.person('addEmailAddress', parameters, { input });
		expect(wordsOf(result)).toEqual(['update', 'unchanged', 'unchanged']);
		const sent = scene.requests().map(({ rawUrl }) => rawUrl);
		expect(sent).toEqual([...new Set(sent)]);
	});

	it('A preview includes the changes of earlier items, even if Batching sends single items', async () => {
		const batching = { batch: { batchSize: 1, batchInterval: 1000 } };
		const { items } = await scene.person(
			'update',
			{
				...{ personId, ...previewOnly, requestOptions: { batching } },
				updateFields: { jobTitle: '={{ $json.job }}' },
			},
			{ input: [{ job: 'Buyer' }, { job: 'Chef' }] },
		);
		expect(items.map(({ json }) => (json.changes as IDataObject).jobTitle)).toEqual([
			{ from: person.jobTitle, to: 'Buyer' },
			{ from: 'Buyer', to: 'Chef' },
		]);
		expect(scene.sent()).toEqual([get(path)]);
	});
});

describe('previews beside what is written', () => {
	const scene = useScene();

	itInCi('Two previews during an import of the same people do not affect its writes', async () => {
		const upserts = (jobTitle: string, further: object, toRow: (index: number) => number) =>
			scene.person(
				'upsert',
				{
					...{ email: '={{ $json.email }}', familyName: 'Of the Rows' },
					...{ additionalFields: { jobTitle }, ...further },
				},
				{ input: itemsOf(60, (index) => ({ email: `row${toRow(index)}@mail.example` })) },
			);
		const [run, ...previews] = await Promise.all([
			upserts('Buyer', {}, (index) => index),
			upserts('Chef', previewOnly, (index) => index),
			upserts('Cook', previewOnly, (index) => 59 - index),
		]);
		expect(new Set(wordsOf(run))).toEqual(new Set(['created']));
		for (const preview of previews) {
			expect(preview.items).toHaveLength(60);
			// A preview may look for a person before or after the run has created it.
			for (const word of wordsOf(preview)) expect(['create', 'update']).toContain(word);
		}
		const all = [...scene.service.store.people.values()];
		const jobs = all
			.filter(({ familyName }) => familyName === 'Of the Rows')
			.map((one) => one.jobTitle);
		expect(jobs).toEqual(Array(60).fill('Buyer'));
		const writes = scene.sent().filter(({ method }) => method !== 'GET');
		expect(writes).toHaveLength(60);
	});

	it.each([
		[[true, false], ['create', 'created'], 1],
		[[false, true, false], ['created', 'create', 'updated'], 2],
	])(
		'If some items have Preview Only, the others write as usual (Preview Only: %j)',
		async (chosen, words, writes) => {
			const result = await scene.person(
				'upsert',
				{
					...{ email: 'new@mail.example', familyName: 'Vos' },
					additionalFields: { jobTitle: '={{ $json.job }}' },
					options: { previewOnly: '={{ $json.isPreview }}' },
				},
				{ input: chosen.map((isPreview, index) => ({ isPreview, job: `Job ${index}` })) },
			);
			expect(wordsOf(result)).toEqual(words);
			expect(scene.sent().filter(({ method }) => method !== 'GET')).toHaveLength(writes);
		},
	);

	it('A preview includes the writes of an earlier run, even if reads are stale', async () => {
		scene.service.switches.readsLagMs = 2_000;
		await scene.person('update', { personId, updateFields: { jobTitle: 'Buyer' } });
		const { items } = await scene.person('update', {
			...{ personId, updateFields: { jobTitle: 'Buyer', givenName: 'Eva' }, ...previewOnly },
		});
		expect(items[0].json.changes).toEqual({ givenName: { from: person.givenName, to: 'Eva' } });
	});
});

describe('a preview of a request whose result only the service knows', () => {
	const scene = useScene();

	it('A preview of Duplicate shows the request, with column ID instead of title', async () => {
		const additionalFields = { title: 'Copy', status: locator('Sales / Won') };
		const { items } = await scene.task('duplicate', { taskId, additionalFields, ...previewOnly });
		expect(items[0].json).toMatchObject({
			preview: 'send',
			request: { body: { title: 'Copy', status: expect.stringMatching(/^\/workspaces\//) } },
		});
	});

	it.each([
		['PATCH', path, { jobTitle: 'Buyer' }],
		['POST', '/people', { familyName: 'Vos', emailAddresses: [{ email: 'new@mail.example' }] }],
		['DELETE', path, undefined],
	])(
		'A preview of API Request shows the %s request, and affects no later write',
		async (method, to, body) => {
			const request = { resource: 'apiRequest', operation: 'send', method, path: to };
			const jsonBody = body ? JSON.stringify(body) : '';
			const asked = { parameters: { ...request, jsonBody, ...previewOnly }, input: [{}, {}] };
			const { items } = await scene.run(asked);
			const shown = { preview: 'send', request: { method, path: to, ...(body && { body }) } };
			expect(items.map(({ json }) => json)).toMatchObject([shown, shown]);
			const email = 'new@mail.example';
			const { items: after } = await scene.person('upsert', { email, familyName: 'Vos' });
			expect(after[0].json.result).toBe('created');
		},
	);
});
