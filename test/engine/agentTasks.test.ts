import { useScene } from './support/scene';
import { PEOPLE, TASKS } from './support/seeded';

/**
 * Everyday tasks of an agent. In each step, it knows only the answers before and the messages of refusals, like a
 * model.
 */
describe('an agent', () => {
	const scene = useScene();
	const assigned = TASKS.find(
		({ assignees, completedAt }) => assignees.length > 0 && !completedAt,
	)!;
	const [colleague] = assigned.assignees;
	const names = `${colleague} = Eva de Vries`;
	const tool = { isTool: true, credentials: { names } };
	type Resource = 'person' | 'task' | 'comment' | 'history';

	// The default that a model gets if it chooses no output.
	const output = 'simplified';
	const use = async (resource: Resource, operation: string, parameters: object) =>
		await scene[resource](operation, { output, options: { output }, ...parameters }, tool);
	const answered = async (resource: Resource, operation: string, parameters: object) => {
		const { items, error } = await use(resource, operation, parameters);
		expect(error?.message).toBeUndefined();
		return items.map(({ json }) => json);
	};
	const refused = async (resource: Resource, operation: string, parameters: object) => {
		const { error } = await use(resource, operation, parameters);
		expect(error).toBeDefined();
		return `${error?.message}. ${String((error as { description?: string }).description)}`;
	};
	const person = PEOPLE.find(({ emailAddresses }) => emailAddresses.length > 0)!;
	const [{ email }] = person.emailAddresses;
	const writes = () => scene.sent().filter(({ method }) => method !== 'GET');
	const columns = () =>
		[...scene.service.store.workspaces.values()].flatMap(({ title, columns: own }) =>
			own.map((column) => `${title} / ${column.title}`),
		);

	it('An agent finds a person by e-mail address', async () => {
		const [found] = await answered('person', 'get', { personId: email });
		expect(found).toMatchObject({ id: person.id, email });
	});

	it('An agent creates a person and reads the ID in the answer', async () => {
		const jansen = { familyName: 'Jansen', email: 'eva@new.example' };
		const [created] = await answered('person', 'create', jansen);
		const [found] = await answered('person', 'get', { personId: created.id });
		expect(found).toMatchObject(jansen);
	});

	it('An agent updates a person whom Search found', async () => {
		const filters = { q: email!.split('@')[0] };
		const [found] = await answered('person', 'getAll', { filters });
		expect(found.id).toBe(person.id);
		const changes = { personId: found.id, updateFields: { jobTitle: 'Head of Sales' } };
		const [updated] = await answered('person', 'update', changes);
		expect(updated).toMatchObject({ id: person.id, result: 'updated' });
		expect(writes().map(({ body }) => body)).toEqual([changes.updateFields]);
	});

	it('An agent that gives a name instead of an ID finds the person with Search, as the refusal advises', async () => {
		const personId = String(person.familyName);
		expect(await refused('person', 'get', { personId })).toMatch(/Get Many[^]* Search/);
		const found = await answered('person', 'getAll', { filters: { q: personId } });
		expect(found.map(({ id }) => id)).toContain(person.id);
	});

	it('An agent creates a task in a column by its title', async () => {
		const [first] = columns();
		const [created] = await answered('task', 'create', { title: 'Call back', status: first });
		expect(`${String(created.workspaceTitle)} / ${String(created.statusTitle)}`).toBe(first);
	});

	it('If an agent gives an unknown column, the refusal lists full titles that the agent can use', async () => {
		const task = { title: 'Call back', status: 'Nowhere' };
		const message = await refused('task', 'create', task);
		const offered = columns().filter((column) => message.includes(column));
		expect(offered.length).toBeGreaterThan(1);
		await answered('task', 'create', { ...task, status: offered[0] });
	});

	it('An agent moves a task to a column by its full title, and the answer shows that title', async () => {
		const wanted = columns().at(-1)!;
		const [moved] = await answered('task', 'move', { taskId: assigned.id, status: wanted });
		expect(`${String(moved.workspaceTitle)} / ${String(moved.statusTitle)}`).toBe(wanted);
	});

	it('An agent previews a change before it makes the change', async () => {
		const changes = { personId: email, updateFields: { jobTitle: 'Head of Sales' } };
		const options = { previewOnly: true };
		const [preview] = await answered('person', 'update', { ...changes, options });
		expect(preview).toMatchObject({ preview: 'update', id: person.id });
		expect(preview.summary).toMatch(/Job\sTitle:.*Head\sof\sSales/);
		expect(writes()).toEqual([]);
		await answered('person', 'update', changes);
		expect(writes()).toHaveLength(1);
	});

	it('An agent adds a comment to a task and finds the comment there', async () => {
		const comment = { taskId: assigned.id, description: 'Called, will call back' };
		const [{ id }] = await answered('comment', 'create', comment);
		const comments = await answered('comment', 'getAll', { taskId: assigned.id, returnAll: true });
		expect(comments).toContainEqual(
			expect.objectContaining({ id, description: comment.description }),
		);
	});

	it('An agent finds its own move of a task in the history of the task', async () => {
		const status = columns().at(-1)!;
		const [moved] = await answered('task', 'move', { taskId: assigned.id, status });
		const history = await answered('history', 'getAll', { taskId: assigned.id, returnAll: true });
		expect(JSON.stringify(history)).toContain(moved.status);
	});

	it('An agent that gave an ambiguous column title creates the task in a column that the refusal lists', async () => {
		const [first, second] = scene.service.store.workspaces.values();
		second.columns[0].title = first.columns[0].title;
		const task = { title: 'Call back', status: first.columns[0].title };
		const message = await refused('task', 'create', task);
		const offered = columns().filter((column) => message.includes(column));
		expect(offered).toHaveLength(2);
		const [created] = await answered('task', 'create', { ...task, status: offered[1] });
		expect(created.workspaceTitle).toBe(second.title);
	});

	it('An agent corrects a refused phone type with a value that the error message lists', async () => {
		const number = { personId: email, phoneNumber: '+31612345678', phoneType: 'cellular' };
		const message = await refused('person', 'addPhoneNumber', number);
		const phoneType = /expected one of (?:.*?)(mobile)/.exec(message)?.[1];
		const [changed] = await answered('person', 'addPhoneNumber', { ...number, phoneType });
		expect(changed.result).toBe('updated');
	});

	it('If an agent filters tasks by an unknown assignee, the refusal lists the known colleagues', async () => {
		const filters = { assignees: 'Nobody at All', state: 'any' };
		expect(await refused('task', 'getAll', { filters })).toContain('Eva de Vries');
	});
});
