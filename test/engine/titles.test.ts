import { changeSwitches } from '../service/switches';
import { itInCi } from '../support/drawn';
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
const USER_READ = get('/users', 'itemsPerPage=30');
const taskId = locator(TASKS[3].id);
const support = WORKSPACES.find(({ title }) => title === 'Support')!;
const toDo = `/workspaces/${support.id}/columns/${support.columns[0].id}`;

const SIMPLIFIED = { output: 'simplified' };

describe('the titles of columns and workspaces', () => {
	const scene = useScene();

	/** Creates this number of tasks in the column Lead. */
	const createTasks = async (count: number) =>
		await scene.task(
			'create',
			{ title: '={{ $json.title }}', status: locator(COLUMNS[0]), options: SIMPLIFIED },
			{ input: items(count, (index) => ({ title: `Call ${index}` })) },
		);

	it('The node reads titles of columns and workspaces once for all tasks and runs', async () => {
		const first = await scene.task('getAll', { limit: 30 });
		expect(first.items.map(({ json }) => json.statusTitle)).toEqual(
			TASKS.slice(0, 30).map(({ status }) => COLUMN_TITLES[status]),
		);
		const reads = [WORKSPACE_READ, USER_READ];
		expect(scene.sent()).toEqual([get('/tasks', 'itemsPerPage=30'), ...reads]);
		scene.clear();
		const input = TASKS.slice(0, 5).map(({ id }) => ({ id }));
		const second = await scene.task('get', { taskId: locator('={{ $json.id }}') }, { input });
		expect(second.items.map(({ json }) => json.workspaceTitle)).not.toContain(null);
		expect(scene.requests()).toHaveLength(5);
	});

	it('Move by column title reads workspaces once, for the lookup and for the output', async () => {
		const status = locator('Support / To do');
		const { items: tasks } = await scene.task('move', { taskId, status, options: SIMPLIFIED });
		expect(tasks[0].json).toMatchObject({ statusTitle: 'To do', workspaceTitle: 'Support' });
		const reads = scene.sent().filter((sent) => JSON.stringify(sent).includes('/workspaces"'));
		expect(reads).toHaveLength(1);
	});

	it('If the key may not read workspaces, Get Many gives tasks without column titles', async () => {
		scene.faults(refusal(403, { path: '/workspaces' }));
		const { items: tasks, error } = await scene.task('getAll', { limit: 30 });
		expect(error).toBeUndefined();
		expect(tasks).toHaveLength(30);
		expect(tasks[0].json).toMatchObject({ id: TASKS[0].id, statusTitle: null });
		scene.clear();
		await scene.task('getAll', { limit: 30 });
		expect(scene.sent()).toEqual([get('/tasks', 'itemsPerPage=30')]);
	});

	itInCi('The node reads column titles once for the output of forty created tasks', async () => {
		const { items: tasks } = await createTasks(40);
		expect(tasks).toHaveLength(40);
		const titles = tasks.map(({ json }) => [json.status, json.statusTitle, json.workspaceTitle]);
		expect(titles).toEqual(Array(40).fill([COLUMNS[0], 'Lead', 'Sales']));
		expect(scene.requests()).toHaveLength(41);
	});
});

