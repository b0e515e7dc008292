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
	type Resource = 'person' | 'task' | 'comment';

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
	const [{ email }] = PEOPLE.find(
		({ emailAddresses }) => emailAddresses.length > 0,
	)!.emailAddresses;
	const columns = () =>
		[...scene.service.store.workspaces.values()].flatMap(({ title, columns: own }) =>
			own.map((column) => `${title} / ${column.title}`),
		);

	it('moves a task to a column by its title, as the answer showed it', async () => {
		const wanted = columns().at(-1)!;
		const [moved] = await answered('task', 'move', { taskId: assigned.id, status: wanted });
		expect(`${String(moved.workspaceTitle)} / ${String(moved.statusTitle)}`).toBe(wanted);
	});

	it('is told of all columns with a title, and takes one of them', async () => {
		const [first, second] = scene.service.store.workspaces.values();
		second.columns[0].title = first.columns[0].title;
		const task = { title: 'Call back', status: first.columns[0].title };
		const message = await refused('task', 'create', task);
		const offered = columns().filter((column) => message.includes(column));
		expect(offered).toHaveLength(2);
		const [created] = await answered('task', 'create', { ...task, status: offered[1] });
		expect(created.workspaceTitle).toBe(second.title);
	});

	it('corrects a value that was refused, from the message', async () => {
		const number = { personId: email, phoneNumber: '+31612345678', phoneType: 'cellular' };
		const message = await refused('person', 'addPhoneNumber', number);
		const phoneType = /expected one of (?:.*?)(mobile)/.exec(message)?.[1];
		const [changed] = await answered('person', 'addPhoneNumber', { ...number, phoneType });
		expect(changed.result).toBe('updated');
	});

	it('asks a colleague whom nobody knows about, and is told whom there are', async () => {
		const filters = { assignees: 'Nobody at All', state: 'any' };
		expect(await refused('task', 'getAll', { filters })).toContain('Eva de Vries');
	});
});
