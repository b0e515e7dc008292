import { differenceWith, isEmpty, isEqual, max } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Snapshot } from './remembered';
import { changeTimeOf, CLOCK_SLACK_MS, isInSegment, UNKNOWN_VALUE } from './remembered';
import { isObject } from '../values/json';
import { asText, instantOf, wholeSecond } from '../values/time';

/** A record with its remembered and its present snapshot. The detector of each event compares the two. */
export interface Comparison {
	record: IDataObject;
	/** Remembered snapshot; undefined for a record seen for the first time. */
	before: Snapshot | undefined;
	/** Present snapshot. For a deleted person, `membership` is "gone". */
	after: Snapshot | undefined;
	/** Whether a record seen for the first time was created since the trigger began. */
	isNew: boolean;
	/** Whether an earlier scan has read the whole list. If so, any unknown record came into the list later. */
	isListRead: boolean;
	/** Beginning of the trigger, in ms by the service's clock. */
	began: number;
	/** Time of the answer that shows the record, in ms by the service's clock. */
	now: number;
	/** Fields that the user chose to watch for updates. If empty, a change of any field is an update. */
	watchedFields: readonly string[];
	/** Fields by which the service filters the list. */
	filteredFields: readonly string[];
}

export const created = ({ before, isNew }: Comparison): IDataObject | undefined =>
	before === undefined && isNew ? {} : undefined;

export const createdAt = (record: IDataObject): number | undefined => instantOf(record.createdAt);

export const lastChangedAt = (record: IDataObject): number | undefined =>
	max([instantOf(record.updatedAt), instantOf(record.createdAt)]);

const textOf = (time: number | undefined) => (time === undefined ? null : asText(time));

/** Returns whether a time lies after the trigger began. Returns false for a time ahead of the service's clock. */
function isAfterBegan({ began, now }: Comparison, time: number | undefined): boolean {
	return time !== undefined && wholeSecond(time) > began && time <= now + CLOCK_SLACK_MS;
}

/**
 * Returns whether a change happened before the trigger began. The trigger sees an old change only if a lagging replica
 * first showed the record without the change.
 */
function predatesTrigger({ before, after, began }: Comparison): boolean {
	const [was, is] = [before && changeTimeOf(before), after && changeTimeOf(after)];
	return was !== undefined && is !== undefined && is.at > was.at && wholeSecond(is.at) < began;
}

/**
 * Returns whether `updatedAt` is later than before. At first sight, it must lie after the beginning of the trigger and
 * after the creation. If the remembered time was ahead of the service's clock, an earlier time shows a change, too.
 */
function hasLaterTime(comparison: Comparison): boolean {
	const { record, before, after, filteredFields } = comparison;
	const [was, is] = [before && changeTimeOf(before), after && changeTimeOf(after)];
	if (!is) return false;
	if (was) return is.at > was.at || (was.wasAhead && is.at < was.at);
	// Without a creation time, the change is the creation, unless a change may have brought the record into the list.
	const at = createdAt(record) ?? (filteredFields.length > 0 ? -Infinity : Infinity);
	const isUntouched = !before && is.at <= at;
	return isAfterBegan(comparison, is.at) && !isUntouched;
}

/**
 * Detects an update: a later `updatedAt`, or other content with the same `updatedAt`. The time stays the same if a
 * record changes twice within a second. The service also keeps the time if only a list of embedded objects changes.
 */
export function updated(comparison: Comparison): IDataObject | undefined {
	const { before, after, watchedFields } = comparison;
	if (predatesTrigger(comparison)) return undefined;
	const previousUpdatedAt = textOf(before && changeTimeOf(before)?.at);
	if (watchedFields.length > 0) {
		const changes = changedFields(comparison);
		return isEmpty(changes) ? undefined : { previousUpdatedAt, changes };
	}
	const hasNewContent = before?.content !== undefined && before.content !== after?.content;
	return hasLaterTime(comparison) || hasNewContent ? { previousUpdatedAt } : undefined;
}

