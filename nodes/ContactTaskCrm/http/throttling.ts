import type { BudgetShare, RateLimitState, Throttling } from './rateLimit';
import { held, isInFlight, nextFreeAt, WINDOW_MS } from './rateLimit';

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

/** A wait so much longer than until the own oldest slot leaves a sliding log cannot be one of a log. */
const TELLING_MS = 2_000;
/** What is left of an even pace that was refused. */
const PACE_AFTER_REFUSAL = 0.8;

/**
 * The request got a 429. The own log never lets the limit be passed, so others use the budget, or the
 * service counts in another way. Own slots go on being used as they come free; whoever holds none
 * sends nothing until the wait is over, then one request probes.
 */
export function throttled(state: RateLimitState, answer: ThrottledAnswer): RateLimitState {
	const { slot: id, limit, now, retryAfter } = answer;
	const refused = state.slots.find((slot) => slot.id === id);
	const slots = held(state, now).filter((slot) => slot.id !== id);
	const rest = { ...state, slots };
	// A wait that a sliding log would not name, since it admits again when the own oldest slot has left it.
	const isOfTwoWindows = (retryAfter ?? 0) > nextFreeAt(slots) - now + TELLING_MS;
	if (state.pace || isOfTwoWindows) {
		const before = state.pace?.perMinute;
		const perMinute = before === undefined ? limit : Math.max(1, before * PACE_AFTER_REFUSAL);
		return {
			...rest,
			share: undefined,
			pace: { perMinute, changedAt: now },
			throttling: closedAfter(rest, answer, WINDOW_MS / perMinute),
		};
	}
	const won = slots.filter((slot) => !isInFlight(slot)).length;
	const share =
		state.share && refused?.isExtra
			? afterExtraRefused(state.share, answer)
			: afterTaken(state.share, won, answer);
	return { ...rest, share, throttling: won === 0 ? closedAfter(rest, answer) : state.throttling };
}

/** After an extra request that was refused, or after the share was made smaller, it waits: others may grow, too. */
const GROWTH_WAIT_MS = 120_000;
/** Made smaller at most once in this time: the rest of a burst says nothing new. */
const REDUCTION_PAUSE_MS = 60_000;

/**
 * The share after the first refusal that the own log contradicts, or after an own slot was taken by others while
 * it was free.
 *
 * @param won own requests of the last window that were accepted
 */
function afterTaken(
	share: BudgetShare | undefined,
	won: number,
	{ limit, now }: ThrottledAnswer,
): BudgetShare {
	if (share && now - share.reducedAt < REDUCTION_PAUSE_MS) {
		return { ...share, slots: Math.max(1, Math.min(share.slots, won)) };
	}
	const half = Math.floor(limit / 2);
	const firstShare = won > half ? half - 1 : won;
	const slots = Math.max(1, share ? won - Math.floor(won ** 2 / (2 * limit)) : firstShare);
	return { slots, growsAt: now + GROWTH_WAIT_MS, acceptedExtras: 0, reducedAt: now };
}

/** The share after an extra request was refused: the next one is timed to when a slot comes free. */
function afterExtraRefused(
	share: BudgetShare,
	{ now, retryAfter = 0 }: ThrottledAnswer,
): BudgetShare {
	const windows = Math.max(0, Math.ceil((GROWTH_WAIT_MS - retryAfter) / REDUCTION_PAUSE_MS));
	return { ...share, acceptedExtras: 0, growsAt: now + retryAfter + windows * REDUCTION_PAUSE_MS };
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
function closedAfter(
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
