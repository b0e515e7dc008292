import type { IDataObject } from 'n8n-workflow';
import type { Observation } from './observation';
import type { Instant } from './times';
import { asText, later, timeOf, wholeSecond } from './times';

/** One observation of a record beside the one before. */
export interface Comparison {
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

/** A record that came into being since the trigger began, and was never seen. */
export const created = ({ before, isNew }: Comparison): IDataObject | undefined =>
	before === undefined && isNew ? {} : undefined;

export const createdAt = (record: IDataObject): Instant | undefined => timeOf(record.createdAt);

/** When a record was last changed, by what it shows. */
export const touchedAt = (record: IDataObject): Instant | undefined =>
	later(timeOf(record.updatedAt), timeOf(record.createdAt));

function isSince(began: Instant, time: Instant | undefined): boolean {
	return time !== undefined && wholeSecond(time) > began;
}

export function updated({ record, before, after, began }: Comparison): IDataObject | undefined {
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

export function moved({ before, after }: Comparison): IDataObject | undefined {
	if (before?.status === undefined || after?.status === undefined) return undefined;
	return before.status === after.status ? undefined : { previousStatus: before.status };
}

export function completed(comparison: Comparison): IDataObject | undefined {
	const { record, before, after, isNew, began } = comparison;
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

/** A person who came into a segment that was read, or is new and in it. */
export function joined({ before, after, isNew, isListRead }: Comparison): IDataObject | undefined {
	return before === undefined && after !== undefined && (isNew || isListRead) ? {} : undefined;
}

/** A person who is gone from a segment. */
export function left({ before, after }: Comparison): IDataObject | undefined {
	return before !== undefined && after === undefined ? {} : undefined;
}
