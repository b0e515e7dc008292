import type { RateLimitState, Throttling } from './rateLimit';
import { expiry, held, isInFlight, nextFree, WINDOW_MS } from './rateLimit';
import {
	afterContradiction,
	afterExtraRefused,
	afterTaken,
	countsInTwoWindows,
	paceAfterRefusal,
} from './share';

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
	const rest = { ...state, slots };
	if (state.pace || countsInTwoWindows(retryAfter, next && expiry(next) - now)) {
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

/** After this time at the latest one request probes, whatever wait the service asked for. */
export const LONGEST_CLOSED_MS = 180_000;
/** A wait that long, asked for a window of 60 s, was given in ms and read as seconds. */
const MISREAD_FROM_MS = 10_000_000;
/** Where the service does not say how long to wait: twice as long after each refusal, up to a minute. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Added to the wait asked for, since some services round it down: a try that is too early counts, too. */
const WAIT_PAD_MS = 250;
const FIRST_JITTER_MS = 250;

/**
 * The limiter after a request was refused while no slot is held.
 *
 * @param before what it was before, and the number of the next slot
 * @param paceMs time between two requests where the service counts in two windows: its wait is known
 *   to be up to a minute too long, so it is believed only after two tries at the even pace
 */
export function closedAfter(
	{ throttling: previous, nextId }: { throttling?: Throttling; nextId: number },
	answer: ThrottledAnswer,
	paceMs?: number,
): Throttling {
	const { slot, now } = answer;
	// The rest of a burst that was under way is refused with it, and says nothing new.
	const isSameBurst = previous !== undefined && slot < previous.firstSlot;
	const rounds = isSameBurst ? previous.rounds : (previous?.rounds ?? 0) + 1;
	const full = waitOf(answer, rounds, isSameBurst);
	const wait = paceMs !== undefined && rounds < 3 ? Math.min(full, paceMs) : full;
	return {
		firstSlot: isSameBurst ? previous.firstSlot : nextId,
		until: Math.max(previous?.until ?? -Infinity, now + Math.min(wait, LONGEST_CLOSED_MS)),
		rounds,
		since: previous?.since ?? now,
	};
}

function waitOf(
	{ retryAfter: asked, random }: ThrottledAnswer,
	rounds: number,
	isSameBurst: boolean,
): number {
	const growth = 2 ** (rounds - 1);
	const jitter = isSameBurst ? 0 : random * Math.min(LONGEST_WAIT_MS, FIRST_JITTER_MS * growth);
	if (asked === undefined) return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * growth) + jitter;
	return (asked >= MISREAD_FROM_MS ? asked / 1000 : asked) + WAIT_PAD_MS + jitter;
}
