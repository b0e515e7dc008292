import { iriOf } from '../iris';
import type { Task } from '../records';
import { blankTask } from '../resources/tasks';
import type { Store } from '../store';
import { after, maybe, random, timeOf } from './random';
import { openColumns } from './tenant';

const SUBTASK_EVERY = 8;
const MAX_COMMENTS = 3;

const ERRANDS = ['Call', 'Visit', 'Send the offer to', 'Renewal for', 'Invoice for', 'Demo at'];
const REMARKS = [
	'Left a message, will try again tomorrow',
	'They want a second quote before they decide',
	'Waiting for the signature',
	'Moved to next week at their request',
	'All set, see the attached file',
];

function details(createdAt: string, tags: string[], users: string[], people: string[]) {
	const one = (iris: string[]) => (iris.length > 0 ? [random.helpers.arrayElement(iris)] : []);
	return {
		title: `${random.helpers.arrayElement(ERRANDS)} ${random.company.name()}`,
		description: maybe(0.5, () => random.company.catchPhrase()),
		dueDate: maybe(0.5, () => after(createdAt, random.number.int({ min: 1, max: 60 }))),
		completedAt: maybe(0.2, () => after(createdAt, 20)),
		archivedAt: maybe(0.05, () => after(createdAt, 30)),
		isFlagged: random.datatype.boolean(0.1),
		storyPointEstimation: maybe(0.2, () => random.number.int({ min: 1, max: 13 })),
		dealSizeEstimation: maybe(0.3, () => random.number.int({ min: 100, max: 50_000 })),
		tags: maybe(0.5, () => one(tags)) ?? [],
		assignees: maybe(0.7, () => one(users)) ?? [],
		observers: maybe(0.2, () => one(users)) ?? [],
		people: maybe(0.6, () => one(people)) ?? [],
	};
}

function addComments(store: Store, task: Task, users: string[]): void {
	const count = random.number.int({ max: MAX_COMMENTS });
	for (let index = 0; index < count; index += 1) {
		store.addComment({
			id: store.newId('comments'),
			taskId: task.id,
			createdAt: after(task.createdAt, index + 1),
			description: random.helpers.arrayElement(REMARKS),
			flagged: random.datatype.boolean(0.2),
			author: random.helpers.arrayElement(users),
			mentions: [],
		});
	}
}

/** Adds a history entry to a task that was changed after its creation. */
function addHistory(store: Store, task: Task): void {
	if (task.completedAt === null) return;
	store.addHistory(task.id, {
		id: store.newId('history'),
		createdAt: task.updatedAt,
		changes: [{ field: 'completedAt', oldValue: null, newValue: task.completedAt }],
		author: store.keyUser,
	});
}

/** Adds tasks and deals to all columns in turn, with subtasks, comments and history. */
export function addTasks(store: Store, count: number): void {
	const columns = openColumns(store);
	const iris = (resource: string, records: Map<string, unknown>) =>
		[...records.keys()].map((id) => iriOf(resource, id));
	const users = iris('users', store.users);
	const tags = iris('tags', store.tags);
	const people = iris('people', store.people);
	let previous: Task | undefined;
	for (let index = 0; index < count; index += 1) {
		const status = columns[index % columns.length];
		const createdAt = timeOf(index, count);
		const isSubTask = index % SUBTASK_EVERY === SUBTASK_EVERY - 1;
		const task: Task = {
			...blankTask(store, status, createdAt, store.newId('tasks')),
			...details(createdAt, tags, users, people),
			position: Math.floor(index / columns.length),
			indexNumber: store.nextIndexNumber(status),
			parent: isSubTask && previous ? iriOf('tasks', previous.id) : null,
		};
		task.updatedAt = task.completedAt ?? createdAt;
		store.addTask(task);
		addComments(store, task, users);
		addHistory(store, task);
		previous = task;
	}
}
