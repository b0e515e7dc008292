import type { Learned, RateLimitState, Throttling } from './rateLimit';
import { nextFreeAt, unsent, usedSlots, WINDOW_MS } from './rateLimit';

/** Facts about a 429. */
interface ThrottledAnswer {
	/** ID of the request's slot, which `sent` returned. */
	slot: number;
	/** Requests per minute that the credential allows. */
	limit: number;
	/** Time of the answer. */
	now: number;
	/** Wait in ms that the service asked for. Absent if Retry-After is missing or unusable. */
	retryAfter?: number | undefined;
	/** Random number from 0 up to 1, for the jitter. The jitter only lengthens the wait. */
	random: number;
}

/**
 * Minimum excess of a Retry-After over the expected wait, in ms, from which the limiter draws a conclusion.
 *
 * - The service counts the requests of the last 60 s (sliding log). Retry-After then ends when the oldest slot expires,
 *   as expected.
 * - Retry-After exceeds that wait: the service counts in two windows (Symfony's "sliding_window"). Retry-After then
 *   ends with a window. Such a service refuses a burst for most of a minute, but never one request every few seconds.
 * - Retry-After exceeds a whole window: the reason is unknown. The limiter waits as asked, up to `LONGEST_CLOSED_MS`.
 */
const TELLING_MS = 2_000;

/**
 * Returns the state after a 429. This process alone stays below the limit. So either other programs use the limit, too,
 * or the service counts in two windows (see `TELLING_MS`). Used slots stay in use until they expire. The limiter pauses
 * in three cases. The service has two windows, or it asks to wait for longer than a window, or it accepted no request
 * in the last window. After the pause, one request tests the service.
 */
export function throttled(state: RateLimitState, answer: ThrottledAnswer): RateLimitState {
	const { slot: id, limit, now, retryAfter } = answer;
	const used = usedSlots(state, now);
	const rest = { ...unsent(state, id), used };
	const asked = retryAfter ?? 0;
	const isBeyondWindow = asked > WINDOW_MS + TELLING_MS;
	// With a sliding log, Retry-After ends when the oldest slot expires. A longer wait shows two windows.
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
 * Time in ms after a refusal until the learned share grows. Until then, a further refusal may belong to the same burst.
 * So a further refusal lowers the share to the number of accepted requests, and no lower.
 */
const GROWTH_WAIT_MS = 120_000;
/** Maximum random addition to `GROWTH_WAIT_MS`. With it, the shares of several processes grow at different moments. */
const GROWTH_JITTER_MS = 60_000;

/**
 * Returns the learned share after other programs took a slot that looked free.
 *
 * @param before learned share so far, if any
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
	// `before.perMinute` is the share before it grew. The service accepted at least that many requests, so it refused
	// only the growth.
	if (won >= before.perMinute) return learned(won);
	if (now < before.growsAt) return { ...before, perMinute: Math.max(1, won) };
	return learned(won - Math.floor(won ** 2 / (2 * limit)));
}

/** Maximum pause in ms. After the pause, one request tests the service, even if the service asks for a longer wait. */
const LONGEST_CLOSED_MS = 180_000;
/** First and longest pause in ms after a 429 without Retry-After. The pause doubles after each refusal. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Addition to Retry-After in ms. Some installations round Retry-After down, and count an early request, too. */
const WAIT_PAD_MS = 250;
const FIRST_JITTER_MS = 250;

/**
 * Returns the pause after a refusal. The limiter sends nothing until the pause ends (`until`).
 *
 * @param paceMs time in ms between two requests at an even pace, if the service counts in two windows. The Retry-After
 *   of such a service is up to a minute too long. So the first two pauses last at most `paceMs`
 */
function closedAfter(
	{ throttling: previous, nextId }: { throttling?: Throttling | undefined; nextId: number },
	answer: ThrottledAnswer,
	paceMs?: number,
): Throttling {
	const { slot, now, retryAfter, random } = answer;
	// `rounds` does not count a further refusal of the same burst, because its request left before the first refusal.
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
