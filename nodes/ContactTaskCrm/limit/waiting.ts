import type { Logger } from 'n8n-workflow';
import type { Busy, RateLimited, RunStopped, TooLateToLeave } from '../util/failures';
import type { Poller } from './polls';

/** Lane, order and longest wait of a request, or of an item that waits to write. */
export interface Waiting {
	/** Lane in the fair queue: one object for each run, and one for all editor lists. All polls share another lane. */
	lane: object;
	/** Trigger that polls; absent for a request that is no poll. */
	poller?: Poller | undefined;
	/** Index of the item. In a lane, the requests of the item with the lowest index go first. */
	item: number;
	/** Whether a user of the editor waits for the answer. Such a request goes first. */
	isUrgent: boolean;
	/** Requests per minute that the credential allows. */
	limit: number;
	/** Longest wait for a free slot, in ms. */
	slotWaitMs: number;
	/** Longest wait while the service refuses all requests, in ms. */
	throttledWaitMs: number;
	/** Time when the wait began, in ms of the clock's `now`. If absent, the limiter takes the time of queueing. */
	waitsSince?: number;
	/**
	 * Whether the item's next request has to follow at once, as a write follows its read. This request then waits until
	 * two slots are free. One of them stays reserved for the next request.
	 */
	reservesNext?: boolean;
	/**
	 * Latest time for a write to leave n8n, in ms of the clock's `now`. After this time, the record's last read is too
	 * old to write by, so the limiter rejects the write.
	 */
	leavesBy?: number;
	/** Signal that the run has stopped. Waiting requests then fail. A request under way gets a moment for its answer. */
	signal?: AbortSignal;
	logger?: Logger;
}

/**
 * What the outcome of a request means for the rate limit. "accepted": an answer with any status but 429. "unanswered":
 * no answer. "unsent": a failure before the request left n8n. "refused": a 429. `retryAfter` is the wait in ms that the
 * service asked for; undefined if it asked for none.
 */
export type LimitEffect =
	| { kind: 'accepted' | 'unanswered' | 'unsent' }
	| { kind: 'refused'; retryAfter: number | undefined };

/** A waiting job: a request to send, or an item that waits for the write lock. */
export interface Job<Outcome> extends Waiting {
	waitsSince: number;
	/** Number in the order of submission. Among jobs of one item, the lower number goes first. */
	order: number;
	/** Function that sends the request once and never rejects. Undefined for an item that waits for the write lock. */
	send: (() => Promise<Outcome>) | undefined;
	resolve: (outcome?: Outcome) => void;
	reject: (reason: RateLimited | Busy | RunStopped | TooLateToLeave) => void;
}
