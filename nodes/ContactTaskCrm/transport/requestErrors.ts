import { ExplainedError } from '../common/errors';

/** Why a request was given up before it was sent. */
export type GivenUpReason =
	/** The own count of the minute. */
	| 'limit'
	/** A 429 of the service. */
	| 'throttled'
	/** Requests before it that the service has not answered yet. */
	| 'unanswered';

function messageOf(reason: GivenUpReason, waitMs: number): string {
	const seconds = Math.ceil(waitMs / 1000);
	switch (reason) {
		case 'limit':
			return `The requests of this minute are used up; the next one is possible in ${seconds} seconds`;
		case 'throttled':
			return `The service refuses requests for now (HTTP 429); the next try is possible in ${seconds} seconds`;
		case 'unanswered':
			return 'The service has not answered the requests before this one, so this one was not sent';
	}
}

/** The request was given up because of the rate limit; nothing of it took effect. */
export class RateLimited extends ExplainedError {
	/** @param waitMs how long the caller would still have had to wait */
	constructor(
		readonly waitMs: number,
		readonly reason: GivenUpReason,
	) {
		super(
			messageOf(reason, waitMs),
			'Set Options > When Rate Limited to Wait, or raise Options > Max Wait (Minutes), or run this again later',
			reason === 'throttled' ? '429' : undefined,
			waitMs,
		);
	}
}

/** The run was stopped or cancelled before the request was sent, or while it was under way. */
export class Cancelled extends ExplainedError {
	/** @param uncertain the noun of what may have been written all the same: "person" */
	constructor(uncertain?: string) {
		// n8n shows an execution as canceled, and not as failed, by this word in the message.
		super(
			uncertain === undefined
				? 'The run was canceled before this request was sent'
				: 'The run was canceled while this request was under way',
			uncertain === undefined
				? 'Run this item again'
				: `Whether it took effect is not known: look for the ${uncertain} before you run this item again`,
		);
		this.mayHaveTakenEffect = uncertain !== undefined;
	}

	readonly mayHaveTakenEffect: boolean;
}
