import { sortedLastIndexBy } from 'lodash';

/*
 * The rules of the rate limit (interface, section 8), as pure functions. All times are in ms of one clock. A function
 * that changes the state returns a new state. A refusal is an answer with status 429.
 *
 * A request holds a slot until one window (60 s) after its response. The service counts the request before it responds,
 * so a delay on the way never makes the node exceed the limit.
 */

export const WINDOW_MS = 60_000;
/** Extra time in ms before a slot comes free. At the very end of a window, the service may still count a request. */
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

/** Returns the slots of ended requests that are still in use, sorted by `freeAt`. */
export function usedSlots(
	{ used }: Pick<RateLimitState, 'used'>,
	now: number,
): readonly UsedSlot[] {
	const free = sortedLastIndexBy(used, { freeAt: now } as UsedSlot, 'freeAt');
	return free === 0 ? used : used.slice(free);
}

/** Returns the time when the first slot of a sorted list comes free; Infinity for an empty list. */
export function nextFreeAt([first]: readonly UsedSlot[]): number {
	return first?.freeAt ?? Infinity;
}

export interface RateLimitState {
	inFlight: readonly Slot[];
	/** Slots of ended requests that the service may have counted, sorted by `freeAt`. */
	used: readonly UsedSlot[];
	/** Present after a refusal that makes the node pause, until the service accepts a request again. */
	throttling?: Throttling | undefined;
	/** Present for some time after a refusal which showed that other programs use the limit, too. */
	learned?: Learned | undefined;
	lastSentAt: number;
	/** Whether the last request belonged to a trigger's poll. */
	lastWasPoll: boolean;
	/** Duration of the last ended request in ms, with or without an answer. */
	roundTripMs: number;
	nextId: number;
}

/** State after a refusal. The limiter first sends nothing (the pause), and then one request at a time. */
export interface Throttling {
	/** ID of the first slot after the refusal. An accepted request with this or a later slot ends this state. */
	firstSlot: number;
	/** End of the pause. After the pause, one request at a time goes out, until the service accepts one. */
	until: number;
	/** Number of refusals in a row. A burst counts once, because all its requests were sent before the first refusal. */
	rounds: number;
	/** Time of the first of the refusals in a row that `rounds` counts. */
	since: number;
}

/** Learned share: part of the rate limit that a refusal left to this process. The node forgets the share with time. */
export interface Learned {
	/** Requests per minute that this process may send until `growsAt`. Other programs use the rest of the limit. */
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
/** Time in ms until the learned share grows by one more request per minute. The growth begins at `growsAt`. */
const GROWTH_MS = 5_000;

/** Returns the learned share in requests per minute; Infinity if the node has learned none, or has forgotten it. */
export function learnedPerMinute(learned: Learned | undefined, now: number): number {
	if (!learned || now - learned.refusedAt >= FORGOTTEN_MS) return Infinity;
	const { perMinute, growsAt } = learned;
	return now < growsAt ? perMinute : perMinute + 1 + Math.floor((now - growsAt) / GROWTH_MS);
}

/**
 * Returns the time when a slot is free for a request of a credential with this limit. Returns `now` if a slot is free,
 * and Infinity if only an answer can free a slot. Only requests with the same or a lower limit count. Example: two
 * credentials with one key allow 10 and 20 a minute. The credential with 10 counts only its own requests, the
 * credential with 20 counts all.
 */
export function ownFreeAt({ inFlight, used }: RateLimitState, limit: number, now: number): number {
	const counts = (slot: Slot) => slot.limit <= limit;
	const counted = usedSlots({ used }, now).filter(counts);
	return inFlight.filter(counts).length + counted.length >= limit ? nextFreeAt(counted) : now;
}

/**
 * Returns the number of slots in use (`held`), and the time when the next of them comes free (`freeAt`). `limit` is the
 * highest limit among this request (`requestLimit`) and all requests with a slot. This process may use `share` slots:
 * as many as `limit`, or fewer after a refusal.
 */
function allSlots(
	{ inFlight, used: all, learned }: RateLimitState,
	requestLimit: number,
	now: number,
) {
	const used = usedSlots({ used: all }, now);
	const limit = Math.max(requestLimit, ...[...inFlight, ...used].map((slot) => slot.limit));
	const share = Math.min(limit, learnedPerMinute(learned, now));
	return { held: inFlight.length + used.length, freeAt: nextFreeAt(used), limit, share };
}

/**
 * Returns the time when a slot is free for a request with this limit. Unlike `ownFreeAt`, counts all requests and the
 * learned share. Returns `now` if a slot is free, and Infinity if only an answer can free a slot.
 */
export function slotFreeAt(state: RateLimitState, limit: number, now: number): number {
	const { held, freeAt, share } = allSlots(state, limit, now);
	return Math.max(ownFreeAt(state, limit, now), held >= share ? freeAt : now);
}

/**
 * Returns the number of slots that stay free for other programs while many requests wait: a tenth of `limit`, at most
 * two. If `share` is below ten, no slot stays free.
 */
function keptFree(limit: number, share: number): number {
	return share < 10 ? 0 : Math.min(2, Math.floor(limit / 10));
}

/** Facts that decide when a request, or an item that waits for the write lock, may go. */
interface Sender {
	/** Requests per minute that the credential allows. */
	limit: number;
	/** Whether the request leaves slots free and goes at an even pace, because many requests wait. */
	isPaced?: boolean;
	/**
	 * Number of slots that must be free besides the slot for the request itself. If the process has too few slots for
	 * that, all of them must be free.
	 */
	spare?: number;
}

/** Maximum number of requests in flight. The number is small, so that the first refusal stops the rest of a burst. */
const IN_FLIGHT = 2;
/** Maximum number of requests in flight while other programs use the limit, too. Refusals are then more likely. */
const IN_FLIGHT_BESIDE_OTHERS = 1;
/**
 * If the last request took longer than this time, twice as many requests may be in flight. Otherwise, slow answers
 * would keep the node from using the whole limit.
 */
const LONG_ROUND_TRIP_MS = 800;

/** Decides whether the next request may go now, at a later time, or only after an answer. */
export function decide(
	state: RateLimitState,
	{ limit: requestLimit, isPaced = false, spare = 0 }: Sender,
	now: number,
): Decision {
	const { throttling, inFlight, lastSentAt, roundTripMs } = state;
	const { held, freeAt, limit, share } = allSlots(state, requestLimit, now);
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
	const until = Math.max(
		isFull ? freeAt : now,
		ownFreeAt(state, requestLimit, now),
		lastSentAt + evenMs,
	);
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
	const slot = state.inFlight.find((each) => each.id === id);
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
 * Notes an answer other than 429. If its request left after the last refusal, the service accepts requests again, and
 * `throttling` ends.
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
