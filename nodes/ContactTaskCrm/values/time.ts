import { once } from 'lodash';
import { DateTime, Info } from 'luxon';
import { folded } from './text';

/*
 * Reads and writes points in time. A point in time is ISO 8601 text from the user or the service, a Date, or a Luxon
 * DateTime.
 */

/** Source of a regular expression for a day in ISO 8601: "2026-12-31". */
const DAY = String.raw`\d{4}-\d{2}-\d{2}`;

/** Matches a day, or a day with a time but no zone. The date picker of the editor writes such text. */
const LOCAL = new RegExp(String.raw`^${DAY}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$`);

/** Matches text that begins with a day. Luxon alone would also parse "2026" and "20261231", which mean no time. */
const HAS_DAY = new RegExp(String.raw`^\s*${DAY}`);

const ONLY_DAY = new RegExp(String.raw`^\s*${DAY}\s*$`);

/**
 * Reads a point in time from a parameter or expression: ISO 8601 text, a Date, or a Luxon DateTime. Text without a zone
 * is in `timezone`, the zone of the workflow.
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

/** Matches a time on a whole minute, with its zone. */
const WHOLE_MINUTE = new RegExp(String.raw`^${DAY}T\d\d:\d\d:00(?:\.0+)?(?:Z|[+-]\d\d:?\d\d)$`);

/**
 * Returns a time on a whole minute as people write it: "2026-12-31 17:00 CET". Returns undefined for any other value.
 */
export function timeText(value: string, timezone: string): string | undefined {
	if (!WHOLE_MINUTE.test(value)) return undefined;
	return DateTime.fromISO(value, { zone: timezone, locale: 'en' }).toFormat(
		'yyyy-MM-dd HH:mm ZZZZ',
	);
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

/** Matches a date as people write it: three numbers with the same sign between them, and perhaps a time of day. */
const WRITTEN_DATE =
	/^(\d{1,4})([./-])(\d{1,2})\2(\d{4}|\d{1,2})?(?:[,\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(?:([ap])\.?m\.?)?)?$/i;

/** Matches a date with the name of a month between the day and the year: "20/Mar/26", "20 mars 2026". */
const WITH_MONTH = /^(\d{1,2})[ ./-]{1,2}(\p{L}{3,9})[ ./-]{1,2}(\d{4}|\d{2})(?=$|[,\s])/u;

/** Matches a time from 2001 to 2033 as the number of milliseconds since 1970. */
const MILLISECONDS = /^1\d{12}$/;

/** Matches a date with the name of a month before the day: "Dec 31, 2026". */
const MONTH_FIRST = /^(\p{L}{3,9})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})(?=$|[,\s])/u;

const LANGUAGES = ['en', 'nl', 'de', 'de-AT', 'fr'];

/** Returns all names of months or weekdays, long and short, with their numbers. Removes accents and dots. */
function named(kind: 'months' | 'weekdays') {
	return LANGUAGES.flatMap((locale) =>
		(['long', 'short'] as const).flatMap((length) =>
			Info[kind](length, { locale }).map(
				(name, index) => [folded(name).replace('.', ''), index + 1] as const,
			),
		),
	);
}

/** Names of months with numbers, and of weekdays. "Mar" is March, and not Tuesday (mardi). "Mrz" is German. */
const namesInDates = once(() => {
	const months = new Map([...named('months'), ['mrz', 3] as const]);
	const days = named('weekdays').map(([name]) => name);
	return { months, weekdays: new Set(days.filter((name) => !months.has(name))) };
});

/** Removes the day of the week in front of a date: "Thursday, Dec 31, 2026". */
function withoutWeekday(text: string): string {
	return text.replace(/^(\p{L}{2,10})[.,\s]{1,3}(?=\S)/u, (whole, word: string) =>
		namesInDates().weekdays.has(folded(word)) ? '' : whole,
	);
}

/**
 * Replaces the name of a month by its number, and removes the weekday. "vendredi 20 mars 2026" and "mars 20, 2026"
 * become "20.3.2026". The dots tell `writtenDate` that the day comes first.
 */
function withNumbers(text: string): string {
	const dated = (whole: string, day: string, name: string, year: string) => {
		const month = namesInDates().months.get(folded(name));
		return month === undefined ? whole : `${day}.${month}.${year}`;
	};
	return withoutWeekday(text)
		.replace(WITH_MONTH, dated)
		.replace(MONTH_FIRST, (whole: string, name: string, day: string, year: string) =>
			dated(whole, day, name, year),
		);
}

/**
 * Reads a date as people and programs write it, and returns it as ISO 8601 text. A number of 13 digits counts
 * milliseconds. With dots or the name of a month, the day comes first: "31.12.2026", "31/Dec/26". With slashes or
 * hyphens, one of the first two numbers must be above 12, or both must be equal: "31-12-2026", "12/31/2026".
 *
 * @returns undefined for any other text, such as "1/2/2026", which may be in January or February
 */
