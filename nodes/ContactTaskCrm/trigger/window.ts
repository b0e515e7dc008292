import { isZoned } from '../common/dateTime';
import { asRecord } from '../runtime/output';
import { compare } from './compare';
import { advanced, isInOrder } from './cursor';
import { fromText } from './observationText';
import type { StepOutcome, PollProgress } from './plan';
import { goesOn } from '../transport/paging';
import { readByPage } from './scan';
import type { TriggerState, Window } from './state';
import { startCursor } from './state';
import type { Instant } from './times';
import { later, timeOf, wholeSecond } from './times';
import type { ServedPage, Watch } from './watch';

/** Look-back: records may be stored this much later than their creation time says. */
const LATE_MS = 2 * 60_000;
/** Readings in a row without anybody unknown before a crowded second counts as read. */
const QUIET_READS = 3;
const QUIET_READS_AGAINST_TOTAL = 12;
/** Times further ahead than this are no record's own: one of them would hide all that comes after. */
const AHEAD_MS = 15 * 60_000;
/** A time without a zone may be hours off. */
const AHEAD_WITHOUT_ZONE_MS = 26 * 60 * 60_000;

/** The newest people tell where the window begins; they were there before. */
export function withNewestPage(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	progress: PollProgress,
): StepOutcome {
	const { members } = page;
	if (goesOn(page, members.length, watch.pageSize) && !isInOrder(members, 'desc')) {
		return { state: readByPage(state, page.servedAt), changes: [], progress };
	}
	const newest = newestOn(page);
	// In a later poll, what was created since the trigger began may be more than this page shows.
	const mark = state.polls > 1 ? Math.min(newest ?? state.began, state.began) : newest;
	const from = mark === undefined ? undefined : wholeSecond(mark - LATE_MS);
	const window: Window = {
		...(newest === undefined ? {} : { newest, newestSeenAt: page.servedAt }),
		...(from === undefined ? {} : { from }),
		hasFound: false,
		quietReads: 0,
		cursor: startCursor(from),
	};
	const compared = compare(watch, { ...state, window: startReading(window) }, page, false);
	return { state: compared.state, changes: compared.changes, progress };
}

/**
 * A reading of what was created since the high-water mark less the look-back, with one more page. At
 * its end the mark moves on, unless somebody may have been left out.
 */
export function withWindowPage(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	progress: PollProgress,
): StepOutcome {
	const { window } = state;
	if (!window) return { state, changes: [], progress };
	const compared = compare(watch, state, page, false);
	const { changes, unknown } = compared;
	const { pageSize } = watch;
	// All of a window that was read before are known, and still it is read to its end.
	const unseen = page.members.length;
	const advance = advanced(window.cursor, { page, paging: 'byTime', pageSize, unseen });
	if (advance.outcome === 'unordered') {
		const begun = startReading({ ...window, hasFound: false });
		return {
			state: readByPage({ ...compared.state, window: begun }, page.servedAt),
			changes,
			progress,
		};
	}
	const newest = later(window.newest, newestOn(page));
	const seen: Window = {
		...window,
		hasFound: window.hasFound || unknown > 0,
		...(newest === window.newest ? {} : { newest, newestSeenAt: page.servedAt }),
		cursor: advance.cursor,
	};
	if (advance.outcome === 'goesOn') {
		return { state: { ...compared.state, window: seen }, changes, progress };
	}
	const read: Window = { ...seen, quietReads: seen.hasFound ? 0 : seen.quietReads + 1 };
	const ended = { ...compared.state, window: read };
	return {
		state: leftNobodyOut(watch, ended, read)
			? windowMovedOn(watch, ended, read)
			: again(ended, read),
		changes,
		progress: { ...progress, isWindowDone: true },
	};
}

/**
 * Whether all of the window are known. Where a second takes several pages and equals come in another
 * order on each, some come on none: it is read until nobody unknown turns up any more, for longer
 * where the total does not say that all are known.
 */
function leftNobodyOut({ hasScan }: Watch, { memory }: TriggerState, window: Window): boolean {
	const { cursor, quietReads } = window;
	if (cursor.isGapped) return false;
	if (hasScan || !cursor.isCrowded) return true;
	return (
		quietReads >= (memory.size === cursor.firstTotal ? QUIET_READS : QUIET_READS_AGAINST_TOTAL)
	);
}

function again(state: TriggerState, window: Window): TriggerState {
	return { ...state, window: startReading(window) };
}

/**
 * The next reading begins with what was the newest when this one began, less the look-back, since what
 * is stored late can lie behind where this one had come to. Once the newest has been there for
 * longer than that, nothing as old can come any more.
 */
function windowMovedOn(watch: Watch, state: TriggerState, window: Window): TriggerState {
	const { newestAtStart, newestSeenAtAtStart, cursor } = window;
	if (newestAtStart === undefined) return again({ ...state, isListRead: true }, window);
	const isSettled =
		newestSeenAtAtStart !== undefined &&
		cursor.startedAt !== undefined &&
		cursor.startedAt - newestSeenAtAtStart > LATE_MS;
	const start = isSettled
		? wholeSecond(newestAtStart) + 1000
		: wholeSecond(newestAtStart - LATE_MS);
	const from = later(window.from, start);
	const next = { ...window, ...(from === undefined ? {} : { from }) };
	if (watch.hasScan) return again(state, next);
	return again({ ...state, isListRead: true, memory: forgotten(watch, state, from) }, next);
}

function startReading(window: Window): Window {
	const { newest, newestSeenAt } = window;
	return {
		...window,
		newestAtStart: newest,
		newestSeenAtAtStart: newestSeenAt,
		hasFound: false,
		cursor: startCursor(window.from),
	};
}

/** The memory without what lies before the window: it is not asked for again. */
function forgotten(
	{ aspects }: Watch,
	{ memory, dictionary }: TriggerState,
	from: Instant | undefined,
): TriggerState['memory'] {
	const before = new Map<string, undefined>();
	memory.forEach((value, key) => {
		const { createdAt } = fromText(value.slice(1), aspects, dictionary);
		if (from !== undefined && createdAt !== undefined && createdAt < from) {
			before.set(key, undefined);
		}
	});
	return memory.with(before);
}

/** The newest creation time on a page, where it can be one. */
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
