const CALENDAR = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const ISO_WEEK = /^\d{4}-W\d{2}(-\d)?$/;
const MONTH = /^\d{4}-\d{2}$/;
const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Reads a calendar date or a date-time; one without an offset is in UTC, as in the service's
 * database.
 *
 * @returns milliseconds since the epoch, or undefined where it is neither
 */
export function parseTimestamp(text: string): number | undefined {
	if (!CALENDAR.test(text) && !DATE_TIME.test(text)) return undefined;
	const complete = CALENDAR.test(text) || OFFSET.test(text) ? text : `${text}Z`;
	const at = Date.parse(complete);
	return Number.isNaN(at) ? undefined : at;
}

const DAY_MS = 24 * 3600 * 1000;

/** A date of a filter, also one of the words that PHP reads as a date; nothing is now. */
export function readWords(text: string, now: number): number | undefined {
	const midnight = Math.floor(now / DAY_MS) * DAY_MS;
	const words: Record<string, number> = {
		'': now,
		now,
		today: midnight,
		tomorrow: midnight + DAY_MS,
		yesterday: midnight - DAY_MS,
	};
	return words[text.trim().toLowerCase()] ?? parseTimestamp(text);
}

/**
 * Whether the service could read a text as a date. The interface shows no format for the dates of
 * a task, so weeks and months pass too.
 */
export function isParseableDate(text: string): boolean {
	return ISO_WEEK.test(text) || MONTH.test(text) || parseTimestamp(text) !== undefined;
}

/**
 * A time as API Platform writes it: RFC 3339, whole seconds, the offset written out.
 *
 * @param at milliseconds since the epoch
 */
export function formatTimestamp(at: number): string {
	return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}

/** A time as a database without zones keeps it: its offset is dropped. */
export function withoutOffset(text: string): string {
	return DATE_TIME.test(text) ? text.replace(OFFSET, '') : text;
}

/** The date of a request as the service gives it back; a week or a month stays as it came. */
export function normalizeTimestamp(text: string): string {
	const at = parseTimestamp(text);
	return at === undefined ? text : formatTimestamp(at);
}