describe('titles and names in the output of a record', () => {
	const scene = useScene();
	const output = { output: 'selectedFields', fields: ['id', 'owner', 'tags', 'segments'] };
	const tagged = PEOPLE.find(({ owner, tags }) => owner && tags.length > 0)!;
	const personId = locator(tagged.id);

	itInCi('Names that other runs and editor lists read change no output', async () => {
		const read = async () => [
			(await scene.person('get', { personId })).items[0].json,
			(await scene.person('get', { personId, ...output })).items[0].json,
			(await scene.task('get', { taskId: locator(worked.id) })).items[0].json,
		];
		const worked = TASKS.find(
			({ assignees, people }) => assignees.length > 0 && people.length > 0,
		)!;
		const first = await read();
		changeSwitches(scene.service.switches, { references: 'embedded' });
		await scene.task('getAll', { limit: 30 });
		await scene.person('getAll', { limit: 30 });
		await scene.editor.options('getOwners');
		await scene.editor.list('searchPeople');
		changeSwitches(scene.service.switches, { references: 'iris' });
		expect(await read()).toEqual(first);
	});

	it.each(['embedded', 'iris'] as const)(
		'Selected Fields shows people of a task by ID (references of the service: %s)',
		async (references) => {
			const [eva, jan] = PEOPLE;
			const people = [eva, jan].map(({ id }) => `/people/${id}`);
			scene.change('tasks', TASKS[0].id, { people });
			changeSwitches(scene.service.switches, { references });
			const fields = ['title', 'people'];
			const parameters = { taskId: locator(TASKS[0].id), output: 'selectedFields', fields };
			const [{ json }] = (await scene.task('get', parameters)).items;
			expect(json).toEqual({ title: TASKS[0].title, people: `${eva.id}, ${jan.id}` });
		},
	);

	it('The node requests each list of titles, even a missing one, once an hour', async () => {
		const read = async () => {
			scene.clear();
			await scene.person('get', { personId });
			return scene.requests().map(({ path }) => path);
		};
		expect(await read()).toEqual([`/people/${tagged.id}`, '/users', '/segments', '/tags']);
		expect(await read()).toEqual([`/people/${tagged.id}`]);
		jest.advanceTimersByTime(61 * 60_000);
		expect((await read()).slice(1)).toEqual(['/users', '/segments', '/tags']);
	});

	it('Selected Fields gives flat fields, with the same columns for each person', async () => {
		const fields = ['id', 'emailAddresses', 'phoneNumbers', 'address', 'segments', 'owner'];
		scene.change('people', tagged.id, {
			emailAddresses: [{ email: 'a@x.example' }, { email: 'b@x.example' }],
			address: { city: 'Utrecht', postalCode: '3511 AA', street: 'Oudegracht 1', country: 'NL' },
			segments: [`/segments/${SEGMENTS[0]}`, `/segments/${SEGMENTS[1]}`],
		});
		const parameters = { output: 'selectedFields', fields, returnAll: true };
		const { items: people } = await scene.person('getAll', parameters);
		const columns = [
			...['id', 'emailAddresses', 'phoneNumbers'],
			...['street', 'postalCode', 'city', 'country', 'segments', 'owner'],
		];
		for (const { json } of people) {
			expect(Object.keys(json)).toEqual(columns);
			expect(Object.values(json).filter((value) => typeof value === 'object')).toEqual(
				Object.values(json).filter((value) => value === null),
			);
		}
		expect(people.find(({ json }) => json.id === tagged.id)?.json).toMatchObject({
			emailAddresses: 'a@x.example, b@x.example',
			city: 'Utrecht',
			segments: [0, 1].map((nth) => SEGMENT_TITLES[`/segments/${SEGMENTS[nth]}`]).join(', '),
			owner: tagged.owner!.slice('/users/'.length),
		});
	});

	it('Selected Fields gives the titles beside the column and workspace of a task', async () => {
		const parameters = { taskId, output: 'selectedFields', fields: ['status', 'workspace'] };
		const { items: tasks } = await scene.task('get', parameters);
		const { status } = TASKS[3];
		expect(tasks[0].json).toEqual({
			status,
			statusTitle: COLUMN_TITLES[status],
			workspace: status.split('/')[2],
			workspaceTitle: WORKSPACES.find(({ id }) => status.includes(id))!.title,
		});
	});
});

