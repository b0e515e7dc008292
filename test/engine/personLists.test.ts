import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE, SEGMENTS, TAGS } from './support/seeded';
import { get, patch } from './support/wire';

const [{ id }] = PEOPLE;
const path = `/people/${id}`;
const personId = locator(id);

const lists = [
	{ field: 'tags', ids: TAGS, add: 'addTags', remove: 'removeTags' },
	{ field: 'segments', ids: SEGMENTS, add: 'addToSegments', remove: 'removeFromSegments' },
] as const;

describe.each(lists)('the $field of a person', ({ field, ids, add, remove }) => {
	const scene = useScene();
	const iris = ids.map((entry) => `/${field}/${entry}`);

	/** Gives the person these entries, whatever the seed gave them. */
	const have = (...entries: string[]) => {
		const people = scene.service.store.people;
		people.set(id, { ...people.get(id)!, [field]: entries });
	};
	const change = async (operation: string, given: unknown, input = [{}]) =>
		await scene.run({
			parameters: { resource: 'person', operation, personId, [field]: given },
			input,
		});
	const listNow = () => scene.service.store.people.get(id)![field];

	it('are read, then written with what is added, and nothing else', async () => {
		have(iris[0]);
		const { items } = await change(add, [ids[1], iris[2]]);
		expect(scene.sent()).toEqual([get(path), patch(path, { [field]: iris.slice(0, 3) })]);
		expect(items).toEqual([
			{ json: { result: 'updated', ...(await scene.record(path)) }, pairedItem: { item: 0 } },
		]);
		expect(items[0].json[field]).toEqual(iris.slice(0, 3));
	});

	it('are read, then written without what is removed', async () => {
		have(iris[0], iris[1], iris[2]);
		const { items } = await change(remove, [iris[0], ids[2]]);
		expect(scene.sent()).toEqual([get(path), patch(path, { [field]: [iris[1]] })]);
		expect(items).toEqual([
			{ json: { result: 'updated', ...(await scene.record(path)) }, pairedItem: { item: 0 } },
		]);
	});

	it('are emptied with an empty list', async () => {
		have(iris[0]);
		await change(remove, [ids[0]]);
		expect(scene.sent()[1]).toEqual(patch(path, { [field]: [] }));
		expect(listNow()).toEqual([]);
	});

	it.each([
		['added is there already', add, [ids[0]]],
		['removed is not there', remove, [ids[3]]],
	])('are not written where all that is %s', async (_, operation, given) => {
		have(iris[0], iris[1]);
		const { items } = await change(operation, given);
		expect(scene.sent()).toEqual([get(path)]);
		expect(items).toEqual([
			{ json: { result: 'unchanged', ...(await scene.record(path)) }, pairedItem: { item: 0 } },
		]);
	});

	it.each([
		['commas', `${ids[1]}, ${iris[2]}`],
		['an expression that gives commas', '={{ $json.text }}'],
		['an expression that gives a list', '={{ $json.list }}'],
		['an expression that gives records', '={{ $json.records }}'],
	])('can be given by %s', async (_, given) => {
		have();
		await change(add, given, [
			{
				text: `${ids[1]},${iris[2]}`,
				list: [ids[1], iris[2]],
				records: [{ '@id': iris[1], title: 'x' }, { id: ids[2] }],
			},
		]);
		expect(scene.sent()[1]).toEqual(patch(path, { [field]: [iris[1], iris[2]] }));
	});

	it('are added once where they are given twice', async () => {
		have();
		await change(add, [ids[1], iris[1]]);
		expect(scene.sent()[1]).toEqual(patch(path, { [field]: [iris[1]] }));
	});

	it('take what several items at once add to one person', async () => {
		have();
		const { items } = await change(
			add,
			'={{ $json.entry }}',
			ids.slice(0, 5).map((entry) => ({ entry })),
		);
		expect(listNow()).toEqual(iris.slice(0, 5));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4].map((item) => ({ item })),
		);
		expect(scene.sent().map(({ method }) => method)).toEqual(
			Array.from({ length: 5 }, () => ['GET', 'PATCH']).flat(),
		);
	});

	it('take what several executions at once add to one person', async () => {
		have();
		await Promise.all([change(add, [ids[0]]), change(add, [ids[1]]), change(add, [ids[2]])]);
		expect([...listNow()].sort()).toEqual(iris.slice(0, 3).sort());
	});

	it('are understood where the service embeds the records', async () => {
		const embedded = [{ '@id': iris[0], '@type': 'X', id: ids[0], title: 'x' }, { id: ids[1] }];
		scene.service.switches.faults = [
			{
				kind: 'status',
				status: 200,
				body: { '@id': path, id, [field]: embedded },
				match: { method: 'GET' },
			},
		];
		await change(add, [ids[1], ids[2]]);
		expect(scene.sent()).toEqual([get(path), patch(path, { [field]: iris.slice(0, 3) })]);
	});

	it('are written nowhere where the person cannot be read', async () => {
		scene.service.store.people.delete(id);
		const { error } = await change(add, [ids[0]]);
		expect(scene.sent()).toEqual([get(path)]);
		expect(error?.message).toBe(`The person "${id}" does not exist`);
	});

	it.each([
		['an expression that gives nothing', '={{ $json.nothing }}'],
		['an expression that gives an empty list', '={{ [] }}'],
	])('are refused as %s before anything is sent', async (_, given) => {
		const { error } = await change(add, given);
		const label = field === 'tags' ? 'Tags' : 'Segments';
		expect(error?.message).toBe(`${label} is empty`);
		expect(scene.sent()).toEqual([]);
	});
});

describe('tags and segments of one person', () => {
	const scene = useScene();

	it('are changed side by side without one change undoing the other', async () => {
		const run = async (operation: string, given: Record<string, unknown>) =>
			await scene.run({ parameters: { resource: 'person', operation, personId, ...given } });
		await Promise.all([
			run('addTags', { tags: [TAGS[6]] }),
			run('addToSegments', { segments: [SEGMENTS[4]] }),
			run('removeTags', { tags: PEOPLE[0].tags }),
		]);
		expect(await scene.record(path)).toMatchObject({
			tags: [`/tags/${TAGS[6]}`],
			segments: [...PEOPLE[0].segments, `/segments/${SEGMENTS[4]}`],
		});
	});
});
