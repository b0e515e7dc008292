/*
 * The rules of the rate limit (interface, section 8), as pure functions of values: all times are
 * milliseconds of one clock that is passed in, every function returns a new state.
 *
 * A slot is held from the sending of a request until a window after its response. The service's
 * own stamp lies between the two, so no delay or reordering can make it count more than we do.
 */

/** Length of the service's sliding window. */
export const WINDOW_MS = 60_000;
/** Added to the window, so that a slot is never given back on the service's very boundary. */
export const WINDOW_MARGIN_MS = 50;

const MINUTE_MS = 60_000;

/** A place in the window: of a request in flight, or of one that was answered within the last window. */
export interface Slot {
	id: number;
	sentAt: number;
	/** Absent while the request is in flight. */
	respondedAt?: number;
	/** How much longer than a window it is held, because it is offered. */
	offeredMs: number;
	/** Sent beyond the share, to see whether it may grow. */
	isExtra: boolean;
}

/** When a slot comes free; Infinity while its request is in flight. */
function expiry(slot: Slot): number {
	return slot.respondedAt === undefined
		? Infinity
		: slot.respondedAt + WINDOW_MS + WINDOW_MARGIN_MS + slot.offeredMs;
}

/** The slots that are held at `now`. */
export function held({ slots }: { slots: readonly Slot[] }, now: number): Slot[] {
	return slots.filter((slot) => expiry(slot) > now);
}

export function isInFlight({ respondedAt }: Slot): boolean {
	return respondedAt === undefined;
}

/** When the next of some slots comes free; Infinity where all are in flight. */
export function nextFreeAt(slots: readonly Slot[]): number {
	return Math.min(...slots.map(expiry));
}

/** So long without a request, and the share is the whole limit again. */
const QUIET_MS = 180_000;

export interface RateLimitState {
	/** Requests in flight, and those of the last window that were not refused. */
	slots: readonly Slot[];
	/** Present while nothing is sent, because the service refused and no slot is held. */
	throttling?: Throttling;
	/** Present where others use the budget, too. */
	share?: BudgetShare;
	/** Present where the service was seen to count in two windows. */
	pace?: Pace;
	/** When a slot that was offered would have come free: the next are offered a window later. */
	offeredAt: number;
	lastSentAt: number;
	/** How long the last answer took. */
	roundTripMs: number;
	nextId: number;
}

/** A limiter that is closed because the service refused. */
export interface Throttling {
	/** The first slot given out after the refusal arrived: what was sent before knew nothing of it. */
	firstSlot: number;
	/** Until then nothing is sent; from then on one request at a time, until one is accepted. */
	until: number;
	/** Refusals in a row, each of a request that was sent after the one before had arrived. */
	rounds: number;
	/** When the service began to refuse. */
	since: number;
}

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

/** What to do with the next request: send it now, wait until a time, or wait for a response. */
export type Decision =
	| { kind: 'send' }
	| { kind: 'wait'; until: number; reason: 'limit' | 'throttled' }
	| { kind: 'waitForResponse' };

export const idle: RateLimitState = {
	slots: [],
	offeredAt: -Infinity,
	lastSentAt: -Infinity,
	roundTripMs: 0,
	nextId: 0,
};

/** Requests that the state allows in a window. */
function shareOf({ share }: Pick<RateLimitState, 'share'>, limit: number): number {
	return share ? Math.min(limit, share.slots) : limit;
}

/** Few enough that the first refusal stops the rest of a burst. */
const IN_FLIGHT = 2;
/** Beside others, each request more in flight is one more that may be refused. */
const IN_FLIGHT_BESIDE_OTHERS = 1;
/** Where answers take longer, twice as many are in flight: else the budget could not be used up. */
const LONG_ROUND_TRIP_MS = 800;

/** Whether the next request may be sent at `now`, and if not, what it waits for. */
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
		if (inFlight.some((slot) => slot.id >= throttling.firstSlot))
			return { kind: 'waitForResponse' };
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
		const until = state.lastSentAt + MINUTE_MS / pace.perMinute;
		if (now < until) return { kind: 'wait', until, reason: throttling ? 'throttled' : 'limit' };
	}
	return { kind: 'send' };
}

