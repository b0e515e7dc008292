import { countBy, maxBy, once } from 'lodash';
import { DateTime, FixedOffsetZone } from 'luxon';
import { putLast } from '../util/keyed';
import { instantOf, inUtc, offsetOf } from '../values/time';

/**
 * A UTC offset that answers have shown in one month, with the earliest and latest time in this month that had it. Times
 * in ms since 1970, offset in minutes.
 */
interface Sample {
	offset: number;
	first: number;
	last: number;
	/**
	 * Whether `first` or `last` changed after the last check of the `candidates`. These zones must then be checked again.
	 */
	isNew: boolean;
}

/** Returns the offset of a time zone at a time. Time in ms since 1970, offset in minutes. */
type Zone = (at: number) => number;

const MOST_SAMPLES = 100;

/**
 * Time zone of a service, learned from its answers. Some installations of the CRM ignore the offset of a time in a
 * request. So the node sends each time with the offset that the service itself would show.
 */
export class ServiceZone {
	/** Samples by offset and month. */
	private readonly samples = new Map<string, Sample>();

	/** Time zones with the offsets of the samples, such as Europe/Paris. Empty until the node needs them. */
	private candidates: readonly Zone[] = [];

	/** Whether the search for an offset is over: an answer has shown one, or the search has found none. */
	isKnown = false;

	/** Keeps a time from an answer as a sample of the offset. Ignores a time without an offset. */
	note(shown: unknown): void {
		const offset = offsetOf(shown);
		const at = instantOf(shown);
		// Ignores times outside 1970 to 2038, because a service in PHP may show a wrong offset for them.
		if (offset === undefined || at === undefined || at < 0 || at >= 2 ** 31 * 1000) return;
		const key = `${offset} ${new Date(at).toISOString().slice(0, -17)}`;
		const sample = this.samples.get(key) ?? { offset, first: at, last: at, isNew: true };
		sample.isNew ||= at < sample.first || at > sample.last;
		sample.first = Math.min(sample.first, at);
		sample.last = Math.max(sample.last, at);
		putLast(this.samples, key, sample, MOST_SAMPLES);
		this.isKnown = true;
	}

	/**
	 * Returns a time with the UTC offset that the service uses, such as +01:00. If the offset is unknown, returns the
	 * time in UTC. Returns any other value unchanged.
	 *
	 * @param timezone time zone of the workflow. If this zone agrees with all samples, it gives the offset. Otherwise,
	 *   the node takes the offset that most `candidates` have at this time
	 */
	written(time: unknown, timezone: string): unknown {
		const samples = [...this.samples.values()];
		const at = offsetOf(time) === undefined ? undefined : instantOf(time);
		if (at === undefined || samples.every(({ offset }) => offset === 0)) return inUtc(time);
		// Drops the seconds of an offset. Some offsets before 1972 have seconds, but ISO 8601 allows none in an offset.
		const workflow: Zone = (instant) =>
			Math.trunc(DateTime.fromMillis(instant, { zone: timezone }).offset);
		const isSameZone = samples.every((sample) => fits(workflow, sample));
		const zone = FixedOffsetZone.instance(isSameZone ? workflow(at) : this.likelyOffset(at));
		return DateTime.fromMillis(at, { zone }).toISO({ suppressMilliseconds: true });
	}

	/** Returns the offset in minutes that most candidates have at a time in ms since 1970. */
	private likelyOffset(at: number): number {
		const samples = [...this.samples.values()];
		const news = samples.filter(({ isNew }) => isNew);
		const left = this.candidates.filter((zone) => news.every((sample) => fits(zone, sample)));
		this.candidates = left.length > 0 ? left : candidatesFor(samples);
		for (const sample of news) sample.isNew = false;
		const offsets = this.candidates.map((zone) => zone(at));
		const votes = countBy(offsets);
		return maxBy(offsets, (offset) => votes[offset])!;
	}
}

function fits(zone: Zone, { offset, first, last }: Sample): boolean {
	return zone(first) === offset && zone(last) === offset;
}

/**
 * Returns the zones that agree with the samples. The samples are sorted from oldest to newest. If no zone agrees with
 * all of them, newer samples win. The choice includes a zone that always has the newest offset. So the result is not
 * empty, even if no zone of the IANA database agrees.
 */
function candidatesFor(samples: readonly Sample[]): Zone[] {
	const { offset } = samples.at(-1)!;
	let zones: Zone[] = [...ianaZones(), () => offset];
	for (const sample of [...samples].reverse()) {
		const left = zones.filter((zone) => fits(zone, sample));
		if (left.length > 0) zones = left;
	}
	return zones;
}

/**
 * Returns all zones of the IANA database. The process makes them once, because they take about 100 ms and 20 MB.
 * Luxon's zones would take twice as long. Offsets are in whole minutes.
 */
const ianaZones = once((): Zone[] =>
	Intl.supportedValuesOf('timeZone').map((timeZone) => {
		const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
		return (at) => {
			// Example of the formatted text: "1/15/2026, GMT+01:00".
			const [, hours = '+00', minutes = '00'] = /([+-]\d+):(\d+)/.exec(format.format(at)) ?? [];
			return Number(hours) * 60 + Number(hours.charAt(0) + minutes);
		};
	}),
);
