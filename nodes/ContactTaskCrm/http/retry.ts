import { DateTime } from 'luxon';
import type { IHttpRequestMethods } from 'n8n-workflow';
import { instantOf } from '../util/dateTime';
import { isRefusedAnswer, maybeSent, neverSent } from './networkErrors';
import type { Outcome, ServiceResponse } from './request';
import { isSuccess } from './send';

/** How often a request is sent again after its first failure, as a rule. */
export const MAX_RETRIES = 5;
const FIRST_WAIT_MS = 1_000;
/** A run does not stand still for longer without a word: then it is told that the service is down. */
const LONGEST_ASKED_WAIT_MS = 5 * 60_000;

/** Answers of a service, or of what stands before it, that a later try may not get. */
const PASSING_STATUSES = new Set([408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

export type RetryDecision = { kind: 'final' } | { kind: 'retry'; waitMs: number };

/** An outcome, and what is known of the request that had it. */
export interface Attempted {
	outcome: Outcome;
	method: IHttpRequestMethods;
	/** How often the request was sent again so far. */
	retries: number;
	/** How often it may be sent again. */
	maxRetries: number;
	/** From 0 up to 1; the jitter only ever lengthens the wait. */
	random: number;
	/** ms since 1970, to read a date in Retry-After. */
	wallTime: number;
}

/**
 * Whether a request may be sent again although the one before may have taken effect: it then does nothing new
 * (RFC 9110, section 9.2.2; merge-patch sets values and so may be, too). A record that is removed twice would
 * be reported as missing.
 */
export function isRepeatable(method: IHttpRequestMethods): boolean {
	return method !== 'POST' && method !== 'DELETE';
}

/**
 * What to do after an outcome other than 429, which the tenant's limiter deals with, and other than an answer of
 * success that can be read.
 *
 * Requests that may be repeated without harm are tried again; others only where they provably never left.
 */
export function retryDecision(attempted: Attempted): RetryDecision {
	const { outcome, method, retries, maxRetries, random, wallTime } = attempted;
	if (retries >= maxRetries || !mayPass(outcome, method)) return { kind: 'final' };
	const growing = FIRST_WAIT_MS * 2 ** retries * (1 + random / 2);
	const asked = outcome.kind === 'response' ? retryAfterMs(outcome.headers, wallTime) : undefined;
	if (asked !== undefined && asked > LONGEST_ASKED_WAIT_MS) return { kind: 'final' };
	return { kind: 'retry', waitMs: Math.max(growing, asked ?? 0) };
}

function mayPass(outcome: Outcome, method: IHttpRequestMethods): boolean {
	if (outcome.kind === 'networkError' && neverSent(outcome.code)) return true;
	if (!isRepeatable(method)) return false;
	return outcome.kind === 'networkError'
		? maybeSent(outcome.code) && !isRefusedAnswer(outcome.code)
		: PASSING_STATUSES.has(outcome.status) || isSuccess(outcome.status);
}

/**
 * Returns whether the tries of a write so far may have changed something, although none had success. A refusal of
 * the service decides that none has: it would have refused the tries before as well.
 *
 * @param outcome of the last try
 * @param before whether the tries before may have changed something
 */
export function mayHaveTakenEffect(
	outcome: Outcome,
	method: IHttpRequestMethods,
	before = false,
): boolean {
	if (method === 'GET') return false;
	if (outcome.kind === 'networkError') return before || maybeSent(outcome.code);
	const { status } = outcome;
	if (status === 408 || status < 300 || status >= 500) return true;
	return before && (status < 400 || status === 425 || status === 429);
}

/** From this on, a number of digits is no longer a number of seconds anybody would wait. */
const EPOCH_SECONDS_FROM = 1e9;
const EPOCH_MILLISECONDS_FROM = 1e12;
/** A longer wait is no answer to a limit of 60 s: believed, one header would close a tenant for good. */
const LONGEST_BELIEVED_MS = 24 * 60 * 60_000;

/**
 * How long the service asks to wait, in milliseconds, or undefined where it does not say so in any
 * form that can be relied on (missing, zero, negative, in the past, more than a day, junk).
 *
 * The interface (section 8, rule 2) leaves the unit open. RFC 9110, section 10.2.3 allows seconds
 * and a date; services also send epochs. Points in time are measured against the response's `Date`,
 * so that a clock that is wrong here changes nothing.
 *
 * @param wallTime this machine's time in ms since 1970, used where the response has no `Date`
 */
export function retryAfterMs(
	{ 'retry-after': retryAfter, date }: ServiceResponse['headers'],
	wallTime: number,
): number | undefined {
	const value = retryAfter?.trim();
	if (!value) return undefined;

	const serviceTime = headerTime(date) ?? wallTime;
	let wait: number;
	if (/^[+-]?\d+(\.\d+)?$/.test(value)) {
		const number = Number(value);
		const ms = number >= EPOCH_MILLISECONDS_FROM ? number : number * 1000;
		wait = number >= EPOCH_SECONDS_FROM ? ms - serviceTime : ms;
	} else {
		wait = (headerTime(value) ?? NaN) - serviceTime;
	}
	return wait > 0 && wait <= LONGEST_BELIEVED_MS ? wait : undefined;
}

/**
 * The time that a header gives, in ms since 1970, in the forms of RFC 9110, section 5.6.7, and
 * ISO 8601; one without a zone is meant in UTC.
 */
export function headerTime(value: string | undefined): number | undefined {
	// Without letters it is no date with a time, though ISO 8601 reads a year in "2026".
	if (value === undefined || !/[A-Za-z]/.test(value)) return undefined;
	const readings = [DateTime.fromHTTP(value), DateTime.fromRFC2822(value)];
	return readings.find((time) => time.isValid)?.toMillis() ?? instantOf(value);
}
