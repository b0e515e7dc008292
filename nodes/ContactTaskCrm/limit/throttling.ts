import type { Learned, RateLimitState, Throttling } from './rateLimit';
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

/**
 * A service that counts the requests of the last 60 s (a sliding log) asks to wait until the oldest slot expires. If
 * Retry-After is longer by this many ms, the service counts in two windows (Symfony's "sliding_window"). Such a service
 * refuses a burst for most of a minute, but never one request every few seconds. Its Retry-After ends with its window.
 * So a Retry-After that is longer than a window by this many ms has another reason, and counts in full.
 */
const TELLING_MS = 2_000;

/**
 * Updates the state after a 429. This process stays below the limit. So either other programs use the limit, or the
 * service counts in two windows. Used slots stay in use until they expire. The limiter pauses if the service has two
 * windows, asks to wait for longer than a window, or accepted no request in the last window. After the pause, one request
 * tests the service.
 */
export function throttled(state: RateLimitState, answer: ThrottledAnswer): RateLimitState {
	const { slot: id, limit, now, retryAfter } = answer;
	const used = usedSlots(state, now);
	const rest = { ...unsent(state, id), used };
	const asked = retryAfter ?? 0;
	const isBeyondWindow = asked > WINDOW_MS + TELLING_MS;
	// With a sliding log, the service accepts the next request as soon as the oldest slot expires.
	const isOfTwoWindows = !isBeyondWindow && asked > nextFreeAt(used) - now + TELLING_MS;
	if (isOfTwoWindows) {
		const throttling = closedAfter(rest, answer, WINDOW_MS / limit);
		return { ...rest, learned: undefined, throttling };
	}
	const won = used.length;
	return {
		...rest,
		learned: afterTaken(state.learned, won, answer),
		throttling: won === 0 || isBeyondWindow ? closedAfter(rest, answer) : state.throttling,
	};
}

/**
 * Time in ms until the learned part of the limit grows. Until then, a further refusal lowers it to the number of
 * accepted requests, and no lower. The refusal may belong to the same burst.
 */
const GROWTH_WAIT_MS = 120_000;
/** Longest extra time, so that the learned parts of several processes do not grow at the same moment. */
const GROWTH_JITTER_MS = 60_000;

/**
 * Returns the part of the limit for this process after other programs took a slot that looked free.
 *
 * @param won number of requests of this process that the service accepted in the last window
 */
function afterTaken(
	before: Learned | undefined,
	won: number,
	{ limit, now, random }: ThrottledAnswer,
): Learned {
	const learned = (perMinute: number) => ({
		perMinute: Math.max(1, perMinute),
		refusedAt: now,
		growsAt: now + GROWTH_WAIT_MS + random * GROWTH_JITTER_MS,
	});
	const half = Math.floor(limit / 2);
	if (!before) return learned(won > half ? half - 1 : won);
	// The service accepted as many requests as this process had before its part grew. So it refused only the growth.
	if (won >= before.perMinute) return learned(won);
	if (now < before.growsAt) return { ...before, perMinute: Math.max(1, won) };
	return learned(won - Math.floor(won ** 2 / (2 * limit)));
}

/** Longest time until one request tests the service, even if the service asks for a longer wait. */
const LONGEST_CLOSED_MS = 180_000;
/** First and longest wait if the service asks for none. The wait doubles after each refusal. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Extra wait, because some installations of the CRM round Retry-After down, and count a request that is early. */
const WAIT_PAD_MS = 250;
const FIRST_JITTER_MS = 250;

/**
 * Returns the state after a refusal, with a pause without requests.
 *
 * @param paceMs time between two requests if the service counts in two windows. Its Retry-After is up to a minute too
 *   long, so the limiter first tries twice at this even pace
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
