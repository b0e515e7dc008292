import type { BudgetShare, RateLimitState, Throttling } from './rateLimit';
import { nextFreeAt, unsent, usedSlots, WINDOW_MS } from './rateLimit';

/** Facts about a 429. */
interface ThrottledAnswer {
	/** ID of the request's slot, from `sent`. */
	slot: number;
	/** Requests per minute that the credential allows. */
	limit: number;
	/** Time of the answer. */
	now: number;
	/** Wait in ms that the service asked for, if `retryAfterMs` accepted it. */
	retryAfter?: number | undefined;
	/** Random number from 0 up to 1, for the jitter. The jitter only lengthens the wait. */
	random: number;
}

/** If Retry-After exceeds that of a sliding log by this many ms, the service counts in two windows (see `pace`). */
const TELLING_MS = 2_000;
/** The even pace is multiplied by this factor after each further refusal. */
const PACE_AFTER_REFUSAL = 0.8;

/**
 * Updates the state after a 429. This process stays below the limit. So either other programs use the limit, or the
 * service counts in two windows. Used slots stay in use until they expire. The limiter closes if the service has two
 * windows, or if it accepted no request in the last window. After the wait, one request tests the service.
 */
export function throttled(state: RateLimitState, answer: ThrottledAnswer): RateLimitState {
	const { slot: id, limit, now, retryAfter } = answer;
	const refused = state.inFlight.find((slot) => slot.id === id);
	const used = usedSlots(state, now);
	const rest = { ...unsent(state, id), used };
	// With a sliding log, the service accepts the next request as soon as the oldest slot expires.
	const isOfTwoWindows = (retryAfter ?? 0) > nextFreeAt(used) - now + TELLING_MS;
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
	const won = used.length;
	const share =
		state.share && refused?.isExtra
			? afterExtraRefused(state.share, answer)
			: afterTaken(state.share, won, answer);
	return { ...rest, share, throttling: won === 0 ? closedAfter(rest, answer) : state.throttling };
}

/** Time without growth of the budget share after a reduction or refused extra request. Other programs use the rest. */
const GROWTH_WAIT_MS = 120_000;
/** Least time between two reductions, because further refusals of one burst give no new information. */
const REDUCTION_PAUSE_MS = 60_000;

/**
 * Returns the budget share after other programs took a slot that looked free.
 *
 * @param won number of requests of this process that the service accepted in the last window
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

/** Returns the budget share after a refused extra request: as large as before, and without growth for two minutes. */
function afterExtraRefused(
	share: BudgetShare,
	{ now, retryAfter = 0 }: ThrottledAnswer,
): BudgetShare {
	const windows = Math.max(0, Math.ceil((GROWTH_WAIT_MS - retryAfter) / REDUCTION_PAUSE_MS));
	return { ...share, acceptedExtras: 0, growsAt: now + retryAfter + windows * REDUCTION_PAUSE_MS };
}

/** Longest time until one request tests the service, even if the service asks for more. */
const LONGEST_CLOSED_MS = 180_000;
/** First and longest wait if the service asks for none. The wait doubles after each refusal. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Extra wait, because some services round Retry-After down, and count a request that comes too early. */
const WAIT_PAD_MS = 250;
const FIRST_JITTER_MS = 250;

/**
 * Returns the state of a limiter that closes after a refusal.
 *
 * @param paceMs time between two requests if the service counts in two windows. Retry-After is then up to a minute too
 *   long, so the limiter first tries twice at the even pace
 */
function closedAfter(
	{ throttling: previous, nextId }: { throttling?: Throttling | undefined; nextId: number },
	answer: ThrottledAnswer,
	paceMs?: number,
): Throttling {
	const { slot, now, retryAfter, random } = answer;
	// A further refusal of the same burst does not count, because its request was sent before the first refusal.
	const isSameBurst = previous !== undefined && slot < previous.firstSlot;
	const rounds = isSameBurst ? previous.rounds : (previous?.rounds ?? 0) + 1;
	const growth = 2 ** (rounds - 1);
	const jitter = isSameBurst ? 0 : random * Math.min(LONGEST_WAIT_MS, FIRST_JITTER_MS * growth);
	const ownWait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * growth);
	const full = (retryAfter === undefined ? ownWait : retryAfter + WAIT_PAD_MS) + jitter;
	const wait = paceMs !== undefined && rounds < 3 ? Math.min(full, paceMs) : full;
	return {
		firstSlot: isSameBurst ? previous.firstSlot : nextId,
		until: Math.max(previous?.until ?? -Infinity, now + Math.min(wait, LONGEST_CLOSED_MS)),
		rounds,
		since: previous?.since ?? now,
	};
}
