import { differenceWith, isEmpty, isEqual, max } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Snapshot } from './remembered';
import { changeTimeOf, CLOCK_SLACK_MS, isInSegment, UNKNOWN_VALUE } from './remembered';
import { isObject } from '../values/json';
import { asText, instantOf, wholeSecond } from '../values/time';

/** A record with two snapshots: the remembered one (`before`) and the present one (`after`). Detectors compare them. */
export interface Comparison {
	record: IDataObject;
	/** Remembered snapshot; undefined for a record seen for the first time. */
	before: Snapshot | undefined;
	/** Present snapshot. For a deleted person, `membership` is "gone". */
	after: Snapshot | undefined;
	/** For a record that the trigger sees for the first time: whether it was created since the trigger began. */
	isNew: boolean;
	/** Whether a scan has read the whole list. If so, an unknown record has come into the list since that scan. */
	isListRead: boolean;
	/** Beginning of the trigger, in ms by the service's clock. */
	began: number;
	/** Time of the answer that shows the record, in ms by the service's clock. */
	now: number;
	/** Fields that the user chose to watch for updates. If empty, a change of any field is an update. */
	watchedFields: readonly string[];
	/** Fields that the service filters the list by, such as `tags`. */
	filteredFields: readonly string[];
	/** Time Before Due in ms. */
	beforeDueMs: number;
}

export const created = ({ before, isNew }: Comparison): IDataObject | undefined =>
	before === undefined && isNew ? {} : undefined;

export const createdAt = (record: IDataObject): number | undefined => instantOf(record.createdAt);

export const lastChangedAt = (record: IDataObject): number | undefined =>
	max([instantOf(record.updatedAt), instantOf(record.createdAt)]);

const textOf = (time: number | undefined) => (time === undefined ? null : asText(time));

/** Returns whether `time` lies after the trigger began, and at most `CLOCK_SLACK_MS` ahead of the service's clock. */
function isAfterBegan({ began, now }: Comparison, time: number | undefined): boolean {
	return time !== undefined && wholeSecond(time) > began && time <= now + CLOCK_SLACK_MS;
}

/**
 * Returns whether the change from `before` to `after` happened before the trigger began. The trigger sees such an old
 * change only if a lagging replica first showed the record without the change.
 */
function predatesTrigger({ before, after, began }: Comparison): boolean {
	const [earlier, latest] = [before && changeTimeOf(before), after && changeTimeOf(after)];
	if (earlier === undefined || latest === undefined) return false;
	return latest.at > earlier.at && wholeSecond(latest.at) < began;
}

/**
 * Returns whether `updatedAt` of a record shows a change. For a remembered record, a later time than the remembered
 * time shows a change. If the remembered time was ahead of the service's clock (`wasAhead`), an earlier time does so,
 * too. For a record seen for the first time, `updatedAt` must lie after the record's creation and the trigger's
 * beginning.
 */
function hasLaterTime(comparison: Comparison): boolean {
	const { record, before, after, filteredFields } = comparison;
	const [earlier, latest] = [before && changeTimeOf(before), after && changeTimeOf(after)];
	if (!latest) return false;
	if (earlier) return latest.at > earlier.at || (earlier.wasAhead && latest.at < earlier.at);
	// A record without a creation time counts as unchanged: `creation` is Infinity. But if the service filters the list,
	// a change may have brought the record into the list. The record then counts as changed: `creation` is -Infinity.
	const creation = createdAt(record) ?? (filteredFields.length > 0 ? -Infinity : Infinity);
	const isUntouched = !before && latest.at <= creation;
	return isAfterBegan(comparison, latest.at) && !isUntouched;
}

/**
 * Detects an update by a later `updatedAt` or by a changed `content`. `updatedAt` alone does not suffice. It stays the
 * same if a record changes twice within a second, or if only a list of embedded objects changes. If the user chose
 * watched fields, only a change of a watched field counts.
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
 * Returns the old and new value of each watched field that has changed.
 *
 * For a record that the trigger sees for the first time, `assumed` stands for the old values. `assumed` repeats the
 * present values, so that no field counts as changed. There is one exception: a watched field that the service filters
 * the list by, such as `tags`. A person who comes into the list may just have got the tag. So `assumed` has
 * `UNKNOWN_VALUE` for `tags`. If `updatedAt` shows a change, `tags` then count as changed, and their old value becomes
 * null.
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
 * Returns the old value `from` and the new value `to` of a field. For a list, also returns the added and removed
 * entries. Of a long value, a snapshot holds only a hash. `known` returns null for the hash.
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
	// If the base URL changes, the beginning of a column's IRI changes, too. So `columnIn` returns the IRI only from
	// /workspaces/ on.
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
	// Here, the trigger sees the task for the first time. A recent `at` proves little, because users may enter any
	// completion time. So `updatedAt` must also lie after the beginning of the trigger.
	const isRecent =
		isAfterBegan(comparison, at) && isAfterBegan(comparison, instantOf(record.updatedAt) ?? at);
	return isNew || isRecent ? {} : undefined;
}

/**
 * Detects a task that has come due. The due time `at` is the due date, less Time Before Due. Each due time counts once.
 * A due time after the beginning of the trigger always counts.
 *
 * An earlier due time counts on two conditions. The due date lies after the beginning, and the task was created or
 * changed since the beginning (`isSetSince`). Example: somebody creates a task for tomorrow, and Time Before Due is two
 * days.
 */
export function due(comparison: Comparison): IDataObject | undefined {
	const { before, after, began, isNew, beforeDueMs } = comparison;
	const at = after?.due;
	if (at === undefined || at === before?.due) return undefined;
	const date = at + beforeDueMs;
	const isSetSince = (before !== undefined || isNew) && !predatesTrigger(comparison);
	return at > began || (date > began && isSetSince) ? {} : undefined;
}

/**
 * Detects a person who joined the segment. Until a scan has read the whole list, an unknown person may be an old
 * member. Such a person counts as joined only if `isNew`.
 */
export function joined({ before, after, isNew, isListRead }: Comparison): IDataObject | undefined {
	const wasOut = before === undefined ? isNew || isListRead : !isInSegment(before);
	return wasOut && isInSegment(after) ? {} : undefined;
}

export function left({ before, after }: Comparison): IDataObject | undefined {
	return isInSegment(before) && !isInSegment(after) ? {} : undefined;
}
