import { changesBetween, merge, withDefaults } from '../changes';
import { blankOf, componentSchemas, propertiesOf } from '../contract';
import { found, without, type Call, type Endpoint } from '../endpoint';
import { iriOf } from '../iris';
import type { Task } from '../records';
import type { Result } from '../representation';
import { endpointsOf, shown, type Resource } from '../resource';
import type { Store } from '../store';
import { linkEmbedded } from './embedded';
import { fieldsOf } from './taskFields';
import { takePosition, type Placement } from './taskPosition';

/** Returns the defaults of the fields that a request can set. */
const defaults = (store: Store) =>
	({ ...without(blankOf('TaskUpdateFields'), 'status'), author: store.keyUser }) as Partial<Task>;

/** Returns a task with only an ID, a column, both times and defaults. `add` gives it a position and a number. */
export function blankTask(store: Store, status: string, now: string, id: string): Task {
	const own = { id, status, position: 0, indexNumber: 0, createdAt: now, updatedAt: now };
	const unsaid = { messages: [], blockedFields: [] };
	return { ...blankOf('Task'), ...defaults(store), ...own, ...unsaid } as unknown as Task;
}

/** Required fields: a title, and a column of a workspace (interface section 2.6). */
const FILLED = ['title', 'status'];

const resource: Resource<Task> = {
	schema: 'Task',
	plural: 'Tasks',
	iri: ({ id }) => iriOf('tasks', id),
	show: (task, { store }) => fieldsOf(store, task),
	all: ({ store }) => [...store.tasks.values()],
	find: ({ store, params }) => store.tasks.get(params.id),
};

/** Stores a new task in its column. */
function add(call: Call, task: Task, placement: Placement): Result {
	const { store } = call;
	task.position = takePosition(store.tasks.values(), task.status, placement);
	task.indexNumber = store.nextIndexNumber(task.status);
	store.addTask(task);
	return { kind: 'item', item: shown(resource, task, call), stored: true };
}

const idIn = (iri: unknown) => (typeof iri === 'string' ? iri.split('/').at(-1) : undefined);

function create(call: Call): Result {
	const { store, readInput, now } = call;
	const input = readInput(FILLED);
	const blank = blankTask(store, String(input.status), now, store.newId('tasks'));
	const placed = ['beforeTask', 'afterTask', 'positionTop', 'participants'];
	const fields = { ...without(input, ...placed), ...linkEmbedded(store, input, now) };
	const task = withDefaults(merge(blank, fields), defaults(store));
	return add(call, task, {
		positionTop: input.positionTop === true,
		beforeTask: idIn(input.beforeTask),
		afterTask: idIn(input.afterTask),
	});
}

/** Fields that a copy does not take over, because it is a new task: neither completed nor archived. */
const NOT_COPIED = { completedAt: null, archivedAt: null, isTemplate: false };

function duplicate(call: Call): Result {
	const { store, params, readInput, now } = call;
	const source = found(store.tasks.get(params.id));
	const input = readInput(FILLED);
	const given = Object.entries(input).filter(([, value]) => value !== null);
	const copy = {
		...structuredClone(source),
		...NOT_COPIED,
		...blankIdentity(store, now),
		...Object.fromEntries(given),
		...linkEmbedded(store, input, now),
	};
	return add(call, copy, {});
}

function blankIdentity(store: Store, now: string) {
	return { id: store.newId('tasks'), createdAt: now, updatedAt: now, author: store.keyUser };
}

/** Fields that the history of a task tracks. */
const TRACKED = Object.keys(propertiesOf(componentSchemas.TaskUpdateFields));

/** Returns a changed task with the effects of the change: the earlier planned day, and the position after a move. */
function settle(store: Store, before: Task, after: Task): Task {
	const settled = { ...after };
	if (before.scheduledOn !== after.scheduledOn && before.scheduledOn !== null) {
		settled.previouslyScheduledOn = before.scheduledOn;
	}
	if (before.status === after.status) return settled;
	settled.position = takePosition(store.tasks.values(), after.status, {});
	if (store.workspaceOf(before) !== store.workspaceOf(after)) {
		settled.indexNumber = store.nextIndexNumber(after.status);
	}
	return settled;
}

function save(call: Call, before: Task, after: Task): Result {
	const { store, switches, now } = call;
	const filled = withDefaults(after, defaults(store));
	const all = changesBetween(before, filled);
	const changes = all.filter(({ field }) => TRACKED.includes(field));
	const stored = all.length > 0;
	const task = stored ? { ...settle(store, before, filled), updatedAt: now } : before;
	if (stored) store.tasks.set(task.id, task);
	if (changes.length > 0) {
		const id = store.newId('history');
		store.addHistory(task.id, { id, createdAt: now, changes, author: store.keyUser });
	}
	const item = shown(resource, task, call);
	const untold =
		switches.updatedTask === 'task' ? [] : Object.keys(without(item.fields, ...TRACKED));
	return { kind: 'item', item: { ...item, fields: without(item.fields, ...untold) }, stored };
}

/** Returns the task to merge a replacement into: a new one, the old one with its fields reset, or the old one. */
function replaced({ store, switches, now }: Call, before: Task): Task {
	if (switches.replaced === 'merged') return before;
	if (switches.replaced === 'kept') return { ...before, ...defaults(store) };
	const { id, status, position, indexNumber } = before;
	return { ...blankTask(store, status, now, id), position, indexNumber };
}

/** The task endpoints of interface section 4.4. */
export const tasks: Record<string, Endpoint> = {
	...endpointsOf(resource),
	createTask: create,
	duplicateTask: duplicate,
	exportTask: ({ store, params }) => {
		found(store.tasks.get(params.id));
		return { kind: 'empty' };
	},
	replaceTask: (call) => {
		const before = found(call.store.tasks.get(call.params.id));
		return save(call, before, merge(replaced(call, before), call.readInput(FILLED)));
	},
	updateTask: (call) => {
		const before = found(call.store.tasks.get(call.params.id));
		return save(call, before, merge(before, call.readInput(FILLED)));
	},
};
