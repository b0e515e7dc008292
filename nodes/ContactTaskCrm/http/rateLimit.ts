/*
 * The rules of the rate limit (interface, section 8), as pure functions. All times are milliseconds of one clock, and
 * every function returns a new state.
 *
 * A request holds a slot until one window after its response. The service counts the request before it responds, so a
 * delay on the way never makes the node exceed the limit.
 */

/** Length of the service's sliding window. */
export const WINDOW_MS = 60_000;
/** Extra time, so that no slot comes free exactly at the service's boundary. */
const WINDOW_MARGIN_MS = 50;

/** A used slot: its request is in flight, or was answered in the last window. */
interface Slot {
	id: number;
	sentAt: number;
	/** Absent while the request is in flight. */
	respondedAt?: number;
	/** Extra time at the end of the window. The node leaves the slot to other programs for this time. */
	offeredMs: number;
	/** Whether the request goes beyond the `BudgetShare`, to test whether that may grow. */
	isExtra: boolean;
	/** Whether it belongs to a trigger's poll. */
	isPoll: boolean;
}

/** Returns the time when a slot comes free; Infinity while its request is in flight. */
function expiry(slot: Slot): number {
	return slot.respondedAt === undefined
		? Infinity
		: slot.respondedAt + WINDOW_MS + WINDOW_MARGIN_MS + slot.offeredMs;
}

export function held({ slots }: { slots: readonly Slot[] }, now: number): Slot[] {
	return slots.filter((slot) => expiry(slot) > now);
}

export function isInFlight({ respondedAt }: Slot): boolean {
	return respondedAt === undefined;
}

/** Returns the time when the next of these slots comes free; Infinity if all are in flight. */
export function nextFreeAt(slots: readonly Slot[]): number {
	return Math.min(...slots.map(expiry));
}

/** After this time without a request, the node may use the whole limit again. */
const QUIET_MS = 180_000;

export interface RateLimitState {
	/** Requests in flight and accepted ones of the last window. Refused ones are left out. */
	slots: readonly Slot[];
	/** Present while the limiter is closed after a refusal. */
	throttling?: Throttling | undefined;
	/** Present if other programs use the budget, too. */
	share?: BudgetShare | undefined;
	/**
	 * Even pace in requests per minute, and the time of its last change. Present if the service counts in two windows
	 * (Symfony's "sliding_window"). Such a service refuses a burst for most of a minute, but never one request every
	 * few seconds.
	 */
	pace?: { perMinute: number; changedAt: number } | undefined;
	/** Time when an offered slot would have come free. The next offer comes a window later. */
	offeredAt: number;
	lastSentAt: number;
	/** Duration of the last request. */
	roundTripMs: number;
	nextId: number;
}

/** State of a limiter that is closed because the service refused. */
export interface Throttling {
	/** ID of the first slot after the refusal. An accepted request with this or a later slot opens the limiter. */
	firstSlot: number;
	/** End of the pause. Then one request at a time goes out, until the service accepts one. */
	until: number;
	/** Number of refusals in a row. A burst of requests counts once, because they were sent before its first refusal. */
	rounds: number;
	/** Time of the first refusal. */
	since: number;
}

/**
 * Part of the tenant's budget that this process uses beside other programs. Their number is unknown. If the service
 * refuses although this process has free slots, other programs use the rest. The share is then computed from the number
 * of accepted requests. It grows again by one extra request at a time.
 */
export interface BudgetShare {
	/** Requests per window. */
	slots: number;
	/** Time of the next extra request, to test whether the share may grow. */
	growsAt: number;
	/** Accepted extra requests in a row. */
	acceptedExtras: number;
	/** Time of the last reduction. */
	reducedAt: number;
}

/** Next step for a request: send it, wait until a time, or wait for a response. */
export type Decision =
	| { kind: 'send' }
	| { kind: 'wait'; until: number; reason: 'limit' | 'throttled' | 'polls' }
	| { kind: 'waitForResponse' };

export const idle: RateLimitState = {
	slots: [],
	offeredAt: -Infinity,
	lastSentAt: -Infinity,
	roundTripMs: 0,
	nextId: 0,
};

/** Returns the number of requests that the state allows per window. */
function shareOf({ share }: Pick<RateLimitState, 'share'>, limit: number): number {
	return share ? Math.min(limit, share.slots) : limit;
}

/** Most requests in flight. The first refusal must stop the rest of a burst. */
const IN_FLIGHT = 2;
/** Most requests in flight while other programs use the budget, too. They make refusals more likely. */
const IN_FLIGHT_BESIDE_OTHERS = 1;
/** If a request takes this long, twice as many may be in flight. Otherwise, the budget could not be used up. */
const LONG_ROUND_TRIP_MS = 800;

/** Decides whether the next request may be sent now, or what it waits for. */
export function decide(state: RateLimitState, limit: number, now: number): Decision {
	const { throttling, share, pace } = state;
	const slots = held(state, now);
	const inFlight = slots.filter(isInFlight);
	const few = share ? IN_FLIGHT_BESIDE_OTHERS : IN_FLIGHT;
	const mostInFlight = state.roundTripMs > LONG_ROUND_TRIP_MS ? 2 * few : few;

	if (throttling) {
		if (now < throttling.until) {
			return { kind: 'wait', until: throttling.until, reason: 'throttled' };
		}
		const isProbing = inFlight.some((slot) => slot.id >= throttling.firstSlot);
		if (isProbing) return { kind: 'waitForResponse' };
	}
	if (inFlight.length >= mostInFlight) return { kind: 'waitForResponse' };
	if (slots.length >= shareOf(state, limit)) {
		const growsAt = share && slots.length < limit ? share.growsAt : Infinity;
		if (now >= growsAt) return { kind: inFlight.length === 0 ? 'send' : 'waitForResponse' };
		const until = Math.min(nextFreeAt(slots), growsAt);
		if (until === Infinity) return { kind: 'waitForResponse' };
		return { kind: 'wait', until, reason: 'limit' };
	}
	if (pace) {
		const until = state.lastSentAt + WINDOW_MS / pace.perMinute;
		if (now < until) return { kind: 'wait', until, reason: throttling ? 'throttled' : 'limit' };
	}
	return { kind: 'send' };
}

