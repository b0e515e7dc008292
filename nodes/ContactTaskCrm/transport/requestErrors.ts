import { ExplainedError } from '../common/errors';

/** The request was given up because of the rate limit; nothing of it took effect. */
export class RateLimited extends ExplainedError {
	/**
	 * @param waitMs how long the caller would still have had to wait
	 * @param reason the own count of the minute, or a 429 of the service
	 */
	constructor(
		readonly waitMs: number,
		readonly reason: 'limit' | 'throttled',
	) {
		const seconds = Math.ceil(waitMs / 1000);
		super(
			reason === 'limit'
				? `The requests of this minute are used up; the next one is possible in ${seconds} seconds`
				: `The service refuses requests for now (HTTP 429); the next try is possible in ${seconds} seconds`,
			'Set Options > When Rate Limited to Wait, or raise Options > Max Wait (Minutes), or run this again later',
			reason === 'throttled' ? '429' : undefined,
			waitMs,
		);
	}
}

/** The run was stopped or cancelled before the request was sent; nothing of it took effect. */
export class Cancelled extends Error {
	constructor() {
		super('The request was not sent');
	}
}
