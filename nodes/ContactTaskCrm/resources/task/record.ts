import type { IDataObject } from 'n8n-workflow';
import { COLUMNS } from '../../schema/record';
import { simplifiedBy, titleFor } from '../../output/flat';
import { task } from '../../schema/task';
import type { CollectionPath } from '../../values/reference';
import { listOf } from '../../values/json';
import { holderOf, isSameReference, iriOf, valueOf } from '../../values/reference';
import { folded, isBlank } from '../../values/text';
import { inZone, isDay } from '../../values/time';
import type { Moment, ReadFilter } from '../../schema/filter';
import type { RecordSpecification } from '../../output/specification';

/** Filters of tasks. The interface has none (section 4.4), so the node reads the tasks and applies these filters. */
export const taskReadFilters: Readonly<Record<string, ReadFilter>> = {
	assignees: taskReferenceFilter('Assignee', 'assignees', '/users'),
	existsArchivedAt: yesOrNo('Archived', (task) => !isBlank(task.archivedAt)),
	createdAtAfter: { ...timeFilter('Created After', 'createdAt', 'after'), shownIn: 'createdAt' },
	createdAtBefore: { ...timeFilter('Created Before', 'createdAt', 'before'), shownIn: 'createdAt' },
	dueDateAfter: timeFilter('Due After', 'dueDate', 'after'),
	dueDateBefore: timeFilter('Due Before', 'dueDate', 'before'),
	isFlagged: yesOrNo('Flagged', (task) => task.isFlagged === true),
	isOverdue: yesOrNo('Overdue', isOverdue),
	organizations: taskReferenceFilter('Organization', 'organizations', '/organizations'),
	people: { ...taskReferenceFilter('Person', 'people', '/people'), takesEmail: true },
	state: {
		label: 'Open or Completed',
		kind: 'choice',
		takesSeveral: false,
		choices: { open: 'Tasks that are not completed', completed: 'Tasks that are completed' },
		passes: ({ completedAt }, [state]) => isBlank(completedAt) === (state === 'open'),
	},
	status: taskReferenceFilter('Column', 'status', COLUMNS),
	tags: taskReferenceFilter('Tag', 'tags', '/tags'),
	title: {
		label: 'Title Contains',
		kind: 'text',
		takesSeveral: true,
		shownIn: 'title',
		passes: ({ title }, texts) => {
			const comparable = folded(String(title ?? ''));
			return texts.some((text) => comparable.includes(folded(text)));
		},
	},
	updatedAtAfter: { ...timeFilter('Updated After', 'updatedAt', 'after'), shownIn: 'updatedAt' },
	updatedAtBefore: { ...timeFilter('Updated Before', 'updatedAt', 'before'), shownIn: 'updatedAt' },
	workspaceId: {
		label: 'Workspace',
		kind: 'iri',
		takesSeveral: true,
		refersTo: '/workspaces',
		shownIn: 'status',
		passes: (task, iris) => isOneOf(iris, workspaceOf(task), '/workspaces'),
	},
};

/**
 * In the simplified output, the fields that people read come first. `status` (a long IRI) and `id` come last, because
 * only the next node needs them.
 */
export const taskRecord: RecordSpecification = {
	...task,
	readFilters: taskReadFilters,
	simplify: simplifiedBy(
		task,
		'title statusTitle workspaceTitle assignees dueDate people completedAt updatedAt status id',
		{
			statusTitle: ({ status }, titleOf) => titleFor(status, COLUMNS, titleOf),
			workspaceTitle: (task, titleOf) =>
				titleFor(task.workspace ?? workspaceOf(task), '/workspaces', titleOf),
		},
	),
};

/**
 * Returns the IRI of a task's workspace. If the task shows no workspace, takes the IRI from the beginning of the IRI of
 * the task's column.
 */
function workspaceOf({ workspace, status }: IDataObject): string | undefined {
	const shown = valueOf(iriOf(workspace, '/workspaces'));
	return shown ?? (holderOf(valueOf(iriOf(status, COLUMNS)) ?? '') || undefined);
}

function isOneOf(iris: readonly string[], reference: unknown, collection: CollectionPath): boolean {
	return iris.some((iri) => isSameReference(iri, reference, collection));
}

function taskReferenceFilter(label: string, field: string, refersTo: CollectionPath): ReadFilter {
	return {
		label,
		kind: 'iri',
		takesSeveral: true,
		refersTo,
		shownIn: field,
		passes: (task, iris) =>
			(listOf(task[field]) ?? [task[field]]).some((reference) =>
				isOneOf(iris, reference, refersTo),
			),
	};
}

function yesOrNo(label: string, holds: (task: IDataObject, moment: Moment) => boolean): ReadFilter {
	return {
		label,
		kind: 'boolean',
		takesSeveral: false,
		passes: (task, [wanted], moment) => holds(task, moment) === (wanted === 'true'),
	};
}

function timeFilter(label: string, field: string, bound: 'after' | 'before'): ReadFilter {
	return {
		label,
		kind: 'dateTime',
		takesSeveral: false,
		bound,
		passes: (task, [given], { timezone }) => {
			const [time = NaN, edge = NaN] = [task[field], given].map((one) =>
				inZone(one, timezone)?.toMillis(),
			);
			return bound === 'after' ? time >= edge : time <= edge;
		},
	};
}

/**
 * Returns whether an open task was due before now. A task due on a day without a time is overdue when the day is over.
 */
function isOverdue({ dueDate, completedAt, archivedAt }: IDataObject, moment: Moment): boolean {
	const due = inZone(dueDate, moment.timezone);
	if (!due || !isBlank(completedAt) || !isBlank(archivedAt)) return false;
	return (isDay(dueDate) ? due.endOf('day') : due).toMillis() < moment.wallTime;
}
