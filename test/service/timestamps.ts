import { DateTime } from 'luxon';
import type { Switches } from './switches';

const CALENDAR = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const ISO_WEEK = /^\d{4}-W\d{2}(-\d)?$/;
const MONTH = /^\d{4}-\d{2}$/;
const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/;

/** Switches that decide the meaning of a time. */
export type TimeRules = Pick<Switches, 'timezone' | 'offsets'>;

/**
 * Returns the instant at which a zone has the clock time that UTC has at `at`. If there are two such instants, returns
 * the first, like PHP.
 */
function moveTo(zone: string, at: number): number {
	const moved = DateTime.fromMillis(at, { zone: 'utc' }).setZone(zone, { keepLocalTime: true });
	return moved.getPossibleOffsets()[0].toMillis();
}

/**
 * Reads a calendar date or a date-time. If there is no offset, or if offsets are dropped, the time is in the
 * service's zone.
 *
 * @returns milliseconds since the epoch; undefined for any other text
 */
function parseTimestamp(text: string, { timezone, offsets }: TimeRules): number | undefined {
	if (!CALENDAR.test(text) && !DATE_TIME.test(text)) return undefined;
	const isInstant = offsets === 'heeded' && OFFSET.test(text);
	const clockTime = CALENDAR.test(text) ? text : `${text.replace(OFFSET, '')}Z`;
	const at = Date.parse(isInstant ? text : clockTime);
	if (Number.isNaN(at)) return undefined;
	return isInstant ? at : moveTo(timezone, at);
}

/** Reads the date of a filter. It also takes PHP's words for dates; an empty text means now. */
export function readWords(text: string, now: number, rules: TimeRules): number | undefined {
	const at = parseTimestamp(text, rules);
	if (at !== undefined) return at;
	const midnight = DateTime.fromMillis(now, { zone: rules.timezone }).startOf('day');
	const words: Record<string, number> = {
		'': now,
		now,
		today: midnight.toMillis(),
		tomorrow: midnight.plus({ days: 1 }).toMillis(),
		yesterday: midnight.minus({ days: 1 }).toMillis(),
	};
	return words[text.trim().toLowerCase()];
}

/**
 * Returns whether the service could read a text as a date. The interface shows no format for the dates of a task, so
 * weeks and months pass too.
 */
export function isParseableDate(text: string): boolean {
	const rules = { timezone: 'UTC', offsets: 'heeded' } as const;
	return ISO_WEEK.test(text) || MONTH.test(text) || parseTimestamp(text, rules) !== undefined;
}

/**
 * Writes a time like API Platform: RFC 3339 in whole seconds, with the offset.
 *
 * @param at milliseconds since the epoch
 */
export function formatTimestamp(at: number): string {
	return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}

/** Returns a date of a request in the stored form, in UTC. A week or a month stays unchanged. */
export function normalizeTimestamp(text: string, rules: TimeRules): string {
	const at = parseTimestamp(text, rules);
	return at === undefined ? text : formatTimestamp(at);
}

/** Pattern for names of time fields, such as `createdAt`, `dueDate` and `plannedWeek`. */
const TIME_FIELD = /(At|On|Date|Until|Week|Month)$/;

/**
 * Writes all times in a value, at any depth, with the offset of a zone.
 *
 * @param name of the field with the value
 */
export function showTimes(value: unknown, zone: string, name = ''): unknown {
	if (zone === 'UTC') return value;
	if (Array.isArray(value)) return value.map((entry) => showTimes(entry, zone, name));
	if (typeof value === 'object' && value !== null) {
		const fields = Object.entries(value);
		return Object.fromEntries(fields.map(([key, field]) => [key, showTimes(field, zone, key)]));
	}
	if (typeof value !== 'string' || !TIME_FIELD.test(name) || !DATE_TIME.test(value)) return value;
	return DateTime.fromISO(value, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");
}
