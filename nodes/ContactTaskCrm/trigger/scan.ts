import { max } from 'lodash';
import type { Place, ServedPage, Walk } from '../http/paging';
import { byCreation, MAX_PAGE_SIZE, QUICK } from '../http/paging';
import { asRecord } from '../run/output';
import { asText, instantOf, wholeSecond } from '../util/dateTime';
import { countMissing, endRound } from './members';
import type { Reading, Step } from './reading';
import { compareRecords, recall, roundsSince } from './reading';
import type { Scan, TriggerState } from './state';
import { PAGE_SKIPPED, RECORDS_MOVED, startScan, NO_DOUBT } from './state';
import type { QueryPair } from './lists';
import type { Watch } from './watch';

/*
 * The scan reads a list from its first record to its last, again and again: people by creation time, each page from
 * where the one before ended, so that nothing that comes or goes before it shifts what follows; else page by
 * page. Of those who are new alone it begins at the high-water mark, which its end moves on.
 */

/** Scans in a row without anybody unknown, and a list counts as read that may shift meanwhile. */
const QUIET_SCANS = 2;
/** The same where the totals never add up, or records come twice. */
const MOST_QUIET_SCANS = 10;
/** Scans in a row that have to see exactly what the total says before anything is forgotten. */
const LEAST_EXACT_SCANS = 2;
/** As many records more than twice those there are may be remembered. */
const SPARE_RECORDS = 1_000;
/** Of the steps between neighbours, how many have to go the same way for a list to be in that order. */
const IN_ORDER = 0.9;
/** Records may be stored this much later than their creation time says. */
const LATE_MS = 2 * 60_000;

/** Equals in creation time may come in another order on each page, so that the scan asks for their order, too. */
const BY_CREATION = byCreation(asText, {
	pages: QUICK,
	ties: [['order[familyName]', 'asc']],
	skipsUndated: true,
});

/** Returns the way through the list: by creation time, or by the number of the page. */
function walkOf({ isTimed }: Watch, { scan }: TriggerState): Walk {
	return isTimed && !scan.isByPage ? BY_CREATION : QUICK;
}

function placeOf({ page, position = 0, after }: Scan): Place {
	return { page, position, ...(after === undefined ? {} : { from: after }) };
}

/** Whether a scan is that of archived people, whom the list of a segment may hide. */
function readsArchived({ number }: Scan): boolean {
	return number % 2 === 1;
}

/** The scan's next page. */
export function scanStep(reading: Reading): Step {
	const { watch, state } = reading;
	const { scan } = state;
	const archived: QueryPair[] = readsArchived(scan) ? [['exists[archivedAt]', 'true']] : [];
	const query = walkOf(watch, state).query(placeOf(scan), [...watch.filters, ...archived]);
	return {
		request: [...query],
		isScanPage: true,
		onPage: (page) => applyScanPage(reading, page),
		onFailure: () => skipPage(scan),
	};
}

function applyScanPage(reading: Reading, page: ServedPage): void {
	const { watch, state } = reading;
	const { scan } = state;
	const { members } = page;
	if (watch.readsNewOnly) {
		if (scan.shown === 0) setNextMark(state, page.servedAt);
		noteNewest(state, page);
	}
	const { newInScan, firstSeen } = compareRecords(reading, members, true);
	scan.seen += newInScan;
	const { next = Infinity } = scan;
	if (firstSeen.some(({ createdAt }) => (instantOf(createdAt) ?? 0) < next)) state.quiet = -1;
	const records = members.map(asRecord);
	const created = records.map(({ createdAt }) => instantOf(createdAt));
	const changed = records.map(({ updatedAt }, index) => instantOf(updatedAt) ?? created[index]);
	countSteps(scan, 0, created);
	countSteps(scan, 2, changed);
	reading.isBehind = state.isListRead && firstSeen.length > 0;
	const place = advance(scan, page, walkOf(watch, state));
	if (place === 'unordered') return continueByPage(state);
	if (!place) return finishScan(reading);
	const { page: number, position, from } = place;
	Object.assign(scan, { page: number, position, ...(from === undefined ? {} : { after: from }) });
}

