import type { ServedPage } from '../http/paging';
import { goesOn, isInOrder } from '../http/paging';
import type { Reading, Step } from './reading';
import { compareRecords, readsNewOnly } from './reading';
import { creationTimes, giveUpMark, initMark, noteUndated } from './mark';
import { continueByPage } from './scan';
import { MAX_PAGE_SIZE } from '../schema/limits';

/*
 * The head of a list is the page that shows the latest changes. Polls read the head even during a long scan. So the
 * trigger reports new records within a few polls.
 *
 * For Person Created, the head is the page of the newest people. Lists of tasks, comments and history have a head if
 * the last scan found them sorted by time. The head is then the first or the last page. Other lists have no head.
 */

/**
 * Interval, in polls, between two reads of the newest people. Only polls that may send at most two requests keep this
 * interval. The polls in between use both requests for the scan.
 */
const NEWEST_EVERY_POLLS = 5;

/** Returns the step that reads the head; undefined if the list has no head, or this poll need not read the head. */
export function headStep(reading: Reading): Step | undefined {
	const { watch, state, memory } = reading;
	const { filters, readsNewest } = watch;
	const head = readsNewest ? 1 : state.head;
	if (head === undefined || reading.isHeadDone) return undefined;
	if (readsNewest && !isNewestDue(reading)) return undefined;
	const pageNumber = head === 1 ? memory.headPage : head;
	return {
		request: [
			...filters,
			...(readsNewest ? [['order[createdAt]', 'desc'] as const] : []),
			['itemsPerPage', String(MAX_PAGE_SIZE)],
			...(pageNumber > 1 ? [['page', String(pageNumber)] as const] : []),
		],
		onPage: (page) => {
			if (readsNewest) applyNewest(reading, page);
			else applyHeadPage(reading, page, pageNumber);
		},
		onFailure: () => {
			reading.isHeadDone = true;
			memory.headPage = 1;
			return true;
		},
	};
}

/**
 * Returns whether this poll has to read the page of the newest people. If Person Created is the only event, a scan of
 * one page shows these people anyway. The poll then reads their page in two cases only: no creation time is known yet
 * (`newest`), or a scan of several pages is under way (`scan.shown`).
 */
function isNewestDue({ watch, state, spending, memory }: Reading): boolean {
	const { scan, newest } = state;
	if (scan.isByPage) return false;
	if (readsNewOnly({ watch, state })) return newest === undefined || scan.shown > 0;
	// The poll that publishes the workflow needs its requests for the scan.
	if (!spending.hasBegun) return false;
	return watch.readsNewOnly || spending.limit > 2 || memory.pollNumber % NEWEST_EVERY_POLLS === 0;
}

/**
 * Applies a page of the head. If the first page is the head, polls also read the pages after it. Polls stop at a page
 * whose last record is unchanged. If the last page is the head, the poll also reads all pages that were added after it.
 *
 * @param pageNumber number of the page in the list, from 1
 */
function applyHeadPage(reading: Reading, page: ServedPage, pageNumber: number): void {
	const { state, memory } = reading;
	const { members, totalItems = 0 } = page;
	const compared = compareRecords(reading, members, false);
	const isLastChanged = compared.at(-1)?.isChanged === true;
	const firstSeen = compared.filter(({ isFirstSeen }) => isFirstSeen).length;
	const isFirst = state.head === 1;
	const recordsSoFar = (pageNumber - 1) * MAX_PAGE_SIZE + members.length;
	const follows = goesOn(page, recordsSoFar, MAX_PAGE_SIZE);
	reading.isHeadDone = !follows || (isFirst && !isLastChanged);
	const isMostlyNew = state.isListRead && 2 * firstSeen > members.length;
	reading.spending.isBehind = isMostlyNew || (isFirst && !reading.isHeadDone);
	memory.headPage = isFirst && !reading.isHeadDone ? pageNumber + 1 : 1;
	if (isFirst) return;
	if (follows) state.head = pageNumber + 1;
	else if (members.length === 0) state.head = Math.max(1, Math.ceil(totalItems / MAX_PAGE_SIZE));
}

/**
 * Applies the page of the newest people. If the service ignored the requested order, the scan continues by page number.
 * If Person Created is the only event, the first call sets the high-water mark: the creation time at which scans begin.
 */
function applyNewest(reading: Reading, page: ServedPage): void {
	const { state } = reading;
	const { members } = page;
	reading.isHeadDone = true;
	if (goesOn(page, members.length, MAX_PAGE_SIZE) && !isInOrder(creationTimes(members), 'desc')) {
		if (readsNewOnly(reading)) giveUpMark(state);
		else if (!state.readsAll) continueByPage(state);
		state.scan.isByPage = true;
		return;
	}
	// `compareRecords` runs before `initMark`, because it remembers nobody created before a mark. Without a mark, it
	// remembers all people on the page. After a change of the API key, `company.ts` recognises the company by these
	// people.
	compareRecords(reading, members, false);
	if (readsNewOnly(reading) && !noteUndated(state, page)) initMark(state, page);
}
