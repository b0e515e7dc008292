import { goesOn } from '../transport/paging';
import { compare } from './compare';
import { tailPage } from './finish';
import type { Tail, TriggerState } from './state';
import { startSweep } from './state';
import type { Step } from './sweep';
import type { Instant } from './times';
import type { ServedPage, Watch } from './watch';

/**
 * A look at the page where new entries appear: with the total as it was and nothing unknown on the
 * page, one request tells that nothing is new. As many unknown entries as the total has grown by are
 * all there are; whatever else is found, the whole list is read.
 */
export function withTailPage(
	watch: Watch,
	state: TriggerState,
	tail: Tail,
	page: ServedPage,
	wallTime: Instant,
): Step {
	const compared = compare(watch, state, page, wallTime);
	const { happenings } = compared;
	const found = tail.found + compared.unknown;
	const { totalItems } = page;
	const read = (tail.page - 1) * watch.pageSize + page.members.length;
	const mayGoOn = tail.order === 'rising' || compared.unknown > 0;
	// Where as many have gone as have come, the total does not tell.
	const isAllNew = compared.unknown > 0 && compared.unknown >= page.members.length;
	const hasMore = goesOn(page, read, watch.pageSize) && (tail.order === 'rising' || isAllNew);
	const hasShrunk = totalItems !== undefined && totalItems < (tail.latestTotal ?? 0);
	const mayHideMore = hasMore || hasShrunk;
	if (totalItems !== undefined && totalItems - tail.total === found && !mayHideMore) {
		const next = nextTailPage(tail, totalItems, watch.pageSize);
		const rested = { order: tail.order, total: totalItems, found: 0, page: next };
		return { state: withTail(compared.state, rested), happenings, isDone: true };
	}
	if (!hasShrunk && totalItems !== undefined && mayGoOn && goesOn(page, read, watch.pageSize)) {
		const further = { ...tail, found, page: tail.page + 1, latestTotal: totalItems };
		return { state: withTail(compared.state, further), happenings, isDone: false };
	}
	return { state: withoutTail(compared.state), happenings, isDone: false };
}

/**
 * The same where new records are only likely at that end. Records that are gone make the total smaller;
 * one that is larger than what was found says that something came elsewhere, and the whole list is
 * read. Else one page is read on, so that the list is read once more in as many polls as it has pages.
 */
export function withPeekPage(
	watch: Watch,
	state: TriggerState,
	tail: Tail,
	page: ServedPage,
	wallTime: Instant,
): Step {
	// The sweep that is under way has still to come to what is seen here.
	const sweepBefore = startSweep(state.sweep.number - 1);
	const compared = compare(watch, { ...state, sweep: sweepBefore }, page, wallTime);
	const next = { ...compared.state, sweep: state.sweep };
	const found = tail.found + compared.unknown;
	const { happenings } = compared;
	const { totalItems } = page;
	if (totalItems === undefined) return { state: withoutTail(next), happenings, isDone: false };
	const last = tailPage(totalItems, tail.order, watch.pageSize);
	if (page.members.length === 0 && last < tail.page) {
		return { state: { ...next, tail: { ...tail, page: last } }, happenings, isDone: false };
	}
	const read = (tail.page - 1) * watch.pageSize + page.members.length;
	const mayGoOn = tail.order === 'rising' || compared.unknown > 0;
	if (mayGoOn && goesOn(page, read, watch.pageSize)) {
		const further = { ...tail, found, page: tail.page + 1 };
		return { state: { ...next, tail: further }, happenings, isDone: false };
	}
	if (totalItems - tail.total > found) {
		return { state: withoutTail(next), happenings, isDone: false };
	}
	const rested = { ...tail, total: totalItems, found: 0, page: last };
	return { state: { ...next, tail: rested, phase: 'sweep' }, happenings, isDone: false };
}

/** The page to look at next; where there is no order, another one each time. */
function nextTailPage({ order, page }: Tail, total: number, pageSize: number): number {
	if (order === 'rising' || order === 'falling') return tailPage(total, order, pageSize);
	return (page % tailPage(total, 'rising', pageSize)) + 1;
}

/** The order of a page that is read on its own says nothing about the whole: it is not kept. */
function withTail(state: TriggerState, tail: Tail): TriggerState {
	return { ...state, sweep: startSweep(state.sweep.number), tail };
}

function withoutTail(state: TriggerState): TriggerState {
	return { ...state, tail: undefined, phase: 'sweep', sweep: startSweep(state.sweep.number + 1) };
}
