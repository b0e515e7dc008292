import { digitOf } from './compare';
import { LATE_MS } from './since';
import type { SweepProgress, Tail, TriggerState } from './state';
import { startSweep } from './state';
import { later, unpacked, wholeSecond } from './times';
import type { Reading, Watch } from './watch';

/** Sweeps that a record may be missing from before it may be forgotten. */
const MOST_ABSENCES = 5;
/** A memory may hold this many records more than twice those there are. */
const SPARE_RECORDS = 1_000;
/** Sweeps in a row that see less than the total, before that is taken as it is. */
const MOST_SHORT_READS = 3;

/**
 * The state after the last page of a sweep.
 *
 * @param isCut whether the sweep ended because its pages repeated themselves
 */
export function finished(watch: Watch, state: TriggerState, isCut: boolean): TriggerState {
	const { sweep } = state;
	const seen = seenIn(state);
	if (isShort(state, seen)) return readAgain(state);

	const isSettled = state.isSettled || (!isCut && leftNothingOut(watch, state, seen));
	// Until then nothing is forgotten: what was left out could not be told from what was.
	const from = isSettled ? nextStart(watch, state) : state.from;
	const memory = kept(watch, state, seen, from);
	const complete: TriggerState = {
		...state,
		phase: 'sweep',
		shortReads: 0,
		quietPolls: 0,
		sweptAt: sweep.startedAt,
		isComplete: true,
		isSettled,
		...(state.isComplete ? {} : marksOf(state)),
		...(from === undefined ? {} : { from }),
		departures: state.departures + departed(watch, state, memory),
		memory,
		sweep: startSweep(sweep.number + 1, { ...state, from }),
	};
	const tail = isCut ? undefined : tailOf(watch, complete, sweep);
	if (!tail) return { ...complete, tail, phase: isCrowded(watch, complete) ? 'look' : 'sweep' };
	return { ...complete, phase: watch.reading === 'entries' ? 'tail' : 'peek', tail };
}

/** Whether a window holds more than a page, so that a look at the newest saves reading it all. */
function isCrowded({ reading, pageSize }: Watch, { by, memory }: TriggerState): boolean {
	return reading === 'window' && by === 'time' && Object.keys(memory).length > pageSize;
}

function marksOf({ newest, newestTouch }: TriggerState) {
	return {
		...(newest === undefined ? {} : { mark: newest }),
		...(newestTouch === undefined ? {} : { touched: newestTouch }),
	};
}

function seenIn({ memory, sweep }: TriggerState): number {
	const digit = digitOf(sweep);
	return Object.values(memory).filter((entry) => entry.startsWith(digit)).length;
}

/**
 * Whether a sweep saw less than the total. By time, records that have no creation time are not seen,
 * nor those that come in another order than was asked for. By page, records move from one to another;
 * that matters only to the first sweep, and is not waited out for ever.
 */
function isShort({ by, isComplete, shortReads, sweep }: TriggerState, seen: number): boolean {
	const { total, page, surprises } = sweep;
	if (by === 'time') return total !== undefined && seen < total;
	if (isComplete || page === 1 || shortReads >= MOST_SHORT_READS) return false;
	// Without a total, a second read has to find nothing that the first one did not.
	return total === undefined ? shortReads === 0 || surprises > 0 : seen < total;
}

function readAgain(state: TriggerState): TriggerState {
	const shortReads = state.shortReads + 1;
	if (state.by === 'time' && shortReads >= MOST_SHORT_READS) {
		return { ...readByPage(state), shortReads: 0 };
	}
	return { ...state, shortReads, sweep: startSweep(state.sweep.number + 1, state) };
}

/**
 * From here on page by page. Where nothing was left out, everything since `from` is known, and what lies
 * before was told of, if it had to be, and forgotten.
 */
