import { ExplainedError } from '../util/errors';

/** Reason to give up a request before it is sent. */
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

/** Error of a write that was not sent, because the read that it starts from had become too old while it waited. */
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
	/** @param cause start of the message, such as "Another run is changing the person 1f0c" */
	constructor(cause: string) {
		super(
			`${cause}, so that this item was not begun`,
			'Run this item again, or set Options > When Rate Limited to Wait',
			{ code: 'not-sent' },
		);
	}
}

/**
 * Error of a request that stopped early, because the user cancelled the run or another item failed. Only
 * `Run.isCancelled` tells the two reasons apart. The user sees the message only after a cancellation.
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
