import { sortBy, sortedLastIndexBy } from 'lodash';

/*
 * The rules of the rate limit (interface, section 8), as pure functions. All times are in ms of one clock. A function
 * that changes the state returns a new state.
 *
 * A request holds a slot until one window (60 s) after its response. The service counts the request before it responds,
 * so a delay on the way never makes the node exceed the limit.
 */

export const WINDOW_MS = 60_000;
/** Extra time, so that no slot comes free exactly when the service's window ends. */
const WINDOW_MARGIN_MS = 50;

/** A slot of a request in flight. */
interface Slot {
	id: number;
	sentAt: number;
	/** Whether the request exceeds the `BudgetShare`, to test whether the budget share may grow. */
	isExtra: boolean;
	/** Whether the request belongs to a trigger's poll. */
	isPoll: boolean;
}

/** A slot of a request that ended in the last window. */
interface UsedSlot extends Slot {
	/** Time when the slot comes free: one window after the answer, or later to let other programs go first. */
	freeAt: number;
}

/** Returns the used slots that are not free yet, the next to come free first. */
export function usedSlots(
	{ used }: Pick<RateLimitState, 'used'>,
	now: number,
): readonly UsedSlot[] {
	const free = sortedLastIndexBy(used, { freeAt: now } as UsedSlot, 'freeAt');
	return free === 0 ? used : used.slice(free);
}

/** Returns the time when the first of some sorted slots comes free; Infinity if there is no slot. */
export function nextFreeAt([first]: readonly UsedSlot[]): number {
	return first?.freeAt ?? Infinity;
}

/** After this time without a request, the node may use the whole limit again. */
const QUIET_MS = 180_000;

export interface RateLimitState {
	inFlight: readonly Slot[];
	/** Slots of requests with an answer other than 429, the next to come free first. */
	used: readonly UsedSlot[];
	/** Present while the limiter is closed after a refusal. */
	throttling?: Throttling | undefined;
	/** Budget share: part of the rate limit for this process. Present if other programs use the limit, too. */
	share?: BudgetShare | undefined;
	/**
	 * Even pace in requests per minute, and the time of its last change. Present if the service counts in two windows
	 * (Symfony's "sliding_window"). Such a service refuses a burst for most of a minute, but never one request every
	 * few seconds.
	 */
	pace?: { perMinute: number; changedAt: number } | undefined;
	/** Time when a slot that `offered` left to other programs would have come free. The next offer is a window later. */
	offeredAt: number;
	lastSentAt: number;
	/** Whether the last request belonged to a trigger's poll. */
	lastWasPoll: boolean;
	/** Duration of the last request. */
	roundTripMs: number;
	nextId: number;
}

/** State of a limiter that is closed because the service refused. */
export interface Throttling {
	/** ID of the first slot after the refusal. An accepted request with this or a later slot opens the limiter. */
	firstSlot: number;
	/** End of the pause. After the pause, one request at a time goes out, until the service accepts one. */
	until: number;
	/** Number of refusals in a row. A burst counts once, because all its requests were sent before the first refusal. */
	rounds: number;
	/** Time of the first refusal. */
	since: number;
}

/**
 * Part of the rate limit that this process uses beside other programs. If the service refuses although this process has
 * free slots, other programs use the rest. The limiter then computes the share from the number of accepted requests.
 * Later, the share grows by one slot at a time.
 */
export interface BudgetShare {
	/** Requests per window. */
	slots: number;
	/** Time of the next extra request, to test whether the share may grow. */
	growsAt: number;
	/** Number of accepted extra requests in a row. */
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
	inFlight: [],
	used: [],
	offeredAt: -Infinity,
	lastSentAt: -Infinity,
	lastWasPoll: false,
	roundTripMs: 0,
	nextId: 0,
};

/** Returns the number of requests that the state allows per window. */
function shareOf({ share }: Pick<RateLimitState, 'share'>, limit: number): number {
	return share ? Math.min(limit, share.slots) : limit;
}

/** Maximum number of requests in flight. It is small, so that the first refusal stops the rest of a burst. */
const IN_FLIGHT = 2;
/** Maximum number of requests in flight while other programs use the limit, too. Refusals are then more likely. */
const IN_FLIGHT_BESIDE_OTHERS = 1;
/** After a longer request, twice as many may be in flight. With fewer, the node could not use the whole limit. */
const LONG_ROUND_TRIP_MS = 800;

/**
 * Decides whether the next request may be sent now. If not, it waits until a time or for an answer.
 *
 * @param spare number of further slots that have to be free. With a single slot, none can be
 */
