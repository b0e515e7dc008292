import { locator } from './support/fields';
import { items, useScene } from './support/scene';
import { COLUMNS, PEOPLE, SEGMENTS, SEGMENT_TITLES, TASKS, WORKSPACES } from './support/seeded';
import { get } from './support/wire';

const WORKSPACE_READ = get('/workspaces', 'itemsPerPage=30');
const move = (column: string) => ({
	resource: 'task',
	operation: 'move',
	taskId: locator(TASKS[3].id),
	status: locator(column),
});
const support = WORKSPACES.find(({ title }) => title === 'Support')!;
const toDo = `/workspaces/${support.id}/columns/${support.columns[0].id}`;

describe('a column', () => {
	const scene = useScene();

	it.each([
		['Support / To do', toDo],
		['support/TO DO', toDo],
		// Another workspace that has it is archived.
		['Proposal', COLUMNS[2]],
	])('is found by its title, as "%s", after one read', async (title, status) => {
		const { items: tasks, error } = await scene.run({ parameters: move(title) });
		expect(error).toBeUndefined();
		expect(tasks[0].json).toMatchObject({ status });
		expect(scene.sent().map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /workspaces',
			`PATCH /tasks/${TASKS[3].id}`,
		]);
	});

	it('of a title that several have is asked for, with where they stand', async () => {
		const { error } = await scene.run({ parameters: move('Done') });
		expect(error?.message).toMatch(
			/^Column: "Done" is the title of 2 columns: (Onboarding|Support) \/ Done \(\/workspaces\//,
		);
		expect(scene.sent()).toEqual([WORKSPACE_READ]);
	});

	it('of a title that none has is refused, with those that there are', async () => {
		const { error } = await scene.run({ parameters: move('Nowhere') });
		expect(error?.message).toMatch(
			/^Column: no column has the title "Nowhere"; there are Onboarding \/ Doing, .*Sales \/ Lead, Sales \/ Lost, .*Support \/ Waiting$/,
		);
	});

	it('by its IRI costs no read', async () => {
		await scene.run({ parameters: move(toDo) });
		expect(scene.requests()).toHaveLength(1);
	});
});

describe('a title', () => {
	const scene = useScene();
	const newsletter = `/segments/${SEGMENTS[0]}`;

	it('stands for a segment in a filter, and is looked up once for all items', async () => {
		const { items: people } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'getAll',
				returnAll: true,
				filters: { segmentsUuid: '={{ $json.segment }}' },
				output: 'raw',
			},
			input: items(3, () => ({ segment: 'newsletter' })),
		});
		const members = PEOPLE.filter(({ segments }) => segments.includes(newsletter));
		expect(people).toHaveLength(3 * members.length);
		const reads = scene.sent().filter(({ path }) => path === '/segments');
		expect(reads).toEqual([get('/segments', 'itemsPerPage=30')]);
	});

	it('that nothing has is refused before anything is read with it', async () => {
		const { error } = await scene.run({
			parameters: { resource: 'person', operation: 'getAll', filters: { segmentsUuid: 'Nobody' } },
		});
		expect(error?.message).toContain('Segment: no segment has the title "Nobody"; there are ');
		expect(error?.message).toContain(SEGMENT_TITLES[newsletter]);
		expect(scene.requests().map(({ path }) => path)).toEqual(['/segments']);
	});

	it('stands for the records of fields and of the address', async () => {
		const { items: added, error } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'addToSegments',
				personId: locator(PEOPLE[0].id),
				segments: '["Newsletter"]',
			},
		});
		expect(error).toBeUndefined();
		expect(added[0].json.segments).toContain(newsletter);
		const { items: workspaces } = await scene.run({
			parameters: { resource: 'workspace', operation: 'get', workspaceId: locator('sales') },
		});
		expect(workspaces[0].json.id).toBe(WORKSPACES[0].id);
	});

	it('keeps the order of items that write to the same record', async () => {
		const titles = ['Sales / Won', toDo, 'Sales / Lead'];
		await scene.run({
			parameters: move('={{ $json.column }}'),
			input: titles.map((column) => ({ column })),
		});
		expect((await scene.record(`/tasks/${TASKS[3].id}`)).status).toBe(COLUMNS[0]);
	});

	it('that one item gives wrong keeps those of a run before and behind from being sent', async () => {
		const { error } = await scene.run({
			parameters: move('={{ $json.column }}'),
			input: [toDo, 'Sales / Won', 'Nowhere', toDo].map((column) => ({ column })),
		});
		expect(error?.message).toContain('no column has the title "Nowhere"');
		expect(error?.message).toContain('(0 of 4 items done, 3 not sent)');
		expect(scene.requests().map(({ method }) => method)).toEqual(['GET']);
	});

	it('of a user or tag is found where the service shows one', async () => {
		const tag = scene.service.store.tags.values().next().value!;
		scene.service.switches.tags = 200;
		const { error } = await scene.run({
			parameters: { resource: 'person', operation: 'getAll', filters: { tagsId: tag.title } },
		});
		expect(error).toBeUndefined();
		const asked = scene.requests().find(({ path }) => path === '/people');
		expect(asked?.query).toMatchObject({ 'tags.id': tag.id });
	});
});
