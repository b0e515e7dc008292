import { differenceWith, isEqual, max } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../util/values';
import { asText, instantOf, wholeSecond } from '../util/dateTime';
import type { Snapshot } from './remembered';
import { isInSegment } from './remembered';

/** A record as it is beside what it was. */
export interface Comparison {
	record: IDataObject;
	/** What is remembered of it; undefined where it was never seen. */
	before: Snapshot | undefined;
	/** What it shows now; undefined where there is no such record any more. */
	after: Snapshot | undefined;
	/** Whether a record that was never seen came into being since the trigger began. */
	isNew: boolean;
	/** Whether the list was read from its first record to its last: what was never seen was not there. */
	isListRead: boolean;
	/** When the trigger began, and when the service showed the record, by the service's clock. */
	began: number;
	now: number;
	/** Fields of which one has to be another for a record to count as updated; any, where there are none. */
	watchedFields: readonly string[];
}

/** A record that came into being since the trigger began, and was never seen. */
export const created = ({ before, isNew }: Comparison): IDataObject | undefined =>
	before === undefined && isNew ? {} : undefined;

export const createdAt = (record: IDataObject): number | undefined => instantOf(record.createdAt);

/** When a record was last changed, by what it shows. */
export const lastChangedAt = (record: IDataObject): number | undefined =>
	max([instantOf(record.updatedAt), instantOf(record.createdAt)]);

const textOf = (time: number | undefined) => (time === undefined ? null : asText(time));

/** Servers of one service may disagree on the time by this much. */
export const CLOCK_SLACK_MS = 60_000;

/** Returns whether a time lies after the trigger began. A time ahead of the service's clock says nothing. */
function isAfterBegan({ began, now }: Comparison, time: number | undefined): boolean {
	return time !== undefined && wholeSecond(time) > began && time <= now + CLOCK_SLACK_MS;
}

/** A copy that lagged behind when a record was first read: what has changed since then did so before the trigger began. */
function predatesTrigger({ before, after, began }: Comparison): boolean {
	const [was, at] = [before?.updatedAt ?? Infinity, after?.updatedAt ?? -Infinity];
	return at > was && wholeSecond(at) < began;
}

/**
 * A later time of change, or another value under the same: two changes within a second, or one that the
 * service gives no new time, as API Platform does where only a list of embedded objects is another one.
 */
export function updated(comparison: Comparison): IDataObject | undefined {
	const { record, before, after, now, watchedFields } = comparison;
	if (predatesTrigger(comparison)) return undefined;
	if (watchedFields.length > 0) return updatedFields(watchedFields, before, after);
	const at = after?.updatedAt;
	const isRecent = isAfterBegan(comparison, at);
	if (!before) {
		// It was created, and no more.
		const isUntouched = at !== undefined && at <= (createdAt(record) ?? -Infinity);
		return isRecent && !isUntouched ? {} : undefined;
	}
	const was = before.updatedAt;
	// A time ahead of the service's clock gives way to any other.
	const wasAhead = was !== undefined && was > now + CLOCK_SLACK_MS && at !== was;
	const isLater = at !== undefined && (was === undefined ? isRecent : at > was || wasAhead);
	const hasNewContent = before.content !== undefined && before.content !== after?.content;
	if (!isLater && !hasNewContent) return undefined;
	return { previousUpdatedAt: textOf(was) };
}

/** One of the watched fields is another than when the record was last seen: what of it, from what and to what. */
function updatedFields(
	watchedFields: readonly string[],
	before: Snapshot | undefined,
	after: Snapshot | undefined,
): IDataObject | undefined {
	if (before?.values === undefined || after?.values === undefined) return undefined;
	const [were, are] = [before, after].map(({ values = '' }) => JSON.parse(values) as IDataObject[]);
	const changes = watchedFields.flatMap((name, index): Array<[string, IDataObject]> => {
		const [from, to] = [were[index], are[index]];
		return isEqual(from, to) ? [] : [[name, changeOf(from, to)]];
	});
	if (changes.length === 0) return undefined;
	return {
		previousUpdatedAt: textOf(before.updatedAt),
		changes: Object.fromEntries(changes),
	};
}

/** From what and to what, null where that is not known; of lists, what was added and removed. */
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
	return before.status === after.status ? undefined : { previousStatus: before.status };
}

export function completed(comparison: Comparison): IDataObject | undefined {
	const { record, before, after, isNew } = comparison;
	const at = after?.completedAt;
	if (at === undefined || at === before?.completedAt || predatesTrigger(comparison))
		return undefined;
	if (before !== undefined) return { previousCompletedAt: textOf(before.completedAt) };
	// Any time may stand in the field; that it was written since then shows in the time of change.
	const isRecent =
		isAfterBegan(comparison, at) && isAfterBegan(comparison, instantOf(record.updatedAt) ?? at);
	return isNew || isRecent ? {} : undefined;
}

/** A task of which the time has come since the trigger began, and was not told. */
export function due({ before, after, began }: Comparison): IDataObject | undefined {
	const at = after?.due;
	return at !== undefined && at !== before?.due && at > began ? {} : undefined;
}

/** A person who came into a segment: was seen outside, or comes into a segment that was read, or is new and in it. */
export function joined({ before, after, isNew, isListRead }: Comparison): IDataObject | undefined {
	const wasOut = before === undefined ? isNew || isListRead : !isInSegment(before);
	return wasOut && isInSegment(after) ? {} : undefined;
}

/** A person who is gone from a segment. */
export function left({ before, after }: Comparison): IDataObject | undefined {
	return isInSegment(before) && !isInSegment(after) ? {} : undefined;
}
