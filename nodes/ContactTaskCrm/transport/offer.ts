import { shareOf } from './budgetShare';
import type { RateLimitState } from './rateLimit';
import { expiry, held, isInFlight, WINDOW_MS } from './slots';

/**
 * For so long a slot that has come free is offered to other processes and programs, once in each
 * window: long enough for whoever comes at a Retry-After that was rounded up, and a moment later.
 */
export const OFFER_MS = 1_600;

/**
 * Two, since some services count a request that they refuse: one place is then taken by the first try
 * of whoever comes, and the other is left for the second.
 */
const OFFERED_SLOTS = 2;

/**
 * Offers the slots that come free next to others, once in each window while requests wait. Whoever
 * uses a budget up would else send again the moment it comes free, and others would never get in.
 */
export function offered(state: RateLimitState, limit: number, now: number): RateLimitState {
	const slots = held(state, now);
	if (slots.length < shareOf(state.share, limit)) return state;
	const [first, ...others] = slots
		.filter((slot) => !isInFlight(slot))
		.sort((one, other) => expiry(one) - expiry(other));
	if (!first || expiry(first) - state.offeredAt < WINDOW_MS) return state;
	const chosen = new Set([first, ...others.slice(0, OFFERED_SLOTS - 1)]);
	return {
		...state,
		offeredAt: expiry(first),
		slots: slots.map((slot) => (chosen.has(slot) ? { ...slot, offeredMs: OFFER_MS } : slot)),
	};
}
