import { DateTime } from 'luxon';

/*
 * A point in time: ISO 8601 text from the user or the service, a Date, or a Luxon DateTime.
 */

/** Source of a regular expression for a day in ISO 8601: "2026-12-31". */
export const DAY = String.raw`\d{4}-\d{2}-\d{2}`;

/** A day, or a day with a time but no zone, as the date picker writes it. */
const LOCAL = new RegExp(String.raw`^${DAY}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$`);

/** Text that begins with a day. Luxon would also parse "2026" or "20261231", which mean no time. */
const HAS_DAY = new RegExp(String.raw`^\s*${DAY}`);

const ONLY_DAY = new RegExp(String.raw`^\s*${DAY}\s*$`);

/**
 * Reads a point in time from a parameter or expression: ISO 8601 text, a Date, or a Luxon DateTime. Text without a
 * zone is in the workflow's zone.
 *
 * @returns undefined for any other value
 */
export function inZone(value: unknown, timezone: string): DateTime | undefined {
	const time =
		value instanceof Date
			? DateTime.fromJSDate(value, { zone: timezone })
			: typeof value === 'string' && HAS_DAY.test(value)
				? DateTime.fromISO(value.trim().replace(' ', 'T'), { zone: timezone, setZone: true })
				: ofAnotherLuxon(value);
	return time?.isValid ? time : undefined;
}

/** Returns whether a value is text of a day without a time. */
export function isDay(value: unknown): boolean {
	return typeof value === 'string' && ONLY_DAY.test(value);
}

/** Adds the workflow's zone to the text of a day, or of a time without a zone. Returns undefined for other text. */
export function withZone(value: string, timezone: string): string | undefined {
	if (!LOCAL.test(value.trim())) return undefined;
	return inZone(value, timezone)?.toISO({ suppressMilliseconds: true }) ?? undefined;
}

/** Reads a DateTime from an expression. `instanceof` does not recognise it, because n8n has its own copy of Luxon. */
function ofAnotherLuxon(value: unknown): DateTime | undefined {
	const { toISO } = (typeof value === 'object' && value !== null ? value : {}) as {
		toISO?: () => unknown;
	};
	if (typeof toISO !== 'function') return undefined;
	const text = toISO.call(value);
	return typeof text === 'string' ? DateTime.fromISO(text, { setZone: true }) : undefined;
}

/** A day, with or without a time of day and a zone, in ISO 8601 and RFC 3339. */
const ISO_8601 = new RegExp(
	String.raw`^(${DAY})(T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?(?:Z|([+-]\d{2}):?(\d{2})?)?$`,
	'i',
);

/**
 * Returns a point in time that a service wrote as ISO 8601 text, in ms since 1970. Text without a zone is in UTC. The
 * node reads tens of thousands of such texts a second; Luxon is too slow for that.
 *
 * @returns undefined for any other value
 */
export function instantOf(value: unknown): number | undefined {
	const parts = isoParts(value);
	if (!parts) return undefined;
	const [, day, time = 'T00:00', hours, minutes = '00'] = parts;
	const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
	const instant = Date.parse(day + time.toUpperCase().replace(',', '.') + zone);
	return Number.isNaN(instant) ? undefined : instant;
}

export function isZoned(value: unknown): boolean {
	const parts = isoParts(value);
	return parts !== null && parts[2] !== undefined && !parts[0].endsWith(parts[2]);
}

/** Returns the offset from UTC in ISO 8601 text, in minutes. Returns undefined for text without a zone. */
export function offsetOf(value: unknown): number | undefined {
	if (!isZoned(value)) return undefined;
	const [, , , hours = '+00', minutes = '00'] = isoParts(value)!;
	return Number(hours) * 60 + Number(hours.charAt(0) + minutes);
}

/** Splits ISO 8601 text into its parts. Some services write a space instead of the "T". */
function isoParts(value: unknown): RegExpExecArray | null {
	return typeof value === 'string' ? ISO_8601.exec(value.trim().replace(' ', 'T')) : null;
}

/** Converts a time with a zone to UTC with "Z". Other values stay as they are. */
export function inUtc(value: unknown): unknown {
	const instant = isZoned(value) ? instantOf(value) : undefined;
	return instant === undefined ? value : asText(instant);
}

/**
 * Returns whether a service shows the given time, within the service's precision. Many services cut milliseconds, or
 * show a day as its midnight.
 */
export function isSameTime(shown: unknown, given: unknown): boolean {
	const [one, other] = [shown, given].map(isoParts);
	if (!one || !other) return false;
	const isSameDay = one[1] === other[1];
	if (one[2] === undefined) return isSameDay;
	if (other[2] === undefined) return isSameDay && /^T00:00(:00([.,]0+)?)?$/i.test(one[2]);
	const [at, wanted] = [instantOf(shown) ?? NaN, instantOf(given) ?? NaN];
	return at === (/[.,]/.test(one[2]) ? wanted : wholeSecond(wanted));
}

/** Writes a point in time as ISO 8601 text in UTC. */
export function asText(time: number): string {
	return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Rounds a time down to the second, because services show and compare only seconds. */
export function wholeSecond(time: number): number {
	return Math.floor(time / 1000) * 1000;
}

export const MINUTE_MS = 60_000;

const HOUR = String.raw`(?:[01]\d|2[0-3])`;
const DATE_TIME = new RegExp(
	String.raw`^(${DAY})(?:[T ]${HOUR}:[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:Z|[+-]${HOUR}(?::?[0-5]\d)?))?$`,
	'i',
);

/** Returns whether a text is a day that exists, or such a day with a time of day and its zone. */
export function isDateTime(value: string): boolean {
	const day = DATE_TIME.exec(value)?.[1];
	if (day === undefined) return false;
	// Parsing moves a day that does not exist, such as 30 February, into the next month.
	const midnight = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
