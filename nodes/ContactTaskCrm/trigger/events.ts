import type { IDataObject } from 'n8n-workflow';
import type { Comparison } from './detectors';
import { completed, created, createdAt, due, joined, left, moved, updated } from './detectors';
import type { Aspect } from './remembered';
import { instantOf } from '../values/time';

export type WatchedList = 'comments' | 'history' | 'people' | 'segment' | 'tasks';

/** An event that users can choose, such as Task Moved: its texts in the editor and its detector. */
export interface EventDefinition {
	/** Value of the parameter Events, and of the field `event` in items. */
	value: string;
	name: string;
	/** Name in n8n's node panel. */
	action: string;
	/** Description in the editor: changes that start the workflow, and similar changes that do not. */
	description: string;
	list: WatchedList;
	/** Aspects (parts of a record) that the event compares, such as `status`. Absent if the event needs only the ID. */
	compares?: readonly Aspect[];
	/**
	 * Detects the event between two snapshots.
	 *
	 * @returns previous values as fields of the item, such as `previousStatus`; undefined if the event has not happened
	 */
	detect: (comparison: Comparison) => IDataObject | undefined;
	/**
	 * Nulls for the previous values of this event, such as `{ previousStatus: null }`. Items of other events get these
	 * nulls, so that all items have the same fields.
	 */
	unknownBefore?: IDataObject;
	/**
	 * Returns the time when the event happened to the record. If absent, the time of the record's last change counts. A
	 * test in the editor shows the event with the latest time.
	 */
	sampleTime?: (record: IDataObject) => number | undefined;
}

/** All events. Several events of one record leave the node in this order. */
export const EVENTS: readonly EventDefinition[] = [
	{
		value: 'personCreated',
		name: 'Person Created',
		action: 'On person created',
		description: 'A person was created. Somebody who meets the filters only later does not count.',
		list: 'people',
		compares: ['createdAt'],
		detect: created,
		sampleTime: createdAt,
	},
	{
		value: 'personUpdated',
		name: 'Person Updated',
		action: 'On person updated',
		description: 'A person was changed. Choose Watched Fields to start only when one of them was.',
		list: 'people',
		compares: ['updatedAt', 'content'],
		detect: updated,
		unknownBefore: { previousUpdatedAt: null },
	},
	{
		value: 'personAddedToSegment',
		name: 'Person Added to Segment',
		action: 'On person added to a segment',
		description: 'A person came into the segment. Members of the time of publishing do not count.',
		list: 'segment',
		compares: ['membership'],
		detect: joined,
	},
	{
		value: 'personRemovedFromSegment',
		name: 'Person Removed From Segment',
		action: 'On person removed from a segment',
		description:
			'A person left the segment, or was deleted. Somebody who was archived has not left.',
		list: 'segment',
		compares: ['membership'],
		detect: left,
	},
	{
		value: 'taskCreated',
		name: 'Task Created',
		action: 'On task or deal created',
		description: 'A task or deal was created',
		list: 'tasks',
		detect: created,
		sampleTime: createdAt,
	},
	{
		value: 'taskUpdated',
		name: 'Task Updated',
		action: 'On task or deal updated',
		description:
			'A task or deal was changed, moved or completed. Watched Fields can narrow this down.',
		list: 'tasks',
		compares: ['updatedAt', 'content'],
		detect: updated,
		unknownBefore: { previousUpdatedAt: null },
	},
	{
		value: 'taskMoved',
		name: 'Task Moved',
		action: 'On task or deal moved to another column',
		description:
			'A task or deal was moved to another column. For one column, such as Won, add the filter Column.',
		list: 'tasks',
		compares: ['status'],
		detect: moved,
		unknownBefore: { previousStatus: null, previousStatusTitle: null },
	},
	{
		value: 'taskCompleted',
		name: 'Task Completed',
		action: 'On task or deal completed',
		description: 'A task or deal was completed, or completed again after it had been reopened',
		list: 'tasks',
		compares: ['completedAt'],
		detect: completed,
		unknownBefore: { previousCompletedAt: null },
		sampleTime: (task) => instantOf(task.completedAt),
	},
	{
		value: 'taskDue',
		name: 'Task Due',
		action: 'On task or deal due',
		description:
			'An open task or deal is due, or will be within Time Before Due. Each due date counts once.',
		list: 'tasks',
		compares: ['due'],
		detect: due,
		sampleTime: (task) => instantOf(task.dueDate),
	},
	{
		value: 'commentAdded',
		name: 'Comment Added',
		action: 'On comment added to a task',
		description: 'Somebody wrote a comment on the task. A comment that is edited does not count.',
		list: 'comments',
		detect: created,
		sampleTime: createdAt,
	},
	{
		value: 'historyAdded',
		name: 'History Entry Added',
		action: 'On entry added to the history of a task',
		description: 'The history of the task got an entry',
		list: 'history',
		detect: created,
		sampleTime: createdAt,
	},
];

export function eventsOf(list: WatchedList): EventDefinition[] {
	return EVENTS.filter((event) => event.list === list);
}
