import type { IDataObject } from 'n8n-workflow';
import { useScene } from './support/scene';
import { PEOPLE, TASKS } from './support/seeded';

/**
 * Ten everyday tasks of an agent. What it gives in each step is what a model reads in the answer before, or in the
 * message that refused it: nothing else is known to it.
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

	// As the node gives it to a model that chooses nothing.
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

	it('finds somebody by a word', async () => {
		const { familyName } = PEOPLE[0];
		const found = await answered('person', 'getAll', { filters: { q: familyName } });
		expect(found.map(({ familyName: name }) => name)).toContain(familyName);
	});

	it('lists the open tasks of a colleague by name', async () => {
		const filters = {
			assignees: 'Eva de Vries',
			state: 'open',
			isOverdue: 'any',
			isFlagged: 'any',
		};
		const found = await answered('task', 'getAll', { returnAll: true, filters });
		const expected = TASKS.filter(
			({ assignees, completedAt }) => assignees.includes(colleague) && !completedAt,
		);
		expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
		expect(found.every(({ assignees }) => String(assignees).includes('Eva de Vries'))).toBe(true);
	});

	it('moves a task to a column by its title, as the answer showed it', async () => {
		const wanted = columns().at(-1)!;
		const [moved] = await answered('task', 'move', { taskId: assigned.id, status: wanted });
		expect(`${String(moved.workspaceTitle)} / ${String(moved.statusTitle)}`).toBe(wanted);
	});

	it('comments on a task', async () => {
		const comment = { taskId: assigned.id, description: 'Called, will call back' };
		const [{ id }] = await answered('comment', 'create', comment);
		expect(id).toBeTruthy();
	});

	it('creates somebody, and finds them again', async () => {
		const person = { familyName: 'Zonneveld', email: 'eva@zonneveld.example' };
		const [{ id }] = await answered('person', 'create', person);
		const [found] = await answered('person', 'get', { personId: 'eva@zonneveld.example' });
		expect(found.id).toBe(id);
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

	it('updates whom it would create, where somebody has the address', async () => {
		const [person] = await answered('person', 'upsert', {
			matchValue: email,
			familyName: 'Bakker',
		});
		expect(person).toMatchObject({ result: 'updated', familyName: 'Bakker' });
	});

	it('sees what it would change before anything is written', async () => {
		const update = { personId: email, updateFields: { jobTitle: 'Chef' } };
		const [seen] = await answered('person', 'update', {
			...update,
			options: { previewOnly: true },
		});
		expect((seen.changes as IDataObject).jobTitle).toMatchObject({ to: 'Chef' });
		expect(scene.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	it('asks a colleague whom nobody knows about, and is told whom there are', async () => {
		const filters = { assignees: 'Nobody at All', state: 'any' };
		expect(await refused('task', 'getAll', { filters })).toContain('Eva de Vries');
	});
});
