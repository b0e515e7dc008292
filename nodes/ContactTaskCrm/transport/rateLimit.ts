import type { BudgetShare } from './budgetShare';
import { afterExtra, maxInFlight, shareOf } from './budgetShare';
import type { Pace } from './pacing';
import { nextPacedAt, paceAfterAccepted } from './pacing';
import type { Slot } from './slots';
import { expiry, held, isInFlight, nextFree } from './slots';
import type { Throttling } from './throttling';

/**
 * The rules of the rate limit (interface, section 8), as pure functions of values: all times are
 * milliseconds of one clock that is passed in, every function returns a new state.
 *
 * A slot is held from the sending of a request until a window after its response. The service's
 * own stamp lies between the two, so no delay or reordering can make it count more than we do.
 */

/** So long without a request, and the share is the whole limit again. */
export const QUIET_MS = 180_000;

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
export interface Refusals {
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

/** n8n itself did not send the request: it took no place. */
export function unsent(state: RateLimitState, id: number): RateLimitState {
	return { ...state, slots: state.slots.filter((slot) => slot.id !== id) };
}
