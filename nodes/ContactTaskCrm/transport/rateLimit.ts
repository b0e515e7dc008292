/**
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
/** Few enough that the first refusal stops the rest of a burst. */
export const MAX_IN_FLIGHT = 4;
/** How long requests are spaced evenly after the service has refused one. */
export const SPACING_PERIOD_MS = 120_000;
/** Added to every wait that the service asks for: its Retry-After is often rounded down. */
const THROTTLED_PAD_MS = 1_000;
/** Where the service does not say how long to wait, and the own log knows nothing better. */
const MINIMUM_THROTTLED_WAIT_MS = 1_000;
const MAXIMUM_JITTER_MS = 60_000;
/** After this time at the latest one request probes, whatever wait the service asked for. */
export const LONGEST_CLOSED_MS = 180_000;
/** A wait that long, asked for a window of 60 s, was given in ms and read as seconds. */
const MISREAD_FROM_MS = 10_000_000;

interface Slot {
	id: number;
	/** Absent while the request is in flight. */
	respondedAt?: number;
}

interface Throttling {
	/** The first slot given out after the refusal arrived: what was sent before knew nothing of it. */
	firstSlot: number;
	/** Until then nothing is sent; from then on one request at a time, until one is accepted. */
	until: number;
	/** Refusals in a row, each of a request that was sent after the one before had arrived. */
	rounds: number;
	/** When the service began to refuse. */
	since: number;
}

export interface RateLimitState {
	slots: readonly Slot[];
	/** When requests were accepted, over the last two windows. */
	acceptedAt: readonly number[];
	throttling?: Throttling;
	/** Until then requests are spaced evenly instead of sent in bursts. */
	spacedUntil: number;
	lastSentAt: number;
	nextId: number;
}

/** What to do with the next request: send it now, wait until a time, or wait for a response. */
export type Decision =
	| { kind: 'send' }
	| { kind: 'wait'; until: number; reason: 'limit' | 'throttled' }
	| { kind: 'waitForResponse' };

export const idle: RateLimitState = {
	slots: [],
	acceptedAt: [],
	spacedUntil: -Infinity,
	lastSentAt: -Infinity,
	nextId: 0,
};

function expiry(slot: Slot): number {
	return slot.respondedAt === undefined
		? Infinity
		: slot.respondedAt + WINDOW_MS + WINDOW_MARGIN_MS;
}

function earliestExpiry(slots: readonly Slot[]): number {
	return Math.min(Infinity, ...slots.map(expiry));
}

/** Whether the next request may be sent at `now`, and if not, what it waits for. */
export function decide(state: RateLimitState, limit: number, now: number): Decision {
	const { throttling } = state;
	const held = state.slots.filter((slot) => expiry(slot) > now);
	const inFlight = held.filter((slot) => slot.respondedAt === undefined);

	if (throttling) {
		if (now < throttling.until)
			return { kind: 'wait', until: throttling.until, reason: 'throttled' };
		if (inFlight.some((slot) => slot.id >= throttling.firstSlot))
			return { kind: 'waitForResponse' };
	}
	if (held.length >= limit) {
		const until = earliestExpiry(held);
		return until === Infinity
			? { kind: 'waitForResponse' }
			: { kind: 'wait', until, reason: 'limit' };
	}
	if (inFlight.length >= MAX_IN_FLIGHT) return { kind: 'waitForResponse' };
	if (now < state.spacedUntil) {
		const until = state.lastSentAt + WINDOW_MS / limit;
		if (now < until) return { kind: 'wait', until, reason: 'limit' };
	}
	return { kind: 'send' };
}

/** A request is sent at `now`: the slot it holds, and the state with it. */
export function sent(state: RateLimitState, now: number): { state: RateLimitState; slot: number } {
	const slots = state.slots.filter((slot) => expiry(slot) > now);
	return {
		slot: state.nextId,
		state: {
			...state,
			slots: [...slots, { id: state.nextId }],
			lastSentAt: now,
			nextId: state.nextId + 1,
		},
	};
}

function responded(state: RateLimitState, id: number, now: number): RateLimitState {
	return {
		...state,
		slots: state.slots.map((slot) => (slot.id === id ? { ...slot, respondedAt: now } : slot)),
	};
}

/** The request got an answer other than 429: the limiter opens, if the request was sent after it closed. */
export function accepted(state: RateLimitState, id: number, now: number): RateLimitState {
	const { throttling } = state;
	const opens = throttling !== undefined && id >= throttling.firstSlot;
	return {
		...responded(state, id, now),
		acceptedAt: [...state.acceptedAt.filter((at) => at > now - 2 * WINDOW_MS), now],
		throttling: opens ? undefined : throttling,
	};
}

/** The request ended without an answer (reset, timeout): it may have been counted, and says nothing of the limiter. */
export function unanswered(state: RateLimitState, id: number, now: number): RateLimitState {
	return responded(state, id, now);
}

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

/**
 * The request got a 429: nothing more is sent until the wait is over, then one request probes.
 *
 * The own log never lets the limit be passed, so a 429 means that others use the budget or that
 * the service counts in another way: requests are spaced evenly for a while afterwards.
 */
export function throttled(state: RateLimitState, answer: ThrottledAnswer): RateLimitState {
	const { slot: id, now, random } = answer;
	const previous = state.throttling;
	// The rest of a burst that was on its way already is refused with it, and tells nothing new.
	const sameBurst = previous !== undefined && id < previous.firstSlot;
	const rounds = sameBurst ? previous.rounds : (previous?.rounds ?? 0) + 1;
	const jitter = sameBurst
		? 0
		: random * Math.min(MAXIMUM_JITTER_MS, THROTTLED_PAD_MS * 2 ** (rounds - 1));
	const wait = throttledWait(state, answer, rounds) + THROTTLED_PAD_MS + jitter;
	const until = Math.max(previous?.until ?? -Infinity, now + Math.min(wait, LONGEST_CLOSED_MS));

	return {
		...responded(state, id, now),
		throttling: {
			firstSlot: sameBurst ? previous.firstSlot : state.nextId,
			until,
			rounds,
			since: previous?.since ?? now,
		},
		spacedUntil: until + SPACING_PERIOD_MS,
	};
}

function throttledWait(
	state: RateLimitState,
	{ slot: id, limit, now, retryAfter: asked }: ThrottledAnswer,
	rounds: number,
): number {
	const retryAfter = asked !== undefined && asked >= MISREAD_FROM_MS ? asked / 1000 : asked;
	if (retryAfter === undefined) {
		const others = state.slots.filter((slot) => slot.id !== id && expiry(slot) > now);
		const ownLogWait = earliestExpiry(others) - now;
		return Math.max(MINIMUM_THROTTLED_WAIT_MS, ownLogWait === Infinity ? 0 : ownLogWait);
	}
	// Where the budget was ours alone, nobody else can have used it up the moment it came free:
	// then the service counts in two windows, and the wait it names is known to be up to 57 s too
	// long. One probe is sent at the even pace; if it is refused too, the wait is kept in full.
	const wasOurs = state.acceptedAt.filter((at) => at > now - 2 * WINDOW_MS).length >= limit;
	return rounds === 1 && wasOurs && retryAfter <= WINDOW_MS
		? Math.min(retryAfter, WINDOW_MS / limit)
		: retryAfter;
}
