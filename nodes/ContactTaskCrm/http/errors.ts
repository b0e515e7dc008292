import { TooLateToLeave, Busy, RunStopped, RateLimited } from '../limit/errors';
import { ExplainedError } from '../util/errors';
import type { Explanation } from './explain';

/** Error of a write that was not sent, because the titles that it depends on were looked up too long ago. */
export class TitlesTooOld extends ExplainedError {
	constructor() {
		super(
			'The titles in this item were looked up too long ago, so that it was not sent',
			'Run this item again',
			{ code: 'not-sent' },
		);
	}
}

/** Returns whether an error says that a write waited too long, and was not sent. */
export function hasNotLeft(error: unknown): boolean {
	return error instanceof TooLateToLeave || error instanceof TitlesTooOld;
}

/** A write without an answer. The sender has to read the record, and decide again. */
export class LostAnswer extends ExplainedError {
	/**
	 * @param failure error for the user if no further request succeeds
	 * @param times.sentAt time when the write left, in ms of the clock's `now`
	 * @param times.deadline latest time for a further try
	 */
	constructor(
		readonly failure: ServiceError,
		readonly times: { sentAt: number; deadline: number },
	) {
		super(failure.message, failure.advice, failure.facts);
	}
}

/** Error of a failed request: the service refused it, gave no answer, or gave one that the node cannot use. */
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

/** Returns whether an error is about the item, and not about the key, the service or its limit. */
export function isAboutItem(error: unknown): boolean {
	if (error instanceof ServiceError) {
		return [400, 403, 404, 405, 409, 410, 422].includes(error.status ?? 0);
	}
	return !(error instanceof Busy || error instanceof RunStopped || error instanceof RateLimited);
}
