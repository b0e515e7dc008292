import { locator, PICKED, PICKED_SENT } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, TASKS, WORKSPACES } from './support/seeded';
import { command, patch, post } from './support/wire';

const [task] = TASKS;
const path = `/tasks/${task.id}`;
const taskId = locator(task.id);
const [, support] = WORKSPACES;

describe('commands for a task', () => {
	const scene = useScene();

	const run = async (operation: string, parameters: Record<string, unknown> = {}, input = [{}]) =>
		await scene.run({
			parameters: { resource: 'task', operation, taskId, ...parameters },
			input,
		});

	it.each([
		['complete', 'completedAt'],
		['archive', 'archivedAt'],
	])('%s takes the time that is given', async (operation, field) => {
		const { items } = await run(operation, { [field]: PICKED });
		expect(scene.sent()).toEqual([patch(path, { [field]: PICKED_SENT })]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
		expect(items[0].json[field]).toBe('2026-12-31T16:00:00+00:00');
	});

	it.each([
		['complete', 'completedAt', ''],
		['archive', 'archivedAt', ''],
		['complete', 'completedAt', '={{ $json.nothing }}'],
		['archive', 'archivedAt', '={{ null }}'],
	])('%s takes the present time where %s is %j', async (operation, field, given) => {
		await run(operation, { [field]: given });
		expect(scene.sent()).toEqual([patch(path, { [field]: expect.any(String) })]);
		const { at, body } = scene.request();
		const sent = (body as Record<string, string>)[field];
		expect(sent).toMatch(/Z$/);
		expect(Math.abs(Date.parse(sent) - at)).toBeLessThan(1_000);
	});

	it.each([
		['complete', 'reopen', 'completedAt'],
		['archive', 'unarchive', 'archivedAt'],
	])('%s is taken back by %s', async (operation, back, field) => {
		await run(operation);
		expect((await scene.record(path))[field]).toEqual(expect.any(String));
		scene.clear();
		await run(back, { [field]: PICKED, clearFields: ['title'] });
		expect(scene.sent()).toEqual([patch(path, { [field]: null })]);
		expect((await scene.record(path))[field] ?? null).toBeNull();
	});

	it.each([
		['an IRI', locator(COLUMNS[3])],
		['a choice from the list', locator(COLUMNS[3], 'list')],
		['an expression', locator('={{ $json.column }}')],
	])('move takes a column as %s', async (_, status) => {
		const { items } = await run('move', { status }, [{ column: COLUMNS[3] }]);
		expect(scene.sent()).toEqual([patch(path, { status: COLUMNS[3] })]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it('move takes a column of another workspace', async () => {
		const column = `/workspaces/${support.id}/columns/${support.columns[0].id}`;
		const { items } = await run('move', { status: locator(column) });
		expect(items[0].json).toMatchObject({ status: column, workspace: `/workspaces/${support.id}` });
	});

	it('duplicate sends no title where none is given, so that the copy keeps it', async () => {
		const { items } = await run('duplicate');
		expect(scene.sent()).toEqual([post(`${path}/duplicate`, {})]);
		const created = await scene.record(String(items[0]?.json['@id']));
		expect(items).toEqual([{ json: created, pairedItem: { item: 0 } }]);
		expect(created).toMatchObject({ title: task.title, status: task.status });
		expect(created.id).not.toBe(task.id);
	});

	it.each([
		['title', 'Copy', 'Copy'],
		['status', locator(COLUMNS[4], 'list'), COLUMNS[4]],
		['isTemplate', true, true],
	])('duplicate sends %s', async (name, given, sent) => {
		const { items } = await run('duplicate', { additionalFields: { [name]: given } });
		expect(scene.sent()).toEqual([post(`${path}/duplicate`, { [name]: sent })]);
		expect(items[0].json).toMatchObject({ [name]: sent });
	});

	it.each(['', '={{ $json.nothing }}'])('duplicate sends no title for %j', async (title) => {
		await run('duplicate', { additionalFields: { title, isTemplate: false } });
		expect(scene.sent()).toEqual([post(`${path}/duplicate`, { isTemplate: false })]);
	});

	it('export has no body and says that it was done', async () => {
		const { items } = await run('export', { taskId: locator('={{ $json.id }}') }, [
			{ id: task.id },
			{ id: `/tasks/${TASKS[1].id}` },
		]);
		expect(scene.sent()).toEqual([
			command(`${path}/export`),
			command(`/tasks/${TASKS[1].id}/export`),
		]);
		expect(items).toEqual([
			{ json: { id: task.id, exported: true }, pairedItem: { item: 0 } },
			{ json: { id: TASKS[1].id, exported: true }, pairedItem: { item: 1 } },
		]);
	});

	it.each(['export', 'duplicate', 'move', 'complete', 'archive'])(
		'%s says so where the task does not exist',
		async (operation) => {
			const { error } = await run(operation, {
				taskId: locator('gone'),
				status: locator(COLUMNS[0]),
			});
			expect(error?.message).toBe('The task "gone" does not exist');
			expect(error?.httpCode).toBe('404');
		},
	);
});