export function readByPage(state: TriggerState): TriggerState {
	const { isSettled, from } = state;
	const isKnown = isSettled && from !== undefined;
	return {
		...state,
		phase: 'sweep',
		by: 'page',
		from: undefined,
		...(isKnown ? { mark: from + LATE_MS, since: null } : {}),
		sweep: startSweep(state.sweep.number + 1),
	};
}

/**
 * Whether every record of the list was certainly seen. A single page shows a moment, and by time each
 * page begins anew; several pages can lose a record that moves from one to the other, and a second
 * sweep that finds nothing new has to confirm them, unless the list only ever grows.
 */
function leftNothingOut({ reading }: Watch, state: TriggerState, seen: number): boolean {
	const { page, isPaged, isSteady, total, surprises } = state.sweep;
	const isConfirmed = state.isComplete && surprises === 0;
	if (state.by === 'time') return !isPaged || isConfirmed;
	if (page === 1) return true;
	if (total === undefined) return isConfirmed;
	const isWhole = isSteady && seen >= total;
	return isWhole && (reading === 'entries' || isConfirmed);
}

/**
 * Where the next sweep of a window begins: with what was the newest when this one began, since what is
 * stored late while a sweep goes on can lie behind where it has come to. By the service's clock it moves
 * up to the newest itself: what is stored then is not late any more.
 */
function nextStart(
	{ reading }: Watch,
	{ by, from, since, sweep }: TriggerState,
): number | undefined {
	const { newest, startedAt } = sweep;
	if (reading !== 'window' || by !== 'time' || newest === undefined) return from;
	const isTimed = typeof since === 'number' && startedAt !== undefined;
	const late = (isTimed ? Math.max(newest, startedAt) : newest) - LATE_MS;
	return later(from, wholeSecond(Math.min(newest, late)));
}

/** What is worth remembering after a sweep. */
function kept(
	watch: Watch,
	state: TriggerState,
	seen: number,
	from: number | undefined,
): TriggerState['memory'] {
	const { memory, sweep, by } = state;
	const isLarge = Object.keys(memory).length > 2 * seen + SPARE_RECORDS;
	const isWorthIt = (entry: string): boolean => {
		const absences = (sweep.number - parseInt(entry.charAt(0), 36) + 36) % 36;
		// By time nothing that is there goes unseen, unless some second takes several pages: who is not
		// there has left the segment.
		if (by === 'time' && watch.membership) return absences <= (sweep.isPaged ? 1 : 0);
		if (by === 'time' && watch.reading === 'window') return isSince(from, entry.slice(1));
		return !isLarge || absences < MOST_ABSENCES;
	};
	return Object.fromEntries(Object.entries(memory).filter(([, entry]) => isWorthIt(entry)));
}

/** How many have left the segment; by time nothing that is there goes unseen. */
function departed({ membership }: Watch, { by, memory }: TriggerState, left: object): number {
	if (!membership || by !== 'time') return 0;
	return Object.keys(memory).length - Object.keys(left).length;
}

function isSince(from: number | undefined, remembered: string): boolean {
	const createdAt = unpacked(remembered);
	return from === undefined || createdAt === undefined || createdAt >= from;
}

/**
 * Where to look for new records, once all are known and their total is. A list of tasks has to show
 * that it is in order of creation, and one of a single page is read at once.
 */
function tailOf(watch: Watch, { isSettled }: TriggerState, sweep: SweepProgress): Tail | undefined {
	const { latestTotal: total, isSteady, order, page } = sweep;
	if (!isSettled || total === undefined) return undefined;
	const isInOrder = order === 'rising' || order === 'falling';
	const isLikely: Partial<Record<Reading, boolean>> = {
		entries: isSteady,
		newTasks: isInOrder && page > 1,
	};
	if (!isLikely[watch.reading]) return undefined;
	return { total, order, found: 0, page: tailPage(total, order, watch.pageSize) };
}

/** The page on which new entries appear: the last one where they are in order of creation, else the first. */
export function tailPage(total: number, order: Tail['order'], pageSize: number): number {
	return order === 'rising' ? Math.max(1, Math.ceil(total / pageSize)) : 1;
}
