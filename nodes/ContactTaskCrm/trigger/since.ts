import type { IDataObject } from 'n8n-workflow';
import type { TriggerState } from './state';
import type { Instant } from './times';
import { later, timeOf, wholeSecond } from './times';
import type { Watch } from './watch';

/** Records may be stored a little later than their creation time says. */
export const LATE_MS = 2 * 60_000;

/** A clock in front of the service may be ahead of that of its records. */
const APART_MS = 10 * 60_000;

/**
 * When the trigger began, by the clock of the service. A record that is newer than the answer it
 * stands in shows that another clock stamps the records: then it is not known.
 */
export function beganAt(
	{ since }: TriggerState,
	records: readonly IDataObject[],
	servedAt: Instant | undefined,
): Instant | null {
	if (since === null || servedAt === undefined) return null;
	const isAhead = ({ createdAt, updatedAt }: IDataObject) => {
		const at = later(timeOf(createdAt), timeOf(updatedAt));
		return at !== undefined && wholeSecond(at) > servedAt;
	};
	return records.some(isAhead) ? null : (since ?? servedAt);
}

/**
 * Whether a record that was never seen has come into being since the trigger began.
 *
 * @param since when that was, as `beganAt` tells it
 */
export function hasComeSince(
	{ reading }: Watch,
	{ isComplete, isSettled, by, mark, from }: TriggerState,
	since: Instant | null,
	createdAt: Instant | undefined,
): boolean {
	// A comment may say that it is older than it is.
	if (reading === 'entries' && isSettled) return true;
	const isOld = since !== null && createdAt !== undefined && createdAt <= since - APART_MS;
	if (isOld) return false;
	// Asked for again, since the filter of the service may fail open; what lies before is forgotten.
	if (isComplete && reading === 'window' && by === 'time') {
		if (from !== undefined && (createdAt === undefined || createdAt < from)) return false;
		if (isSettled) return true;
	}
	// Within the second in which the trigger began, a record may have been there before.
	if (since !== null && createdAt !== undefined && wholeSecond(createdAt) > since) return true;
	// It may be one that the first read left out.
	if (!isSettled) return false;
	return createdAt === undefined || mark === undefined || createdAt >= mark - LATE_MS;
}

/** Whether a record is newer than all that the first read saw: no sign that it left something out. */
export function isNewerThanFirstRead(
	{ mark }: TriggerState,
	createdAt: Instant | undefined,
): boolean {
	return mark !== undefined && createdAt !== undefined && createdAt > mark;
}

/**
 * Whether somebody who was never seen among the members has joined since the trigger began. Until it is
 * certain that the first read left nobody out, only who was changed since.
 *
 * @param since when that was, as `beganAt` tells it
 */
export function hasJoined(
	{ membership }: Watch,
	{ isComplete, isSettled, by }: TriggerState,
	since: Instant | null,
	{ updatedAt }: IDataObject,
): boolean {
	if (!membership || !isComplete || by !== 'time') return false;
	const changedAt = timeOf(updatedAt);
	return isSettled || (since !== null && changedAt !== undefined && wholeSecond(changedAt) > since);
}
