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
 * The high-water mark is the creation time `state.from`. Nobody created before the mark counts as new, so scans request
 * only people created later. A trigger has a mark only if Person Created is its only event.
 *
 * The trigger gives up the mark if scans from the mark would miss people. This happens in two cases. The service
 * ignores the filter or the order by creation time. Or it shows people without a creation time.
 */

/** Look-back: assumed maximum delay between the creation time of a record and its first appearance in a list. */
export const LOOK_BACK_MS = 2 * 60_000;

/**
 * Every 60th scan begins with the list's first page, to look for people without a creation time (`nextScan`). With a
 * poll each minute, that is about once an hour. The constant counts scan numbers, which rise by two with each scan.
 */
const FIRST_PAGE_EVERY = 120;
/**
 * Number of the first scan that begins with the list's first page. It is the fifth scan, because scans have the numbers
 * 2, 4, 6 and so on. The four scans before it begin at the mark, and find new people at once.
 */
const FIRST_PAGE_AT = 10;

/**
 * Sets the first high-water mark `state.from`. The mark lies `LOOK_BACK_MS` before the newest creation time. If the
 * trigger began before that time, the mark lies `LOOK_BACK_MS` before the beginning.
 */
export function initMark(state: TriggerState, page: ServedPage): void {
	noteNewest(state, page);
	const { newest, began, scan } = state;
	if (state.from !== undefined || newest === undefined) return;
	// The service may first list a person up to `LOOK_BACK_MS` after the creation time. A mark without this look-back
	// would exclude the person.
	state.from = Math.min(newest, began) - LOOK_BACK_MS;
	state.scan = nextScan(state, scan.number);
}

/**
 * Sets `scan.next`, the high-water mark for the next scan. The mark lies `LOOK_BACK_MS` before the newest creation time
 * (`newest`), because the service may list people late. Once `newest` has been known for longer than `LOOK_BACK_MS`,
 * nobody older should still appear. The mark then lies a second after `newest`.
 */
export function setNextMark(
	{ scan, newest, newestSeenAt = 0 }: TriggerState,
	servedAt: number,
): void {
	if (newest === undefined) return;
	const isSettled = servedAt - newestSeenAt > LOOK_BACK_MS;
	scan.next = isSettled ? newest + 1000 : newest - LOOK_BACK_MS;
}

/** After a scan, sets the high-water mark that `setNextMark` chose. Forgets people created before the mark. */
export function advanceMark(reading: Reading): void {
	const { state } = reading;
	state.quiet = 0;
	state.from = max([state.from, state.scan.next]);
	// Scans from the mark show nobody created before it, so the trigger forgets these people. But the trigger keeps the
	// newest 30 people, as many as a page has. `oldest` is the creation time of the 30th. After a change of the API key,
	// `company.ts` looks for these 30 on the first page, to recognise the company.
	const times = [...state.records.keys()].map((key) => recall(reading, key)?.createdAt ?? Infinity);
	const oldest = times.sort((one, other) => other - one)[MAX_PAGE_SIZE - 1] ?? -Infinity;
	for (const key of state.records.keys()) {
		const { createdAt = Infinity } = recall(reading, key) ?? {};
		if (createdAt < Math.min(oldest, state.from ?? -Infinity)) state.records.delete(key);
	}
}

/**
 * Notes the newest creation time on a page. If this time is ahead of the service's clock, notes the time of the answer
 * instead. Scans from a mark in the future would miss new people.
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
 * Returns the next scan. It begins at the high-water mark, but every 60th scan begins with the first page of the whole
 * list. In a list sorted by creation time, people without a creation time may stand on the first page. Scans from the
 * mark would miss them, so the trigger gives up the mark if it finds any (`noteUndated`).
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
 * Gives up the high-water mark: from now on, the trigger reads and remembers the whole list. `began` moves to the mark,
 * so that people created before the mark count as old. A person without a creation time counts as new if first seen
 * after a scan of the whole list.
 */
export function giveUpMark(state: TriggerState): void {
	const { began, from = began, scan } = state;
	Object.assign(state, { readsAll: true, began: Math.max(began, from), from: undefined });
	Object.assign(state, { isListRead: false, quiet: 0, scan: startScan(scan.number) });
}
