import { locator } from './support/fields';
import { items as itemsOf, useScene } from './support/scene';
import { get } from './support/wire';

const COUNT = 1_000;
const pages = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const many = { resource: 'person', operation: 'getAll', output: 'raw' };

describe('a list of 1,000 people', () => {
	const scene = useScene({ seed: { people: COUNT, tasks: 0 } });
	const ids = () => [...scene.service.store.people.keys()];

	/** The page requests of a read, without the parameter on the first. */
	const reads = (count: number, itemsPerPage: number, ...query: string[]) =>
		pages(count).map((page) =>
			get(
				'/people',
				...query,
				`itemsPerPage=${itemsPerPage}`,
				...(page > 1 ? [`page=${page}`] : []),
			),
		);

	it('is read whole in 34 requests, each record once and in order', async () => {
		const { items } = await scene.run({ parameters: { ...many, returnAll: true } });
		expect(scene.sent()).toEqual(reads(34, 30));
		expect(items.map(({ json }) => json.id)).toEqual(ids());
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(itemsOf(COUNT, () => ({ item: 0 })));
	});

	it('is read with the same filters and order on every page', async () => {
		const { items } = await scene.run({
			parameters: {
				...many,
				returnAll: true,
				filters: { existsArchivedAt: false, createdAtAfter: '2025-03-01T00:00:00Z' },
				sort: { createdAt: 'desc' },
			},
		});
		const query = ['exists[archivedAt]=false', 'createdAt[after]=2025-03-01T00:00:00Z'];
		const { length } = scene.sent();
		expect(length).toBeGreaterThan(20);
		expect(scene.sent()).toEqual(reads(length, 30, ...query, 'order[createdAt]=desc'));
		const wanted = [...scene.service.store.people.values()].filter(
			({ archivedAt, createdAt }) =>
				archivedAt === null && Date.parse(createdAt) >= Date.UTC(2025, 2, 1),
		);
		expect(items).toHaveLength(wanted.length);
	});

	it.each([
		[1, 1, 1],
		[15, 1, 15],
		[30, 1, 30],
		[31, 2, 30],
		[50, 2, 30],
		[60, 2, 30],
		[61, 3, 30],
	])('gives %d of them in %d requests of %d', async (limit, requests, itemsPerPage) => {
		const { items } = await scene.run({ parameters: { ...many, limit } });
		expect(scene.sent()).toEqual(reads(requests, itemsPerPage));
		expect(items.map(({ json }) => json.id)).toEqual(ids().slice(0, limit));
	});

	it('gives 50 where neither Return All nor Limit is set', async () => {
		const { items } = await scene.run({ parameters: many });
		expect(items).toHaveLength(50);
	});

	it('takes a limit from an expression', async () => {
		const { items } = await scene.run({
			parameters: { ...many, limit: '={{ $json.limit }}' },
			input: [{ limit: 2 }, { limit: '3' }],
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1, 1].map((item) => ({ item })),
		);
	});

	it('is read for each item, and each record is linked to its item', async () => {
		const { items } = await scene.run({
			parameters: { ...many, limit: 40, filters: { q: '={{ $json.q }}' } },
			input: [{ q: 'mail' }, { q: 'nobody at all' }, { q: 'mail' }],
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 2].flatMap((item) => itemsOf(40, () => ({ item }))),
		);
	});

	it.each([
		['the hydra prefix', { hydraPrefix: true }],
		['bare arrays', { bareCollections: true }],
		['no view', { view: false }],
		['no total', { totalItems: false }],
		['neither view nor total', { view: false, totalItems: false }],
	])('is read whole with %s', async (_, switches) => {
		Object.assign(scene.service.switches, switches);
		const { items } = await scene.run({ parameters: { ...many, returnAll: true } });
		expect(scene.sent()).toEqual(reads(34, 30));
		expect(items.map(({ json }) => json.id)).toEqual(ids());
	});

	it('is read once more where the service repeats a page, and does not pass for whole', async () => {
		scene.service.switches.repeatFromPage = 3;
		const { items, error } = await scene.run({ parameters: { ...many, returnAll: true } });
		expect(scene.sent()).toEqual([...reads(3, 30), ...reads(3, 30)]);
		expect(error?.message).toBe(
			`The service says that there are ${ids().length} people, and shows 60 of them`,
		);
		expect(items).toEqual([]);
	});

	it('is read to its end though no page names the next one', async () => {
		scene.service.switches.viewNext = false;
		const { items } = await scene.run({ parameters: { ...many, returnAll: true } });
		expect(items.map(({ json }) => json.id)).toEqual(ids());
	});

	it('goes on where it failed, not from its start', async () => {
		scene.service.switches.faults = [{ kind: 'status', status: 503, match: { nth: 2 } }];
		const { items } = await scene.run({ parameters: { ...many, limit: 90 } });
		const [first, second, third] = reads(3, 30);
		expect(scene.sent()).toEqual([first, second, second, third]);
		expect(items.map(({ json }) => json.id)).toEqual(ids().slice(0, 90));
	});

	it('gives no record twice where others are added in front while it is read', async () => {
		const { people } = scene.service.store;
		const before = ids();
		const known = [...people.values()];
		const shift = () => {
			people.clear();
			for (const person of [{ ...known[0], id: 'new' }, ...known]) people.set(person.id, person);
		};
		scene.onRequest(2, shift);
		const { items } = await scene.run({ parameters: { ...many, limit: 90 } });
		const given = items.map(({ json }) => json.id);
		expect(new Set(given).size).toBe(given.length);
		expect(given.slice(0, 60)).toEqual(before.slice(0, 60));
	});
});