/** Counts a page of a scan. Returns the place behind it, as `Walk.after` does. */
function advance(scan: Scan, page: ServedPage, walk: Walk): ReturnType<Walk['after']> {
	const { members, totalItems } = page;
	const { isTimed } = walk;
	if (scan.shown === 0 && totalItems !== undefined) scan.firstTotal = totalItems;
	scan.shown += members.length;
	if (!isTimed && totalItems !== undefined && totalItems !== scan.firstTotal) noteMoved(scan);
	// However fast a list grows, and whatever a service makes of a page's number, a scan ends.
	const isTooLong = scan.shown > 2 * (scan.firstTotal ?? scan.seen) + 3 * MAX_PAGE_SIZE;
	// Records that came after the scan began are found by the next scan, however many they are.
	const { next: mark = Infinity } = scan;
	const isPast = creationTimes(members).some(
		(time) => time <= page.servedAt && time > mark + 2 * LATE_MS,
	);
	const next = walk.after(placeOf(scan), page);
	if (next === 'unordered') return next;
	if (!next || isTooLong || isPast) return undefined;
	if (isTimed && next.page > 1) noteMoved(scan);
	return next;
}

function noteMoved(scan: Scan): void {
	if (scan.doubt === NO_DOUBT) scan.doubt = RECORDS_MOVED;
}

/** Leaves out a page that cannot be read: the next scan asks for it again. This poll ends, since the service may be down. */
function skipPage(scan: Scan): boolean {
	scan.doubt = PAGE_SKIPPED;
	scan.page++;
	return false;
}

/** What the end of a scan leads to: who has left a segment, and what need not be remembered any more. */
function finishScan(reading: Reading): void {
	const { watch, state } = reading;
	const { scan } = state;
	const isListHalf = watch.isMember !== undefined && !readsArchived(scan);
	const isExact = matchesTotal(watch, state);
	const isRead = hasReadAll(watch, state);
	// To read a single member takes no more than to read the list of those who are archived.
	if (isListHalf && (!state.isListRead || countMissing(state) > 1)) {
		// What the list itself came to goes with the scan of those whom it hides.
		const doubt = !isRead && !state.isListRead ? PAGE_SKIPPED : NO_DOUBT;
		state.scan = { ...startScan(scan.number + 1), doubt };
		return;
	}
	// What was left out is begun with at once, where the poll may send more.
	reading.isScanDone = scan.doubt !== PAGE_SKIPPED;
	state.quiet++;
	state.exact = isExact ? state.exact + 1 : 0;
	state.head = headPageOf(watch, state);
	reading.mustOutlast ||= isRead && !state.isListRead && !watch.readsNewOnly;
	state.isListRead ||= isRead;
	if (watch.isMember) endRound(reading);
	else if (!watch.readsNewOnly) forgetGone(state);
	else if (isRead) advanceMark(reading);
	const nextRound = 2 * Math.floor(scan.number / 2) + 2;
	state.scan = startScan(nextRound, state.from);
}

/**
 * From here on page by page, to the end of the scan; the next one asks for the order again. Who was seen by now stays
 * so, or all would count as missing for a round.
 */
export function continueByPage({ scan, from }: TriggerState): void {
	Object.assign(scan, { isByPage: true, after: from, page: 1, position: 0, shown: 0 });
}

/** Whether a scan saw exactly what each of its pages said that there is. */
function matchesTotal(watch: Watch, state: TriggerState): boolean {
	const { doubt, firstTotal, seen } = state.scan;
	const { isTimed } = walkOf(watch, state);
	if (firstTotal === undefined) return isTimed && doubt === NO_DOUBT;
	const maySkip = isTimed ? doubt === PAGE_SKIPPED : doubt !== NO_DOUBT;
	return firstTotal === seen && !maySkip;
}

/**
 * Whether every record of the list was certainly seen, in this scan or before: a single page shows a
 * moment; by time nothing shifts, unless a second takes several pages; else scans have to find nobody
 * unknown, and as many have to be known as the total says.
 */
function hasReadAll(watch: Watch, state: TriggerState): boolean {
	const { scan, records, from } = state;
	if (scan.doubt === PAGE_SKIPPED) return false;
	// As it was when the list itself had been read.
	if (readsArchived(scan)) return true;
	const isOnePage = scan.page === 1 && scan.after === from;
	if (isOnePage || (walkOf(watch, state).isTimed && scan.doubt === NO_DOUBT)) return true;
	// One that comes while another goes can hide a third; creation times tell later that it is old.
	const creationTimeDecides = !watch.isMember && !watch.hasWritableTimes && !watch.readsNewOnly;
	if (creationTimeDecides && matchesTotal(watch, state)) return true;
	// Without a total, what moved to a later page comes twice; a list of which nothing did was shown whole.
	const isWhole =
		scan.firstTotal === undefined ? scan.seen === scan.shown : records.size >= scan.firstTotal;
	return state.quiet + 1 >= (isWhole ? QUIET_SCANS : MOST_QUIET_SCANS);
}

