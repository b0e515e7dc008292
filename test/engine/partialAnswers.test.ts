import type { IDataObject } from 'n8n-workflow';
import { itInCi } from '../support/drawn';
import { answer, refusal } from './support/faults';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, COMMENTS, DISCUSSED, PEOPLE, TASKS } from './support/seeded';

/* Answers that show only part of a record, or entries that are no records. The interface does not rule them out. */
const scene = useScene();
const [task] = TASKS;
const [person] = PEOPLE;

describe('the answer to the update of a task', () => {
	const update = async (body: unknown, options: object = {}) => {
		scene.faults(answer(body, { method: 'PATCH' }));
		const parameters = { taskId: locator(task.id), updateFields: { title: 'New' } };
		return await scene.task('update', { ...parameters, options });
	};

	it.each<[unknown]>([
		[{ title: 'New' }],
		[{ status: COLUMNS[0] }],
		[{ dueDate: null }],
		[{ dueDate: null, description: null }],
		[{ id: task.id.toUpperCase(), title: 'New' }],
		[{ '@id': `/tasks/${task.id}`, title: 'New' }],
	])('Update takes the answer %j for the task', async (body) => {
		const { items, error } = await update(body, { output: 'simplified' });
		expect(error?.message).toBeUndefined();
		expect(items[0].json).toMatchObject({ result: 'updated' });
		expect(String(items[0].json.id).toLowerCase()).toBe(task.id);
	});

	it.each<[unknown]>([
		[{ id: TASKS[1].id, title: 'New' }],
		[{ '@id': '/other/1', title: 'New' }],
		[{ title: 'New', message: 'Stored later' }],
		[{ title: 'New', violations: [] }],
		[{ title: 'New', status: 200 }],
		[{ description: 'Stored later', type: 'about:blank' }],
		[{ accepted: true }],
		[{}],
		[[{ title: 'New' }]],
	])('Update does not take the answer %j for the task', async (body) => {
		const { items, error } = await update(body);
		expect(items).toEqual([]);
		expect(error?.message).toMatch(
			/^The (answer of the )?service .*the task may have been updated/,
		);
	});

	it('Selected Fields shows only those fields of a task that the answer shows', async () => {
		const fields = ['id', 'title', 'description', 'dueDate'];
		const { items } = await update({ title: 'New' }, { output: 'selectedFields', fields });
		const told = { result: 'updated', name: 'New' };
		expect(items[0].json).toEqual({ ...told, id: task.id, title: 'New' });
	});
});

it.each<[unknown, boolean]>([
	[{ jobTitle: 'Chef' }, true],
	[{ jobTitle: 'Chef', title: 'x' }, true],
	[{ title: 'Maintenance' }, false],
	[{ status: 'queued' }, false],
])('After the update of a person, the answer %j counts as person: %s', async (body, counts) => {
	scene.faults(answer(body, { method: 'PATCH' }));
	const updateFields = { jobTitle: 'Chef' };
	const { error } = await scene.person('update', { personId: locator(person.id), updateFields });
	expect(error === undefined).toBe(counts);
});

it.each([
	[`/comments/${COMMENTS[0].id}`],
	[`/tasks/${DISCUSSED.id}/comments/${COMMENTS[0].id}`],
	['/.well-known/genid/1'],
])('Get takes a comment by its ID, although its IRI is %s', async (iri) => {
	const { id } = COMMENTS[0];
	scene.faults(answer({ '@id': iri, id, description: 'Hello' }));
	const parameters = { taskId: locator(DISCUSSED.id), commentId: locator(id) };
	const { items, error } = await scene.comment('get', { ...parameters, output: 'raw' });
	expect(error?.message).toBeUndefined();
	expect(items[0].json).toMatchObject({ id, description: 'Hello' });
});

it('Simplified shows e-mail addresses and phone numbers that the service shows as texts', async () => {
	const lists = { emailAddresses: ['a@x.example', 'b@x.example'], phoneNumbers: ['020 1'] };
	scene.faults(answer({ '@id': `/people/${person.id}`, id: person.id, ...lists }));
	const fields = ['emailAddresses', 'phoneNumbers'];
	const parameters = { personId: locator(person.id), output: 'selectedFields', fields };
	const { items } = await scene.person('get', parameters);
	expect(items[0].json).toEqual({
		emailAddresses: 'a@x.example, b@x.example',
		phoneNumbers: '020 1',
	});
});

describe('a list that the node reads to learn the form of times', () => {
	it.each<[unknown]>([
		[{ member: [null, 'x', {}, { familyName: 'Bos' }, { id: 'x1', createdAt: 'soon' }] }],
		[{ status: 'ok' }],
		['html'],
	])('Create writes a task with a due date even if the answer is %j', async (body) => {
		scene.faults(answer(body, { method: 'GET', path: '^/(people|tasks)$' }));
		const additionalFields = { dueDate: '2026-12-31T17:00:00Z' };
		const parameters = { title: 'Call', status: locator(COLUMNS[0]), additionalFields };
		const { error } = await scene.task('create', parameters);
		expect(error?.message).toBeUndefined();
		expect(scene.requests().map(({ method }) => method)).toEqual(['GET', 'POST']);
		expect(scene.writes()[0].body).toMatchObject(additionalFields);
	});
});

describe('the columns of a workspace', () => {
	const workspace = COLUMNS[3].split('/')[2];
	const move = async (title: string) => {
		const parameters = { taskId: locator(TASKS[3].id), status: locator(title) };
		return await scene.task('move', parameters);
	};
	const statusOf = () => scene.service.store.tasks.get(TASKS[3].id)!.status;

	it('If only single workspaces show columns, Move reads the named workspace', async () => {
		scene.service.switches.columnsIn = 'single';
		const { error } = await move('Sales / Won');
		expect(error?.message).toBeUndefined();
		expect(statusOf()).toBe(COLUMNS[3]);
		const paths = scene.requests().map(({ path }) => path);
		expect(paths).toEqual(['/workspaces', `/workspaces/${workspace}`, `/tasks/${TASKS[3].id}`]);
	});

	itInCi('If the key may read no single workspace, Move asks for the whole ID', async () => {
		scene.service.switches.columnsIn = 'single';
		scene.faults(refusal(404, { path: '^/workspaces/' }));
		const { error } = await move('Sales / Won');
		expect(error?.message).toMatch(
			/^Column: the service shows no titles of columns: give its whole ID/,
		);
		expect(scene.writes()).toEqual([]);
	});

	it('Move finds a column beside entries that are no columns', async () => {
		const won: IDataObject = { '@id': COLUMNS[3], title: 'Won' };
		const columns = [null, 'x', { title: 'Won' }, { title: '' }, won];
		const others = { '@id': '/workspaces/o', id: 'o', title: 'Other', columns };
		const member = [{ '@id': `/workspaces/${workspace}`, id: workspace, title: 'Sales', columns }];
		scene.faults(
			answer(
				{ member: [...member, { ...others, columns: columns.slice(0, 4) }] },
				{ path: '^/workspaces$' },
			),
		);
		const { error } = await move('Sales / Won');
		expect(error?.message).toBeUndefined();
		expect(statusOf()).toBe(COLUMNS[3]);
	});
});