export function decide(state: RateLimitState, limit: number, now: number, spare = 0): Decision {
	const { throttling, share, pace, inFlight } = state;
	const used = usedSlots(state, now);
	const spared = Math.min(spare, shareOf(state, limit) - 1);
	const held = inFlight.length + used.length + spared;
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
	if (held >= shareOf(state, limit)) {
		const growsAt = share && spared === 0 && held < limit ? share.growsAt : Infinity;
		if (now >= growsAt) return { kind: inFlight.length === 0 ? 'send' : 'waitForResponse' };
		const until = Math.min(nextFreeAt(used), growsAt);
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
	const used = usedSlots(state, now);
	const isExtra = state.inFlight.length + used.length >= shareOf(state, limit);
	const id = state.nextId;
	return {
		slot: id,
		state: {
			...state,
			...(isFresh ? { share: undefined, pace: undefined } : {}),
			inFlight: [...state.inFlight, { id, sentAt: now, isExtra, isPoll }],
			used,
			lastSentAt: now,
			lastWasPoll: isPoll,
			nextId: id + 1,
		},
	};
}

/** Notes that a request ended without an answer (reset, timeout). The service may have counted it. */
export function unanswered(state: RateLimitState, id: number, now: number): RateLimitState {
	const slot = state.inFlight.find((one) => one.id === id);
	if (!slot) return state;
	const answered = { ...slot, freeAt: now + WINDOW_MS + WINDOW_MARGIN_MS };
	const place = sortedLastIndexBy(state.used, answered, 'freeAt');
	return {
		...unsent(state, id),
		used: [...state.used.slice(0, place), answered, ...state.used.slice(place)],
		roundTripMs: now - slot.sentAt,
	};
}

/** Number of accepted extra requests before the budget share grows. One alone may have taken another program's slot. */
const CONFIRMATIONS = 3;
const CONFIRMATION_PAUSE_MS = 2_500;
/** Time from a growth of the budget share to the next extra request. */
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
	const isExtra = state.inFlight.some((slot) => slot.id === id && slot.isExtra);
	const growth = pace ? Math.max(0, now - pace.changedAt) / PACE_GROWTH_MS : 0;
	return {
		...unanswered(state, id, now),
		throttling: opens ? undefined : throttling,
		share: share && isExtra ? afterExtraAccepted(share, limit, now) : share,
		pace: pace && { perMinute: Math.min(limit, pace.perMinute + growth), changedAt: now },
	};
}

/** Returns the budget share after an accepted extra request; undefined if it is the whole limit again. */
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

/** Frees the slot of a request that does not count: n8n did not send it, or the service refused it. */
export function unsent(state: RateLimitState, id: number): RateLimitState {
	return { ...state, inFlight: state.inFlight.filter((slot) => slot.id !== id) };
}

/** Duration of an offer in ms. Other programs may come up to a second late, because Retry-After was rounded up. */
const OFFER_MS = 1_600;

/** Number of slots in an offer. Two, because some services let a refused request take the first slot. */
const OFFERED_SLOTS = 2;

/**
 * Leaves the next free slots to other programs for a moment, once per window while requests wait. Without this offer,
 * the node would take each slot at once, and other programs would get none.
 *
 * @param spreads whether the run keeps an even pace. The next offer then comes a window after the last slot of this
 *   one, not after the first. So each offer starts with another slot, and the pace stays even
 */
export function offered(
	state: RateLimitState,
	{ limit, spreads }: { limit: number; spreads: boolean },
	now: number,
): RateLimitState {
	const used = usedSlots(state, now);
	if (state.inFlight.length + used.length < shareOf(state, limit)) return state;
	if (nextFreeAt(used) - state.offeredAt < WINDOW_MS || used.length === 0) return state;
	const [chosen, others] = [used.slice(0, OFFERED_SLOTS), used.slice(OFFERED_SLOTS)];
	const left = chosen.map((slot) => ({ ...slot, freeAt: slot.freeAt + OFFER_MS }));
	return {
		...state,
		offeredAt: nextFreeAt(spreads ? chosen.slice(-1) : chosen),
		used: sortBy([...left, ...others], 'freeAt'),
	};
}

/** A longer run keeps an even pace. The run then takes a minute more, which matters little. */
const LONG_RUN_MINUTES = 20;

/** For this time after the user opened a list, shorter runs keep an even pace, too. The user may open more lists. */
const LISTS_OPENED_MS = 5 * 60_000;

/**
 * Returns whether a request keeps an even pace. Other programs then get a slot every few seconds, while a burst would
 * use up the whole minute. Requests of the editor and runs of at most one minute keep no even pace.
 *
 * @param sinceListMs time since the user opened a list in the editor
 */
export function isSpread(
	{ isUrgent, runMinutes }: { isUrgent: boolean; runMinutes: number },
	sinceListMs: number,
): boolean {
	return !isUrgent && runMinutes > (sinceListMs <= LISTS_OPENED_MS ? 1 : LONG_RUN_MINUTES);
}

/** Returns the time of the next request at an even pace: the last request plus one window divided by the slots. */
export function spreadAt(state: RateLimitState, limit: number): number {
	const { lastSentAt, roundTripMs } = state;
	return lastSentAt + (WINDOW_MS + WINDOW_MARGIN_MS + roundTripMs) / shareOf(state, limit);
}
