import { DateTime } from 'luxon';
import type { IHttpRequestMethods } from 'n8n-workflow';
import { isOfN8n, isRefusedAnswer, maybeSent, neverSent } from './networkErrors';
import type { Outcome, ServiceResponse } from './request';
import { isSuccess } from './send';
import type { LimitEffect } from '../limit/waiting';

/** Default maximum number of retries of a request. */
export const MAX_RETRIES = 5;
const FIRST_RETRY_WAIT_MS = 1_000;
/** Longest Retry-After in ms before a retry. If the service asks for more, the user gets the error at once. */
const LONGEST_ASKED_WAIT_MS = 5 * 60_000;

/** Statuses of temporary errors, from the service or a proxy in front of it. A retry may succeed. */
const TEMPORARY_STATUSES = new Set([408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524]);

/** Outcome of a request, and facts that decide on a retry. */
interface Attempted {
	outcome: Outcome;
	method: IHttpRequestMethods;
	/** Number of retries so far. `maxRetries` is its maximum. */
	retries: number;
	maxRetries: number;
	/** Random number from 0 up to 1, for the jitter. The jitter only lengthens the wait. */
	random: number;
	/** Present time in ms since 1970, to compute the wait until a date in Retry-After. */
	wallTime: number;
}

/**
 * Returns whether a request may be repeated although it may already have taken effect. See RFC 9110, section 9.2.2. A
 * PATCH with a merge-patch sets values, so a second PATCH changes nothing. A second POST could create a second record.
 * A second DELETE would find no record, and look like a failure.
 */
export function isRepeatable(method: IHttpRequestMethods): boolean {
	return method !== 'POST' && method !== 'DELETE';
}

/**
 * Decides whether to retry after a failure. The limiter handles a 429. A repeatable request is retried after a
 * temporary failure or an unreadable answer. Any other request is retried only if it never left this machine.
 */
export function retryDecision(
	attempted: Attempted,
): { kind: 'final' } | { kind: 'retry'; waitMs: number } {
	const { outcome, method, retries, maxRetries, random, wallTime } = attempted;
	if (retries >= maxRetries || !isRetrySafe(outcome, method)) return { kind: 'final' };
	const growing = FIRST_RETRY_WAIT_MS * 2 ** retries * (1 + random / 2);
	const retryAfter =
		outcome.kind === 'response' ? retryAfterMs(outcome.headers, wallTime) : undefined;
	if (retryAfter !== undefined && retryAfter > LONGEST_ASKED_WAIT_MS) return { kind: 'final' };
	return { kind: 'retry', waitMs: Math.max(growing, retryAfter ?? 0) };
}

/** Returns whether a retry is safe and may succeed. */
function isRetrySafe(outcome: Outcome, method: IHttpRequestMethods): boolean {
	if (outcome.kind === 'networkError' && neverSent(outcome.code)) return true;
	if (!isRepeatable(method)) return false;
	return outcome.kind === 'networkError'
		? maybeSent(outcome.code) && !isRefusedAnswer(outcome.code)
		: TEMPORARY_STATUSES.has(outcome.status) || isSuccess(outcome.status);
}

/**
 * Returns whether a failed write may have changed something. If the last try gets a 4xx, no try has changed anything:
 * the service would have refused the earlier tries, too. A 408, 425 or 429 does not prove this.
 *
 * @param outcome outcome of the last try
 * @param before whether an earlier try of the same write may have changed something
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

/**
 * Returns the effect of an outcome on the rate limit; for a 429, with the wait that the service asks for.
 *
 * @param wallTime this machine's time in ms since 1970
 */
export function limitEffectOf(outcome: Outcome, wallTime: number): LimitEffect {
	if (outcome.kind === 'networkError')
		return { kind: isOfN8n(outcome.code) ? 'unsent' : 'unanswered' };
	if (outcome.status !== 429) return { kind: 'accepted' };
	return { kind: 'refused', retryAfter: retryAfterMs(outcome.headers, wallTime) };
}

/** Lowest numbers in Retry-After that mean a time since 1970, in s or in ms. A lower number means seconds to wait. */
const EPOCH_SECONDS_FROM = 1e9;
const EPOCH_MILLISECONDS_FROM = 1e12;
/** Longest Retry-After that the node believes. The limit counts only 60 s, so a wait of days is probably a mistake. */
const LONGEST_BELIEVED_MS = 24 * 60 * 60_000;

/**
 * Returns the wait in ms that the service asks for. Returns undefined if the header is absent, zero, negative, in the
 * past, more than a day or unreadable.
 *
 * The interface (section 8, rule 2) leaves the unit of Retry-After open. RFC 9110, section 10.2.3 allows seconds and a
 * date. Some installations of the CRM send a time since 1970. The response's `Date` counts as the present, because this
 * machine's clock may be wrong.
 *
 * @param wallTime this machine's time in ms since 1970, for a response without `Date`
 */
export function retryAfterMs(
	{ 'retry-after': retryAfter, date }: ServiceResponse['headers'],
	wallTime: number,
): number | undefined {
	const value = retryAfter?.trim();
	if (!value) return undefined;
	const serviceTime = headerTime(date) ?? wallTime;
	let wait: number;
	if (/^\d+$/.test(value)) {
		const number = Number(value);
		const ms = number >= EPOCH_MILLISECONDS_FROM ? number : number * 1000;
		wait = number >= EPOCH_SECONDS_FROM ? ms - serviceTime : ms;
	} else {
		wait = (headerTime(value) ?? NaN) - serviceTime;
	}
	return wait > 0 && wait <= LONGEST_BELIEVED_MS ? wait : undefined;
}

/** Returns the time in a header in ms since 1970; undefined for other text. See RFC 9110, section 5.6.7. */
export function headerTime(value = ''): number | undefined {
	const time = DateTime.fromHTTP(value);
	return time.isValid ? time.toMillis() : undefined;
}
