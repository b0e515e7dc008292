/*
 * How much of the budget this process takes where it is not alone, or where the service does not count as
 * the interface says.
 */

/**
 * What part of the tenant's budget this process uses, where others use it, too. Nobody tells how many
 * they are: a refusal although the own log had room says that others hold the rest. The share is then
 * what was won, and grows again by one extra request at a time.
 */
export interface BudgetShare {
	/** Requests in a window. */
	slots: number;
	/** From then on one extra request tries whether the share may grow. */
	growsAt: number;
	/** Extra requests that were accepted since the last one that was refused. */
	acceptedExtras: number;
	/** When it was last made smaller. */
	reducedAt: number;
}

/** Few enough that the first refusal stops the rest of a burst. */
const IN_FLIGHT = 2;
/** Beside others, each request more in flight is one more that may be refused. */
const IN_FLIGHT_BESIDE_OTHERS = 1;
/** Where answers take longer, twice as many are in flight: else the budget could not be used up. */
const LONG_ROUND_TRIP_MS = 800;
/**
 * So many extra requests are accepted before the share grows: one alone may have slipped into a moment
 * in which another program had just been refused, and would take its place for good.
 */
const CONFIRMATIONS = 3;
const CONFIRMATION_PAUSE_MS = 2_500;
/** Once they were, the next one follows soon. */
const GROWTH_PAUSE_MS = 2_000;
/** After one that was refused, or after the share was made smaller, it waits: others may grow, too. */
const GROWTH_WAIT_MS = 120_000;
/** Made smaller at most once in this time: the rest of a burst says nothing new. */
const REDUCTION_PAUSE_MS = 60_000;

/** Requests in a window. */
export function shareOf(share: BudgetShare | undefined, limit: number): number {
	return share ? Math.min(limit, share.slots) : limit;
}

/** Requests in flight at a time. */
export function maxInFlight(share: BudgetShare | undefined, roundTripMs: number): number {
	const few = share ? IN_FLIGHT_BESIDE_OTHERS : IN_FLIGHT;
	return roundTripMs > LONG_ROUND_TRIP_MS ? 2 * few : few;
}

/**
 * The share after the first refusal that the own log contradicts.
 *
 * @param won own requests of the last window that were accepted
 */
export function afterContradiction(won: number, limit: number, now: number): BudgetShare {
	const half = Math.floor(limit / 2);
	const slots = Math.max(1, won > half ? half - 1 : won);
	return { slots, growsAt: now + GROWTH_WAIT_MS, acceptedExtras: 0, reducedAt: now };
}

/** The share after an own slot was taken by others while it was free. */
export function afterTaken(
	share: BudgetShare,
	won: number,
	limit: number,
	now: number,
): BudgetShare {
	if (now - share.reducedAt < REDUCTION_PAUSE_MS) {
		return { ...share, slots: Math.max(1, Math.min(share.slots, won)) };
	}
	const slots = Math.max(1, won - Math.floor(won ** 2 / (2 * limit)));
	return { slots, growsAt: now + GROWTH_WAIT_MS, acceptedExtras: 0, reducedAt: now };
}

/** The share after an extra request was accepted: undefined where it is the whole limit again. */
export function afterExtra(
	share: BudgetShare,
	limit: number,
	now: number,
): BudgetShare | undefined {
	const acceptedExtras = share.acceptedExtras + 1;
	if (acceptedExtras < CONFIRMATIONS) {
		return { ...share, acceptedExtras, growsAt: now + CONFIRMATION_PAUSE_MS };
	}
	const slots = share.slots + 1;
	if (slots >= limit) return undefined;
	return { ...share, slots, acceptedExtras, growsAt: now + GROWTH_PAUSE_MS };
}

/** The share after an extra request was refused: the next one is timed to when a slot comes free. */
export function afterExtraRefused(
	share: BudgetShare,
	{ now, retryAfter = 0 }: { now: number; retryAfter?: number },
): BudgetShare {
	const windows = Math.max(0, Math.ceil((GROWTH_WAIT_MS - retryAfter) / REDUCTION_PAUSE_MS));
	return { ...share, acceptedExtras: 0, growsAt: now + retryAfter + windows * REDUCTION_PAUSE_MS };
}

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
const AFTER_REFUSAL = 0.8;
/** One request a minute more after this time without a refusal. */
const GROWTH_MS = 45_000;

/**
 * Whether a refusal tells that the service counts in two windows: it names a wait that a sliding log would not.
 *
 * @param retryAfter the wait that the service asked for, in ms
 * @param oldestLeavesIn ms until the oldest own slot has left a sliding log, after which it would admit
 */
export function countsInTwoWindows(
	retryAfter: number | undefined,
	oldestLeavesIn: number | undefined,
): boolean {
	if (retryAfter === undefined || oldestLeavesIn === undefined) return false;
	return retryAfter > oldestLeavesIn + TELLING_MS;
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