describe('the output of a write', () => {
	const scene = useScene();
	const [person] = PEOPLE;

	it('The simplified output of a write begins with result, name and summary', async () => {
		const tags = [TAGS.find((id) => !person.tags.includes(`/tags/${id}`))];
		const parameters = { personId: locator(person.id), tags, options: SIMPLIFIED };
		const { items: people } = await scene.person('addTags', parameters);
		expect(Object.keys(people[0].json)).toEqual([
			...['result', 'name', 'summary', 'id', 'givenName', 'familyName', 'email', 'phone'],
			...['owner', 'segments', 'tags', 'updatedAt', 'changes'],
		]);
	});

	it.each([
		['raw', expect.arrayContaining(['@id', 'familyName', 'emailAddresses'])],
		['selectedFields', ['result', 'name', 'summary', 'id', 'jobTitle', 'changes']],
	])('Create or Update gives the output %s if the user chooses it', async (output, names) => {
		const { items: people } = await scene.person('upsert', {
			email: person.emailAddresses[0].email,
			additionalFields: { jobTitle: 'Chef' },
			options: { output, fields: ['id', 'jobTitle'] },
		});
		expect(Object.keys(people[0].json)).toEqual(names);
	});

	it('Create with Selected Fields gives the default fields if the user chose no fields', async () => {
		const options = { output: 'selectedFields' };
		const parameters = { familyName: 'Jansen', email: 'new@crm.example', options };
		const { items, error } = await scene.person('create', parameters);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({
			familyName: 'Jansen',
			emailAddresses: 'new@crm.example',
		});
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
		// The other workspace with this title is archived.
		['Proposal', COLUMNS[2]],
	])('Move finds a column by the title "%s", with one read', async (title, status) => {
		const { items: tasks, error } = await move(title);
		expect(error).toBeUndefined();
		expect(tasks[0].json).toMatchObject({ status });
		expect(scene.sent().map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /workspaces',
			`PATCH /tasks/${TASKS[3].id}`,
		]);
	});

	it('Move refuses an unknown column title, and the message lists the columns', async () => {
		const { error } = await move('Nowhere');
		expect(error?.message).toMatch(
			/^Column: no column has the title "Nowhere"; there are Onboarding \/ Doing, .*Sales \/ Lead, Sales \/ Lost, .*Support \/ Waiting$/,
		);
	});

	it('Move refuses a title of two columns, and lists both with title and IRI', async () => {
		const [, second] = scene.service.store.workspaces.values();
		second.columns[0].title = 'Lead';
		const { error } = await move('Lead');
		const column = `/workspaces/${second.id}/columns/${second.columns[0].id}`;
		expect(error?.message).toBe(
			`Column: "Lead" is the title of 2 columns: Sales / Lead (${COLUMNS[0]}), ${second.title} / Lead (${column})`,
		);
	});

	it('If several items move one task, Move applies them in order', async () => {
		await moveEach('Sales / Won', toDo, 'Sales / Lead');
		expect((await scene.record(`/tasks/${TASKS[3].id}`)).status).toBe(COLUMNS[0]);
	});

	it('A wrong column title in one item stops the run before any write', async () => {
		const { error } = await moveEach(toDo, 'Sales / Won', 'Nowhere', toDo);
		expect(error?.message).toContain('no column has the title "Nowhere"');
		expect(error?.message).toContain('(0 of 4 items done, 3 not sent)');
		expect(error?.description).toMatch(/set On Error to Continue under Settings$/);
		expect(scene.requests().map(({ method }) => method)).toEqual(['GET']);
	});
});

