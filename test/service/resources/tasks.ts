import { changesBetween, merge, withDefaults } from '../changes';
import { componentSchemas, propertiesOf } from '../contract';
import { found, requireFilled, without, type Call, type Endpoint } from '../endpoint';
import type { Input } from '../input';
import type { Task } from '../records';
import { list, type Result } from '../representation';
import type { Store } from '../store';
import { linkEmbedded } from './embedded';
import { showTask, showUpdateFields } from './showTask';
import { takePosition, type Placement } from './taskPosition';

/** The fields of a task that a request can set, at their defaults. */
const DEFAULTS = {
	title: null,
	description: null,
	completedAt: null,
	archivedAt: null,
	dueDate: null,
	scheduledOn: null,
	plannedWeek: null,
	plannedMonth: null,
	snoozeUntil: null,
	storyPointEstimation: null,
	timeEstimation: null,
	dealSizeEstimation: null,
	recurringSettings: null,
	isFlagged: false,
	isTemplate: false,
	assignees: [] as string[],
	observers: [] as string[],
	files: [] as string[],
};

/** A task with nothing but an identity and a column, at the end of it unless placed. */
export function blankTask(store: Store, status: string, now: string, id: string): Task {
	return {
		...structuredClone(DEFAULTS),
		id,
		status,
		position: 0,
		indexNumber: 0,
		createdAt: now,
		updatedAt: now,
		startDate: null,
		previouslyScheduledOn: null,
		author: store.keyUser,
		parent: null,
		tags: [],
		people: [],
		organizations: [],
		conversationItems: [],
		messages: [],
		messageProvider: null,
		automation: null,
		blockedFields: [],
	};
}

const item = (store: Store, task: Task): Result => ({
	kind: 'item',
	item: showTask(store, task),
	stored: true,
});

/** Stores a new task in its column. */
function add(store: Store, task: Task, placement: Placement): Result {
	task.position = takePosition(store.tasks.values(), task.status, placement);
	task.indexNumber = store.nextIndexNumber(task.status);
	store.addTask(task);
	return item(store, task);
}

const idIn = (iri: unknown) => (typeof iri === 'string' ? iri.split('/').at(-1) : undefined);

function create({ store, readInput, now }: Call): Result {
	const input = readInput();
	requireFilled('title', input.title);
	requireFilled('status', input.status);
	const blank = blankTask(store, String(input.status), now, store.newId('tasks'));
	const placed = ['beforeTask', 'afterTask', 'positionTop', 'participants'];
	const fields = { ...without(input, ...placed), ...linkEmbedded(store, input, now) };
	const task = withDefaults(merge(blank, fields), { ...DEFAULTS, author: store.keyUser });
	return add(store, task, {
		positionTop: input.positionTop === true,
		beforeTask: idIn(input.beforeTask),
		afterTask: idIn(input.afterTask),
	});
}

/** What a copy does not take over: it is a new task, neither done nor put away. */
const NOT_COPIED = { completedAt: null, archivedAt: null, isTemplate: false };

function duplicate({ store, params, readInput, now }: Call): Result {
	const source = found(store.tasks.get(params.id));
	const input = readInput();
	const given = Object.entries(input).filter(([, value]) => value !== null);
	const copy = {
		...structuredClone(source),
		...NOT_COPIED,
		...blankIdentity(store, now),
		...Object.fromEntries(given),
		...linkEmbedded(store, input, now),
	};
	requireFilled('title', copy.title);
	return add(store, copy, {});
}

function blankIdentity(store: Store, now: string) {
	return { id: store.newId('tasks'), createdAt: now, updatedAt: now, author: store.keyUser };
}

/** The fields of a task whose changes its history shows. */
const TRACKED = Object.keys(propertiesOf(componentSchemas.TaskUpdateFields));

/** What follows from a change of a task: a move, and the day it was planned for before. */
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

function save({ store, switches, now }: Call, before: Task, after: Task): Result {
	requireFilled('title', after.title);
	requireFilled('status', after.status);
	const filled = withDefaults(after, { ...DEFAULTS, author: store.keyUser });
	const changes = changesBetween(before, filled).filter(({ field }) => TRACKED.includes(field));
	const stored = changes.length > 0;
	const task = stored ? { ...settle(store, before, filled), updatedAt: now } : before;
	if (stored) {
		store.tasks.set(task.id, task);
		const id = store.newId('history');
		store.addHistory(task.id, { id, createdAt: now, changes, author: store.keyUser });
	}
	const show = switches.updatedTask === 'task' ? showTask : showUpdateFields;
	return { kind: 'item', item: show(store, task), stored };
}

function reset(store: Store, task: Task): Task {
	return { ...task, ...structuredClone(DEFAULTS), author: store.keyUser };
}

/** The task endpoints of interface section 4.4. */
export const tasks: Record<string, Endpoint> = {
	listTasks: ({ store }) =>
		list('Task', [...store.tasks.values()], (task) => showTask(store, task)),
	createTask: create,
	duplicateTask: duplicate,
	exportTask: ({ store, params }) => {
		found(store.tasks.get(params.id));
		return { kind: 'empty' };
	},
	getTask: ({ store, params }) => ({
		kind: 'item',
		item: showTask(store, found(store.tasks.get(params.id))),
		stored: false,
	}),
	replaceTask: (call) => {
		const before = found(call.store.tasks.get(call.params.id));
		return save(call, before, merge(reset(call.store, before), call.readInput()));
	},
	updateTask: (call) => {
		const before = found(call.store.tasks.get(call.params.id));
		const input: Input = call.readInput();
		return save(call, before, merge(before, input));
	},
};
