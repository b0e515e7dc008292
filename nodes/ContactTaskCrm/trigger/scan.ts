import type { IDataObject } from 'n8n-workflow';
import type { Cursor, ServedPage, PageOrder } from '../http/paging';
import { byCreation, QUICK } from '../http/paging';
import {
	advanceMark,
	creationTimes,
	giveUpMark,
	LOOK_BACK_MS,
	nextScan,
	noteNewest,
	noteUndated,
	setNextMark,
} from './mark';
import { countMissing, endRound, noteLeavers } from './members';
import type { Reading, Step } from './reading';
import { compareRecords, readsNewOnly, roundsSince } from './reading';
import type { Scan, TriggerState } from './state';
import { CONSISTENT, PAGE_SKIPPED, RECORDS_MOVED, startScan } from './state';
import type { QueryPair } from './lists';
import type { Watch } from './watch';
import { asText, instantOf } from '../values/time';
import { asRecord } from '../values/json';
import { MAX_PAGE_SIZE } from '../schema/limits';

/*
 * The scan reads a list from its first record to its last, again and again. For people, the cursor is a creation time:
 * each page begins at the last creation time of the page before. A removed record then shifts no later record. For
 * other lists, the cursor is a page number. If Person Created is the only event, each scan begins at the high-water
 * mark (`mark.ts`). A complete scan advances the mark.
 */

/**
 * If records may move between pages, a list counts as read after this many scans in a row without an unknown record.
 */
const QUIET_SCANS = 2;
/**
 * Replaces `QUIET_SCANS` in two cases. The trigger knows fewer records than the total that the service announces. Or
 * the service announces no total, and the scan saw a record twice. It may then have missed another record.
 */
const MAX_QUIET_SCANS = 10;
/** The trigger forgets records only after this many scans in a row saw as many records as the service announced. */
const MIN_EXACT_SCANS = 2;
/** The trigger forgets records only if it remembers more than twice the size of the list plus this number. */
const SPARE_RECORDS = 1_000;
/** A list counts as sorted if at least this part of its times rise (or fall) from record to record. */
const LEAST_IN_ORDER = 0.9;
/**
 * Page order by creation time. It also sorts by name, because records with the same creation time could otherwise
 * change places between two requests.
 */
const BY_CREATION = byCreation(asText, {
	pages: QUICK,
	ties: [['order[familyName]', 'asc']],
	skipsUndated: true,
});

/**
 * Returns the page order of the list: by creation time, or by page number. A filter by creation time hides people
 * without a creation time. So a trigger that has given up its high-water mark (`readsAll`) reads by page number.
 */
function pageOrderOf({ isTimed }: Watch, { scan, readsAll }: TriggerState): PageOrder {
	return isTimed && !scan.isByPage && !readsAll ? BY_CREATION : QUICK;
}

function cursorOf({ page, position = 0, after }: Scan): Cursor {
	return { page, position, ...(after === undefined ? {} : { from: after }) };
}

/**
 * Returns whether a scan reads archived people: a scan with an odd number does. Only a segment has such scans, because
 * the list of a segment may hide archived members.
 */
function readsArchived({ number }: Scan): boolean {
	return number % 2 === 1;
}

/** Returns the step that reads the scan's next page. */
export function scanStep(reading: Reading): Step {
	const { watch, state } = reading;
	const { scan } = state;
	const archived: QueryPair[] = readsArchived(scan) ? [['exists[archivedAt]', 'true']] : [];
	const query = pageOrderOf(watch, state).query(cursorOf(scan), [...watch.filters, ...archived]);
	return {
		request: [...query],
		onPage: (page) => applyScanPage(reading, page),
		onFailure: () => skipPage(scan),
	};
}

/** Compares a page of the scan, then moves the scan to its next page or ends it. */
function applyScanPage(reading: Reading, page: ServedPage): void {
	reading.hasScanned = true;
	const { watch, state } = reading;
	const { scan } = state;
	const { members } = page;
	const isNewOnly = readsNewOnly(reading);
	if (isNewOnly) {
		if (noteUndated(state, page)) return;
		if (scan.after === undefined && state.from !== undefined) {
			scan.after = state.from;
			return;
		}
		if (scan.shown === 0) setNextMark(state, page.servedAt);
		noteNewest(state, page);
	}
	const compared = compareRecords(reading, members, true);
	scan.seen += compared.filter(({ isNewInScan }) => isNewInScan).length;
	const firstSeen = compared.filter(({ isFirstSeen }) => isFirstSeen);
	const { next = Infinity } = scan;
	const isOld = ({ record }: { record: IDataObject }) => (instantOf(record.createdAt) ?? 0) < next;
	if (!state.readsAll && firstSeen.some(isOld)) state.quiet = -1;
	const records = members.map(asRecord);
	const created = records.map(({ createdAt }) => instantOf(createdAt));
	const changed = records.map(({ updatedAt }, index) => instantOf(updatedAt) ?? created[index]);
	countSteps(scan, CREATION_STEPS, created);
	countSteps(scan, CHANGE_STEPS, changed);
	const cursor = advance(scan, page, pageOrderOf(watch, state));
	// If Person Created is the only event, a scan reads only new people. A second page then means that many are new.
	const isLong = isNewOnly && typeof cursor === 'object';
	reading.spending.isBehind = state.isListRead && (firstSeen.length > 0 || isLong);
	if (cursor === 'unordered') return isNewOnly ? giveUpMark(state) : continueByPage(state);
	if (!cursor) return finishScan(reading);
	const { page: number, position, from } = cursor;
	Object.assign(scan, { page: number, position, ...(from === undefined ? {} : { after: from }) });
}

