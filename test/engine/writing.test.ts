import { answer } from './support/faults';
import { locator, PICKED, PICKED_SENT } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, TASKS } from './support/seeded';
import { command, patch, post, put, steady } from './support/wire';

const [person] = PEOPLE;
const [task] = TASKS;
const PERSON = `/people/${person.id}`;
const TASK = `/tasks/${task.id}`;
const personId = locator(person.id);
const taskId = locator(task.id);

describe('a write of a record', () => {
	const scene = useScene();

	it('With only a family name, Replace empties the other fields of the person', async () => {
		expect(person.emailAddresses).not.toEqual([]);
		const { items } = await scene.person('replace', { personId, familyName: 'Jansen' });
		expect(scene.sent()).toEqual([put(PERSON, { familyName: 'Jansen' })]);
		expect(items[0].json).toMatchObject({ familyName: 'Jansen', emailAddresses: [] });
	});

	const names = { givenName: '={{ $json.first }}', jobTitle: 'Buyer' };
	const places = [names, { additionalFields: names }];
	it.each(['create', 'upsert', 'replace'].flatMap((name) => places.map((own) => [name, own])))(
		'The operation %s sends Given Name and Job Title, given in parameters %j',
		async (operation, own) => {
			const given = { personId, familyName: 'Jansen', email: 'new@crm.example' };
			const parameters = { ...given, ...(own as typeof names) };
			const { error } = await scene.person(String(operation), parameters, {
				input: [{ first: 'Eva' }],
			});
			expect(error).toBeUndefined();
			expect(scene.writes()[0].body).toEqual({
				...{ givenName: 'Eva', familyName: 'Jansen', jobTitle: 'Buyer' },
				emailAddresses: [{ email: 'new@crm.example' }],
			});
		},
	);

	it.each([
		['person', '"tags": [null]'],
		['person', '"tags": [" "], "segments": [""]'],
		['task', '"assignees": [""]'],
	] as const)(
		'In the JSON of a %s, a list of blanks changes nothing: %s',
		async (resource, fields) => {
			const parameters = { personId, taskId, inputMode: 'json', jsonBody: `{ ${fields} }` };
			const { items, error } = await scene[resource]('update', parameters);
			expect(error).toBeUndefined();
			expect(items[0].json.result).toBe('unchanged');
			expect(scene.sent()).toEqual([]);
		},
	);

	it('In JSON, an empty list of tags removes all tags', async () => {
		await scene.person('update', { personId, inputMode: 'json', jsonBody: '{ "tags": [] }' });
		expect(scene.sent()).toEqual([patch(PERSON, { tags: [] })]);
	});

	it('Replace refuses an unusable phone number even if On Error continues', async () => {
		const parameters = { personId, familyName: 'Jansen', phone: 'n/a' };
		const setup = { onError: 'continueErrorOutput' as const };
		const { errorItems } = await scene.person('replace', parameters, setup);
		expect(errorItems[0].json.error).toMatch(/^Phone: expected a phone number/);
		expect(scene.writes()).toEqual([]);
	});

	it('An update without fields sends nothing, and gives the ID of the record', async () => {
		const { items, error } = await scene.person('update', { personId, updateFields: {} });
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([]);
		expect(items).toEqual([
			{
				json: { result: 'unchanged', summary: 'Nothing changes', id: person.id, changes: {} },
				pairedItem: { item: 0 },
			},
		]);
	});

	it('The raw output of a task update has only the fields of the answer', async () => {
		scene.service.switches.updatedTask = 'update-fields';
		const { items } = await scene.task('update', { taskId, updateFields: { title: 'x' } });
		expect(items).toHaveLength(1);
		expect(items[0].json).toMatchObject({ '@id': TASK, title: 'x' });
		expect(items[0].json).not.toHaveProperty('createdAt');
	});

	it('The simplified output of a task update shows the ID and the returned field', async () => {
		scene.faults(answer({ dueDate: '2026-12-31T00:00:00Z' }));
		const updateFields = { dueDate: '2026-12-31' };
		const options = { output: 'simplified' };
		const parameters = { taskId: locator('x'), updateFields, options };
		const { items } = await scene.task('update', parameters);
		expect(items[0].json).toEqual({
			...{ result: 'updated', id: 'x' },
			dueDate: '2026-12-31T00:00:00Z',
		});
	});

	it('Create gives the ID from the Location header if the answer has no body', async () => {
		scene.service.switches.createdAnswer = 'location';
		const { items } = await scene.person('create', { familyName: 'New' });
		const people = [...scene.service.store.people.values()];
		const { id } = people.find(({ familyName }) => familyName === 'New')!;
		expect(items.map(({ json }) => json)).toEqual([
			{
				...{ result: 'created', name: 'New', summary: 'Family Name: New', id },
				changes: { familyName: { from: null, to: 'New' } },
			},
		]);
	});
});

