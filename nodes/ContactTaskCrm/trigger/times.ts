/** A point in time in ms since 1970, as a record tells it. */
export type Instant = number;

const ISO_8601 =
	/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Times further ahead than this are no record's own: one of them would hide all that comes after. */
const FURTHEST_AHEAD_MS = 24 * 60 * 60_000;
const FURTHEST_AHEAD_BY_ZONE_MS = 15 * 60_000;

/**
 * The time that a field of a record holds; one without a zone is in UTC.
 *
 * @returns undefined where it holds none
 */
export function timeOf(value: unknown): Instant | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim().replace(' ', 'T').replace(',', '.');
	const match = ISO_8601.exec(text);
	if (!match) return undefined;
	const isZoned = match[1] !== undefined || !text.includes('T');
	const time = Date.parse(isZoned ? text : `${text}Z`);
	return Number.isNaN(time) ? undefined : time;
}

/** A time in whole seconds as filters take it: with "Z", since a plus sign would be read as a space. */
export function asQuery(time: Instant): string {
	return asText(wholeSecond(time));
}

/** A time as an item shows it. */
export function asText(time: Instant): string {
	return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** The beginning of the second that a time lies in: services show and compare no more than that. */
export function wholeSecond(time: Instant): Instant {
	return Math.floor(time / 1000) * 1000;
}

/** The later of two times, where there are any. */
export function later(one: Instant | undefined, other: Instant | undefined): Instant | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return Math.max(one, other);
}

/** The clocks that a page came with. */
export interface Clocks {
	/** This machine's time. */
	wallTime: Instant;
	/** The service's own. */
	servedAt?: Instant;
}

/**
 * The time that a field of a record holds, where it may stand for "the newest". A time without a zone
 * may be hours off; and where the service does not show its clock, this machine's can be wrong, too.
 */
export function credibleTimeOf(
	value: unknown,
	{ wallTime, servedAt }: Clocks,
): Instant | undefined {
	const time = timeOf(value);
	if (time === undefined) return undefined;
	const isExact = servedAt !== undefined && isZoned(value);
	const latest = isExact ? servedAt + FURTHEST_AHEAD_BY_ZONE_MS : wallTime + FURTHEST_AHEAD_MS;
	return time <= latest ? time : undefined;
}

function isZoned(value: unknown): boolean {
	return typeof value === 'string' && ISO_8601.exec(value.trim())?.[1] !== undefined;
}

/** A time in few letters, to be remembered. */
export function packed(time: Instant): string {
	return time % 1000 === 0 ? (time / 1000).toString(36) : `${time.toString(36)}!`;
}

/** The time that `packed` made short; undefined for any other text. */
export function unpacked(text: string): Instant | undefined {
	const isExact = text.endsWith('!');
	const value = parseInt(isExact ? text.slice(0, -1) : text, 36);
	if (Number.isNaN(value)) return undefined;
	return isExact ? value : value * 1000;
}
