import { shareOf } from './budgetShare';
import type { RateLimitState } from './rateLimit';
import { decide } from './rateLimit';
import { held } from './slots';

/*
 * While somebody works in the editor, a few slots are kept for the lists that are opened there: a bulk
 * run that holds all of them would leave the editor without lists for most of each minute.
 */

/** So long after a list was opened, slots are kept for the next one. */
export const KEPT_FOR_MS = 5 * 60_000;

/** Enough for one list at a time; each of them makes a bulk run a twentieth slower. */
const MOST_KEPT = 2;
/** Of a small limit or share fewer are kept, or none. */
const KEPT_PART = 1 / 10;

export interface ListReserve {
	/** When a list was opened last, in ms of the limiter's clock. */
	openedAt: number;
	/** The slots that were given to requests for lists, by their ids. */
	slots: readonly number[];
}

export const noReserve: ListReserve = { openedAt: -Infinity, slots: [] };

/** A list was opened at `now`. */
export function afterOpening(reserve: ListReserve, now: number): ListReserve {
	return { ...reserve, openedAt: now };
}

/** A slot was given to a request for a list. */
export function afterListRequest(
	reserve: ListReserve,
	slot: number,
	{ slots }: RateLimitState,
): ListReserve {
	const known = new Set(slots.map(({ id }) => id));
	return { ...reserve, slots: [...reserve.slots.filter((id) => known.has(id)), slot] };
}

/** The limiter as everybody but a list sees it: slots that are kept and not in use are held, too. */
export function withKeptSlots(
	state: RateLimitState,
	reserve: ListReserve,
	limit: number,
	now: number,
): RateLimitState {
	if (now - reserve.openedAt > KEPT_FOR_MS) return state;
	const ofLists = new Set(reserve.slots);
	const inUse = held(state, now).filter(({ id }) => ofLists.has(id)).length;
	const kept = Math.min(MOST_KEPT, Math.round(shareOf(state.share, limit) * KEPT_PART));
	return withHeld(state, kept - inUse);
}

/** Whether a list can be read without taking the last slot from somebody who waits for another. */
export function hasRoomToRefresh(state: RateLimitState, limit: number, now: number): boolean {
	return decide(withHeld(state, 1), limit, now).kind === 'send';
}

/** The state with so many slots more, which do not come free by themselves. */
function withHeld(state: RateLimitState, count: number): RateLimitState {
	if (count <= 0) return state;
	const slot = { id: -1, sentAt: -Infinity, respondedAt: Infinity, offeredMs: 0, isExtra: false };
	return { ...state, slots: [...state.slots, ...Array.from({ length: count }, () => slot)] };
}
