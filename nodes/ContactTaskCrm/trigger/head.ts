import type { ServedPage } from '../http/paging';
import { goesOn, isInOrder, MAX_PAGE_SIZE } from '../http/paging';
import type { Reading, Step } from './reading';
import { compareRecords } from './reading';
import { continueByPage, creationTimes, initMark } from './scan';

/*
 * The head of a list is the page that shows the latest changes. For people, it holds the newest ones. For tasks,
 * comments and history, it is the first or the last page, if the last scan found the list in such an order. The head
 * keeps the delay short after an import: later records are reported within a few polls.
 */

/** Number of polls from one read of the newest people to the next, if a poll has at most two requests. */
const NEWEST_EVERY_POLLS = 5;

/** Returns the step that reads the head, if the list has one and this poll has to read it. */
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

/**
 * Returns whether this poll has to read the newest people. With Person Created alone, it reads them before the first
 * scan, and while a scan takes more than one page.
 */
function isNewestDue({ watch, state, spending, memory }: Reading): boolean {
	const { scan, newest } = state;
	if (scan.isByPage) return false;
	if (watch.readsNewOnly) return newest === undefined || scan.shown > 0;
	return spending.limit > 2 || memory.pollNumber % NEWEST_EVERY_POLLS === 0;
}

/**
 * Applies a page of the head. If the head is the first page, the poll reads the next page while all records of a page
 * have changed. If the head is the last page, the poll reads all pages that follow.
 */
function applyHeadPage(reading: Reading, page: ServedPage, at: number): void {
	const { state } = reading;
	const { members, totalItems = 0 } = page;
	const { changed, firstSeen } = compareRecords(reading, members, false);
	reading.spending.isBehind = state.isListRead && 2 * firstSeen.length > members.length;
	const isFirst = state.head === 1;
	const follows = goesOn(page, (at - 1) * MAX_PAGE_SIZE + members.length, MAX_PAGE_SIZE);
	reading.isHeadDone = !follows || (isFirst && changed < members.length);
	if (isFirst) reading.headPage++;
	else if (follows) state.head = at + 1;
	else if (members.length === 0) state.head = Math.max(1, Math.ceil(totalItems / MAX_PAGE_SIZE));
}

/** Applies the page of the newest people. With Person Created alone, the first such page sets the high-water mark. */
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