/**
 * Returns the old and new values of each watched field that has changed. If the service filters the list by a watched
 * field, a change has brought each record that comes into the list later. Its old value is unknown.
 */
function changedFields(comparison: Comparison): IDataObject {
	const { before, after, isListRead, watchedFields, filteredFields } = comparison;
	if (after?.values === undefined || (!before && !isListRead)) return {};
	const are: unknown[] = JSON.parse(after.values);
	const unseen = watchedFields.map((name, index) =>
		filteredFields.includes(name) ? UNKNOWN_VALUE : are[index],
	);
	const were = before?.values === undefined ? unseen : (JSON.parse(before.values) as unknown[]);
	const hasCome = hasLaterTime(comparison);
	const changes = watchedFields.flatMap((name, index): Array<[string, IDataObject]> => {
		const [from, to] = [were[index], are[index]];
		if (isEqual(from, UNKNOWN_VALUE)) return hasCome ? [[name, changeOf(null, to)]] : [];
		return isEqual(from, to) ? [] : [[name, changeOf(from, to)]];
	});
	return Object.fromEntries(changes);
}

/** Returns the old and new value of a field, and added and removed entries of a list. A hashed value becomes null. */
function changeOf(from: unknown, to: unknown): IDataObject {
	const known = (value: unknown) => (isObject(value) && '#' in value ? null : value);
	const change = { from: known(from), to: known(to) } as IDataObject;
	const areLists = Array.isArray(from ?? to) && Array.isArray(to ?? from);
	if (!areLists) return change;
	const [were, are] = [(from ?? []) as IDataObject[], (to ?? []) as IDataObject[]];
	return {
		...change,
		added: differenceWith(are, were, isEqual),
		removed: differenceWith(were, are, isEqual),
	};
}

export function moved(comparison: Comparison): IDataObject | undefined {
	const { before, after } = comparison;
	if (predatesTrigger(comparison)) return undefined;
	if (before?.status === undefined || after?.status === undefined) return undefined;
	// The host and the path of the base URL may change. Only what follows names the column.
	const columnIn = (iri: string) => iri.slice(Math.max(0, iri.indexOf('/workspaces/')));
	return columnIn(before.status) === columnIn(after.status)
		? undefined
		: { previousStatus: before.status };
}

export function completed(comparison: Comparison): IDataObject | undefined {
	const { record, before, after, isNew } = comparison;
	const at = after?.completedAt;
	if (at === undefined || at === before?.completedAt || predatesTrigger(comparison))
		return undefined;
	if (before !== undefined) return { previousCompletedAt: textOf(before.completedAt) };
	// Users may enter any completion time, so `updatedAt` must also lie after the trigger began.
	const isRecent =
		isAfterBegan(comparison, at) && isAfterBegan(comparison, instantOf(record.updatedAt) ?? at);
	return isNew || isRecent ? {} : undefined;
}

/**
 * Detects a task that has come due since the trigger began, unless the trigger has seen this due time before. With a
 * time before the due date, also detects a new task and a moved date if that time had begun before the trigger.
 */
export function due(comparison: Comparison): IDataObject | undefined {
	const { record, before, after, began, isNew } = comparison;
	const at = after?.due;
	if (at === undefined || at === before?.due) return undefined;
	const date = instantOf(record.dueDate) ?? at;
	const isSetSince = (before !== undefined || isNew) && !predatesTrigger(comparison);
	return at > began || (date > began && isSetSince) ? {} : undefined;
}

/** Detects a person who joined the segment. Until the whole list was read, an unknown person counts only if `isNew`. */
export function joined({ before, after, isNew, isListRead }: Comparison): IDataObject | undefined {
	const wasOut = before === undefined ? isNew || isListRead : !isInSegment(before);
	return wasOut && isInSegment(after) ? {} : undefined;
}

export function left({ before, after }: Comparison): IDataObject | undefined {
	return isInSegment(before) && !isInSegment(after) ? {} : undefined;
}
