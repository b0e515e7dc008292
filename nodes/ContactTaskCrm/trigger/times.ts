import { asText, instantOf } from '../util/dateTime';

/** A point in time in ms since 1970, as a record or an answer of the service tells it. */
export type Instant = number;

/** The time that a field of a record holds; undefined where it holds none. */
export const timeOf = instantOf;

/** The beginning of the second that a time lies in: services show and compare no more than that. */
export function wholeSecond(time: Instant): Instant {
	return Math.floor(time / 1000) * 1000;
}

/** A time in whole seconds as filters take it: with "Z", since a plus sign would be read as a space. */
export function asQuery(time: Instant): string {
	return asText(wholeSecond(time));
}

/** The later of two times, where there are any. */
export function later(one: Instant | undefined, other: Instant | undefined): Instant | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return Math.max(one, other);
}
