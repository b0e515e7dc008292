import { refusal } from './support/faults';
import { locator } from './support/fields';
import { items, useScene } from './support/scene';
import {
	COLUMN_TITLES,
	COLUMNS,
	PEOPLE,
	SEGMENT_TITLES,
	SEGMENTS,
	TAGS,
	TASKS,
	WORKSPACES,
} from './support/seeded';
import { get } from './support/wire';

const WORKSPACE_READ = get('/workspaces', 'itemsPerPage=30');
const taskId = locator(TASKS[3].id);
const support = WORKSPACES.find(({ title }) => title === 'Support')!;
const toDo = `/workspaces/${support.id}/columns/${support.columns[0].id}`;

const SIMPLIFIED = { output: 'simplified' };

describe('the titles of columns and workspaces', () => {
	const scene = useScene();

	/** Creates so many tasks in the column Lead. */
	const createTasks = async (count: number) =>
		await scene.task(
			'create',
			{ title: '={{ $json.title }}', status: locator(COLUMNS[0]), options: SIMPLIFIED },
			{ input: items(count, (index) => ({ title: `Call ${index}` })) },
		);

	it('are read once for all tasks, and for all runs of an hour', async () => {
		const first = await scene.task('getAll', { limit: 30 });
		expect(first.items.map(({ json }) => json.statusTitle)).toEqual(
			TASKS.slice(0, 30).map(({ status }) => COLUMN_TITLES[status]),
		);
		expect(scene.sent()).toEqual([get('/tasks', 'itemsPerPage=30'), WORKSPACE_READ]);
		scene.clear();
		const input = TASKS.slice(0, 5).map(({ id }) => ({ id }));
		const second = await scene.task('get', { taskId: locator('={{ $json.id }}') }, { input });
		expect(second.items.map(({ json }) => json.workspaceTitle)).not.toContain(null);
		expect(scene.requests()).toHaveLength(5);
	});

	it('that may not be read cost nothing but the titles, and are not asked for each time', async () => {
		scene.faults(refusal(403, { path: '/workspaces' }));
		const { items: tasks, error } = await scene.task('getAll', { limit: 30 });
		expect(error).toBeUndefined();
		expect(tasks).toHaveLength(30);
		expect(tasks[0].json).toMatchObject({ id: TASKS[0].id, statusTitle: null });
		scene.clear();
		await scene.task('getAll', { limit: 30 });
		expect(scene.sent()).toEqual([get('/tasks', 'itemsPerPage=30')]);
	});

	it('are read for a few writes', async () => {
		const { items: tasks } = await createTasks(3);
		expect(tasks.map(({ json }) => [json.title, json.statusTitle, json.workspaceTitle])).toEqual(
			[0, 1, 2].map((index) => [`Call ${index}`, 'Lead', 'Sales']),
		);
		expect(scene.requests()).toHaveLength(4);
	});

	it('take no turn from a run of many writes', async () => {
		const { items: tasks } = await createTasks(20);
		expect(tasks).toHaveLength(20);
		expect(tasks[0].json).toMatchObject({ status: COLUMNS[0], statusTitle: null });
		expect(scene.requests()).toHaveLength(20);
	});

	it('stand in what the node takes as a reference', async () => {
		const { items: workspaces } = await scene.workspace('getAll', { limit: 1 });
		const [lead] = String(workspaces[0].json.columns).split(', ');
		expect(lead).toMatch(/^Lead \(.workspaces/);
		const { items: moved } = await scene.task('move', { taskId, status: locator(lead) });
		expect(moved[0].json).toMatchObject({ status: COLUMNS[0] });
	});
});

describe('the output of a write', () => {
	const scene = useScene();
	const [person] = PEOPLE;

	it('is simplified by default, with the result first', async () => {
		const tags = [TAGS.find((id) => !person.tags.includes(`/tags/${id}`))];
		const parameters = { personId: locator(person.id), tags, options: SIMPLIFIED };
		const { items: people } = await scene.person('addTags', parameters);
		expect(Object.keys(people[0].json)).toEqual([
			...['result', 'id', 'name', 'givenName', 'familyName', 'email', 'phone', 'owner'],
			...['segments', 'tags', 'updatedAt'],
		]);
	});

	it.each([
		['raw', expect.arrayContaining(['@id', 'familyName', 'emailAddresses'])],
		['selectedFields', ['result', 'id', 'jobTitle']],
	])('is %s where that is chosen', async (output, names) => {
		const { items: people } = await scene.person('upsert', {
			matchValue: person.emailAddresses[0].email,
			additionalFields: { jobTitle: 'Chef' },
			options: { output, fields: ['id', 'jobTitle'] },
		});
		expect(Object.keys(people[0].json)).toEqual(names);
	});
});

describe('a column given by its title', () => {
	const scene = useScene();

	const move = async (column: string, input = [{}]) =>
		await scene.task('move', { taskId, status: locator(column) }, { input });
	const moveEach = async (...columns: string[]) =>
		await move(
			'={{ $json.column }}',
			columns.map((column) => ({ column })),
		);

	it.each([
		['Support / To do', toDo],
		['support/TO DO', toDo],
		// Another workspace that has it is archived.
		['Proposal', COLUMNS[2]],
	])('is found, as "%s", after one read', async (title, status) => {
		const { items: tasks, error } = await move(title);
		expect(error).toBeUndefined();
		expect(tasks[0].json).toMatchObject({ status });
		expect(scene.sent().map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /workspaces',
			`PATCH /tasks/${TASKS[3].id}`,
		]);
	});

	it('that several have is asked for, with where they stand', async () => {
		const { error } = await move('Done');
		expect(error?.message).toMatch(
			/^Column: "Done" is the title of 2 columns: (Onboarding|Support) \/ Done \(\/workspaces\//,
		);
		expect(scene.sent()).toEqual([WORKSPACE_READ]);
	});

	it('that none has is refused, with those that there are', async () => {
		const { error } = await move('Nowhere');
		expect(error?.message).toMatch(
			/^Column: no column has the title "Nowhere"; there are Onboarding \/ Doing, .*Sales \/ Lead, Sales \/ Lost, .*Support \/ Waiting$/,
		);
	});

	it('costs a read that one by its IRI does not', async () => {
		await move(toDo);
		expect(scene.requests()).toHaveLength(1);
	});

	it('keeps the order of items that write to the same record', async () => {
		await moveEach('Sales / Won', toDo, 'Sales / Lead');
		expect((await scene.record(`/tasks/${TASKS[3].id}`)).status).toBe(COLUMNS[0]);
	});

	it('that one item gives wrong keeps those of a run before and behind from being sent', async () => {
		const { error } = await moveEach(toDo, 'Sales / Won', 'Nowhere', toDo);
		expect(error?.message).toContain('no column has the title "Nowhere"');
		expect(error?.message).toContain('(0 of 4 items done, 3 not sent)');
		expect(scene.requests().map(({ method }) => method)).toEqual(['GET']);
	});
});

describe('a title', () => {
	const scene = useScene();
	const newsletter = `/segments/${SEGMENTS[0]}`;

	it('stands for a segment in a filter, and is looked up once for all items', async () => {
		const filters = { segmentsUuid: '={{ $json.segment }}' };
		const { items: people } = await scene.person(
			'getAll',
			{ returnAll: true, filters, output: 'raw' },
			{ input: items(3, () => ({ segment: 'newsletter' })) },
		);
		const members = PEOPLE.filter(({ segments }) => segments.includes(newsletter));
		expect(people).toHaveLength(3 * members.length);
		const reads = scene.sent().filter(({ path }) => path === '/segments');
		expect(reads).toEqual([get('/segments', 'itemsPerPage=30')]);
	});

	it('that nothing has is refused before anything is read with it', async () => {
		const { error } = await scene.person('getAll', { filters: { segmentsUuid: 'Nobody' } });
		expect(error?.message).toContain('Segment: no segment has the title "Nobody"; there are ');
		expect(error?.message).toContain(SEGMENT_TITLES[newsletter]);
		expect(scene.requests().map(({ path }) => path)).toEqual(['/segments']);
	});

	it('stands for the records of fields and of the address', async () => {
		const personId = locator(PEOPLE[0].id);
		const parameters = { personId, segments: '["Newsletter"]' };
		const { items: added, error } = await scene.person('addToSegments', parameters);
		expect(error).toBeUndefined();
		expect(added[0].json.segments).toContain(newsletter);
		const { items: workspaces } = await scene.workspace('get', { workspaceId: locator('sales') });
		expect(workspaces[0].json.id).toBe(WORKSPACES[0].id);
	});

	it('of a user or tag is found where the service shows one', async () => {
		const tag = scene.service.store.tags.values().next().value!;
		scene.service.switches.tags = 200;
		const { error } = await scene.person('getAll', { filters: { tagsId: tag.title } });
		expect(error).toBeUndefined();
		const asked = scene.requests().find(({ path }) => path === '/people');
		expect(asked?.query).toMatchObject({ 'tags.id': tag.id });
	});
});
