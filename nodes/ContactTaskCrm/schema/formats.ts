import { z } from 'zod';

/** Any text. */
export const text = z.string({ invalid_type_error: 'expected a text' });

/** A number without a fraction. */
export const wholeNumber = z
	.number({ invalid_type_error: 'expected a whole number such as 3' })
	.int('expected a whole number such as 3');

/** A yes or no. */
export const trueOrFalse = z.boolean({ invalid_type_error: 'expected true or false' });

/** An estimation: the interface does not show whether it is a number or a text. */
export const estimation = z.union([z.number(), z.string().regex(/\S/)], {
	errorMap: () => ({ message: 'expected a number or a text' }),
});

export const DATE_TIME_EXPECTED = 'expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z';
const DATE_TIME =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?))?$/i;

function isDateTime(value: string): boolean {
	const day = DATE_TIME.exec(value)?.[1];
	if (day === undefined) return false;
	// A day that is not in the calendar, such as 30 February, moves into the next month when parsed.
	const midnight = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/**
 * A date, or a date and time with its zone, as in ISO 8601; RFC 3339 is a part of what passes. A time
 * without a zone would be read in whatever zone the service is in.
 */
export const dateTime = z
	.string({ invalid_type_error: DATE_TIME_EXPECTED })
	.refine(isDateTime, DATE_TIME_EXPECTED);

const POINT_IN_TIME_EXPECTED = 'expected a date and time such as 2026-12-31T17:00:00Z';

/** A date and time with its zone: the format "date-time" of the interface takes no date alone. */
export const pointInTime = z
	.string({ invalid_type_error: POINT_IN_TIME_EXPECTED })
	.refine((value) => isDateTime(value) && value.includes(':'), POINT_IN_TIME_EXPECTED);

const EMAIL_EXPECTED = 'expected an e-mail address such as name@example.com';

/**
 * An e-mail address. Deliberately loose: one "@" with something on both sides; whether the service
 * takes an address beyond that is left to the service.
 */
export const email = z
	.string({ invalid_type_error: EMAIL_EXPECTED })
	.regex(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/, EMAIL_EXPECTED);

/** The kinds of phone number that the service knows. */
const PHONE_TYPES = ['fax', 'mobile', 'home', 'work'] as const;

/** The kind of a phone number. */
export const phoneType = z.enum(PHONE_TYPES, {
	errorMap: () => ({ message: 'expected one of fax, mobile, home and work' }),
});

/** A reference to another record by path; the example shows the kind of record that is meant. */
export function iri(example: string) {
	const expected = `expected an ID or an IRI such as ${example}`;
	return z.string({ invalid_type_error: expected }).regex(/^\/[^\s/]+(?:\/[^\s/]+)+$/, expected);
}

/** Several references to other records. */
export function iris(example: string) {
	return listFormat(iri(example));
}

const COLUMN_EXPECTED = 'expected a column of a workspace such as /workspaces/5c1f/columns/12ab';

/** A column of a workspace, which a task has as its status. */
export const columnIri = z
	.string({ invalid_type_error: COLUMN_EXPECTED })
	.regex(/^\/[^\s]*\/columns\/[^\s/]+$/, COLUMN_EXPECTED);

/** Several values of one kind. */
export function listFormat<T extends z.ZodTypeAny>(item: T) {
	return z.array(item, { invalid_type_error: 'expected a list' });
}

/** An object of which only some fields are known; the others pass. */
export function openObject<T extends z.ZodRawShape>(shape: T) {
	return z.object(shape, { invalid_type_error: 'expected an object' }).partial().passthrough();
}

const RRULE_EXPECTED = 'expected a recurrence rule such as FREQ=WEEKLY;INTERVAL=2;BYDAY=MO';
const FREQUENCIES = /^(?:SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)$/;
const RRULE_PARTS: ReadonlySet<string> = new Set([
	'FREQ',
	'UNTIL',
	'COUNT',
	'INTERVAL',
	'BYSECOND',
	'BYMINUTE',
	'BYHOUR',
	'BYDAY',
	'BYMONTHDAY',
	'BYYEARDAY',
	'BYWEEKNO',
	'BYMONTH',
	'BYSETPOS',
	'WKST',
	'RSCALE',
	'SKIP',
]);

function isRecurrenceRule(value: string): boolean {
	const parts = new Map<string, string>();
	for (const part of value
		.toUpperCase()
		.replace(/^RRULE:/, '')
		.split(';')) {
		const [name, setting, ...rest] = part.split('=');
		if (!RRULE_PARTS.has(name) || !setting || rest.length > 0 || parts.has(name)) return false;
		parts.set(name, setting);
	}
	return FREQUENCIES.test(parts.get('FREQ') ?? '');
}

/** A recurrence rule of RFC 5545. What its parts may hold is left to the service. */
export const recurrenceRule = z
	.string({ invalid_type_error: RRULE_EXPECTED })
	.refine(isRecurrenceRule, RRULE_EXPECTED);
