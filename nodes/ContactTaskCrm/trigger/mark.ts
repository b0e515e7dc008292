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
 * The high-water mark of Person Created alone is a creation time: the trigger knows everybody who was created before.
 * Scans request only later people. The trigger gives up the mark if the service ignores it, or shows people without a
 * creation time, because scans would then miss people.
 */

/** Look-back: maximum delay between the creation time of a record and its storage. */
export const LOOK_BACK_MS = 2 * 60_000;

/** Scan numbers between two looks at the first page, if scans begin at the mark: about an hour with polls each minute. */
const SCANS_TO_LOOK = 120;
/** Number of the first scan that looks: some polls after publishing, so that the first polls find new people at once. */
const FIRST_LOOK = 10;

/** Sets the first high-water mark: the look-back before the newest creation time, or before the start of the trigger if that is earlier. */
export function initMark(state: TriggerState, page: ServedPage): void {
	noteNewest(state, page);
	const { newest, began, scan } = state;
	if (state.from !== undefined || newest === undefined) return;
	// The service may list a person up to LOOK_BACK_MS after the creation time. Such people must lie after the mark.
	state.from = Math.min(newest, began) - LOOK_BACK_MS;
	state.scan = nextScan(state, scan.number);
}

/**
 * Sets the high-water mark to use after this scan: the newest creation time, less the look-back, because the service
 * may store records late. If this time is known for longer than the look-back, the mark lies a second after it.
 */
export function setNextMark(
	{ scan, newest, newestSeenAt = 0 }: TriggerState,
	servedAt: number,
): void {
	if (newest === undefined) return;
	const isSettled = servedAt - newestSeenAt > LOOK_BACK_MS;
	scan.next = isSettled ? newest + 1000 : newest - LOOK_BACK_MS;
}

export function advanceMark(reading: Reading): void {
	const { state } = reading;
	state.quiet = 0;
	state.from = max([state.from, state.scan.next]);
	// Polls never request records before the mark again. A page of them is kept, to recognise the company.
	const times = [...state.records.keys()].map((key) => recall(reading, key)?.createdAt ?? Infinity);
	const oldest = times.sort((one, other) => other - one)[MAX_PAGE_SIZE - 1] ?? -Infinity;
	for (const key of state.records.keys()) {
		const { createdAt = Infinity } = recall(reading, key) ?? {};
		if (createdAt < Math.min(oldest, state.from ?? -Infinity)) state.records.delete(key);
	}
}

/** Notes the newest creation time on a page, but no time ahead of the service's clock: it would hide later records. */
export function noteNewest(state: TriggerState, { members, servedAt }: ServedPage): void {
	const last = max(creationTimes(members));
	if (last === undefined) return;
	const newest = Math.min(wholeSecond(last), servedAt);
	if (newest > (state.newest ?? -Infinity))
		Object.assign(state, { newest, newestSeenAt: servedAt });
}

/** Returns the creation times of records. Omits records without one: a sorted list shows these at one end. */
export function creationTimes(members: readonly unknown[]): number[] {
	return members.flatMap((member) => instantOf(asRecord(member).createdAt) ?? []);
}

/**
 * Returns the next scan. From time to time, a scan from the mark first reads the first page of the list, because a
 * sorted list shows people without a creation time at one of its ends.
 */
export function nextScan({ from }: TriggerState, number: number): Scan {
	return startScan(number, number % SCANS_TO_LOOK === FIRST_LOOK ? undefined : from);
}

/**
 * Notes if a page shows a person without a creation time, because no mark finds such people.
 *
 * @returns whether the trigger now reads the whole list
 */
export function noteUndated(state: TriggerState, { members }: ServedPage): boolean {
	if (creationTimes(members).length === members.length) return false;
	readAll(state);
	return true;
}

/**
 * Gives up the mark: from now on, the trigger reads and remembers the whole list. People from before the mark count as
 * known. A person without a creation time counts as new after the list was read.
 */
export function readAll(state: TriggerState): void {
	const { began, from = began, scan } = state;
	Object.assign(state, { readsAll: true, began: Math.max(began, from), from: undefined });
	Object.assign(state, { isListRead: false, quiet: 0, scan: startScan(scan.number) });
}
