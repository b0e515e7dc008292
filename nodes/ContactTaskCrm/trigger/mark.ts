import { max } from 'lodash';
import type { ServedPage } from '../http/paging';
import type { Reading } from './reading';
import { recall } from './reading';
import type { Scan, TriggerState } from './state';
import { startScan } from './state';
import { instantOf, wholeSecond } from '../values/time';
import { asRecord } from '../values/json';
import { MAX_PAGE_SIZE } from '../schema/limits';

/*
 * The high-water mark is the creation time `state.from`. Nobody created before it counts as new, so scans request
 * only people created later. A trigger has a mark only if Person Created is its only event. The trigger gives up the
 * mark if the service ignores the filter or the order by creation time. It also does so if the service shows people
 * without a creation time. Scans from the mark would then miss people.
 */

/** Look-back: assumed maximum delay between the creation time of a record and its first appearance in a list. */
export const LOOK_BACK_MS = 2 * 60_000;

/**
 * Interval, in scan numbers, between two reads of the list's first page (`nextScan` gives the reason). Each scan has
 * a number two higher than the last. With a poll each minute, the interval is therefore about an hour.
 */
const FIRST_PAGE_EVERY = 120;
/**
 * Number of the first scan that reads the list's first page. It comes some polls after publishing, so that the first
 * polls find new people at once.
 */
const FIRST_PAGE_AT = 10;

/**
 * Sets the first high-water mark. It lies `LOOK_BACK_MS` before the newest creation time, or before the beginning of
 * the trigger if that is earlier.
 */
export function initMark(state: TriggerState, page: ServedPage): void {
	noteNewest(state, page);
	const { newest, began, scan } = state;
	if (state.from !== undefined || newest === undefined) return;
	// The service may first list a person up to `LOOK_BACK_MS` after the creation time. The mark must not exclude this
	// person.
	state.from = Math.min(newest, began) - LOOK_BACK_MS;
	state.scan = nextScan(state, scan.number);
}

/**
 * Sets `scan.next`, the high-water mark to use after this scan. It lies `LOOK_BACK_MS` before the newest creation time,
 * because the service may store records late. Once the trigger has known the newest creation time for longer than
 * `LOOK_BACK_MS`, the mark lies a second after it.
 */
export function setNextMark(
	{ scan, newest, newestSeenAt = 0 }: TriggerState,
	servedAt: number,
): void {
	if (newest === undefined) return;
	const isSettled = servedAt - newestSeenAt > LOOK_BACK_MS;
	scan.next = isSettled ? newest + 1000 : newest - LOOK_BACK_MS;
}

/** Sets the high-water mark that `setNextMark` chose, after a scan. Forgets people created before the mark. */
export function advanceMark(reading: Reading): void {
	const { state } = reading;
	state.quiet = 0;
	state.from = max([state.from, state.scan.next]);
	// Scans from the mark show nobody created before it, so the trigger forgets these people. It keeps the newest 30, as
	// many as a page has. After a change of the key, `company.ts` looks for them on the first page, to recognise the
	// company.
	const times = [...state.records.keys()].map((key) => recall(reading, key)?.createdAt ?? Infinity);
	const oldest = times.sort((one, other) => other - one)[MAX_PAGE_SIZE - 1] ?? -Infinity;
	for (const key of state.records.keys()) {
		const { createdAt = Infinity } = recall(reading, key) ?? {};
		if (createdAt < Math.min(oldest, state.from ?? -Infinity)) state.records.delete(key);
	}
}

/**
 * Notes the newest creation time on a page. A time ahead of the service's clock counts as the time of the answer. A
 * mark in the future would hide later records.
 */
export function noteNewest(state: TriggerState, { members, servedAt }: ServedPage): void {
	const last = max(creationTimes(members));
	if (last === undefined) return;
	const newest = Math.min(wholeSecond(last), servedAt);
	if (newest > (state.newest ?? -Infinity))
		Object.assign(state, { newest, newestSeenAt: servedAt });
}

/** Returns the creation times of records, in their order. Omits records without a creation time. */
export function creationTimes(members: readonly unknown[]): number[] {
	return members.flatMap((member) => instantOf(asRecord(member).createdAt) ?? []);
}

/**
 * Returns the next scan, which begins at the high-water mark. From time to time, the scan begins with the first page of
 * the whole list instead. On this page, a sorted list may show people without a creation time. A scan from the mark
 * misses them.
 */
export function nextScan({ from }: TriggerState, number: number): Scan {
	const readsFirstPage = number % FIRST_PAGE_EVERY === FIRST_PAGE_AT;
	return startScan(number, readsFirstPage ? undefined : from);
}

/**
 * Gives up the high-water mark if a page shows a person without a creation time. A scan from a mark misses such people.
 *
 * @returns whether the trigger gave up the mark
 */
export function noteUndated(state: TriggerState, { members }: ServedPage): boolean {
	if (creationTimes(members).length === members.length) return false;
	giveUpMark(state);
	return true;
}

/**
 * Gives up the high-water mark: from now on, the trigger reads and remembers the whole list. People created before
 * the mark count as old. A person without a creation time counts as new if first seen after a scan of the whole list.
 */
export function giveUpMark(state: TriggerState): void {
	const { began, from = began, scan } = state;
	Object.assign(state, { readsAll: true, began: Math.max(began, from), from: undefined });
	Object.assign(state, { isListRead: false, quiet: 0, scan: startScan(scan.number) });
}
