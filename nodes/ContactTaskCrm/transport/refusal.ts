import { afterContradiction, afterExtraRefused, afterTaken } from './budgetShare';
import { countsInTwoWindows, paceAfterRefusal } from './pacing';
import type { RateLimitState, Refusals } from './rateLimit';
import { QUIET_MS } from './rateLimit';
import { expiry, held, isInFlight, nextFree, WINDOW_MS } from './slots';
import { closedAfter } from './throttling';

/** A 429, as the limiter needs to know it. */
export interface ThrottledAnswer {
	/** The slot of the request, as `sent` gave it. */
	slot: number;
	/** Requests a minute. */
	limit: number;
	/** When the answer came. */
	now: number;
	/** The wait the service asked for in ms, if it did so in a form to rely on. */
	retryAfter?: number;
	/** From 0 up to 1, for the jitter, which only ever lengthens the wait. */
	random: number;
}

/**
 * The request got a 429. The own log never lets the limit be passed, so others use the budget, or the
 * service counts in another way. Own slots go on being used as they come free; whoever holds none
 * sends nothing until the wait is over, then one request probes.
 */
export function throttled(state: RateLimitState, answer: ThrottledAnswer): RateLimitState {
	const { slot: id, limit, now, retryAfter } = answer;
	const refused = state.slots.find((slot) => slot.id === id);
	const slots = held(state, now).filter((slot) => slot.id !== id);
	const own = slots.filter((slot) => !isInFlight(slot));
	const next = nextFree(own);
	const refusals = refusalsAfter(state, id);
	const rest = { ...state, slots, refusals };

	const oldestLeavesIn = next && expiry(next) - now;
	const refusal = {
		retryAfter,
		oldestLeavesIn,
		refusals: refusals.count,
		acceptedLately: now - state.lastAcceptedAt <= QUIET_MS,
	};
	if (state.pace || countsInTwoWindows(refusal)) {
		const pace = paceAfterRefusal(state.pace, answer);
		return {
			...rest,
			share: undefined,
			pace,
			throttling: closedAfter(rest, answer, WINDOW_MS / pace.perMinute),
		};
	}
	const won = own.length;
	const share = !state.share
		? afterContradiction(won, limit, now)
		: refused?.isExtra
			? afterExtraRefused(state.share, answer)
			: afterTaken(state.share, won, limit, now);
	return { ...rest, share, throttling: won === 0 ? closedAfter(rest, answer) : state.throttling };
}

function refusalsAfter({ refusals, nextId }: RateLimitState, id: number): Refusals {
	// What was under way already is refused for the same reason, and tells nothing new.
	if (refusals && id < refusals.firstSlot) return refusals;
	return { count: (refusals?.count ?? 0) + 1, firstSlot: nextId };
}
