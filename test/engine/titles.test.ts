import { locator } from './support/fields';
import { items, useScene } from './support/scene';
import { COLUMN_TITLES, COLUMNS, PEOPLE, TAGS, TASKS } from './support/seeded';
import { get } from './support/wire';

const WORKSPACE_READ = get('/workspaces', 'itemsPerPage=30');
const getTasks = { resource: 'task', operation: 'getAll', limit: 30 };
const createTask = {
	resource: 'task',
	operation: 'create',
	title: '={{ $json.title }}',
	status: locator(COLUMNS[0]),
	output: 'simplified',
};
const titles = (count: number) => items(count, (index) => ({ title: `Call ${index}` }));

describe('the titles of columns and workspaces', () => {
	const scene = useScene();

	it('are read once for all tasks, and for all runs of an hour', async () => {
		const first = await scene.run({ parameters: getTasks });
		expect(first.items.map(({ json }) => json.statusTitle)).toEqual(
			TASKS.slice(0, 30).map(({ status }) => COLUMN_TITLES[status]),
		);
		expect(scene.sent()).toEqual([get('/tasks', 'itemsPerPage=30'), WORKSPACE_READ]);
		scene.clear();
		const input = TASKS.slice(0, 5).map(({ id }) => ({ id }));
		const parameters = { resource: 'task', operation: 'get', taskId: locator('={{ $json.id }}') };
		const second = await scene.run({ parameters, input });
		expect(second.items.map(({ json }) => json.workspaceTitle)).not.toContain(null);
		expect(scene.requests()).toHaveLength(5);
	});

	it('that may not be read cost nothing but the titles, and are not asked for each time', async () => {
		scene.service.switches.faults = [
			{ kind: 'status', status: 403, body: 'json', match: { path: '/workspaces' } },
		];
		const { items: tasks, error } = await scene.run({ parameters: getTasks });
		expect(error).toBeUndefined();
		expect(tasks).toHaveLength(30);
		expect(tasks[0].json).toMatchObject({ id: TASKS[0].id, statusTitle: null });
		scene.clear();
		await scene.run({ parameters: getTasks });
		expect(scene.sent()).toEqual([get('/tasks', 'itemsPerPage=30')]);
	});

	it('are read for a few writes', async () => {
		const { items: tasks } = await scene.run({ parameters: createTask, input: titles(3) });
		expect(tasks.map(({ json }) => [json.title, json.statusTitle, json.workspaceTitle])).toEqual([
			['Call 0', 'Lead', 'Sales'],
			['Call 1', 'Lead', 'Sales'],
			['Call 2', 'Lead', 'Sales'],
		]);
		expect(scene.requests()).toHaveLength(4);
	});

	it('take no turn from a run of many writes', async () => {
		const { items: tasks } = await scene.run({ parameters: createTask, input: titles(20) });
		expect(tasks).toHaveLength(20);
		expect(tasks[0].json).toMatchObject({ status: COLUMNS[0], statusTitle: null });
		expect(scene.requests()).toHaveLength(20);
	});

	it('stand in what the node takes as a reference', async () => {
		const { items: workspaces } = await scene.run({
			parameters: { resource: 'workspace', operation: 'getAll', limit: 1 },
		});
		const [lead] = String(workspaces[0].json.columns).split(', ');
		expect(lead).toMatch(/^Lead \(.workspaces/);
		const { items: moved } = await scene.run({
			parameters: {
				resource: 'task',
				operation: 'move',
				taskId: locator(TASKS[3].id),
				status: locator(lead),
			},
		});
		expect(moved[0].json).toMatchObject({ status: COLUMNS[0] });
	});
});

describe('the output of a write', () => {
	const scene = useScene();
	const [person] = PEOPLE;

	it('is simplified by default, with the result first', async () => {
		const { items: people } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'addTags',
				personId: locator(person.id),
				tags: [TAGS.find((id) => !person.tags.includes(`/tags/${id}`))],
				output: 'simplified',
			},
		});
		expect(Object.keys(people[0].json)).toEqual([
			'result',
			'id',
			'name',
			'givenName',
			'familyName',
			'email',
			'phone',
			'owner',
			'segments',
			'tags',
			'updatedAt',
		]);
	});

	it.each([
		['raw', expect.arrayContaining(['@id', 'familyName', 'emailAddresses'])],
		['selectedFields', ['result', 'id', 'jobTitle']],
	])('is %s where that is chosen', async (output, names) => {
		const { items: people } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'upsert',
				matchBy: 'email',
				matchValue: person.emailAddresses[0].email,
				additionalFields: { jobTitle: 'Chef' },
				output,
				fields: ['id', 'jobTitle'],
			},
		});
		expect(Object.keys(people[0].json)).toEqual(names);
	});

	it('shows what was answered, where that is a part of the record', async () => {
		scene.service.switches.faults = [
			{ kind: 'status', status: 200, body: { dueDate: '2026-12-31T00:00:00Z' } },
		];
		const { items: tasks } = await scene.run({
			parameters: {
				resource: 'task',
				operation: 'update',
				taskId: locator('x'),
				updateFields: { dueDate: '2026-12-31' },
				output: 'simplified',
			},
		});
		expect(tasks[0].json).toEqual({ id: 'x', dueDate: '2026-12-31T00:00:00Z' });
	});
});
