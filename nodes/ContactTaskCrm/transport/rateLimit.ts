import type { BudgetShare } from './budgetShare';
import {
	afterContradiction,
	afterExtra,
	afterExtraRefused,
	afterTaken,
	maxInFlight,
	shareOf,
} from './budgetShare';
import type { Pace } from './pacing';
import { countsInTwoWindows, nextPacedAt, paceAfterAccepted, paceAfterRefusal } from './pacing';
import type { Throttling } from './throttling';
import { closedAfter } from './throttling';

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
/** So long without a request, and the share is the whole limit again. */
const QUIET_MS = 180_000;

interface Slot {
	id: number;
	sentAt: number;
	/** Absent while the request is in flight. */
	respondedAt?: number;
	/** How much longer than a window it is held, because it is offered. */
	offeredMs: number;
	/** Sent beyond the share, to see whether it may grow. */
	isExtra: boolean;
}

export interface RateLimitState {
	/** Requests in flight, and those of the last window that were not refused. */
	slots: readonly Slot[];
	/** Present while nothing is sent, because the service refused and no slot is held. */
	throttling?: Throttling;
	/** Present where others use the budget, too. */
	share?: BudgetShare;
	/** Present where the service was seen to count in two windows. */
	pace?: Pace;
	/** Present after a refusal, until a request is accepted. */
	refusals?: Refusals;
	/** When the slot that was offered last would have come free. */
	offeredAt: number;
	lastSentAt: number;
	lastAcceptedAt: number;
	/** How long the last answer took. */
	roundTripMs: number;
	nextId: number;
}

/** Refusals in a row, each of a request that was sent after the one before had arrived. */
interface Refusals {
	count: number;
	/** The first slot given out after the last of them arrived. */
	firstSlot: number;
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
	lastAcceptedAt: -Infinity,
	roundTripMs: 0,
	nextId: 0,
};

function expiry(slot: Slot): number {
	return slot.respondedAt === undefined
		? Infinity
		: slot.respondedAt + WINDOW_MS + WINDOW_MARGIN_MS + slot.offeredMs;
}

/** The slots that are held at `now`. */
export function held(state: RateLimitState, now: number): Slot[] {
	return state.slots.filter((slot) => expiry(slot) > now);
}

function isInFlight({ respondedAt }: Slot): boolean {
	return respondedAt === undefined;
}

/** The slot that comes free next, if any is not in flight. */
function nextFree(slots: readonly Slot[]): Slot | undefined {
	let next: Slot | undefined;
	for (const slot of slots) {
		if (!isInFlight(slot) && (!next || expiry(slot) < expiry(next))) next = slot;
	}
	return next;
}

/** Whether the next request may be sent at `now`, and if not, what it waits for. */
export function decide(state: RateLimitState, limit: number, now: number): Decision {
	const { throttling, share, pace } = state;
	const slots = held(state, now);
	const inFlight = slots.filter(isInFlight);

	if (throttling) {
		if (now < throttling.until) {
			return { kind: 'wait', until: throttling.until, reason: 'throttled' };
		}
		if (inFlight.some((slot) => slot.id >= throttling.firstSlot))
			return { kind: 'waitForResponse' };
	}
	if (inFlight.length >= maxInFlight(share, state.roundTripMs)) return { kind: 'waitForResponse' };
	const next = nextFree(slots);
	const freeAt = next ? expiry(next) : Infinity;
	if (slots.length >= shareOf(share, limit)) {
		const growsAt = share && slots.length < limit ? share.growsAt : Infinity;
		if (now >= growsAt) return { kind: inFlight.length === 0 ? 'send' : 'waitForResponse' };
		const until = Math.min(freeAt, growsAt);
		if (until === Infinity) return { kind: 'waitForResponse' };
		return { kind: 'wait', until, reason: 'limit' };
	}
	if (pace) {
		const until = nextPacedAt(pace, state.lastSentAt);
		if (now < until) return { kind: 'wait', until, reason: throttling ? 'throttled' : 'limit' };
	}
	return { kind: 'send' };
}

/**
 * Offers the slots that come free next to others, once in each window while requests wait. Whoever
 * uses a budget up would else send again the moment it comes free, and others would never get in.
 */
export function offered(state: RateLimitState, limit: number, now: number): RateLimitState {
	const slots = held(state, now);
	if (slots.length < shareOf(state.share, limit)) return state;
	const [first, ...others] = slots
		.filter((slot) => !isInFlight(slot))
		.sort((one, other) => expiry(one) - expiry(other));
	if (!first || expiry(first) - state.offeredAt < WINDOW_MS) return state;
	const chosen = new Set([first, ...others.slice(0, OFFERED_SLOTS - 1)]);
	return {
		...state,
		offeredAt: expiry(first),
		slots: slots.map((slot) => (chosen.has(slot) ? { ...slot, offeredMs: OFFER_MS } : slot)),
	};
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
	const isExtra = slots.length >= shareOf(state.share, limit);
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

function responded(state: RateLimitState, id: number, now: number): RateLimitState {
	const sentAt = state.slots.find((slot) => slot.id === id)?.sentAt ?? now;
	return {
		...state,
		roundTripMs: now - sentAt,
		slots: state.slots.map((slot) => (slot.id === id ? { ...slot, respondedAt: now } : slot)),
	};
}

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
	return {
		...responded(state, id, now),
		refusals: undefined,
		lastAcceptedAt: now,
		throttling: opens ? undefined : throttling,
		share: share && isExtra ? afterExtra(share, limit, now) : share,
		pace: pace && paceAfterAccepted(pace, limit, now),
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
 * The request got a 429. The own log never lets the limit be passed, so others use the budget, or the
 * service counts in another way. Own slots go on being used as they come free; whoever holds none
 * sends nothing until the wait is over, then one request probes.
 */
export function throttled(state: RateLimitState, answer: ThrottledAnswer): RateLimitState {
	const { slot: id, limit, now, retryAfter } = answer;
	const refused = state.slots.find((slot) => slot.id === id);
	const slots = held(state, now).filter((slot) => slot.id !== id);
	const own = slots.filter((slot) => !isInFlight(slot));
	const next = nextFree(own);
	const refusals = refusalsAfter(state, id);
	const rest = { ...state, slots, refusals };

	const oldestLeavesIn = next && expiry(next) - now;
	const refusal = {
		retryAfter,
		oldestLeavesIn,
		refusals: refusals.count,
		acceptedLately: now - state.lastAcceptedAt <= QUIET_MS,
	};
	if (state.pace || countsInTwoWindows(refusal)) {
		const pace = paceAfterRefusal(state.pace, answer);
		return {
			...rest,
			share: undefined,
			pace,
			throttling: closedAfter(rest, answer, WINDOW_MS / pace.perMinute),
		};
	}
	const won = own.length;
	const share = !state.share
		? afterContradiction(won, limit, now)
		: refused?.isExtra
			? afterExtraRefused(state.share, answer)
			: afterTaken(state.share, won, limit, now);
	return { ...rest, share, throttling: won === 0 ? closedAfter(rest, answer) : state.throttling };
}

function refusalsAfter({ refusals, nextId }: RateLimitState, id: number): Refusals {
	// What was under way already is refused for the same reason, and tells nothing new.
	if (refusals && id < refusals.firstSlot) return refusals;
	return { count: (refusals?.count ?? 0) + 1, firstSlot: nextId };
}
