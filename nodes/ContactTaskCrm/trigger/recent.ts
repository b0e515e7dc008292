import { goesOn } from '../http/paging';
import { asRecord } from '../run/output';
import { instantOf, isZoned, later, wholeSecond } from '../util/dateTime';
import { compare, recall } from './compare';
import { advance, isInOrder, lastTime, pageQuery, passFailure } from './cursor';
import type { PageStep, Reading } from './reading';
import { readByPage } from './scan';
import type { Window } from './state';
import { GAPPED, startCursor, SURE } from './state';
import type { QueryPair, ServedPage } from './watch';

/*
 * The recent end of a list, looked at in each poll. Of tasks, comments and history it is the first or the last page,
 * where the list is in an order that shows changes there. Of people it is the window: those created since the
 * high-water mark, by creation time. A window that takes more than a page is read from the mark on, poll
 * by poll, and meanwhile the newest page of all is looked at, too: however many were created at once, who comes
 * after them is told within a poll or two.
 */

/** Look-back: records may be stored this much later than their creation time says. */
const LATE_MS = 2 * 60_000;
/** Readings in a row without anybody unknown before a crowded second counts as read. */
const QUIET_READS = 3;
const QUIET_READS_AGAINST_TOTAL = 12;
/** Times further ahead than this are no record's own: one of them would hide all that comes after. */
const AHEAD_MS = 15 * 60_000;
/** A time without a zone may be hours off. */
const AHEAD_WITHOUT_ZONE_MS = 26 * 60 * 60_000;
/** Of two requests a poll, one goes to a window that is all but always empty in one of so many polls. */
const QUIET_WINDOW_EVERY = 5;

/** @param hasScan whether the poll reads on in the list as well */
export function recentStep(reading: Reading, hasScan: boolean): PageStep | undefined {
	const { watch, state, isRecentDone, limit, turn } = reading;
	if (isRecentDone) return undefined;
	if (state.head !== undefined) return headStep(reading, state.head);
	if (!watch.hasWindow || state.byPageUntil !== undefined) return undefined;
	const { window } = state;
	if (!window || isNewestNext(reading, window, hasScan)) return newestStep(reading);
	// A window of one page, in which nothing was found lately, leaves the request to the scan.
	const isDue =
		!hasScan || limit !== 2 || window.cursor.shown > 0 || turn % QUIET_WINDOW_EVERY === 0;
	return isDue ? windowStep(reading, window) : undefined;
}

/** Once in each poll in which the window takes more than a page; every second time where there is one request for both. */
function isNewestNext(
	{ hasLooked, limit, turn }: Reading,
	{ cursor }: Window,
	hasScan: boolean,
): boolean {
	if (cursor.shown === 0 || hasLooked) return false;
	const requests = hasScan ? limit - 1 : limit;
	const ownTurn = limit === 1 && hasScan ? Math.floor(turn / 2) : turn;
	return requests > 1 || ownTurn % 2 === 0;
}

/** The page at which the list shows what has changed. */
function headStep(reading: Reading, head: number): PageStep {
	const { filters, pageSize } = reading.watch;
	const at = head === 1 ? reading.headPage : head;
	const number: QueryPair[] = at > 1 ? [['page', String(at)]] : [];
	return {
		query: [...filters, ['itemsPerPage', String(pageSize)], ...number],
		take: (page) => takeHeadPage(reading, page, { at, isFirst: head === 1 }),
		fail: () => {
			reading.isRecentDone = true;
			return 'goesOn';
		},
	};
}

/** A look at the end of the list where changes show; on while there is nothing but news. */
function takeHeadPage(
	reading: Reading,
	page: ServedPage,
	{ at, isFirst }: { at: number; isFirst: boolean },
): void {
	const { pageSize } = reading.watch;
	const { members, totalItems = 0 } = page;
	const { news } = compare(reading, members, false);
	const follows = goesOn(page, (at - 1) * pageSize + members.length, pageSize);
	reading.isRecentDone = !follows || (isFirst && news < members.length);
	if (isFirst) reading.headPage++;
	else if (follows) reading.state.head = at + 1;
	else if (members.length === 0) {
		reading.state.head = Math.max(1, Math.ceil(totalItems / pageSize));
	}
}

/** The newest people; at first they tell where the window begins. */
function newestStep(reading: Reading): PageStep {
	const { filters, pageSize } = reading.watch;
	return {
		query: [...filters, ['order[createdAt]', 'desc'], ['itemsPerPage', String(pageSize)]],
		take: (page) => takeNewestPage(reading, page),
		fail: () => {
			reading.hasLooked = true;
			return reading.state.window ? 'goesOn' : 'stays';
		},
	};
}

