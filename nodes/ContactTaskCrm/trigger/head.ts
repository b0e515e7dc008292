import type { ServedPage } from '../http/paging';
import { goesOn, isInOrder, MAX_PAGE_SIZE } from '../http/paging';
import type { Reading, Step } from './reading';
import { compareRecords } from './reading';
import { initMark, creationTimes, continueByPage } from './scan';

/*
 * The head of a list is the page on which changes show: of tasks, comments and history its first or its last, where
 * the last scan found the list in such an order; of people the newest. However many were created at once,
 * who comes after them is told within a few polls.
 */

/** Of two requests a poll, one goes to the newest people in one of so many polls, and else to the scan. */
const NEWEST_EVERY_POLLS = 5;

/** The head of the list, where there is one, and this poll is to look at it. */
export function headStep(reading: Reading): Step | undefined {
	const { watch, state, headPage } = reading;
	const { filters, readsNewest } = watch;
	const head = readsNewest ? 1 : state.head;
	if (head === undefined || reading.isHeadDone) return undefined;
	if (readsNewest && !isNewestDue(reading)) return undefined;
	const at = head === 1 ? headPage : head;
	return {
		request: [
			...filters,
			...(readsNewest ? [['order[createdAt]', 'desc'] as const] : []),
			['itemsPerPage', String(MAX_PAGE_SIZE)],
			...(at > 1 ? [['page', String(at)] as const] : []),
		],
		onPage: (page) => (readsNewest ? applyNewest(reading, page) : applyHeadPage(reading, page, at)),
		onFailure: () => {
			reading.isHeadDone = true;
			return true;
		},
	};
}

/** Where all are scanned, now and then; where only who is new is, while that takes more than a page. */
function isNewestDue({ watch, state, limit, pollNumber }: Reading): boolean {
	const { scan, newest } = state;
	if (scan.isByPage) return false;
	if (watch.readsNewOnly) return newest === undefined || scan.shown > 0;
	return limit > 2 || pollNumber % NEWEST_EVERY_POLLS === 0;
}

/** A look at the page where changes show; on while there is nothing but news. */
function applyHeadPage(reading: Reading, page: ServedPage, at: number): void {
	const { state } = reading;
	const { members, totalItems = 0 } = page;
	const { changed, firstSeen } = compareRecords(reading, members, false);
	reading.isBehind = state.isListRead && 2 * firstSeen.length > members.length;
	const isFirst = state.head === 1;
	const follows = goesOn(page, (at - 1) * MAX_PAGE_SIZE + members.length, MAX_PAGE_SIZE);
	reading.isHeadDone = !follows || (isFirst && changed < members.length);
	if (isFirst) reading.headPage++;
	else if (follows) state.head = at + 1;
	else if (members.length === 0) state.head = Math.max(1, Math.ceil(totalItems / MAX_PAGE_SIZE));
}

/** The newest people; at first they tell where the high-water mark is. */
function applyNewest(reading: Reading, page: ServedPage): void {
	const { watch, state } = reading;
	const { members } = page;
	reading.isHeadDone = true;
	if (goesOn(page, members.length, MAX_PAGE_SIZE) && !isInOrder(creationTimes(members), 'desc')) {
		return continueByPage(state);
	}
	if (watch.readsNewOnly) initMark(state, page);
	compareRecords(reading, members, false);
}
