import { locator } from './support/fields';
import { items as itemsOf, useScene } from './support/scene';
import { PEOPLE } from './support/seeded';
import { get, patch, post, put } from './support/wire';

const [{ id }, second, third] = PEOPLE;
const path = `/people/${id}`;
const personId = locator(id);

describe('reading a person', () => {
	const scene = useScene();

	it.each([
		['an ID', id],
		['an IRI', path],
		['an ID with spaces around it', ` ${id} `],
		['a locator with an ID', locator(id)],
		['a locator with an IRI', locator(path)],
		['a choice from the list', locator(id, 'list')],
		['an expression', locator('={{ $json.id }}')],
	])('addresses them by %s', async (_, value) => {
		const { items } = await scene.run({
			parameters: { resource: 'person', operation: 'get', personId: value, output: 'raw' },
			input: [{ id }],
		});
		expect(scene.sent()).toEqual([get(path)]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it('gives one for each item, in order and linked', async () => {
		const people = [third, second, PEOPLE[0]];
		const { items } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'get',
				personId: locator('={{ $json.id }}'),
				output: 'raw',
			},
			input: people.map((person) => ({ id: person.id })),
		});
		expect(scene.sent()).toEqual(people.map((person) => get(`/people/${person.id}`)));
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			people.map((person, item) => [person.id, { item }]),
		);
	});

	it('asks once for items that name the same, and gives each a person of its own', async () => {
		const { items } = await scene.run({
			parameters: { resource: 'person', operation: 'get', personId, output: 'raw' },
			input: [{}, {}],
		});
		expect(scene.sent()).toEqual([get(path)]);
		const [one, other] = items.map(({ json }) => json);
		expect(one).toEqual(other);
		expect(one.tags).not.toBe(other.tags);
	});
});

describe('writing people', () => {
	const scene = useScene();

	it('creates one for each item, in order and linked', async () => {
		const { items } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'create',
				familyName: '={{ $json.name }}',
				additionalFields: { jobTitle: '={{ $json.job }}' },
			},
			input: itemsOf(3, (index) => ({ name: `Name ${index}`, job: `Job ${index}` })),
		});
		expect(scene.sent()).toEqual(
			[0, 1, 2].map((index) =>
				post('/people', { familyName: `Name ${index}`, jobTitle: `Job ${index}` }),
			),
		);
		expect(items.map(({ json, pairedItem }) => [json.familyName, pairedItem])).toEqual(
			[0, 1, 2].map((item) => [`Name ${item}`, { item }]),
		);
	});

	it('resets what is not given when it replaces one', async () => {
		expect(PEOPLE[0].emailAddresses).not.toEqual([]);
		const { items } = await scene.run({
			parameters: { resource: 'person', operation: 'replace', personId, familyName: 'Jansen' },
		});
		expect(scene.sent()).toEqual([put(path, { familyName: 'Jansen' })]);
		expect(items[0].json).toMatchObject({ familyName: 'Jansen', emailAddresses: [] });
	});

	it('sends nothing for an update in which nothing is given, and names the person', async () => {
		const { items, error } = await scene.run({
			parameters: { resource: 'person', operation: 'update', personId, updateFields: {} },
		});
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([]);
		expect(items).toEqual([{ json: { id: personId.value }, pairedItem: { item: 0 } }]);
	});

	it.each([
		['as an object', { familyName: 'Json', unknownField: { of: ['any', 'form'] } }],
		['as text', JSON.stringify({ familyName: 'Json', unknownField: { of: ['any', 'form'] } })],
		['from the item', '={{ $json }}'],
		['from the item as text', '={{ JSON.stringify($json) }}'],
	])('sends JSON %s as it is', async (_, jsonBody) => {
		const body = { familyName: 'Json', unknownField: { of: ['any', 'form'] } };
		const { items } = await scene.run({
			parameters: { resource: 'person', operation: 'create', inputMode: 'json', jsonBody },
			input: [body],
		});
		expect(scene.sent()).toEqual([post('/people', body)]);
		expect(items[0].json).toMatchObject({ '@type': 'Person', familyName: 'Json' });
	});

	it.each([
		['update', patch],
		['replace', put],
	])('turns IDs in JSON into IRIs on %s', async (operation, request) => {
		const jsonBody = { id, familyName: 'Json', owner: null, tags: [] };
		await scene.run({
			parameters: { resource: 'person', operation, personId, inputMode: 'json', jsonBody },
		});
		expect(scene.sent()).toEqual([request(path, jsonBody)]);
	});
});

describe('archiving people', () => {
	const scene = useScene();

	it.each([
		['2026-12-31T17:00:00', '2026-12-31T17:00:00+01:00'],
		['2026-12-31T17:00:00Z', '2026-12-31T17:00:00Z'],
		['2026-12-31', '2026-12-31T00:00:00+01:00'],
	])('takes the time that is given: %s', async (archivedAt, sent) => {
		const { items } = await scene.run({
			parameters: { resource: 'person', operation: 'archive', personId, archivedAt },
		});
		expect(scene.sent()).toEqual([patch(path, { archivedAt: sent })]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it.each([
		['nothing', ''],
		['an expression that gives nothing', '={{ $json.nothing }}'],
	])('takes the present time for %s', async (_, archivedAt) => {
		await scene.run({
			parameters: { resource: 'person', operation: 'archive', personId, archivedAt },
		});
		const { body, at } = scene.request();
		expect(scene.sent()).toEqual([patch(path, { archivedAt: expect.any(String) })]);
		const sent = Date.parse((body as { archivedAt: string }).archivedAt);
		expect(Math.abs(at - sent)).toBeLessThan(1_000);
	});

	it('is taken back by unarchive', async () => {
		await scene.run({ parameters: { resource: 'person', operation: 'archive', personId } });
		expect((await scene.record(path)).archivedAt).toEqual(expect.any(String));
		scene.clear();
		await scene.run({ parameters: { resource: 'person', operation: 'unarchive', personId } });
		expect(scene.sent()).toEqual([patch(path, { archivedAt: null })]);
		expect((await scene.record(path)).archivedAt ?? null).toBeNull();
	});
});
