import { minBy } from 'lodash';
import { DateTime, FixedOffsetZone } from 'luxon';
import { instantOf, inUtc, offsetOf } from '../util/dateTime';
import { putLast } from './keyed';

/** First and last time in one month that showed the same offset, in ms since 1970. The offset is in minutes from UTC. */
interface Sample {
	offset: number;
	first: number;
	last: number;
}

const MOST_SAMPLES = 100;
const MONTH_MS = 30 * 24 * 60 * 60_000;
const YEAR_MS = 365.25 * 24 * 60 * 60_000;

/**
 * The time zone of a service, as its answers show it. Some services drop the offset of a time that they read. So the
 * node sends a time with the offset that the service itself would show.
 */
export class ServiceZone {
	/** Samples by offset and month. */
	private readonly samples = new Map<string, Sample>();

	/** Whether the service has shown a time with an offset, or was asked for a page and showed none. */
	isKnown = false;

	/** Notes the offset of a time that the service shows. A time without an offset says nothing. */
	note(shown: unknown): void {
		const offset = offsetOf(shown);
		const at = instantOf(shown);
		// Ignores times outside 1970 to 2038. PHP may not know the rules of a zone there, and show another offset.
		if (offset === undefined || at === undefined || at < 0 || at >= 2 ** 31 * 1000) return;
		const key = `${offset} ${new Date(at).toISOString().slice(0, -17)}`;
		const { first = at, last = at } = this.samples.get(key) ?? {};
		const sample = { offset, first: Math.min(first, at), last: Math.max(last, at) };
		putLast(this.samples, key, sample, MOST_SAMPLES);
		this.isKnown = true;
	}

	/**
	 * Returns a time as the service writes it, and anything else as it is.
	 *
	 * @param timezone of the workflow; if it agrees with all samples, it tells the offset of every season
	 */
	written(time: unknown, timezone: string): unknown {
		const samples = [...this.samples.values()];
		const at = offsetOf(time) === undefined ? undefined : instantOf(time);
		if (at === undefined || samples.every(({ offset }) => offset === 0)) return inUtc(time);
		const offsetAt = (instant: number) => DateTime.fromMillis(instant, { zone: timezone }).offset;
		const isSameZone = samples.every(({ offset, first, last }) =>
			[first, last].every((shownAt) => offsetAt(shownAt) === offset),
		);
		const nearest = minBy(samples, (sample) => distance(sample, at))!;
		const zone = FixedOffsetZone.instance(isSameZone ? offsetAt(at) : nearest.offset);
		return DateTime.fromMillis(at, { zone }).toISO({ suppressMilliseconds: true });
	}
}

/** Returns how far a time of year is from a sample, in ms. Each year between adds a month, because rules change. */
function distance({ first, last }: Sample, at: number): number {
	const away = Math.max(first - at, at - last, 0);
	const years = Math.round(away / YEAR_MS);
	return Math.abs(away - years * YEAR_MS) + years * MONTH_MS;
}
