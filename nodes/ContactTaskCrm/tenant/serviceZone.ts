import { minBy } from 'lodash';
import { DateTime, FixedOffsetZone } from 'luxon';
import { putLast } from './keyed';
import { instantOf, inUtc, offsetOf } from '../values/time';

/** Earliest and latest time of a month that answers show with an offset. Times in ms since 1970, offset in minutes. */
interface Sample {
	offset: number;
	first: number;
	last: number;
}

const MOST_SAMPLES = 100;
const MONTH_MS = 30 * 24 * 60 * 60_000;
const YEAR_MS = 365.25 * 24 * 60 * 60_000;

/**
 * Time zone of a service, learned from its answers. Some services ignore the offset of a time in a request. So the node
 * sends each time with the offset that the service itself would show.
 */
export class ServiceZone {
	/** Samples by offset and month. */
	private readonly samples = new Map<string, Sample>();

	/** Whether the search for an offset is over: an answer has shown one, or the search has found none. */
	isKnown = false;

	/** Keeps a time from an answer as a sample of the offset. Ignores a time without an offset. */
	note(shown: unknown): void {
		const offset = offsetOf(shown);
		const at = instantOf(shown);
		// Ignores times outside 1970 to 2038, because a service in PHP may show a wrong offset for them.
		if (offset === undefined || at === undefined || at < 0 || at >= 2 ** 31 * 1000) return;
		const key = `${offset} ${new Date(at).toISOString().slice(0, -17)}`;
		const { first = at, last = at } = this.samples.get(key) ?? {};
		const sample = { offset, first: Math.min(first, at), last: Math.max(last, at) };
		putLast(this.samples, key, sample, MOST_SAMPLES);
		this.isKnown = true;
	}

	/**
	 * Returns a time with the offset that the service uses (UTC if unknown). Leaves other values unchanged.
	 *
	 * @param timezone time zone of the workflow. If it agrees with all samples, it determines the offset
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

/** Returns how far apart the times of year are, in ms. Adds a month per year between, because zone rules change. */
function distance({ first, last }: Sample, at: number): number {
	const away = Math.max(first - at, at - last, 0);
	const years = Math.round(away / YEAR_MS);
	return Math.abs(away - years * YEAR_MS) + years * MONTH_MS;
}