/** A request is sent at `now`: the slot it holds, and the state with it. */
export function sent(
	state: RateLimitState,
	limit: number,
	now: number,
): { state: RateLimitState; slot: number } {
	// After some quiet minutes nothing is known of others any more.
	const isFresh = now - state.lastSentAt > QUIET_MS;
	const slots = held(state, now);
	const isExtra = slots.length >= shareOf(state, limit);
	const id = state.nextId;
	return {
		slot: id,
		state: {
			...state,
			...(isFresh ? { share: undefined, pace: undefined } : {}),
			slots: [...slots, { id, sentAt: now, offeredMs: 0, isExtra }],
			lastSentAt: now,
			nextId: id + 1,
		},
	};
}

/** The request ended without an answer (reset, timeout): it may have been counted, and says nothing of the limiter. */
export function unanswered(state: RateLimitState, id: number, now: number): RateLimitState {
	let roundTripMs = 0;
	const slots = state.slots.map((slot) => {
		if (slot.id !== id) return slot;
		roundTripMs = now - slot.sentAt;
		return { ...slot, respondedAt: now };
	});
	return { ...state, roundTripMs, slots };
}

/**
 * So many extra requests are accepted before the share grows: one alone may have slipped into a moment
 * in which another program had just been refused, and would take its place for good.
 */
const CONFIRMATIONS = 3;
const CONFIRMATION_PAUSE_MS = 2_500;
/** Once they were, the next one follows soon. */
const GROWTH_PAUSE_MS = 2_000;
/** One request a minute more at an even pace after this time without a refusal. */
const PACE_GROWTH_MS = 45_000;

/** The request got an answer other than 429: the limiter opens, if the request was sent after it closed. */
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
		share: share && isExtra ? afterExtra(share, limit, now) : share,
		pace: pace && { perMinute: Math.min(limit, pace.perMinute + growth), changedAt: now },
	};
}

/** The share after an extra request was accepted: undefined where it is the whole limit again. */
function afterExtra(share: BudgetShare, limit: number, now: number): BudgetShare | undefined {
	const acceptedExtras = share.acceptedExtras + 1;
	if (acceptedExtras < CONFIRMATIONS) {
		return { ...share, acceptedExtras, growsAt: now + CONFIRMATION_PAUSE_MS };
	}
	const slots = share.slots + 1;
	if (slots >= limit) return undefined;
	return { ...share, slots, acceptedExtras, growsAt: now + GROWTH_PAUSE_MS };
}

/** n8n itself did not send the request: it took no place. */
export function unsent(state: RateLimitState, id: number): RateLimitState {
	return { ...state, slots: state.slots.filter((slot) => slot.id !== id) };
}

/**
 * For so long a slot that has come free is offered to other processes and programs, once in each
 * window: long enough for whoever comes at a Retry-After that was rounded up, and a moment later.
 */
export const OFFER_MS = 1_600;

/**
 * Two, since some services count a request that they refuse: one place is then taken by the first try
 * of whoever comes, and the other is left for the second.
 */
const OFFERED_SLOTS = 2;

/**
 * Offers the slots that come free next to others, once in each window while requests wait. Whoever
 * uses a budget up would else send again the moment it comes free, and others would never get in.
 *
 * @param spreads whether a run spreads: then it is others each time, so that they stay evenly apart
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

/*
 * Small runs burst, long ones spread: a run that used up each minute in its first seconds would let nobody
 * else send for the rest of it. Spread evenly, a slot comes free for others every few seconds.
 */

/** A run that is going to take longer than this spreads: the minute that it costs is little there. */
const LONG_RUN_MINUTES = 20;

/** So long after a list was opened in the editor, shorter runs spread, too: more lists are likely. */
export const LISTS_OPENED_MS = 5 * 60_000;

/**
 * Whether what is sent keeps to an even pace. What a person waits for never does, nor a run that needs no more
 * than a minute.
 *
 * @param sent.runMinutes how long the run takes at least that it is part of
 * @param sinceListMs how long ago a list was opened in the editor
 */
export function isSpread(
	{ isUrgent, runMinutes }: { isUrgent: boolean; runMinutes: number },
	sinceListMs: number,
): boolean {
	return !isUrgent && runMinutes > (sinceListMs <= LISTS_OPENED_MS ? 1 : LONG_RUN_MINUTES);
}

/** When a run that spreads may send next: as far from the request before as slots come free on average. */
export function spreadAt(state: RateLimitState, limit: number): number {
	const { lastSentAt, roundTripMs } = state;
	return lastSentAt + (WINDOW_MS + WINDOW_MARGIN_MS + roundTripMs) / shareOf(state, limit);
}