/**
 * Counts the records of a page, and decides where the scan goes on.
 *
 * @returns the cursor of the next page; undefined if the scan ends; "unordered" if the service ignored the requested
 *   order
 */
function advance(
	scan: Scan,
	page: ServedPage,
	pageOrder: PageOrder,
): ReturnType<PageOrder['after']> {
	const { members, totalItems } = page;
	const { isTimed } = pageOrder;
	if (scan.shown === 0 && totalItems !== undefined) scan.firstTotal = totalItems;
	scan.shown += members.length;
	if (!isTimed && totalItems !== undefined && totalItems !== scan.firstTotal) noteMoved(scan);
	// `isTooLong` lets every scan end, even if the list grows fast, or if the service ignores page numbers.
	const isTooLong = scan.shown > 2 * (scan.firstTotal ?? scan.seen) + 3 * MAX_PAGE_SIZE;
	// `mark` exists only if Person Created is the only event. The next scan begins at `mark`, and reads all people
	// created later. So this scan ends at people created well after `mark`. Otherwise, an import could prolong the scan.
	const { next: mark = Infinity } = scan;
	const isPast = creationTimes(members).some(
		(time) => time <= page.servedAt && time > mark + 2 * LOOK_BACK_MS,
	);
	const next = pageOrder.after(cursorOf(scan), page);
	if (next === 'unordered') return next;
	// A scan that is too long leaves the rest of the list unread. So it cannot prove that a record is absent.
	if (next && isTooLong) noteMoved(scan);
	if (!next || isTooLong || isPast) return undefined;
	if (isTimed && next.page > 1) noteMoved(scan);
	return next;
}

function noteMoved(scan: Scan): void {
	if (scan.consistency === CONSISTENT) scan.consistency = RECORDS_MOVED;
}

/**
 * Skips an unreadable page. The next scan requests the page again.
 *
 * @returns whether the poll continues: never, because the service may be down
 */
function skipPage(scan: Scan): boolean {
	scan.consistency = PAGE_SKIPPED;
	scan.page++;
	return false;
}

/** Ends a scan: decides whether the whole list was read, forgets unneeded records, and starts the next scan. */
function finishScan(reading: Reading): void {
	const { watch, state } = reading;
	const { scan } = state;
	const mayNeedArchived = watch.isMember !== undefined && !readsArchived(scan);
	const isExact = matchesTotal(watch, state);
	const isNewOnly = readsNewOnly(reading);
	const isRead = hasReadAll(watch, state, isExact);
	if (!readsArchived(scan)) state.exact = isExact ? state.exact + 1 : 0;
	// The next scan of a segment reads the archived people. Once the whole list has been read, that scan is needed only
	// if two or more members are missing. A single member is cheaper to read by ID.
	if (mayNeedArchived && (!state.isListRead || countMissing(state) > 1)) {
		// A segment counts as read only after complete scans of its list and of its archived people. So an incomplete first
		// scan also marks the second one as incomplete.
		const consistency = !isRead && !state.isListRead ? PAGE_SKIPPED : CONSISTENT;
		state.scan = { ...startScan(scan.number + 1), consistency };
		return;
	}
	state.quiet++;
	state.head = headPageOf(watch, state);
	reading.mustOutlast ||= isRead && !state.isListRead && !isNewOnly;
	state.isListRead ||= isRead;
	// While `isScanDone` is false, this poll goes on with the next scan. It does so after a skipped page, and until the
	// list has been read. Until then, a record that comes into the list may count as old.
	reading.isScanDone = scan.consistency !== PAGE_SKIPPED && (state.isListRead || isNewOnly);
	if (watch.isMember) endRound(reading);
	else if (!isNewOnly) forgetGone(state);
	else if (isRead) advanceMark(reading);
	if (isExact || isGapless(watch, state)) noteLeavers(reading);
	state.scan = nextScan(state, 2 * Math.floor(scan.number / 2) + 2);
}

/**
 * Continues the scan by page number, because the service ignored the requested order. The next scan requests the order
 * again. The scan keeps its number. Under a new number, all records of this scan would count as missing for a round.
 */
export function continueByPage({ scan, from }: TriggerState): void {
	Object.assign(scan, { isByPage: true, after: from, page: 1, position: 0, shown: 0 });
}

/** Returns whether the scan missed nothing: it read by creation time, and no second had records on two pages. */
function isGapless(watch: Watch, state: TriggerState): boolean {
	return pageOrderOf(watch, state).isTimed && state.scan.consistency === CONSISTENT;
}

