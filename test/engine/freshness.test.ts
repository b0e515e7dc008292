import { sleep } from 'n8n-workflow';
import type { Fault } from '../service';
import { changeSwitches } from '../service/switches';
import { itInCi } from '../support/drawn';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, SEGMENTS, TASKS, WORKSPACES } from './support/seeded';
import { lapse } from './support/timeLapse';

const scene = useScene();
const [{ id: taskId }] = TASKS;
const [person] = PEOPLE;
const status = () => scene.service.store.tasks.get(taskId)!.status;
const move = async (column: string, options = {}) =>
	await scene.task('move', { taskId: locator(taskId), status: locator(column), options });
const aMinute = async () => await lapse(sleep(61_000));

/** Adds workspaces up to this number, each with one column. */
function addWorkspaces(count: number, column: string): void {
	const { store } = scene.service;
	for (let nth = store.workspaces.size; nth < count; nth++) {
		const columns = [{ ...WORKSPACES[0].columns[0], id: store.newId('column'), title: column }];
		const title = `Workspace ${nth}`;
		store.addWorkspace({ ...WORKSPACES[0], id: store.newId('workspaces'), title, columns });
	}
}

describe('titles that the node looks up', () => {
	const PAGE_2 = { path: '^/workspaces$', nth: [2, 3, 4, 5, 6, 7] };
	it.each<[string, Fault | undefined, object]>([
		['HTTP 500', { kind: 'status', status: 500, match: PAGE_2 }, {}],
		['HTTP 403', { kind: 'status', status: 403, body: 'json', match: PAGE_2 }, {}],
		['a closed connection', { kind: 'reset', match: PAGE_2 }, {}],
		['a web page', { kind: 'status', status: 200, body: 'html', match: PAGE_2 }, {}],
		['a used-up rate limit', undefined, { whenRateLimited: 'fail' }],
	])(
		'Move refuses a column title if reading page 2 of workspaces ends in %s',
		async (_, fault, options) => {
			addWorkspaces(40, 'Won');
			if (fault) scene.faults(fault);
			else scene.service.switches.rateLimit.limit = 1;
			const { error } = await move('Won', options);
			expect(error?.message).toMatch(/^Column: page 2 of the workspaces could not be read/);
			expect(scene.writes()).toEqual([]);
		},
	);

	it('Move refuses a column title that occurs on two pages, and writes nothing', async () => {
		addWorkspaces(40, 'Won');
		const { error } = await move('Won');
		expect(error?.message).toMatch(/^Column: "Won" is the title of \d\d columns: /);
		expect(scene.writes()).toEqual([]);
	});

	it('A minute after two columns swap titles, Move uses the new titles', async () => {
		await move('Sales / Won');
		expect(status()).toBe(COLUMNS[3]);
		const { columns } = scene.service.store.workspaces.get(WORKSPACES[0].id)!;
		const [won, lost] = [columns[3], columns[4]];
		[won.title, lost.title] = [lost.title, won.title];
		await aMinute();
		await move('Sales / Won');
		expect(status()).toBe(COLUMNS[4]);
		[won.title, lost.title] = [lost.title, won.title];
	});

	itInCi(
		'A minute after somebody recreates a segment, Add to Segments uses the new one',
		async () => {
			const { segments } = scene.service.store;
			const personId = locator(person.id);
			const other = locator(PEOPLE[1].id);
			await scene.person('addToSegments', { personId: other, segments: 'Newsletter' });
			const old = segments.get(SEGMENTS[0])!;
			segments.delete(old.id);
			scene.change('people', person.id, { segments: [] });
			const anew = { ...old, id: scene.service.store.newId('segments') };
			segments.set(anew.id, anew);
			await scene.person('getAll', { limit: 30 });
			await aMinute();
			const { error } = await scene.person('addToSegments', { personId, segments: 'Newsletter' });
			expect(error?.message).toBeUndefined();
			expect(scene.service.store.people.get(person.id)!.segments).toContain(`/segments/${anew.id}`);
		},
	);

	it('If the node gives a title to another segment, lookups find that segment immediately', async () => {
		const add = async (segments: string) =>
			await scene.person('addToSegments', { personId: locator(person.id), segments });
		await add('Newsletter');
		const updateFields = { title: 'Old Newsletter' };
		await scene.segment('update', { segmentId: locator(SEGMENTS[0]), updateFields });
		const { items } = await scene.segment('create', { title: 'Newsletter', icon: 'star' });
		scene.change('people', person.id, { segments: [] });
		const { error } = await add('Newsletter');
		expect(error?.message).toBeUndefined();
		const { segments } = scene.service.store.people.get(person.id)!;
		expect(segments).toEqual([`/segments/${items[0].json.id as string}`]);
	});

	const [sales] = WORKSPACES;
	const shownTitle = async () => {
		const { items } = await scene.task('get', { taskId: locator(taskId) });
		return items[0].json.workspaceTitle;
	};
	const rename = () => scene.change('workspaces', sales.id, { title: 'Renamed' });

	it('After a workspace is renamed, Get shows the new title despite cached editor lists', async () => {
		await scene.editor.list('searchWorkspaces');
		rename();
		jest.advanceTimersByTime(20_000);
		await scene.task('getAll', { limit: 1 });
		// The lookup of a title reads the list anew.
		const workspaceId = locator('Renamed');
		await scene.task('getAll', { filters: { workspaceId }, limit: 1 });
		expect(await shownTitle()).toBe('Renamed');
		jest.advanceTimersByTime(20_000);
		await scene.editor.list('searchWorkspaces');
		expect(await shownTitle()).toBe('Renamed');
	});

	it('If the service lists no users, an update refuses an assignee given by name', async () => {
		changeSwitches(scene.service.switches, { references: 'embedded' });
		const [user] = [...scene.service.store.users.values()];
		const name = [user.givenName, user.familyName].filter(Boolean).join(' ') || String(user.title);
		const parameters = { taskId: locator(taskId), updateFields: { assignees: name } };
		const { error } = await scene.task('update', parameters);
		expect(error?.message).toMatch(/^Assignees: no user has the name .*in the credential/);
		expect(scene.writes()).toEqual([]);
	});

	it('If workspaces show columns only as IRIs, Move reads the column titles once', async () => {
		changeSwitches(scene.service.switches, { columns: 'iris', columnRecords: 200 });
		const { error } = await move('Sales / Won');
		expect(error?.message).toBeUndefined();
		expect(status()).toBe(COLUMNS[3]);
		const asked = () => scene.requests().filter(({ path }) => path.includes('/columns/'));
		expect(asked()).toHaveLength(5);
		await move('Sales / Lost');
		expect(asked()).toHaveLength(5);
		expect(status()).toBe(COLUMNS[4]);
	});

	itInCi.each([
		[20, undefined],
		[21, /titles of columns one by one, and there are too many/],
	])(
		'Move reads up to 20 column titles one by one, and refuses more: %d',
		async (count, message) => {
			changeSwitches(scene.service.switches, { columns: 'iris', columnRecords: 200 });
			const { store } = scene.service;
			const columns = Array.from({ length: count }, (_, index) => ({
				...WORKSPACES[0].columns[0],
				...{ id: store.newId('columns'), title: `Step ${index}` },
			}));
			const id = store.newId('workspaces');
			store.addWorkspace({ ...WORKSPACES[0], id, title: 'Long', columns });
			const { error } = await move('Long / Step 19');
			if (message) expect(error?.message).toMatch(message);
			else expect(status()).toBe(`/workspaces/${id}/columns/${columns[19].id}`);
		},
	);

	it('Move says why it refuses a column title if the service shows no titles', async () => {
		changeSwitches(scene.service.switches, { columns: 'iris' });
		const { error } = await move('Sales / Won');
		expect(error?.message).toMatch(/^Column: the service shows no titles of columns/);
		expect(scene.writes()).toEqual([]);
	});

	it('If the service gives no column by ID, Move retries after an hour', async () => {
		changeSwitches(scene.service.switches, { columns: 'iris' });
		const asked = async () => {
			scene.clear();
			await move('Sales / Won');
			return scene.requests().filter(({ path }) => path.includes('/columns/')).length;
		};
		expect(await asked()).toBe(1);
		jest.advanceTimersByTime(58 * 60_000);
		expect(await asked()).toBe(0);
		jest.advanceTimersByTime(3 * 60_000);
		expect(await asked()).toBe(1);
	});

	it('If the service answers 404 for one column, Move still finds later columns', async () => {
		changeSwitches(scene.service.switches, { columns: 'iris', columnRecords: 200 });
		scene.faults({ kind: 'status', status: 404, match: { path: `^${COLUMNS[1]}$` } });
		const { error } = await move('Sales / Won');
		expect(error?.message).toBeUndefined();
		expect(status()).toBe(COLUMNS[3]);
	});
});

