import { putLast } from '../common/boundedMap';
import { systemClock } from '../transport/clock';

/** A service may be changed, and then works in another way. */
const KEEP_MS = 60 * 60_000;
/** Of all services that the process talks to; what was observed longest ago goes first. */
const MOST_KEPT = 1_000;

/**
 * What answers showed of how a service works, where the interface leaves that open: kept for an hour, and
 * found out anew after that. It may be lost at any time without harm.
 */
export class Observed<Value> {
	private readonly values = new Map<string, { value: Value; until: number }>();

	/**
	 * What was observed within the last hour; undefined where nothing was.
	 *
	 * @param service what tells the service, or the key that it was asked with, from others
	 */
	of(service: string): Value | undefined {
		const known = this.values.get(service);
		return known && systemClock.now() < known.until ? known.value : undefined;
	}

	/** Keeps what was observed now. */
	keep(service: string, value: Value): void {
		putLast(this.values, service, { value, until: systemClock.now() + KEEP_MS }, MOST_KEPT);
	}
}