/**
 * Returns whether the scan saw exactly as many records as the total that its first page announced. A scan by page
 * number matches only if all its pages announced the same total. Without a total, only a scan without gaps matches.
 */
function matchesTotal(watch: Watch, state: TriggerState): boolean {
	const { consistency, firstTotal, seen } = state.scan;
	const { isTimed } = pageOrderOf(watch, state);
	if (firstTotal === undefined) return isGapless(watch, state);
	const mayMissRecords = isTimed ? consistency === PAGE_SKIPPED : consistency !== CONSISTENT;
	return firstTotal === seen && !mayMissRecords;
}

/**
 * Returns whether the list counts as read by this scan and earlier scans. A scan of one page or without gaps
 * suffices. Otherwise, the list counts as read if the total matches (`isExact`), or after several scans in a row without
 * an unknown record. The number of these scans is higher if the trigger knows fewer records than the total.
 */
function hasReadAll(watch: Watch, state: TriggerState, isExact: boolean): boolean {
	const { scan, records, from } = state;
	if (scan.consistency === PAGE_SKIPPED) return false;
	const isOnePage = scan.page === 1 && scan.after === from;
	if (isOnePage || isGapless(watch, state)) return true;
	// The total may match by chance: one record came, another went, and the scan missed a third. With reliable creation
	// times, that is harmless. A later scan finds the third record, and its creation time tells that it is old.
	const creationTimeDecides = !watch.isMember && !watch.hasWritableTimes && !watch.readsNewOnly;
	// Otherwise, two scans in a row must match the total (`exact`), and the second must find no unknown record
	// (`quiet`).
	const isConfirmed = state.exact > 0 && state.quiet >= 0 && !readsArchived(scan);
	if (isExact && (creationTimeDecides || isConfirmed)) return true;
	// Without a total, `isWhole` compares two counts: `shown` counts repeated records, `seen` does not. If they differ,
	// records moved between pages, and the scan may have missed some.
	const isWhole =
		scan.firstTotal === undefined ? scan.seen === scan.shown : records.size >= scan.firstTotal;
	return state.quiet + 1 >= (isWhole ? QUIET_SCANS : MAX_QUIET_SCANS);
}

/**
 * If the trigger remembers far more records than the list has, forgets records that two scans in a row did not show.
 * Both scans must have seen as many records as the service announced. Such scans have probably missed no record.
 */
function forgetGone({ records, scan, exact }: TriggerState): void {
	if (exact < MIN_EXACT_SCANS || records.size <= 2 * scan.seen + SPARE_RECORDS) return;
	for (const [key, line] of records) {
		if (roundsSince(line, scan) > 1) records.delete(key);
	}
}

/** Indexes in `Scan.order` of two counts: records created later, and created earlier, than the record before them. */
const CREATION_STEPS = [0, 1] as const;
/** Indexes in `Scan.order` of two counts: records changed later, and changed earlier, than the record before them. */
const CHANGE_STEPS = [2, 3] as const;

/**
 * Compares each record's time with that of the record before it. Counts in `Scan.order` how often the time rises, and how
 * often it falls. The counts tell `headPageOf` how the service sorts the list.
 *
 * @param times creation times or change times of the records on the page
 */
function countSteps(
	{ order }: Scan,
	[rising, falling]: typeof CREATION_STEPS | typeof CHANGE_STEPS,
	times: ReadonlyArray<number | undefined>,
): void {
	let preceding: number | undefined;
	for (const time of times.filter((each) => each !== undefined)) {
		if (preceding !== undefined && time > preceding) order[rising]++;
		if (preceding !== undefined && time < preceding) order[falling]++;
		preceding = time;
	}
}

/**
 * Returns the page number of the head: the first or the last page. Returns undefined for people, for a list of one
 * page, and for a list that is not sorted by time.
 */
function headPageOf({ isTimed, events }: Watch, { scan }: TriggerState): number | undefined {
	if (isTimed || scan.page < 2) return undefined;
	const created = directionOf(scan, CREATION_STEPS);
	const changed = directionOf(scan, CHANGE_STEPS);
	// An event without aspects to compare is the creation of a record.
	const showsCreation = events.some(({ compares }) => !compares);
	const order = changed !== 'falling' && showsCreation ? (created ?? changed) : changed;
	if (order === undefined) return undefined;
	return order === 'falling' ? 1 : scan.page;
}

/** Returns whether times rise or fall from record to record; undefined if neither reaches `LEAST_IN_ORDER`. */
function directionOf(
	{ order }: Scan,
	[up, down]: typeof CREATION_STEPS | typeof CHANGE_STEPS,
): 'rising' | 'falling' | undefined {
	const [rising, falling] = [order[up], order[down]];
	const steps = rising + falling;
	if (steps === 0) return undefined;
	if (rising >= LEAST_IN_ORDER * steps) return 'rising';
	return falling >= LEAST_IN_ORDER * steps ? 'falling' : undefined;
}