/** Operations that set a time, the opposite operations, and the field. */
const TIMED = [
	['person', 'archive', 'unarchive', 'archivedAt'],
	['task', 'archive', 'unarchive', 'archivedAt'],
	['task', 'complete', 'reopen', 'completedAt'],
] as const;

describe.each(TIMED)('the operation %s %s and its opposite', (resource, operation, back, field) => {
	const scene = useScene();
	beforeEach(async () => await scene.showTimes());
	const path = resource === 'person' ? PERSON : TASK;
	const run = async (name: string, parameters: object = {}) =>
		await scene[resource](name, { personId, taskId, ...parameters });

	it.each([
		[PICKED, PICKED_SENT],
		['2026-12-31T17:00:00Z', '2026-12-31T17:00:00Z'],
		...(resource === 'person' ? [['2026-12-31', '2026-12-30T23:00:00Z']] : []),
	])(`The operation ${operation} sends the time that the user gives: %s`, async (given, sent) => {
		const { items } = await run(operation, { [field]: given });
		expect(scene.sent()).toEqual([patch(path, { [field]: sent })]);
		const record = steady(await scene.record(path));
		const name = expect.any(String) as string;
		const json = { result: 'updated', name, ...record };
		expect(steady(items)).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(Date.parse(String(items[0].json[field]))).toBe(Date.parse(sent));
	});

	it.each(['', '={{ $json.nothing }}', '={{ null }}'])(
		`The operation ${operation} sends the present time if the given time is %j`,
		async (given) => {
			await run(operation, { [field]: given });
			expect(scene.sent()).toEqual([patch(path, { [field]: expect.any(String) })]);
			const { body, at } = scene.request();
			const sent = (body as Record<string, string>)[field];
			expect(sent).toMatch(/Z$/);
			expect(Math.abs(Date.parse(sent) - at)).toBeLessThan(1_000);
		},
	);

	it(`The operation ${back} undoes the operation ${operation}, and sends no other field`, async () => {
		await run(operation);
		expect((await scene.record(path))[field]).toEqual(expect.any(String));
		scene.clear();
		await run(back, { [field]: PICKED, clearFields: ['title'] });
		expect(scene.sent()).toEqual([patch(path, { [field]: null })]);
		expect((await scene.record(path))[field] ?? null).toBeNull();
	});
});

describe('commands for a task', () => {
	const scene = useScene();

	const run = async (operation: string, parameters: object = {}, input = [{}]) =>
		await scene.task(operation, { taskId, ...parameters }, { input });

	it('Move sends only the column of the task', async () => {
		const { items } = await run('move', { status: locator(COLUMNS[3], 'list') });
		expect(scene.sent()).toEqual([patch(TASK, { status: COLUMNS[3] })]);
		const record = steady(await scene.record(TASK));
		const json = { result: 'updated', name: record.title, ...record };
		expect(steady(items)).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it('Duplicate without parameters sends an empty body, so that the copy keeps the title', async () => {
		const { items } = await run('duplicate');
		expect(scene.sent()).toEqual([post(`${TASK}/duplicate`, {})]);
		const created = await scene.record(String(items[0]?.json['@id']));
		expect(items).toEqual([
			{
				json: { result: 'created', name: task.title, changes: {}, ...created },
				pairedItem: { item: 0 },
			},
		]);
		expect(created).toMatchObject({ title: task.title, status: task.status });
		expect(created.id).not.toBe(task.id);
	});

	it.each([
		['title', 'Copy', 'Copy'],
		['status', locator(COLUMNS[4], 'list'), COLUMNS[4]],
		['isTemplate', true, true],
	])('Duplicate sends %s if the user gives this field', async (name, given, sent) => {
		const { items } = await run('duplicate', { additionalFields: { [name]: given } });
		expect(scene.sent()).toEqual([post(`${TASK}/duplicate`, { [name]: sent })]);
		expect(items[0].json).toMatchObject({ [name]: sent });
	});

	it.each(['', '={{ $json.nothing }}'])(
		'Duplicate sends no title if the title is %j',
		async (title) => {
			await run('duplicate', { additionalFields: { title, isTemplate: false } });
			expect(scene.sent()).toEqual([post(`${TASK}/duplicate`, { isTemplate: false })]);
		},
	);

	it('Export sends a request without a body for each task, and reports success', async () => {
		const ids = [task.id, TASKS[1].id];
		const { items } = await run('export', { taskId: locator('={{ $json.id }}') }, [
			{ id: task.id },
			{ id: `/tasks/${TASKS[1].id}` },
		]);
		expect(scene.sent()).toEqual(ids.map((id) => command(`/tasks/${id}/export`)));
		expect(items).toEqual(
			ids.map((id, item) => ({ json: { id, exported: true }, pairedItem: { item } })),
		);
	});
});
