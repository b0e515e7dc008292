import { compare } from './compare';
import { tailPage } from './finish';
import type { Tail, TriggerState } from './state';
import { startSweep } from './state';
import type { Step } from './sweep';
import { followedByMore } from './sweep';
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
	if (totalItems !== undefined && totalItems - tail.total === found) {
		const next = tailPage(totalItems, tail.order, watch.pageSize);
		const rested = { ...tail, total: totalItems, found: 0, page: next };
		return { state: withTail(compared.state, rested), happenings, isDone: true };
	}
	if (totalItems !== undefined && mayGoOn && followedByMore(watch, page, read)) {
		const further = { ...tail, found, page: tail.page + 1 };
		return { state: withTail(compared.state, further), happenings, isDone: false };
	}
	return { state: withoutTail(compared.state), happenings, isDone: false };
}

/** The order of a page that is read on its own says nothing about the whole: it is not kept. */
function withTail(state: TriggerState, tail: Tail): TriggerState {
	return { ...state, sweep: startSweep(state.sweep.number), tail };
}

function withoutTail(state: TriggerState): TriggerState {
	return { ...state, tail: undefined, phase: 'sweep', sweep: startSweep(state.sweep.number + 1) };
}
