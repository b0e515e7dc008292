/*
 * The rules of the rate limit (interface, section 8), as pure functions: all times are milliseconds of one clock, and
 * every function returns a new state.
 *
 * A request holds a slot until a window after its response. The service's own stamp lies before that, so no delay can
 * make it count more than the node does.
 */

/** Length of the service's sliding window. */
export const WINDOW_MS = 60_000;
/** Time on top of the window, so that no slot comes free on the service's very boundary. */
export const WINDOW_MARGIN_MS = 50;

/** A place in the window for a request in flight, or with an answer in the last window. */
export interface Slot {
	id: number;
	sentAt: number;
	/** Absent while the request is in flight. */
	respondedAt?: number;
	/** Time beyond the window in which others may take it. */
	offeredMs: number;
	/** Whether it goes beyond the share, to see whether the share may grow. */
	isExtra: boolean;
	/** Whether a poll of a trigger uses it. */
	isPoll: boolean;
}

/** Returns the time at which a slot comes free; Infinity while its request is in flight. */
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

/** Returns the time at which the next of some slots comes free; Infinity if all are in flight. */
export function nextFreeAt(slots: readonly Slot[]): number {
	return Math.min(...slots.map(expiry));
}

/** Time without a request after which the share is the whole limit again. */
const QUIET_MS = 180_000;

export interface RateLimitState {
	/** Requests in flight, and those of the last window, without the refused ones. */
	slots: readonly Slot[];
	/** Present while nothing goes out, because the service refused and no slot is held. */
	throttling?: Throttling;
	/** Present if others use the budget, too. */
	share?: BudgetShare;
	/**
	 * Requests a minute at an even pace, and the time of its last change; present if the service counts in two windows
	 * (Symfony's "sliding_window"). It refuses a burst for most of a minute, and one request every few seconds never.
	 */
	pace?: { perMinute: number; changedAt: number };
	/** Time at which an offered slot would have come free. The next offer is a window later. */
	offeredAt: number;
	lastSentAt: number;
	/** Duration of the last request. */
	roundTripMs: number;
	nextId: number;
}

/** A limiter that is closed because the service refused. */
export interface Throttling {
	/** First slot after the refusal. The refusal says nothing about later ones. */
	firstSlot: number;
	/** End of the silence; then one request goes out at a time, until the service accepts one. */
	until: number;
	/** Refusals in a row, each of a request that was sent after the one before. */
	rounds: number;
	/** Time of the first refusal. */
	since: number;
}

/**
 * The part of the tenant's budget that this process uses beside others. Nobody tells how many others there are. A
 * refusal although the own log has room shows that they hold the rest. The share is then the number of accepted
 * requests, and grows again by one extra request at a time.
 */
export interface BudgetShare {
	/** Requests in a window. */
	slots: number;
	/** Time from which one extra request tries whether the share may grow. */
	growsAt: number;
	/** Extra requests in a row that the service accepted. */
	acceptedExtras: number;
	/** Time of the last reduction. */
	reducedAt: number;
}

/** The next step of a request: it goes out now, waits until a time, or waits for a response. */
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

/** Returns how many requests the state allows in a window. */
function shareOf({ share }: Pick<RateLimitState, 'share'>, limit: number): number {
	return share ? Math.min(limit, share.slots) : limit;
}

/** Most requests in flight: so few that the first refusal stops the rest of a burst. */
const IN_FLIGHT = 2;
/** The same beside others, who make each request in flight more likely to be refused. */
const IN_FLIGHT_BESIDE_OTHERS = 1;
/** Duration from which twice as many are in flight: the budget could not be used up otherwise. */
const LONG_ROUND_TRIP_MS = 800;

/** Decides on the next request. */
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
	// After some quiet minutes, the node knows nothing of others any more.
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

/** Accepted extra requests before the share grows. A single one may take the place of another program for good. */
const CONFIRMATIONS = 3;
const CONFIRMATION_PAUSE_MS = 2_500;
/** Time until the next extra request after the share grew. */
const GROWTH_PAUSE_MS = 2_000;
/** Time without a refusal that makes an even pace faster by one request a minute. */
const PACE_GROWTH_MS = 45_000;

/** Notes an answer other than 429. The limiter opens, if the request went out after it closed. */
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

/** Takes back the slot of a request that n8n itself did not send. */
export function unsent(state: RateLimitState, id: number): RateLimitState {
	return { ...state, slots: state.slots.filter((slot) => slot.id !== id) };
}

/** Duration of an offer: time enough for a program that waits for a Retry-After that was rounded up. */
const OFFER_MS = 1_600;

/** Slots in an offer. Some services count a request that they refuse, and that takes the first slot. */
const OFFERED_SLOTS = 2;

/**
 * Leaves the slots that come free next to other programs for a moment, once in each window while requests wait. The
 * node would otherwise take each slot the moment it comes free, and others would never get in.
 *
 * @param spreads whether a run spreads: then it offers other slots each time, so that they stay evenly apart
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

/** Length from which a run spreads. The minute that this costs is little there. */
const LONG_RUN_MINUTES = 20;

/** Time after the user opened a list in the editor in which shorter runs spread, too: more lists are likely. */
export const LISTS_OPENED_MS = 5 * 60_000;

/**
 * Returns whether a request keeps to an even pace. A slot then comes free for others every few seconds, while a burst
 * uses up the whole minute. A request for the editor never spreads, nor does a run of a minute.
 *
 * @param sinceListMs time since the user opened a list in the editor
 */
export function isSpread(
	{ isUrgent, runMinutes }: { isUrgent: boolean; runMinutes: number },
	sinceListMs: number,
): boolean {
	return !isUrgent && runMinutes > (sinceListMs <= LISTS_OPENED_MS ? 1 : LONG_RUN_MINUTES);
}

/** Returns the time of the next request of a run that spreads: requests are as far apart as slots come free. */
export function spreadAt(state: RateLimitState, limit: number): number {
	const { lastSentAt, roundTripMs } = state;
	return lastSentAt + (WINDOW_MS + WINDOW_MARGIN_MS + roundTripMs) / shareOf(state, limit);
}