describe('a list that is short', () => {
	const scene = useScene({ seed: { people: 30, tasks: 30 } });

	it.each([
		['an envelope', {}, 1],
		['an envelope without view', { view: false }, 1],
		['a bare array, whose end only the next page shows', { bareCollections: true }, 2],
	])('is read as %s in no more requests than it takes', async (_, switches, requests) => {
		Object.assign(scene.service.switches, switches);
		const { items } = await scene.run({ parameters: { ...many, returnAll: true } });
		expect(scene.requests()).toHaveLength(requests);
		expect(items).toHaveLength(30);
	});

	it('is none and no failure where nothing is found', async () => {
		scene.service.store.people.clear();
		const { items, error } = await scene.run({ parameters: { ...many, returnAll: true } });
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
		expect(scene.sent()).toEqual([get('/people', 'itemsPerPage=30')]);
	});
});

describe.each([
	['person', {}, '/people'],
	['workspace', {}, '/workspaces'],
	['segment', {}, '/segments'],
	['task', {}, '/tasks'],
	['comment', { taskId: locator('={{ $json.task }}') }, undefined],
	['history', { taskId: locator('={{ $json.task }}') }, undefined],
])('many records of the resource %s', (resource, address, path) => {
	const scene = useScene({ seed: { people: 70, tasks: 70, segments: 70 } });

	it('are read page by page', async () => {
		const { store } = scene.service;
		const [task] = store.tasks.keys();
		for (const index of pages(64)) {
			const createdAt = '2026-01-01T00:00:00+00:00';
			const author = store.keyUser;
			const entry = { id: `entry-${index}`, createdAt, author };
			store.addHistory(task, { ...entry, changes: [] });
			store.addComment({ ...entry, taskId: task, description: 'x', flagged: false, mentions: [] });
			const [workspace] = store.workspaces.values();
			store.addWorkspace({ ...workspace, id: `workspace-${index}`, columns: [] });
		}
		const { items } = await scene.run({
			parameters: { resource, operation: 'getAll', returnAll: true, output: 'raw', ...address },
			input: [{ task }],
		});
		const collection = path ?? `/tasks/${task}/${resource === 'comment' ? 'comments' : 'history'}`;
		expect(scene.sent()).toEqual([
			get(collection, 'itemsPerPage=30'),
			get(collection, 'itemsPerPage=30', 'page=2'),
			get(collection, 'itemsPerPage=30', 'page=3'),
		]);
		const ids = items.map(({ json }) => json.id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.length).toBeGreaterThan(60);
	});
});