/** Gives a slot to a request that goes out at `now`. */
export function sent(
	state: RateLimitState,
	limit: number,
	now: number,
	isPoll = false,
): { state: RateLimitState; slot: number } {
	// After a quiet time, the node knows nothing about other programs any more.
	const isFresh = now - state.lastSentAt > QUIET_MS;
	const slots = held(state, now);
	const isExtra = slots.length >= shareOf(state, limit);
	const id = state.nextId;
	return {
		slot: id,
		state: {
			...state,
			...(isFresh ? { share: undefined, pace: undefined } : {}),
			slots: [...slots, { id, sentAt: now, offeredMs: 0, isExtra, isPoll }],
			lastSentAt: now,
			nextId: id + 1,
		},
	};
}

/** Notes that a request ended without an answer (reset, timeout). The service may have counted it. */
export function unanswered(state: RateLimitState, id: number, now: number): RateLimitState {
	let roundTripMs = 0;
	const slots = state.slots.map((slot) => {
		if (slot.id !== id) return slot;
		roundTripMs = now - slot.sentAt;
		return { ...slot, respondedAt: now };
	});
	return { ...state, roundTripMs, slots };
}

/** Accepted extra requests before the share grows. One alone may have taken the place of another program. */
const CONFIRMATIONS = 3;
const CONFIRMATION_PAUSE_MS = 2_500;
/** Time from growth of the share to the next extra request. */
const GROWTH_PAUSE_MS = 2_000;
/** An even pace grows by one request per minute after this time without a refusal. */
const PACE_GROWTH_MS = 45_000;

/** Notes an answer other than 429. If the request went out after the limiter closed, the limiter opens. */
export function accepted(
	state: RateLimitState,
	id: number,
	limit: number,
	now: number,
): RateLimitState {
	const { throttling, share, pace } = state;
	const opens = throttling !== undefined && id >= throttling.firstSlot;
	const isExtra = state.slots.some((slot) => slot.id === id && slot.isExtra);
	const growth = pace ? Math.max(0, now - pace.changedAt) / PACE_GROWTH_MS : 0;
	return {
		...unanswered(state, id, now),
		throttling: opens ? undefined : throttling,
		share: share && isExtra ? afterExtraAccepted(share, limit, now) : share,
		pace: pace && { perMinute: Math.min(limit, pace.perMinute + growth), changedAt: now },
	};
}

/** Returns the share after an accepted extra request; undefined if it is the whole limit again. */
function afterExtraAccepted(
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

/** Removes the slot of a request that n8n itself did not send. */
export function unsent(state: RateLimitState, id: number): RateLimitState {
	return { ...state, slots: state.slots.filter((slot) => slot.id !== id) };
}

/** Duration of an offer. It covers programs that wait for a Retry-After that was rounded up. */
const OFFER_MS = 1_600;

/** Slots in an offer. Some services count a refused request, which takes the first slot. */
const OFFERED_SLOTS = 2;

/**
 * Leaves the next free slots to other programs for a moment, once per window while requests wait. Otherwise, the node
 * would take each slot at once, and other programs would get none.
 *
 * @param spreads whether the run keeps an even pace; each offer then takes other slots, so that the slots stay evenly
 *   apart
 */
export function offered(
	state: RateLimitState,
	{ limit, spreads }: { limit: number; spreads: boolean },
	now: number,
): RateLimitState {
	const slots = held(state, now);
	if (slots.length < shareOf(state, limit)) return state;
	const [first, ...others] = slots
		.filter((slot) => !isInFlight(slot))
		.sort((one, other) => expiry(one) - expiry(other));
	if (!first || expiry(first) - state.offeredAt < WINDOW_MS) return state;
	const chosen = [first, ...others.slice(0, OFFERED_SLOTS - 1)];
	return {
		...state,
		offeredAt: expiry(spreads ? chosen.at(-1)! : first),
		slots: slots.map((slot) => (chosen.includes(slot) ? { ...slot, offeredMs: OFFER_MS } : slot)),
	};
}

/** A run keeps an even pace if it is longer than this. It loses a minute, which matters little in such a run. */
const LONG_RUN_MINUTES = 20;

/** For this time after the user opened a list, shorter runs keep an even pace, too. The user may open more lists. */
const LISTS_OPENED_MS = 5 * 60_000;

/**
 * Returns whether a request keeps an even pace. Other programs then get a slot every few seconds, while a burst uses
 * up the whole minute. Requests of the editor and runs of one minute never spread.
 *
 * @param sinceListMs time since the user opened a list in the editor
 */
export function isSpread(
	{ isUrgent, runMinutes }: { isUrgent: boolean; runMinutes: number },
	sinceListMs: number,
): boolean {
	return !isUrgent && runMinutes > (sinceListMs <= LISTS_OPENED_MS ? 1 : LONG_RUN_MINUTES);
}

/** Returns the time of the next request of a run with an even pace: one window divided by the number of slots. */
export function spreadAt(state: RateLimitState, limit: number): number {
	const { lastSentAt, roundTripMs } = state;
	return lastSentAt + (WINDOW_MS + WINDOW_MARGIN_MS + roundTripMs) / shareOf(state, limit);
}