describe('advice on a record that is not there', () => {
	const scene = useScene();
	const nowhere = locator('Nowhere');
	const column = { status: nowhere };
	const filtered = (name: string) => ({ filters: { [name]: nowhere } });
	const IN_FULL = 'give the full title of one that is there, or its ID';
	const ADDRESS = { __rl: true, mode: 'email', value: 'Amber' };
	const BY_SEARCH = 'Find the ID by Get Many of people with the filter Search';

	it.each([
		['task', 'create', { title: 'Call', ...column }, `list, or ${IN_FULL}`, 'Give the full'],
		['task', 'move', { taskId: locator(TASKS[0].id), ...column }, `list, or ${IN_FULL}`, 'Give'],
		[
			...['task', 'update', { taskId: locator(TASKS[0].id), updateFields: column }],
			...[`list, or ${IN_FULL}, or leave it empty`, 'Give the full title'],
		],
		['task', 'getAll', filtered('status'), `list, or ${IN_FULL}, or remove the filter`, 'Give'],
		['workspace', 'get', { workspaceId: nowhere }, `list, or ${IN_FULL}`, 'Give the full title'],
		[
			...['person', 'addToSegments', { personId: locator(PEOPLE[0].id), segments: 'Nowhere' }],
			...[`list, or ${IN_FULL}`, 'Give the full title'],
		],
		['person', 'get', { personId: ADDRESS }, 'list, or give the ID', BY_SEARCH],
		['person', 'get', { personId: locator('a b') }, 'list, or give the ID', BY_SEARCH],
		['person', 'get', { personId: locator('Amber') }, 'Check the ID', 'Get Many with the filter'],
	] as Array<['task', string, object, string, string]>)(
		'An unknown title or name gives user and agent different advice: %s %s %j',
		async (resource, operation, parameters, forUser, forModel) => {
			const user = (await scene[resource](operation, parameters)).error;
			expect(user?.description).toContain(forUser);
			if (!forUser.includes('empty')) expect(user?.description).not.toContain('leave it empty');
			const model = (await scene[resource](operation, parameters, { isTool: true })).error;
			expect(model?.message.startsWith(`${user?.message}. `)).toBe(true);
			expect(model?.message).toContain(forModel);
			expect(model?.message).not.toContain('list, or give');
		},
	);
});

describe('a title in a parameter', () => {
	const scene = useScene();
	const newsletter = `/segments/${SEGMENTS[0]}`;

	it('Get Many looks up a segment title in a filter once for all items', async () => {
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

	it('The error for an unknown segment title lists thirty segments, and counts the rest', async () => {
		for (let number = 1; number <= 40; number++) {
			const id = `00000000-0000-4000-8000-0000000000${String(number).padStart(2, '0')}`;
			scene.service.store.segments.set(id, {
				...[...scene.service.store.segments.values()][0],
				id,
				title: `Segment ${number}`,
			});
		}
		const { error } = await scene.person('getAll', { filters: { segmentsUuid: 'Nobody' } });
		const [, listed, more] = /there are (.*), and (\d+) more/.exec(error?.message ?? '') ?? [];
		expect(listed.split(', ')).toHaveLength(30);
		expect(Number(more)).toBe(scene.service.store.segments.size - 30);
		expect(scene.requests().filter(({ path }) => path === '/people')).toEqual([]);
	});

	it('If there are thirty segments, the error for an unknown title lists all', async () => {
		const { segments } = scene.service.store;
		const [segment] = segments.values();
		segments.clear();
		for (let number = 10; number < 40; number++) {
			const id = `00000000-0000-4000-8000-0000000000${number}`;
			segments.set(id, { ...segment, id, title: `Segment ${number}` });
		}
		const { error } = await scene.person('getAll', { filters: { segmentsUuid: 'Nobody' } });
		expect(error?.message).toMatch(/there are Segment 10, .*, Segment 39$/);
	});

	it('Add to Segments accepts segment titles, and Get accepts a workspace title', async () => {
		const personId = locator(PEOPLE[0].id);
		const parameters = { personId, segments: '["Newsletter"]' };
		const { items: added, error } = await scene.person('addToSegments', parameters);
		expect(error).toBeUndefined();
		expect(added[0].json.segments).toContain(newsletter);
		const { items: workspaces } = await scene.workspace('get', { workspaceId: locator('sales') });
		expect(workspaces[0].json.id).toBe(WORKSPACES[0].id);
	});
});