export function writtenDate(text: string): string | undefined {
	if (MILLISECONDS.test(text.trim())) return asText(Number(text));
	const [, first = '', sign, second = '', third = '', hours, minutes = '00', seconds = '00', half] =
		WRITTEN_DATE.exec(withNumbers(text.trim())) ?? [];
	const day = sign === undefined ? undefined : dayOf(sign, first, second, third);
	if (day === undefined || hours === undefined) return day;
	const inHalf =
		half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
	return `${day} ${padded(inHalf)}:${minutes}:${seconds}`;
}

function padded(number: number | string): string {
	return String(number).padStart(2, '0');
}

function dayOf(sign: string, first: string, second: string, third: string): string | undefined {
	const iso = (year: string, month: string, day: string) => {
		const text = `${year.length === 2 ? `20${year}` : year}-${padded(month)}-${padded(day)}`;
		return isDateTime(text) ? text : undefined;
	};
	// In "2026/12/31" and "2026.12.31", the year comes first, as in ISO 8601.
	if (first.length === 4) return iso(first, second, third);
	if (sign === '.') return iso(third, second, first);
	// The first number of "26/12/31" may be the year, so the date is not clear.
	if (third.length !== 4) return undefined;
	const [one, other] = [Number(first), Number(second)];
	if (one > 12 || one === other) return iso(third, second, first);
	return other > 12 ? iso(third, first, second) : undefined;
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

/** Matches a day in ISO 8601 or RFC 3339, with or without a time of day and a zone. */
const ISO_8601 = new RegExp(
	String.raw`^(${DAY})(T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?(?:Z|([+-]\d{2}):?(\d{2})?)?$`,
	'i',
);

/**
 * Returns a point in time from ISO 8601 text of the service, in ms since 1970. Text without a zone is in UTC. Does not
 * use Luxon, which is too slow for tens of thousands of texts a second.
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

/** Returns whether a value is the text of a time with its zone, such as "2026-12-31T17:00Z". */
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

/** Splits ISO 8601 text into its parts. Some installations of the CRM write a space instead of the "T". */
function isoParts(value: unknown): RegExpExecArray | null {
	return typeof value === 'string' ? ISO_8601.exec(value.trim().replace(' ', 'T')) : null;
}

/** Converts a time with a zone to UTC with "Z". Other values stay as they are. */
export function inUtc(value: unknown): unknown {
	const instant = isZoned(value) ? instantOf(value) : undefined;
	return instant === undefined ? value : asText(instant);
}

/**
 * Returns whether `shown`, a time from the service, is the time `given`. The shown time may be less precise, because
 * many installations of the CRM cut milliseconds, or show a day as its midnight.
 */
export function isSameTime(shown: unknown, given: unknown): boolean {
	const [shownParts, givenParts] = [shown, given].map(isoParts);
	if (!shownParts || !givenParts) return false;
	const isSameDay = shownParts[1] === givenParts[1];
	const shownTime = shownParts[2];
	if (shownTime === undefined) return isSameDay;
	if (givenParts[2] === undefined) return isSameDay && /^T00:00(:00([.,]0+)?)?$/i.test(shownTime);
	const [shownMs, givenMs] = [instantOf(shown) ?? NaN, instantOf(given) ?? NaN];
	return shownMs === (/[.,]/.test(shownTime) ? givenMs : wholeSecond(givenMs));
}

/** Writes a point in time, in ms since 1970, as ISO 8601 text in UTC. */
export function asText(time: number): string {
	return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** Rounds a time in ms down to the second, because many installations of the CRM show and compare only seconds. */
export function wholeSecond(time: number): number {
	return Math.floor(time / 1000) * 1000;
}

export const MINUTE_MS = 60_000;

const HOUR = String.raw`(?:[01]\d|2[0-3])`;
/** Matches a day, perhaps with a time. `(?=[1-9])` refuses a year before 1000: a slip, as 0026 for 2026. */
const DATE_TIME = new RegExp(
	String.raw`^(?=[1-9])(${DAY})(?:[T ]${HOUR}:[0-5]\d(?::(?:[0-5]\d|60)(?:\.\d+)?)?(?:Z|[+-]${HOUR}(?::?[0-5]\d)?))?$`,
	'i',
);

/** Returns whether a text is a day that exists, perhaps with a time of day, and perhaps with a zone. */
export function isDateTime(value: string): boolean {
	const day = DATE_TIME.exec(value)?.[1];
	if (day === undefined) return false;
	// Parsing moves a day that does not exist, such as 30 February, into the next month.
	const midnight = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
