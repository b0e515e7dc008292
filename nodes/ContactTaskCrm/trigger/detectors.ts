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
	/** Whether an earlier scan has read the whole list. If so, an unknown record has come into the list since then. */
	isListRead: boolean;
	/** Beginning of the trigger, in ms by the service's clock. */
	began: number;
	/** Time of the answer that shows the record, in ms by the service's clock. */
	now: number;
	/** Fields that the user chose to watch for updates. If empty, a change of any field is an update. */
	watchedFields: readonly string[];
	/** Fields that the service filters the list by. */
	filteredFields: readonly string[];
}

export const created = ({ before, isNew }: Comparison): IDataObject | undefined =>
	before === undefined && isNew ? {} : undefined;

export const createdAt = (record: IDataObject): number | undefined => instantOf(record.createdAt);

export const lastChangedAt = (record: IDataObject): number | undefined =>
	max([instantOf(record.updatedAt), instantOf(record.createdAt)]);

const textOf = (time: number | undefined) => (time === undefined ? null : asText(time));

/** Returns whether a time lies after the trigger began, and at most `CLOCK_SLACK_MS` ahead of the service's clock. */
function isAfterBegan({ began, now }: Comparison, time: number | undefined): boolean {
	return time !== undefined && wholeSecond(time) > began && time <= now + CLOCK_SLACK_MS;
}

/**
 * Returns whether the change between the two snapshots happened before the trigger began. The trigger sees an old
 * change only if a lagging replica first showed the record without the change.
 */
function predatesTrigger({ before, after, began }: Comparison): boolean {
	const [earlier, latest] = [before && changeTimeOf(before), after && changeTimeOf(after)];
	if (earlier === undefined || latest === undefined) return false;
	return latest.at > earlier.at && wholeSecond(latest.at) < began;
}

/**
 * Returns whether the time `updatedAt` of a record shows a change. A time later than the remembered one does. If the
 * remembered time was ahead of the service's clock, an earlier time also shows a change. For a record seen for the
 * first time, `updatedAt` must be later than the record's creation and the trigger's beginning.
 */
function hasLaterTime(comparison: Comparison): boolean {
	const { record, before, after, filteredFields } = comparison;
	const [earlier, latest] = [before && changeTimeOf(before), after && changeTimeOf(after)];
	if (!latest) return false;
	if (earlier) return latest.at > earlier.at || (earlier.wasAhead && latest.at < earlier.at);
	// A record without a creation time counts as unchanged since its creation. In a list that the service filters, it
	// counts as changed, because a change may have brought it into the list.
	const creation = createdAt(record) ?? (filteredFields.length > 0 ? -Infinity : Infinity);
	const isUntouched = !before && latest.at <= creation;
	return isAfterBegan(comparison, latest.at) && !isUntouched;
}

/**
 * Detects an update: a later `updatedAt`, or other content with the same `updatedAt`. The time stays the same if a
 * record changes twice within a second. The service also keeps the time if only a list of embedded objects changes. If
 * the user chose watched fields, only a change of one of these fields counts.
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
 * Returns the old and new value of each watched field that has changed. The service may also filter the list by a
 * watched field. In this field, a record that comes into the list counts as changed if its `updatedAt` shows a
 * change. The old value is unknown, and becomes null. Other watched fields of a record that is new to the trigger
 * count as unchanged.
 */
function changedFields(comparison: Comparison): IDataObject {
	const { before, after, isListRead, watchedFields, filteredFields } = comparison;
	if (after?.values === undefined || (!before && !isListRead)) return {};
	const present: unknown[] = JSON.parse(after.values);
	const assumed = watchedFields.map((name, index) =>
		filteredFields.includes(name) ? UNKNOWN_VALUE : present[index],
	);
	const earlier = before?.values === undefined ? assumed : (JSON.parse(before.values) as unknown[]);
	const hasChanged = hasLaterTime(comparison);
	const changes = watchedFields.flatMap((name, index): Array<[string, IDataObject]> => {
		const [from, to] = [earlier[index], present[index]];
		if (isEqual(from, UNKNOWN_VALUE)) return hasChanged ? [[name, changeOf(null, to)]] : [];
		return isEqual(from, to) ? [] : [[name, changeOf(from, to)]];
	});
	return Object.fromEntries(changes);
}

/**
 * Returns the old and new value of a field, and for a list also the added and removed entries. A long value that the
 * snapshots hold only as a hash becomes null.
 */
function changeOf(from: unknown, to: unknown): IDataObject {
	const known = (value: unknown) => (isObject(value) && '#' in value ? null : value);
	const change = { from: known(from), to: known(to) } as IDataObject;
	const areLists = Array.isArray(from ?? to) && Array.isArray(to ?? from);
	if (!areLists) return change;
	const [earlier, present] = [(from ?? []) as IDataObject[], (to ?? []) as IDataObject[]];
	return {
		...change,
		added: differenceWith(present, earlier, isEqual),
		removed: differenceWith(earlier, present, isEqual),
	};
}

export function moved(comparison: Comparison): IDataObject | undefined {
	const { before, after } = comparison;
	if (predatesTrigger(comparison)) return undefined;
	if (before?.status === undefined || after?.status === undefined) return undefined;
	// The IRI of a column begins with the path of the base URL, which may change. The part from /workspaces/ on stays.
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
 * Detects a task that has come due since the trigger began. A task comes due at its due date, or earlier by Time
 * Before Due. Each of these due times counts once. A due time before the beginning of the trigger counts only if the
 * due date lies after it. The task must then also be new, or have got this due time by a change since the beginning.
 */
export function due(comparison: Comparison): IDataObject | undefined {
	const { record, before, after, began, isNew } = comparison;
	const at = after?.due;
	if (at === undefined || at === before?.due) return undefined;
	const date = instantOf(record.dueDate) ?? at;
	const isSetSince = (before !== undefined || isNew) && !predatesTrigger(comparison);
	return at > began || (date > began && isSetSince) ? {} : undefined;
}

/**
 * Detects a person who joined the segment. Until a scan has read the whole list, an unknown person may be an old
 * member, and counts only if `isNew`.
 */
export function joined({ before, after, isNew, isListRead }: Comparison): IDataObject | undefined {
	const wasOut = before === undefined ? isNew || isListRead : !isInSegment(before);
	return wasOut && isInSegment(after) ? {} : undefined;
}

export function left({ before, after }: Comparison): IDataObject | undefined {
	return isInSegment(before) && !isInSegment(after) ? {} : undefined;
}
