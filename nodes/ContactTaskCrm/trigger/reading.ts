import { asRecord } from '../runtime/output';
import { goesOn } from '../transport/paging';
import { isInOrder } from './compare';
import { readByPage } from './finish';
import { withLook } from './look';
import { beganAt, LATE_MS } from './since';
import type { TriggerState } from './state';
import { startState, startSweep } from './state';
import type { Step } from './sweep';
import { withSweepPage } from './sweep';
import { withPeekPage, withTailPage } from './tail';
import type { Instant } from './times';
import { asQuery, credibleTimeOf, later, wholeSecond } from './times';
import type { QueryPair, ServedPage, Watch } from './watch';

/** The state before the first poll. */
export function firstState({ key, reading }: Watch): TriggerState {
	return startState(
		key,
		reading === 'window' ? 'newest' : 'sweep',
		reading === 'window' || reading === 'people' ? 'time' : 'page',
	);
}

/**
 * Whether a poll has learned what must outlast a restart, though it has nothing to hand over: that
 * the list was read once, that nothing was left out of that, or that a record has left, since it can
 * come back.
 *
 * @param before what was saved when the trigger was activated, or later
 */
export function mustOutlast(before: TriggerState | undefined, after: TriggerState): boolean {
	if (!before) return false;
	const isFurther = (what: 'isComplete' | 'isSettled') => after[what] && !before[what];
	return isFurther('isComplete') || isFurther('isSettled') || after.departures > before.departures;
}

/** The query of the page to be read next. */
export function nextQuery(watch: Watch, state: TriggerState): QueryPair[] {
	const { phase, by, sweep, tail } = state;
	const page = phase === 'tail' || phase === 'peek' ? (tail?.page ?? 1) : sweep.page;
	return [
		...watch.filters,
		...(watch.membership && by === 'time' ? [watch.membership] : []),
		...(by === 'time' ? timeQuery(phase, sweep.after) : []),
		['itemsPerPage', String(watch.pageSize)],
		...(page > 1 ? [['page', String(page)] as const] : []),
	];
}

/** Filter and order by creation time (interface, section 4.1). */
function timeQuery(phase: TriggerState['phase'], after: Instant | undefined): QueryPair[] {
	if (phase === 'newest') return [['order[createdAt]', 'desc']];
	const order = ['order[createdAt]', phase === 'look' ? 'desc' : 'asc'] as const;
	return after === undefined ? [order] : [['createdAt[after]', asQuery(after)], order];
}

/**
 * What a page leads to: what has happened, what to remember, and what to read next. Decides without
 * a clock or a network, so that any course of events can be played through.
 *
 * @param wallTime ms since 1970, only to tell times that no clock could show yet
 */
export function withPage(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	wallTime: Instant,
): Step {
	if (state.phase === 'newest') return fromNewest(watch, state, page, wallTime);
	if (state.phase === 'look') return withLook(watch, state, page);
	if (state.phase === 'tail' && state.tail) {
		return withTailPage(watch, state, state.tail, page, wallTime);
	}
	if (state.phase === 'peek' && state.tail) {
		return withPeekPage(watch, state, state.tail, page, wallTime);
	}
	return withSweepPage(watch, state, page, wallTime);
}

/** The newest record tells where to begin; all that was there shortly before it is read and known. */
function fromNewest(watch: Watch, state: TriggerState, page: ServedPage, wallTime: Instant): Step {
	const { members } = page;
	const begun = { ...state, since: beganAt(state, members.map(asRecord), page.servedAt) };
	if (goesOn(page, members.length, watch.pageSize) && !isInOrder(members, 'desc')) {
		return { state: readByPage(begun), happenings: [], isDone: false };
	}
	const newest = members
		.map((member) =>
			credibleTimeOf(asRecord(member).createdAt, { wallTime, servedAt: page.servedAt }),
		)
		.reduce(later, undefined);
	const from = newest === undefined ? undefined : wholeSecond(newest - LATE_MS);
	return {
		state: {
			...begun,
			phase: 'sweep',
			...(from === undefined ? {} : { from }),
			sweep: startSweep(state.sweep.number, { from, newest }),
		},
		happenings: [],
		isDone: false,
	};
}