/** Forgets what several exact scans did not see, once it takes more than what is there. */
function forgetGone({ records, scan, exact }: TriggerState): void {
	if (exact < LEAST_EXACT_SCANS || records.size <= 2 * scan.seen + SPARE_RECORDS) return;
	for (const [key, line] of records) {
		if (roundsSince(line, scan) > 1) records.delete(key);
	}
}

/** Where the list says nothing yet of those who are new: at the newest of all, less the look-back. */
export function initMark(state: TriggerState, page: ServedPage): void {
	noteNewest(state, page);
	const { newest, began, scan } = state;
	if (state.from !== undefined || newest === undefined) return;
	// What was created since the trigger began may be more than this page shows.
	state.from = Math.min(newest, began) - LATE_MS;
	state.scan = startScan(scan.number, state.from);
}

/**
 * The mark that a scan leads to: what is the newest as it begins, less the look-back, since what is stored
 * late can lie behind where it had come to. Once the newest has been there for longer than that, nothing as old
 * can come any more.
 */
function setNextMark({ scan, newest, newestSeenAt = 0 }: TriggerState, servedAt: number): void {
	if (newest === undefined) return;
	const isSettled = servedAt - newestSeenAt > LATE_MS;
	scan.next = isSettled ? newest + 1000 : newest - LATE_MS;
}

function advanceMark(reading: Reading): void {
	const { state } = reading;
	state.quiet = 0;
	state.from = max([state.from, state.scan.next]);
	// Who was created before it is not asked for again.
	for (const key of state.records.keys()) {
		const { createdAt = Infinity } = recall(reading, key) ?? {};
		if (createdAt < (state.from ?? -Infinity)) state.records.delete(key);
	}
}

/** Notes the newest creation time on a page. What is ahead of the service's clock would hide all that comes after. */
function noteNewest(state: TriggerState, { members, servedAt }: ServedPage): void {
	const time = newestSecond(members);
	const newest = time === undefined ? undefined : Math.min(time, servedAt);
	if (newest === undefined || newest <= (state.newest ?? -Infinity)) return;
	Object.assign(state, { newest, newestSeenAt: servedAt });
}

/** The second in which the newest of some records was created, where one says it. */
function newestSecond(members: readonly unknown[]): number | undefined {
	const last = max(creationTimes(members));
	return last === undefined ? undefined : wholeSecond(last);
}

/** Returns the creation times of records; those without one stand at either end of a list, and say nothing. */
export function creationTimes(members: readonly unknown[]): number[] {
	return members.flatMap((member) => instantOf(asRecord(member).createdAt) ?? []);
}

/** Counts how the times of neighbours follow each other. */
function countSteps({ order }: Scan, place: 0 | 2, times: Array<number | undefined>): void {
	const known = times.filter((time) => time !== undefined);
	known.slice(1).forEach((time, index) => {
		if (time > known[index]) order[place]++;
		if (time < known[index]) order[place + 1]++;
	});
}

/**
 * The page on which the list shows what has changed: its first where the newest comes first, its last
 * where it comes last. A list of one page is read at once.
 */
function headPageOf({ isTimed, events }: Watch, { scan }: TriggerState): number | undefined {
	if (isTimed || scan.page < 2) return undefined;
	const created = direction(scan.order[0], scan.order[1]);
	const changed = direction(scan.order[2], scan.order[3]);
	const toldByCreation = events.some(({ compares }) => !compares);
	const order = changed === 'falling' ? changed : toldByCreation ? (created ?? changed) : changed;
	if (order === undefined) return undefined;
	return order === 'falling' ? 1 : scan.page;
}

function direction(rising: number, falling: number): 'rising' | 'falling' | undefined {
	const steps = rising + falling;
	if (steps === 0) return undefined;
	if (rising >= IN_ORDER * steps) return 'rising';
	return falling >= IN_ORDER * steps ? 'falling' : undefined;
}
