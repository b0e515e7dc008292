import type { Field } from './support/fields';
import { dates, locator, numbers, PICKED, PICKED_SENT, texts } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, FILES, TASKS, USERS } from './support/seeded';
import { patch, post, put } from './support/wire';

const [{ id }, other] = TASKS;
const path = `/tasks/${id}`;
const taskId = locator(id);
const required = { title: 'Call', status: COLUMNS[1] };
const given = { title: 'Call', status: locator(COLUMNS[1], 'list') };

/** The fields that a task is written by on create, update and replacement (interface, 2.6). */
const common: Field[] = [
	...texts('description'),
	...dates('archivedAt', 'dueDate', 'scheduledOn', 'plannedWeek', 'plannedMonth', 'snoozeUntil'),
	...numbers('storyPointEstimation', 'dealSizeEstimation', 'timeEstimation'),
	['timeEstimation', 1.5, 1.5],
	['timeEstimation', '={{ "2h" }}', '2h'],
	['dueDate', '2026-12-31', '2026-12-31'],
	['author', USERS[1], `/users/${USERS[1]}`],
	['assignees', [USERS[1], `/users/${USERS[2]}`], [`/users/${USERS[1]}`, `/users/${USERS[2]}`]],
	['observers', [USERS[3]], [`/users/${USERS[3]}`]],
	['isFlagged', true, true],
	['isTemplate', false, false],
];

/** Those of create alone. */
const createOnly: Field[] = [
	['parent', locator(other.id), `/tasks/${other.id}`],
	['parent', locator(`/tasks/${other.id}`), `/tasks/${other.id}`],
	['beforeTask', locator(other.id, 'list'), `/tasks/${other.id}`],
	['afterTask', locator(other.id), `/tasks/${other.id}`],
	['positionTop', true, true],
	['participants', '[{ "any": "form" }, "x"]', [{ any: 'form' }, 'x']],
];

const RECURRING = {
	rrule: 'FREQ=WEEKLY;BYDAY=MO',
	recurUntilCount: 3,
	recurOnSchedule: true,
	createNewTask: false,
	snooze: true,
};

/** Those of update and replacement alone. */
const updateOnly: Field[] = [
	...dates('completedAt'),
	[
		'files',
		[FILES[0], `/media_objects/${FILES[1]}`],
		[`/media_objects/${FILES[0]}`, `/media_objects/${FILES[1]}`],
	],
	['recurringSettings', RECURRING, RECURRING],
	['recurringSettings', { snooze: false }, { snooze: false }],
	[
		'recurringSettings',
		{ recurUntil: PICKED, recurData: '["MO", 2]' },
		{ recurUntil: PICKED_SENT, recurData: ['MO', 2] },
	],
];

/** Forms of a column; an ID alone names none, since columns are counted within their workspace. */
const columns: Field[] = [
	['status', locator(COLUMNS[2]), COLUMNS[2]],
	['status', locator(COLUMNS[2], 'list'), COLUMNS[2]],
	['status', locator('={{ $json.column }}'), COLUMNS[2]],
];

const READ_ONLY = Object.fromEntries(
	[
		...['id', 'position', 'totalComments', 'isSubTask', 'indexNumber', 'createdAt', 'updatedAt'],
		...['workspace', 'subTasks', 'completedSubtasks', 'totalSubtasks', 'messageProvider'],
		...['previouslyScheduledOn', 'isRecurring', 'workspaceType', 'automation', 'startDate'],
		...['blockedFields', 'messages', 'conversationItems'],
	].map((name) => [name, 'x']),
);

describe('each field of a task', () => {
	const scene = useScene();

	const run = async (operation: string, parameters: Record<string, unknown>) =>
		await scene.run({
			parameters: { resource: 'task', operation, taskId, ...parameters },
			input: [{ column: COLUMNS[2] }],
		});

	it.each([...common, ...createOnly])('is sent on create: %s %j', async (name, value, sent) => {
		const { items } = await run('create', { ...given, additionalFields: { [name]: value } });
		expect(scene.sent()).toEqual([post('/tasks', { ...required, [name]: sent })]);
		const created = await scene.record(String(items[0]?.json['@id']));
		expect(items).toEqual([{ json: created, pairedItem: { item: 0 } }]);
	});

	it.each([...common, ...updateOnly])('is sent on replace: %s %j', async (name, value, sent) => {
		const { items } = await run('replace', { ...given, additionalFields: { [name]: value } });
		expect(scene.sent()).toEqual([put(path, { ...required, [name]: sent })]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it.each([...common, ...updateOnly, ...columns, ...texts('title')])(
		'is sent alone on update: %s %j',
		async (name, value, sent) => {
			const { items } = await run('update', { updateFields: { [name]: value } });
			expect(scene.sent()).toEqual([patch(path, { [name]: sent })]);
			expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
		},
	);

	it.each([
		...['description', 'archivedAt', 'completedAt', 'dueDate', 'scheduledOn', 'plannedWeek'],
		...['plannedMonth', 'snoozeUntil', 'storyPointEstimation', 'dealSizeEstimation'],
		...['timeEstimation', 'recurringSettings'],
	])('is cleared with null: %s', async (name) => {
		await run('update', { clearFields: [name] });
		expect(scene.sent()).toEqual([patch(path, { [name]: null })]);
	});

	it.each(['assignees', 'observers', 'files'])(
		'is cleared with an empty list: %s',
		async (name) => {
			const { items } = await run('update', { clearFields: [name] });
			expect(scene.sent()).toEqual([patch(path, { [name]: [] })]);
			expect(items[0].json[name]).toEqual([]);
		},
	);

	it('is sent with all others at once', async () => {
		const fields = [...common, ...createOnly];
		await run('create', {
			...given,
			additionalFields: Object.fromEntries(fields.map(([name, value]) => [name, value])),
		});
		const sent = Object.fromEntries(fields.map(([name, , value]) => [name, value]));
		expect(scene.sent()).toEqual([post('/tasks', { ...required, ...sent })]);
	});

	it.each([
		['create', post('/tasks', required), { ...READ_ONLY, completedAt: PICKED, files: ['x'] }],
		['replace', put(path, required), { ...READ_ONLY, parent: 'x', positionTop: true }],
		['update', patch(path, { title: 'x' }), { ...READ_ONLY, title: 'x', parent: 'x' }],
	])('that %s does not take is not sent', async (operation, sent, fields) => {
		const collection = operation === 'update' ? 'updateFields' : 'additionalFields';
		await run(operation, { ...given, [collection]: fields });
		expect(scene.sent()).toEqual([sent]);
	});
});
