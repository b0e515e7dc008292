import { ExplainedError, type Facts } from './errors';

/*
 * Errors of a request that fails, or that the node does not send.
 */

/** Reason why a request gave up its wait for a slot. */
type GivenUpReason = keyof typeof GIVEN_UP;

const GIVEN_UP = {
	limit: (seconds: number) =>
		`The requests of this minute are used up; the next one is possible in ${seconds} seconds`,
	polls: () => 'Other triggers use the requests that triggers may send in this minute',
	throttled: (seconds: number) =>
		`The service refuses requests for now (HTTP 429); the next try is possible in ${seconds} seconds`,
	unanswered: () =>
		'The service has not answered the requests before this one, so this one was not sent',
};

/** Error of a request that gave up its wait for a slot. The request was not sent, so nothing took effect. */
export class RateLimited extends ExplainedError {
	/** @param waitMs remaining wait in ms until a retry may succeed */
	constructor(
		readonly waitMs: number,
		readonly reason: GivenUpReason,
	) {
		super(
			GIVEN_UP[reason](Math.ceil(waitMs / 1000)),
			'Set Options > When Rate Limited to Wait, or raise Options > Max Wait (Minutes), or run this again later',
			{
				code: 'rate-limited',
				httpCode: reason === 'throttled' ? '429' : undefined,
				retryAfterMs: waitMs,
			},
		);
	}
}

/** Error of a write that was not sent, because the node read the record too long before the write. */
export class TooLateToLeave extends ExplainedError {
	constructor() {
		super(
			'The read before this change had become too old, so that it was not sent',
			'Run this item again',
			{ code: 'not-sent' },
		);
	}
}

/** Error of an item that sent nothing, because another item held the write lock for too long. */
export class Busy extends ExplainedError {
	constructor() {
		super(
			'Another item is changing a record with this credential, so that this item was not begun',
			'Run this item again, or set Options > When Rate Limited to Wait',
			{ code: 'not-sent' },
		);
	}
}

/**
 * Error of a request that stopped early, because the user cancelled the run or another item failed. Only
 * `Run.isCancelled` tells the two causes apart. The user sees the message only after a cancellation.
 */
export class RunStopped extends ExplainedError {
	/** @param uncertain noun of the record that the item may have written ("person"); absent if it wrote nothing */
	constructor(uncertain?: string) {
		// With the word "canceled", n8n shows the execution as canceled, not as failed.
		super(
			uncertain === undefined
				? 'The run was canceled before this request was sent'
				: 'The run was canceled while this request was under way',
			uncertain === undefined
				? 'Run this item again'
				: `Whether it took effect is not known: look for the ${uncertain} before you run this item again`,
			{ code: uncertain === undefined ? 'not-sent' : 'uncertain' },
		);
	}
}

/** Error of a write that was not sent, because it names records by titles that were looked up too long ago. */
export class TitlesTooOld extends ExplainedError {
	constructor() {
		super(
			'The titles in this item were looked up too long ago, so that it was not sent',
			'Run this item again',
			{ code: 'not-sent' },
		);
	}
}

/** Returns whether an error says that a write was not sent, because it became outdated while it waited. */
export function isTooOldToSend(error: unknown): boolean {
	return error instanceof TooLateToLeave || error instanceof TitlesTooOld;
}

/**
 * Error of a write without an answer. The function that catches the error reads the record, and decides again whether
 * to write.
 */
export class LostAnswer extends ExplainedError {
	/**
	 * @param failure error that the user sees if no further request succeeds
	 * @param sentAt time when the write left, in ms since 1970, by the clock of the service
	 * @param deadline latest time for a further try, in ms of this machine's `now`
	 */
	constructor(
		readonly failure: ServiceError,
		readonly sentAt: number,
		readonly deadline: number,
	) {
		super(failure.message, failure.advice, failure.facts);
	}
}

/** Texts and facts about a failed request. The message says what happened, and the advice says how to go on. */
export interface Explanation extends Facts {
	message: string;
	advice: string;
}

/** Error of a failed request: the service refused it, did not answer, or sent an answer that the node cannot use. */
export class ServiceError extends ExplainedError {
	constructor({ message, advice, ...facts }: Explanation) {
		super(message, advice, facts);
	}

	/** HTTP status; undefined if no answer came. */
	get status(): number | undefined {
		const { httpCode } = this.facts;
		return httpCode === undefined ? undefined : Number(httpCode);
	}
}

export function isNotFound(error: unknown): boolean {
	return error instanceof ServiceError && error.status === 404;
}

/** Returns whether an error says that the service lacks a list, or hides it from this key. */
export function isNoSuchList(error: unknown): boolean {
	return error instanceof ServiceError && [403, 404, 405].includes(error.status ?? 0);
}

/**
 * Returns whether an error is about the item alone, so that other items may still succeed. An error about the key, the
 * service or the rate limit also affects other items.
 */
export function isAboutItem(error: unknown): boolean {
	if (error instanceof ServiceError) {
		return [400, 403, 404, 405, 409, 410, 422].includes(error.status ?? 0);
	}
	return !(error instanceof Busy || error instanceof RunStopped || error instanceof RateLimited);
}
