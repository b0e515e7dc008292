import { z } from 'zod';
import { isEmail } from '../values/email';
import { isPhoneNumber } from '../values/phone';
import { isDateTime } from '../values/time';

/**
 * Describes a text that has to pass the test `isRight`.
 *
 * @param expected error message for any other value
 */
function textWhere(expected: string, isRight: (text: string) => boolean) {
	return z.string({ invalid_type_error: expected }).refine(isRight, expected);
}

export const text = z.string({ invalid_type_error: 'expected a text' });

export const wholeNumber = z
	.number({ invalid_type_error: 'expected a whole number such as 3' })
	.int('expected a whole number such as 3');

export const TRUTH_EXPECTED = 'expected true or false';

export const trueOrFalse = z.boolean({ invalid_type_error: TRUTH_EXPECTED });

const ESTIMATION_EXPECTED = 'expected a number or a text';

/** Type of an estimation: a number or a text, because the interface does not say which of them. */
export const estimation = z.union([z.number(), z.string().regex(/\S/, ESTIMATION_EXPECTED)], {
	errorMap: () => ({ message: ESTIMATION_EXPECTED }),
});

export const DATE_TIME_EXPECTED = 'expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z';

/** A date, or a date and time with a zone (ISO 8601). Without a zone, the service would assume its own zone. */
export const dateTime = textWhere(DATE_TIME_EXPECTED, isDateTime);

/** A date and time with a zone. The format "date-time" of the interface does not allow a date alone. */
export const pointInTime = textWhere(
	'expected a date and time such as 2026-12-31T17:00:00Z',
	(value) => isDateTime(value) && value.includes(':'),
);

/** The form of an e-mail address. The service may still refuse the address. */
export const email = textWhere('expected an e-mail address such as name@example.com', isEmail);

export const phoneNumber = textWhere(
	'expected a phone number such as +31 6 12345678',
	isPhoneNumber,
);

export const phoneType = z.enum(['fax', 'mobile', 'home', 'work'], {
	errorMap: () => ({ message: 'expected one of fax, mobile, home and work' }),
});

export function listFormat<T extends z.ZodTypeAny>(item: T) {
	return z.array(item, { invalid_type_error: 'expected a list' });
}

/** Describes an object. Every field is optional, and unknown fields pass. */
export function openObject<T extends z.ZodRawShape>(shape: T) {
	return z.object(shape, { invalid_type_error: 'expected an object' }).partial().passthrough();
}

/** Matches parts such as INTERVAL=2, with semicolons between them. One part has to be the frequency, FREQ. */
const RECURRENCE_RULE =
	/^(?:RRULE:)?(?:[A-Z-]+=[^=;]+;)*FREQ=(?:SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)(?:;[A-Z-]+=[^=;]+)*$/i;

/** A recurrence rule of RFC 5545 with a frequency. The service checks the other parts of the rule. */
export const recurrenceRule = textWhere(
	'expected a recurrence rule such as FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
	(value) => RECURRENCE_RULE.test(value),
);
