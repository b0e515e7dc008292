import type { IDataObject } from 'n8n-workflow';
import type { Aspect, Observation } from './observation';
import type { Instant } from './times';
import { asText, later, timeOf, wholeSecond } from './times';

/** The lists that can be watched. */
export type WatchedList = 'comments' | 'history' | 'people' | 'segment' | 'tasks';

/** One observation of a record beside the one before. */
export interface Sighting {
	record: IDataObject;
	/** What is remembered of it; undefined where it was never seen, or was seen to be gone. */
	before: Observation | undefined;
	/** What it shows now; undefined where it is gone. */
	after: Observation | undefined;
	/** Whether a record that was never seen came into being since the trigger began. */
	isNew: boolean;
	/** Whether the list was read from its first record to its last: what was never seen was not there. */
	isListRead: boolean;
	/** When the trigger began, by the service's clock. */
	began: Instant;
}

/** One event: all that the panel, the comparison and the sample need to know of it. */
export interface EventDefinition {
	/** Value of the parameter Events, and `event` of each item. */
	value: string;
	name: string;
	/** What starts the workflow, and what does not. */
	description: string;
	list: WatchedList;
	/** What it compares, so that no more is remembered than is needed. */
	compares: readonly Aspect[];
	/**
	 * Detector: whether it has happened between two observations.
	 *
	 * @returns what the record was before, as fields of the item; undefined where it has not happened
	 */
	detect: (sighting: Sighting) => IDataObject | undefined;
	/** What an item says of before where that is not known, so that all items have the same fields. */
	unknownBefore: IDataObject;
	/** When it may have happened to a record, for a test run; undefined where it has not. */
	sampleTime: (record: IDataObject) => Instant | undefined;
}

const created = ({ before, isNew }: Sighting): IDataObject | undefined =>
	before === undefined && isNew ? {} : undefined;

const createdAt = (record: IDataObject): Instant | undefined => timeOf(record.createdAt);

const touchedAt = (record: IDataObject): Instant | undefined =>
	later(timeOf(record.updatedAt), timeOf(record.createdAt));

function isSince(began: Instant, time: Instant | undefined): boolean {
	return time !== undefined && wholeSecond(time) > began;
}

function updated({ record, before, after, began }: Sighting): IDataObject | undefined {
	const at = after?.updatedAt;
	if (at === undefined) {
		const isChanged = before?.content !== undefined && before.content !== after?.content;
		return isChanged ? {} : undefined;
	}
	if (before?.updatedAt === undefined) {
		// It was created, and no more.
		const isUntouched = at <= (createdAt(record) ?? -Infinity);
		return isSince(began, at) && !isUntouched ? {} : undefined;
	}
	const isLater = at > before.updatedAt;
	// A second change within the same second.
	const [was, is] = [before.content, after?.content];
	const isOther = at === before.updatedAt && was !== undefined && is !== undefined && was !== is;
	return isLater || isOther ? { previousUpdatedAt: asText(before.updatedAt) } : undefined;
}

function moved({ before, after }: Sighting): IDataObject | undefined {
	if (before?.status === undefined || after?.status === undefined) return undefined;
	return before.status === after.status ? undefined : { previousStatus: before.status };
}

function completed(sighting: Sighting): IDataObject | undefined {
	const { record, before, after, isNew, began } = sighting;
	const at = after?.completedAt;
	if (at === undefined || at === before?.completedAt) return undefined;
	if (before !== undefined) {
		const earlier = before.completedAt;
		return { previousCompletedAt: typeof earlier === 'number' ? asText(earlier) : null };
	}
	if (isNew) return {};
	// Anything may stand in the field; that it was written since then shows in the time of change.
	const isDone = typeof at === 'string' || isSince(began, at);
	const changedAt = timeOf(record.updatedAt) ?? (typeof at === 'number' ? at : undefined);
	return isDone && isSince(began, changedAt) ? {} : undefined;
}

const WITHIN_A_MOMENT = 'What changes twice between two looks at a record is one change';

/** The table of events, in the order in which several of one record are handed over. */
export const EVENTS: readonly EventDefinition[] = [
	{
		value: 'personCreated',
		name: 'Person Created',
		description:
			'A person was created. Somebody who meets the filters only later does not start the workflow.',
		list: 'people',
		compares: ['createdAt'],
		detect: created,
		unknownBefore: {},
		sampleTime: createdAt,
	},
	{
		value: 'personUpdated',
		name: 'Person Updated',
		description: `A person was changed in a way that gives a new "Updated At". ${WITHIN_A_MOMENT}.`,
		list: 'people',
		compares: ['updatedAt'],
		detect: updated,
		unknownBefore: { previousUpdatedAt: null },
		sampleTime: touchedAt,
	},
	{
		value: 'personAddedToSegment',
		name: 'Person Added to Segment',
		description:
			'A person came into the segment. Who joins before the segment was read once counts as a member already; who leaves and comes back between two looks does not start the workflow.',
		list: 'segment',
		compares: ['membership'],
		detect: ({ before, after, isNew, isListRead }) =>
			before === undefined && after !== undefined && (isNew || isListRead) ? {} : undefined,
		unknownBefore: {},
		sampleTime: touchedAt,
	},
	{
		value: 'personRemovedFromSegment',
		name: 'Person Removed From Segment',
		description:
			'A person left the segment, or was deleted. Takes one request for each; who is only archived has not left.',
		list: 'segment',
		compares: ['membership'],
		detect: ({ before, after }) => (before !== undefined && after === undefined ? {} : undefined),
		unknownBefore: {},
		sampleTime: touchedAt,
	},
	{
		value: 'taskCreated',
		name: 'Task Created',
		description: 'A task or deal was created',
		list: 'tasks',
		compares: [],
		detect: created,
		unknownBefore: {},
		sampleTime: createdAt,
	},
	{
		value: 'taskUpdated',
		name: 'Task Updated',
		description: `A task or deal was changed in a way that gives a new "Updated At", moves and completions among them. ${WITHIN_A_MOMENT}.`,
		list: 'tasks',
		compares: ['updatedAt'],
		detect: updated,
		unknownBefore: { previousUpdatedAt: null },
		sampleTime: touchedAt,
	},
	{
		value: 'taskMoved',
		name: 'Task Moved',
		description:
			'A task or deal stands in another column than when it was last seen. One that was moved there and back between two looks does not start the workflow, nor one that was moved before it was first seen.',
		list: 'tasks',
		compares: ['status'],
		detect: moved,
		unknownBefore: { previousStatus: null, previousStatusTitle: null },
		sampleTime: touchedAt,
	},
	{
		value: 'taskCompleted',
		name: 'Task Completed',
		description:
			'A task or deal was completed, or completed again. One that was completed and reopened between two looks does not start the workflow.',
		list: 'tasks',
		compares: ['completedAt'],
		detect: completed,
		unknownBefore: { previousCompletedAt: null },
		sampleTime: (task) => timeOf(task.completedAt),
	},
	{
		value: 'commentAdded',
		name: 'Comment Added',
		description:
			'Somebody wrote a comment on the task. One that is edited does not start the workflow.',
		list: 'comments',
		compares: [],
		detect: created,
		unknownBefore: {},
		sampleTime: createdAt,
	},
	{
		value: 'historyAdded',
		name: 'History Entry Added',
		description: 'The history of the task got an entry',
		list: 'history',
		compares: [],
		detect: created,
		unknownBefore: {},
		sampleTime: createdAt,
	},
];

/** The events of a list. */
export function eventsOf(list: WatchedList): EventDefinition[] {
	return EVENTS.filter((event) => event.list === list);
}
