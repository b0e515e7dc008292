import { sortedLastIndexBy } from 'lodash';

/*
 * The rules of the rate limit (interface, section 8), as pure functions. All times are in ms of one clock. A function
 * that changes the state returns a new state. A refusal is an answer with status 429.
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
	/** Requests per minute that the credential of the request allows. */
	limit: number;
	/** Whether the request belongs to a trigger's poll. */
	isPoll: boolean;
}

/** A slot of a request that ended in the last window. */
interface UsedSlot extends Slot {
	/** Time when the slot comes free: one window after the request ended. */
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

export interface RateLimitState {
	inFlight: readonly Slot[];
	/** Slots of ended requests that the service may have counted, the next to come free first. */
	used: readonly UsedSlot[];
	/** Present after a refusal that makes the node pause, until the service accepts a request again. */
	throttling?: Throttling | undefined;
	/** Present for some time after a refusal which showed that other programs use the limit, too. */
	learned?: Learned | undefined;
	lastSentAt: number;
	/** Whether the last request belonged to a trigger's poll. */
	lastWasPoll: boolean;
	/** Duration of the last request. */
	roundTripMs: number;
	nextId: number;
}

/** State after a refusal: nothing is sent in a pause, and then one request at a time. */
export interface Throttling {
	/** ID of the first slot after the refusal. An accepted request with this or a later slot ends this state. */
	firstSlot: number;
	/** End of the pause. After the pause, one request at a time goes out, until the service accepts one. */
	until: number;
	/** Number of refusals in a row. A burst counts once, because all its requests were sent before the first refusal. */
	rounds: number;
	/** Time of the first refusal. */
	since: number;
}

/** The part of the rate limit for this process, as a refusal showed it. The node forgets it with time. */
export interface Learned {
	/** Requests per minute until `growsAt`. Other programs use the rest. */
	perMinute: number;
	refusedAt: number;
	growsAt: number;
}

/** Next step for a request: send it, wait until a time, or wait for a response. */
export type Decision =
	| { kind: 'send' }
	| { kind: 'wait'; until: number; reason: 'limit' | 'throttled' | 'polls' }
	| { kind: 'waitForResponse' };

export const idle: RateLimitState = {
	inFlight: [],
	used: [],
	lastSentAt: -Infinity,
	lastWasPoll: false,
	roundTripMs: 0,
	nextId: 0,
};

/** After this time in ms without a refusal, the node may use the whole limit again. */
export const FORGOTTEN_MS = 30 * 60_000;
/** After this time in ms without a request, the node may use the whole limit again. */
const QUIET_MS = 180_000;
/** Time until the learned part of the limit grows by another request per minute. */
const GROWTH_MS = 5_000;

/** Returns how many requests per minute the last refusal leaves; Infinity if it is forgotten. */
export function learnedPerMinute(learned: Learned | undefined, now: number): number {
	if (!learned || now - learned.refusedAt >= FORGOTTEN_MS) return Infinity;
	const { perMinute, growsAt } = learned;
	return now < growsAt ? perMinute : perMinute + 1 + Math.floor((now - growsAt) / GROWTH_MS);
}

/**
 * Returns the time when requests with this limit, or a lower one, will use fewer slots than the limit. Returns `now`
 * if they already do, and Infinity if that depends on an answer.
 */
export function ownFreeAt({ inFlight, used }: RateLimitState, limit: number, now: number): number {
	const isOwn = (slot: Slot) => slot.limit <= limit;
	const own = usedSlots({ used }, now).filter(isOwn);
	return inFlight.filter(isOwn).length + own.length >= limit ? nextFreeAt(own) : now;
}

/**
 * Returns how many slots are in use (`held`), and when the next comes free. `limit` is the highest limit of this
 * request and of those with a slot. `share` is how many slots this process may use: `limit`, or less after a refusal.
 */
function allSlots({ inFlight, used: all, learned }: RateLimitState, own: number, now: number) {
	const used = usedSlots({ used: all }, now);
	const limit = Math.max(own, ...[...inFlight, ...used].map((slot) => slot.limit));
	const share = Math.min(limit, learnedPerMinute(learned, now));
	return { held: inFlight.length + used.length, freeAt: nextFreeAt(used), limit, share };
}

/**
 * Returns the time when a slot is free for a request with this limit. Returns `now` if one is free, and Infinity if
 * that depends on an answer.
 */
export function slotFreeAt(state: RateLimitState, limit: number, now: number): number {
	const { held, freeAt, share } = allSlots(state, limit, now);
	return Math.max(ownFreeAt(state, limit, now), held >= share ? freeAt : now);
}

/**
 * Returns how many slots stay free for other programs while many requests wait: a tenth of the limit, at most two. If
 * this process may use fewer than ten, none stays free.
 */
function keptFree(limit: number, share: number): number {
	return share < 10 ? 0 : Math.min(2, Math.floor(limit / 10));
}

/** Facts about a request, or an item that waits for the write lock, that decide when it may go. */
interface Sender {
	/** Requests per minute that the credential allows. */
	limit: number;
	/** Whether it leaves slots free and goes at an even pace, because many requests wait. */
	isPaced?: boolean;
	/** Number of further slots that have to be free. If the limit has fewer, all of its further slots have to be free. */
	spare?: number;
}

/** Maximum number of requests in flight. It is small, so that the first refusal stops the rest of a burst. */
const IN_FLIGHT = 2;
/** Maximum number of requests in flight while other programs use the limit, too. Refusals are then more likely. */
const IN_FLIGHT_BESIDE_OTHERS = 1;
/**
 * If the last request took longer, twice as many may be in flight. Otherwise, the node could not use the whole limit.
 */
const LONG_ROUND_TRIP_MS = 800;

/** Decides whether the next request may be sent now. If not, it waits until a time or for an answer. */
export function decide(
	state: RateLimitState,
	{ limit: own, isPaced = false, spare = 0 }: Sender,
	now: number,
): Decision {
	const { throttling, inFlight, lastSentAt, roundTripMs } = state;
	const { held, freeAt, limit, share } = allSlots(state, own, now);
	const few = share < limit ? IN_FLIGHT_BESIDE_OTHERS : IN_FLIGHT;
	const mostInFlight = roundTripMs > LONG_ROUND_TRIP_MS ? 2 * few : few;

	if (throttling) {
		if (now < throttling.until) {
			return { kind: 'wait', until: throttling.until, reason: 'throttled' };
		}
		const isProbing = inFlight.some((slot) => slot.id >= throttling.firstSlot);
		if (isProbing) return { kind: 'waitForResponse' };
	}
	if (inFlight.length >= mostInFlight) return { kind: 'waitForResponse' };
	const room = isPaced ? share - keptFree(limit, share) : share;
	const isFull = held + Math.min(spare, room - 1) >= room;
	const evenMs = isPaced ? (WINDOW_MS + WINDOW_MARGIN_MS + roundTripMs) / room : 0;
	const until = Math.max(isFull ? freeAt : now, ownFreeAt(state, own, now), lastSentAt + evenMs);
	if (until <= now) return { kind: 'send' };
	if (until === Infinity) return { kind: 'waitForResponse' };
	return { kind: 'wait', until, reason: throttling ? 'throttled' : 'limit' };
}

/** Gives a slot to a request that goes out at `now`. */
export function sent(
	state: RateLimitState,
	limit: number,
	now: number,
	isPoll = false,
): { state: RateLimitState; slot: number } {
	const { learned, lastSentAt, nextId: id } = state;
	const isForgotten = now - lastSentAt > QUIET_MS || learnedPerMinute(learned, now) >= limit;
	return {
		slot: id,
		state: {
			...state,
			learned: isForgotten ? undefined : learned,
			inFlight: [...state.inFlight, { id, sentAt: now, limit, isPoll }],
			used: usedSlots(state, now),
			lastSentAt: now,
			lastWasPoll: isPoll,
			nextId: id + 1,
		},
	};
}

/** Notes a request without an answer (reset, timeout). The service may have counted it, so its slot stays in use. */
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

/**
 * Notes an answer other than 429. If the request went out after the last refusal, the service accepts requests
 * again.
 */
export function accepted(state: RateLimitState, id: number, now: number): RateLimitState {
	const { throttling } = state;
	const opens = throttling !== undefined && id >= throttling.firstSlot;
	return { ...unanswered(state, id, now), throttling: opens ? undefined : throttling };
}

/** Frees the slot of a request that does not count: n8n did not send it, or the service refused it. */
export function unsent(state: RateLimitState, id: number): RateLimitState {
	return { ...state, inFlight: state.inFlight.filter((slot) => slot.id !== id) };
}
