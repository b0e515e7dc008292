import { locator } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, COMMENTS, DISCUSSED, TASKS, WORKSPACES } from './support/seeded';

/* Lists whose equal records change places between two pages, while the service gives no total. */

const scene = useScene({ seed: { people: 60, tasks: 60 } });
const CHANGED = (plural: string) => `The list of ${plural} changed while it was read`;

beforeEach(() => {
	const { store, switches } = scene.service;
	switches.totalItems = false;
	const add = <T extends { id: string }>(records: Map<string, T>) => {
		const [one] = records.values();
		while (records.size < 60) {
			const id = store.newId('segments');
			records.set(id, { ...one, id, title: `Record ${records.size}` });
		}
	};
	add(store.segments);
	add(store.workspaces);
	const comments = Array.from({ length: 60 }, () => ({
		...COMMENTS[0],
		id: store.newId('comments'),
	}));
	store.comments.set(DISCUSSED.id, comments);
});

const list = (resource: string, more: Record<string, unknown> = {}) => ({
	...{ resource, operation: 'getAll', output: 'raw', returnAll: true },
	...more,
});
const byName = { sort: { familyName: 'asc' } };
const apiRequest = { resource: 'apiRequest', operation: 'send', path: '/tasks', returnAll: true };

const READS: Array<[string, string, Record<string, unknown>]> = [
	['tasks', 'tasks', list('task')],
	['people, sorted by name', 'people', list('person', byName)],
	['identifiers of people', 'people', list('person', { ...byName, output: 'identifiers' })],
	['segments', 'segments', list('segment')],
	['workspaces', 'workspaces', list('workspace')],
	['comments', 'comments', list('comment', { taskId: locator(DISCUSSED.id) })],
	['an API Request', 'records', apiRequest],
];

describe.each(READS)('Return All of %s', (_, plural, parameters) => {
	it('If records move between pages, Return All reads again, and gives each record once', async () => {
		scene.onRequest(2, () => {
			scene.service.switches.equalRecords = 'swapped';
		});
		const { items, error } = await scene.run({ parameters });
		expect(error?.message).toBeUndefined();
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(60);
		expect(items).toHaveLength(60);
		const pages = scene.requests().map(({ query }) => query.page ?? '1');
		expect(pages).toEqual(['1', '2', '1']);
	});

	it('If the pages of each read overlap, Return All fails and says why', async () => {
		scene.service.switches.equalRecords = 'byPage';
		const { items, error } = await scene.run({ parameters });
		expect(error?.message).toBe(CHANGED(plural));
		expect(items).toEqual([]);
		expect(scene.requests()).toHaveLength(6);
	});
});

it('If pages of the workspace list overlap, Move refuses a column title, writing nothing', async () => {
	scene.service.switches.equalRecords = 'byPage';
	const taskId = locator(TASKS[0].id);
	const { error } = await scene.task('move', { taskId, status: locator('Sales / Won') });
	expect(error?.message).toContain(CHANGED('workspaces'));
	expect(scene.writes()).toEqual([]);
});

it('Move finds a column by title although its workspace changes pages during the read', async () => {
	const { workspaces } = scene.service.store;
	const [sales] = WORKSPACES;
	const others = [...workspaces.values()].filter(({ id }) => id !== sales.id);
	workspaces.clear();
	// The workspace is the first of page 2, and then the last of page 1.
	for (const one of [...others.slice(0, 30), sales, ...others.slice(30)])
		workspaces.set(one.id, one);
	scene.onRequest(2, () => {
		scene.service.switches.equalRecords = 'swapped';
	});
	const taskId = locator(TASKS[0].id);
	const { error } = await scene.task('move', { taskId, status: locator('Sales / Won') });
	expect(error?.message).toBeUndefined();
	expect(scene.service.store.tasks.get(TASKS[0].id)?.status).toBe(COLUMNS[3]);
});

it('If records move between pages, Get Many rereads no page once Limit is reached', async () => {
	scene.onRequest(2, () => {
		scene.service.switches.equalRecords = 'swapped';
	});
	const { items } = await scene.task('getAll', { output: 'raw', limit: 50 });
	expect(items).toHaveLength(50);
	expect(scene.requests()).toHaveLength(2);
});

it.each(['simplified', 'raw', 'identifiers'])(
	'If people join and leave, Return All gives everybody who stays (output: %s)',
	async (output) => {
		const { people } = scene.service.store;
		scene.service.switches.totalItems = true;
		const [left, ...stayed] = [...people.keys()];
		scene.onRequest(2, () => {
			const [person] = people.values();
			const id = scene.service.store.newId('people');
			people.delete(left);
			people.set(id, { ...person, id, createdAt: '2027-01-01T00:00:00+00:00' });
		});
		const { items, error } = await scene.person('getAll', { output, returnAll: true });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toEqual(expect.arrayContaining(stayed));
	},
);
