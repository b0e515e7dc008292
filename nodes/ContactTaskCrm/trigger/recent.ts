import { goesOn } from '../http/paging';
import { asRecord } from '../run/output';
import { isZoned } from '../util/dateTime';
import { compare, recall } from './compare';
import { advance, isInOrder, lastTime, pageQuery } from './cursor';
import type { PollProgress } from './progress';
import { readByPage } from './scan';
import type { TriggerState, Window } from './state';
import { GAPPED, startCursor, SURE } from './state';
import type { Instant } from './times';
import { later, timeOf, wholeSecond } from './times';
import type { ChangeEvent, QueryPair, ServedPage, Watch } from './watch';

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

/** The query of the page at which the list shows what has changed. */
export function headQuery({ filters, pageSize }: Watch, page: number): QueryPair[] {
	const number: QueryPair[] = page > 1 ? [['page', String(page)]] : [];
	return [...filters, ['itemsPerPage', String(pageSize)], ...number];
}

/** A look at the end of the list where changes show; on while there is nothing but news. */
export function withHeadPage(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	progress: PollProgress,
): ChangeEvent[] {
	const { pageSize } = watch;
	const { members, totalItems } = page;
	const isFirst = state.head === 1;
	const at = isFirst ? progress.headPage : (state.head ?? 1);
	const { changes, news } = compare(watch, state, members, { progress, isOfScan: false });
	const follows = goesOn(page, (at - 1) * pageSize + members.length, pageSize);
	if (isFirst) {
		progress.headPage++;
		progress.isRecentDone = !follows || news < members.length;
		return changes;
	}
	progress.isRecentDone = !follows;
	const last = Math.max(1, Math.ceil((totalItems ?? 0) / pageSize));
	state.head = follows ? at + 1 : members.length > 0 ? at : last;
	return changes;
}

/** The query of the newest people. */
export function newestQuery({ filters, pageSize }: Watch): QueryPair[] {
	return [...filters, ['order[createdAt]', 'desc'], ['itemsPerPage', String(pageSize)]];
}

/** The query of the window's next page. */
export function windowQuery({ filters, pageSize }: Watch, { cursor }: Window): QueryPair[] {
	return [...filters, ...pageQuery(cursor, { isByPage: false, pageSize })];
}

/** The newest people; at first they tell where the window begins. */
export function withNewestPage(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	progress: PollProgress,
): ChangeEvent[] {
	const { members } = page;
	progress.hasLooked = true;
	if (goesOn(page, members.length, watch.pageSize) && !isInOrder(members, 'desc')) {
		readByPage(state, page.servedAt);
		return [];
	}
	if (!state.window) {
		const newest = newestOn(page);
		// What was created since the trigger began may be more than this page shows.
		const from =
			newest === undefined ? undefined : wholeSecond(Math.min(newest, state.began) - LATE_MS);
		state.window = { ...(from === undefined ? {} : { from }), quiet: 0, cursor: startCursor(from) };
	}
	noteNewest(state.window, page);
	return compare(watch, state, members, { progress, isOfScan: false }).changes;
}

/** Takes the reading of the window past a page. At its end the mark moves on, unless somebody may have been left out. */
export function withWindowPage(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	progress: PollProgress,
): ChangeEvent[] {
	const { window } = state;
	if (!window) return [];
	const { cursor } = window;
	if (cursor.shown === 0) begin(window, page.servedAt);
	const { next } = window;
	const { members } = page;
	const { changes, unknown } = compare(watch, state, members, { progress, isOfScan: false });
	const isBefore = (time: Instant | undefined) =>
		time !== undefined && next !== undefined && time < next;
	if (unknown.some(({ createdAt }) => isBefore(timeOf(createdAt)))) window.quiet = -1;
	noteNewest(window, page);
	const { pageSize } = watch;
	const outcome = advance(cursor, page, { isByPage: false, pageSize, known: Infinity });
	if (outcome === 'unordered') {
		restart(window);
		readByPage(state, page.servedAt);
		return changes;
	}
	// Who came after it began is found by the next reading: this one ends however many they are.
	const isPast = next !== undefined && (lastTime(members) ?? 0) > next + 2 * LATE_MS;
	if (outcome === 'goesOn' && !isPast) return changes;
	progress.isRecentDone = true;
	window.quiet++;
	if (leftNobodyOut(watch, state, window)) moveOn(watch, state, window);
	restart(window);
	return changes;
}

/**
 * The mark that the reading leads to: what is the newest as it begins, less the look-back, since what is stored
 * late can lie behind where it had come to. Once the newest has been there for longer than that, nothing as old
 * can come any more.
 */
function begin(window: Window, servedAt: Instant): void {
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
function leftNobodyOut(
	{ hasScan }: Watch,
	{ records }: TriggerState,
	{ cursor, quiet }: Window,
): boolean {
	if (cursor.doubt === GAPPED) return false;
	if (hasScan || cursor.doubt === SURE) return true;
	return quiet >= (records.size === cursor.firstTotal ? QUIET_READS : QUIET_READS_AGAINST_TOTAL);
}

function moveOn(watch: Watch, state: TriggerState, window: Window): void {
	const from = later(window.from, window.next);
	if (from !== undefined) window.from = from;
	window.quiet = 0;
	if (watch.hasScan) return;
	state.isListRead = true;
	// Who was created before the window is not asked for again.
	for (const key of state.records.keys()) {
		const createdAt = recall(watch, state, key)?.createdAt;
		if (createdAt !== undefined && from !== undefined && createdAt < from)
			state.records.delete(key);
	}
}

/** Notes the newest creation time on a page, where it can be one. */
function noteNewest(window: Window, page: ServedPage): void {
	const newest = newestOn(page);
	if (newest === undefined || (window.newest !== undefined && newest <= window.newest)) return;
	window.newest = newest;
	window.newestSeenAt = page.servedAt;
}

function newestOn({ members, servedAt }: ServedPage): Instant | undefined {
	return members
		.map((member) => {
			const { createdAt } = asRecord(member);
			const time = timeOf(createdAt);
			const ahead = isZoned(createdAt) ? AHEAD_MS : AHEAD_WITHOUT_ZONE_MS;
			return time !== undefined && time <= servedAt + ahead ? time : undefined;
		})
		.reduce(later, undefined);
}
