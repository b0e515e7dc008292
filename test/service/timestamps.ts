import { DateTime } from 'luxon';
import type { Switches } from './switches';

const CALENDAR = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const ISO_WEEK = /^\d{4}-W\d{2}(-\d)?$/;
const MONTH = /^\d{4}-\d{2}$/;
const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/;

/** Switches that decide the meaning of a time. */
export type TimeRules = Pick<Switches, 'timezone' | 'offsets'>;

/** Moves a clock time of UTC to a zone; of two instants with that time, PHP takes the first. */
function moveTo(zone: string, at: number): number {
	const moved = DateTime.fromMillis(at, { zone: 'utc' }).setZone(zone, { keepLocalTime: true });
	return moved.getPossibleOffsets()[0].toMillis();
}

/**
 * Reads a calendar date or a date-time. Without an offset, or where offsets are dropped, its clock
 * time is one of the service's zone.
 *
 * @returns milliseconds since the epoch, or undefined where it is neither
 */
function parseTimestamp(text: string, { timezone, offsets }: TimeRules): number | undefined {
	if (!CALENDAR.test(text) && !DATE_TIME.test(text)) return undefined;
	const isInstant = offsets === 'heeded' && OFFSET.test(text);
	const clockTime = CALENDAR.test(text) ? text : `${text.replace(OFFSET, '')}Z`;
	const at = Date.parse(isInstant ? text : clockTime);
	if (Number.isNaN(at)) return undefined;
	return isInstant ? at : moveTo(timezone, at);
}

/** Reads a date of a filter, also one of the words that PHP reads as a date; nothing is now. */
export function readWords(text: string, now: number, rules: TimeRules): number | undefined {
	const midnight = DateTime.fromMillis(now, { zone: rules.timezone }).startOf('day');
	const words: Record<string, number> = {
		'': now,
		now,
		today: midnight.toMillis(),
		tomorrow: midnight.plus({ days: 1 }).toMillis(),
		yesterday: midnight.minus({ days: 1 }).toMillis(),
	};
	return words[text.trim().toLowerCase()] ?? parseTimestamp(text, rules);
}

/**
 * Whether the service could read a text as a date. The interface shows no format for the dates of
 * a task, so weeks and months pass too.
 */
export function isParseableDate(text: string): boolean {
	const rules = { timezone: 'UTC', offsets: 'heeded' } as const;
	return ISO_WEEK.test(text) || MONTH.test(text) || parseTimestamp(text, rules) !== undefined;
}

/**
 * A time as API Platform writes it: RFC 3339, whole seconds, the offset written out.
 *
 * @param at milliseconds since the epoch
 */
export function formatTimestamp(at: number): string {
	return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}

/** The date of a request as the store keeps it, in UTC; a week or a month stays as it came. */
export function normalizeTimestamp(text: string, rules: TimeRules): string {
	const at = parseTimestamp(text, rules);
	return at === undefined ? text : formatTimestamp(at);
}

/** The names of fields that hold times, as `createdAt`, `dueDate` and `plannedWeek`. */
const TIME_FIELD = /(At|On|Date|Until|Week|Month)$/;

/**
 * Shows the times of a value, however deep, with the offset of a zone.
 *
 * @param name of the field that the value stands in
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
