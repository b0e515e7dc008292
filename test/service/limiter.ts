export type RateLimitMode = 'log' | 'two-windows' | 'off';

export interface RateLimitRule {
	/**
	 * `log`: exactly the last window, as in interface section 8. `two-windows`: the estimate of Symfony's
	 * `sliding_window` policy. `off`: no limit.
	 */
	mode: RateLimitMode;
	/** Requests per window. */
	limit: number;
	/** Length of the window in milliseconds. */
	windowMs: number;
	/** Whether a refused request also takes a place in the window. */
	countRejected: boolean;
}

interface FixedWindow {
	/** Milliseconds since the epoch. */
	endsAt: number;
	hits: number;
	hitsBefore: number;
}

/** State of the limiter for one tenant. */
export interface LimiterState {
	/** Times in ms of the counted requests that may still be in the window, ascending. */
	stamps: number[];
	window?: FixedWindow;
}

export interface Decision {
	admitted: boolean;
	/** Time in ms when a request would be admitted if none came before it. Present only after a refusal. */
	retryAt?: number | undefined;
	state: LimiterState;
}

export const EMPTY_STATE: LimiterState = { stamps: [] };

function decideByLog(state: LimiterState, now: number, rule: RateLimitRule): Decision {
	const stamps = state.stamps.filter((stamp) => stamp > now - rule.windowMs);
	const admitted = stamps.length < rule.limit;
	if (admitted || rule.countRejected) stamps.push(now);
	if (admitted) return { admitted, state: { ...state, stamps } };
	const leavesLast = stamps[stamps.length - rule.limit];
	return { admitted, retryAt: leavesLast + rule.windowMs, state: { ...state, stamps } };
}

function currentWindow(state: LimiterState, now: number, windowMs: number): FixedWindow {
	const known = state.window;
	if (!known) return { endsAt: now + windowMs, hits: 0, hitsBefore: 0 };
	if (now <= known.endsAt) return known;
	const next = known.endsAt + windowMs;
	if (now < next) return { endsAt: next, hits: 0, hitsBefore: known.hits };
	return { endsAt: now + windowMs, hits: 0, hitsBefore: 0 };
}

const elapsedShare = (window: FixedWindow, now: number, windowMs: number) =>
	Math.min((now - (window.endsAt - windowMs)) / windowMs, 1);

const estimate = (window: FixedWindow, now: number, windowMs: number) =>
	Math.floor(window.hitsBefore * (1 - elapsedShare(window, now, windowMs)) + window.hits);

/** Returns Symfony's own estimate of the wait. Like the original, it may be too long or too short. */
function guessWait(window: FixedWindow, now: number, rule: RateLimitRule): number {
	const missing = 1 - (rule.limit - estimate(window, now, rule.windowMs));
	const share = elapsedShare(window, now, rule.windowMs);
	const releasable = Math.max(1, rule.limit - Math.floor(window.hitsBefore * (1 - share)));
	const left = window.endsAt - now;
	if (releasable >= missing) return missing * (left / releasable);
	return left + (missing - releasable) * (rule.windowMs / rule.limit);
}

function decideByTwoWindows(state: LimiterState, now: number, rule: RateLimitRule): Decision {
	const window = { ...currentWindow(state, now, rule.windowMs) };
	const admitted = estimate(window, now, rule.windowMs) < rule.limit;
	const retryAt = admitted ? undefined : now + guessWait(window, now, rule);
	if (admitted || rule.countRejected) window.hits += 1;
	return { admitted, retryAt, state: { ...state, window } };
}

/**
 * Decides whether to admit a request of a tenant, and returns the next state.
 *
 * @param now time of the request in milliseconds; never before the previous one
 */
export function decide(state: LimiterState, now: number, rule: RateLimitRule): Decision {
	if (rule.mode === 'off') return { admitted: true, state };
	if (rule.mode === 'two-windows') return decideByTwoWindows(state, now, rule);
	return decideByLog(state, now, rule);
}

export type RetryAfterForm = 'seconds' | 'date' | 'missing';

/**
 * Returns the value of `Retry-After`. The interface shows no unit, so both forms of RFC 9110 are available. In mode
 * `log`, the value is rounded up, so that it is never too early. In mode `two-windows`, it is rounded down as in
 * Symfony, and is not sent if it is zero.
 *
 * @param now in milliseconds, like `retryAt`
 * @returns undefined if no header is sent
 */
export function retryAfter(
	form: RetryAfterForm,
	mode: RateLimitMode,
	now: number,
	retryAt: number,
): string | undefined {
	const early = mode === 'two-windows';
	const wait = early
		? Math.floor(retryAt / 1000) - Math.floor(now / 1000)
		: Math.ceil((retryAt - now) / 1000);
	if (form === 'missing' || (early && wait <= 0)) return undefined;
	if (form === 'seconds') return String(wait);
	const second = early ? Math.floor(retryAt / 1000) : Math.ceil(retryAt / 1000);
	return new Date(second * 1000).toUTCString();
}
