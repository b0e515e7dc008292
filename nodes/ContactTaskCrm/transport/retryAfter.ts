import { DateTime } from 'luxon';
import { instantOf } from '../common/dateTime';

/** From this on, a number of digits is no longer a number of seconds anybody would wait. */
const EPOCH_SECONDS_FROM = 1e9;
const EPOCH_MILLISECONDS_FROM = 1e12;
/** A longer wait is no answer to a limit of 60 s: believed, one header would close a tenant for good. */
const LONGEST_BELIEVED_MS = 24 * 60 * 60_000;

export interface RetryAfterHeaders {
	/** The `Retry-After` header as received. */
	retryAfter?: string;
	/** The `Date` header of the same response: the service's own clock. */
	date?: string;
}

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
export function retryAfterMs(headers: RetryAfterHeaders, wallTime: number): number | undefined {
	const value = headers.retryAfter?.trim();
	if (!value) return undefined;

	const serviceTime = headerTime(headers.date) ?? wallTime;
	const wait = /^[+-]?\d+(\.\d+)?$/.test(value)
		? waitFromNumber(Number(value), serviceTime)
		: waitUntil(headerTime(value), serviceTime);
	return wait !== undefined && wait > 0 && wait <= LONGEST_BELIEVED_MS ? wait : undefined;
}

function waitFromNumber(value: number, serviceTime: number): number {
	if (value >= EPOCH_MILLISECONDS_FROM) return value - serviceTime;
	if (value >= EPOCH_SECONDS_FROM) return value * 1000 - serviceTime;
	return value * 1000;
}

function waitUntil(time: number | undefined, serviceTime: number): number | undefined {
	return time === undefined ? undefined : time - serviceTime;
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
