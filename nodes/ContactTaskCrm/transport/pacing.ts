/**
 * An even pace, for a service that counts in two windows (Symfony's "sliding_window"): there a burst
 * is refused until most of a minute has passed, while one request every few seconds is not.
 */
export interface Pace {
	/** Requests a minute. */
	perMinute: number;
	/** When it was last changed. */
	changedAt: number;
}

const MINUTE_MS = 60_000;
/** A wait so much longer than until the own oldest slot leaves a sliding log cannot be one of a log. */
const TELLING_MS = 2_000;
const UNEXPLAINED_REFUSALS = 3;
const AFTER_REFUSAL = 0.8;
/** One request a minute more after this time without a refusal. */
const GROWTH_MS = 45_000;

/** A refusal, as it tells how the service counts. */
interface Refusal {
	/** The wait that the service asked for, in ms. */
	retryAfter?: number;
	/** ms until the oldest own slot has left a sliding log, after which it would admit. */
	oldestLeavesIn?: number;
	/** Refusals in a row, each of a request sent after the one before. */
	refusals: number;
	/** Whether this process was let in within the last minutes: who never was knows of no free slot. */
	acceptedLately: boolean;
}

/**
 * Whether a refusal tells that the service counts in two windows: it names a wait that a sliding log
 * would not, or it names none and refuses again and again although own slots have come free.
 */
export function countsInTwoWindows({
	retryAfter,
	oldestLeavesIn,
	refusals,
	acceptedLately,
}: Refusal): boolean {
	if (retryAfter === undefined) return acceptedLately && refusals >= UNEXPLAINED_REFUSALS;
	return oldestLeavesIn !== undefined && retryAfter > oldestLeavesIn + TELLING_MS;
}

/** When the next request may go. */
export function nextPacedAt({ perMinute }: Pace, lastSentAt: number): number {
	return lastSentAt + MINUTE_MS / perMinute;
}

export function paceAfterRefusal(
	pace: Pace | undefined,
	{ limit, now }: { limit: number; now: number },
): Pace {
	if (!pace) return { perMinute: limit, changedAt: now };
	return { perMinute: Math.max(1, pace.perMinute * AFTER_REFUSAL), changedAt: now };
}

export function paceAfterAccepted(pace: Pace, limit: number, now: number): Pace {
	const growth = Math.max(0, now - pace.changedAt) / GROWTH_MS;
	return { perMinute: Math.min(limit, pace.perMinute + growth), changedAt: now };
}