describe('Return All, while others change the list', () => {
	const all = async (filters = {}, more = {}) => {
		const read = await scene.person('getAll', { returnAll: true, filters, output: 'raw', ...more });
		return { ids: read.items.map(({ json }) => String(json.id)), error: read.error };
	};
	const remove = (id: string) => () => void scene.service.store.people.delete(id);

	it.each<[string, object, object, (id: string) => void]>([
		['is removed', {}, {}, (id) => scene.service.store.people.delete(id)],
		[
			'is archived',
			{ existsArchivedAt: false },
			{},
			(id) => scene.change('people', id, { archivedAt: '2026-01-01T00:00:00+00:00' }),
		],
		[
			'is removed from a sorted list',
			{},
			{ sort: { familyName: 'asc' } },
			(id) => scene.service.store.people.delete(id),
		],
	])(
		'Return All gives all other people if one person %s between two pages',
		async (_, filters, more, leave) => {
			const { ids: before } = await all(filters, more);
			const [first] = before;
			scene.clear();
			scene.onRequest(2, () => leave(first));
			const { ids, error } = await all(filters, more);
			expect(error?.message).toBeUndefined();
			expect(ids).toEqual(expect.arrayContaining(before.slice(1)));
		},
	);

	it('If a person disappears during each read, Return All fails and says why', async () => {
		const path = '/people';
		const [a, b, c, d] = PEOPLE.map(({ id }) => id);
		let pages = 0;
		scene.service.requests.push = (...entries) => {
			if (entries[0].path === path && 'page' in entries[0].query) remove([a, b, c, d][pages++])();
			return Array.prototype.push.apply(scene.service.requests, entries);
		};
		const { error } = await all({}, { sort: { familyName: 'asc' } });
		expect(error?.message).toBe('The list of people changed while it was read');
	});
});