function takeNewestPage(reading: Reading, page: ServedPage): void {
	const { watch, state } = reading;
	const { members, servedAt } = page;
	reading.hasLooked = true;
	if (goesOn(page, members.length, watch.pageSize) && !isInOrder(members, 'desc')) {
		return readByPage(state, servedAt);
	}
	if (!state.window) {
		const newest = newestOn(page);
		// What was created since the trigger began may be more than this page shows.
		const from =
			newest === undefined ? undefined : wholeSecond(Math.min(newest, state.began) - LATE_MS);
		state.window = { ...(from === undefined ? {} : { from }), quiet: 0, cursor: startCursor(from) };
	}
	noteNewest(state.window, page);
	compare(reading, members, false);
}

/** The window's next page. */
function windowStep(reading: Reading, window: Window): PageStep {
	const { filters, pageSize } = reading.watch;
	return {
		query: [...filters, ...pageQuery(window.cursor, { isByPage: false, pageSize })],
		take: (page) => takeWindowPage(reading, window, page),
		// The window begins anew with each poll until nothing is left out: what is missing is not named.
		fail: () => (passFailure(window.cursor) === 'stays' ? 'stays' : 'goesOn'),
	};
}

/** Takes the reading of the window past a page. At its end the mark moves on, unless somebody may have been left out. */
function takeWindowPage(reading: Reading, window: Window, page: ServedPage): void {
	const { cursor } = window;
	const { members, servedAt } = page;
	if (cursor.shown === 0) begin(window, servedAt);
	const { next } = window;
	const isBefore = (time = Infinity) => next !== undefined && time < next;
	const { unknown } = compare(reading, members, false);
	if (unknown.some(({ createdAt }) => isBefore(instantOf(createdAt)))) window.quiet = -1;
	noteNewest(window, page);
	const { pageSize } = reading.watch;
	const outcome = advance(cursor, page, { isByPage: false, pageSize, known: Infinity });
	if (outcome === 'unordered') {
		restart(window);
		return readByPage(reading.state, servedAt);
	}
	// Who came after it began is found by the next reading: this one ends however many they are.
	const isPast = next !== undefined && (lastTime(members) ?? 0) > next + 2 * LATE_MS;
	if (outcome === 'goesOn' && !isPast) return;
	reading.isRecentDone = true;
	window.quiet++;
	if (leftNobodyOut(reading, window)) moveOn(reading, window);
	restart(window);
}

/**
 * The mark that the reading leads to: what is the newest as it begins, less the look-back, since what is stored
 * late can lie behind where it had come to. Once the newest has been there for longer than that, nothing as old
 * can come any more.
 */
function begin(window: Window, servedAt: number): void {
	const { newest, newestSeenAt = servedAt } = window;
	delete window.next;
	if (newest === undefined) return;
	const isSettled = servedAt - newestSeenAt > LATE_MS;
	window.next = isSettled ? wholeSecond(newest) + 1000 : wholeSecond(newest - LATE_MS);
}

function restart(window: Window): void {
	window.quiet = Math.max(0, window.quiet);
	window.cursor = startCursor(window.from);
}

/**
 * Whether all before the next mark are known. Where a second takes several pages and equals come in another
 * order on each, some come on none: it is read until nobody unknown turns up any more, for longer where the total
 * does not say that all are known. Where there is a scan, that finds them.
 */
function leftNobodyOut({ watch, state }: Reading, { cursor, quiet }: Window): boolean {
	if (cursor.doubt === GAPPED) return false;
	if (watch.hasScan || cursor.doubt === SURE) return true;
	const isTotal = state.records.size === cursor.firstTotal;
	return quiet >= (isTotal ? QUIET_READS : QUIET_READS_AGAINST_TOTAL);
}

function moveOn(reading: Reading, window: Window): void {
	const { watch, state } = reading;
	const from = later(window.from, window.next);
	if (from !== undefined) window.from = from;
	window.quiet = 0;
	if (watch.hasScan) return;
	state.isListRead = true;
	// Who was created before the window is not asked for again.
	for (const key of state.records.keys()) {
		const { createdAt = Infinity } = recall(reading, key) ?? {};
		if (createdAt < (from ?? -Infinity)) state.records.delete(key);
	}
}

/** Notes the newest creation time on a page, where it can be one. */
function noteNewest(window: Window, page: ServedPage): void {
	const newest = newestOn(page);
	if (newest === undefined || newest <= (window.newest ?? -Infinity)) return;
	window.newest = newest;
	window.newestSeenAt = page.servedAt;
}

function newestOn({ members, servedAt }: ServedPage): number | undefined {
	return members
		.map((member) => {
			const { createdAt } = asRecord(member);
			const time = instantOf(createdAt);
			const ahead = isZoned(createdAt) ? AHEAD_MS : AHEAD_WITHOUT_ZONE_MS;
			return time !== undefined && time <= servedAt + ahead ? time : undefined;
		})
		.reduce(later, undefined);
}
