import type { IHttpRequestMethods } from 'n8n-workflow';
import type { Outcome } from './http';
import { isSuccess } from './http';
import { isRefusedAnswer, maybeSent, neverSent } from './networkErrors';
import { retryAfterMs } from './retryAfter';

/** Times a request is sent again after its first failure. */
export const MAX_RETRIES = 5;
const FIRST_WAIT_MS = 1_000;
/** A run does not stand still for longer without a word: then it is told that the service is down. */
const LONGEST_ASKED_WAIT_MS = 5 * 60_000;

/** Answers of a service, or of what stands before it, that a later try may not get. */
const PASSING_STATUSES = new Set([408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

export type RetryDecision = { kind: 'final' } | { kind: 'retry'; waitMs: number };

/** Whether an answer says success but cannot be read: JSON was announced and text has come. */
export function isTruncated(outcome: Outcome): boolean {
	return (
		outcome.kind === 'response' &&
		isSuccess(outcome.status) &&
		typeof outcome.body === 'string' &&
		outcome.body !== '' &&
		/\bjson\b/.test(outcome.headers['content-type'] ?? '')
	);
}

/** An outcome, and what is known of the request that had it. */
export interface Attempted {
	outcome: Outcome;
	method: IHttpRequestMethods;
	/** How often the request was sent again so far. */
	retries: number;
	/** How often it may be sent again; five times where absent. */
	maxRetries?: number;
	/** From 0 up to 1; the jitter only ever lengthens the wait. */
	random: number;
	/** ms since 1970, to read a date in Retry-After. */
	wallTime: number;
}

/**
 * What to do after an outcome other than 429, which the tenant's limiter deals with.
 *
 * Requests that may be repeated without harm (RFC 9110, section 9.2.2; merge-patch sets values and
 * so may be, too) are tried again; a POST only where it provably never left.
 */
export function retryDecision(attempted: Attempted): RetryDecision {
	const { outcome, method, retries, maxRetries = MAX_RETRIES, random, wallTime } = attempted;
	if (retries >= maxRetries || !mayPass(outcome, method)) return { kind: 'final' };
	const growing = FIRST_WAIT_MS * 2 ** retries * (1 + random / 2);
	const asked =
		outcome.kind === 'response'
			? retryAfterMs(
					{ retryAfter: outcome.headers['retry-after'], date: outcome.headers.date },
					wallTime,
				)
			: undefined;
	if (asked !== undefined && asked > LONGEST_ASKED_WAIT_MS) return { kind: 'final' };
	return { kind: 'retry', waitMs: Math.max(growing, asked ?? 0) };
}

function mayPass(outcome: Outcome, method: IHttpRequestMethods): boolean {
	if (outcome.kind === 'networkError' && neverSent(outcome.code)) return true;
	if (method === 'POST') return false;
	return outcome.kind === 'networkError'
		? maybeSent(outcome.code) && !isRefusedAnswer(outcome.code)
		: PASSING_STATUSES.has(outcome.status) || isTruncated(outcome);
}

/**
 * Whether a request may have changed something although it did not succeed: a write that was answered
 * with a failure of the service, or not at all.
 */
export function mayHaveTakenEffect(outcome: Outcome, method: IHttpRequestMethods): boolean {
	if (method === 'GET') return false;
	return outcome.kind === 'networkError'
		? maybeSent(outcome.code)
		: outcome.status < 300 || outcome.status >= 500 || outcome.status === 408;
}
