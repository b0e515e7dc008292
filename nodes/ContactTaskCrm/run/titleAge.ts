import { systemClock } from '../util/clock';
import { MINUTE_MS } from '../values/time';

/** Maximum age in ms of a list of titles when a write that depends on it leaves. */
const OLDEST_MS = 10 * MINUTE_MS;
/**
 * Maximum age in ms of a list of titles when an item looks titles up again. Items that follow each other can then
 * share one read.
 */
const SHARED_MS = 5 * MINUTE_MS;
/** Maximum age in ms of a list of titles when the run begins. */
const AT_START_MS = MINUTE_MS;
/**
 * Maximum number of times that an item looks titles up again. After that, it writes anyway, so that every item ends.
 */
const MOST_REPEATS = 2;

/** Limits the age of the lists of titles that an item uses. Somebody may rename a record while the item waits. */
export class TitleAge {
	private lookedUp = false;

	private repeats = 0;

	/** The item may use lists read at the time `oldestRead` or later, by the clock's `now`. */
	private constructor(private oldestRead: number) {}

	/** Allows lists that were read up to a minute before the run began. `runBegan` is by the clock's `now`. */
	static atStart(runBegan: number): TitleAge {
		return new TitleAge(runBegan - AT_START_MS);
	}

	/** Notes that the item looks a title up. Returns the earliest time allowed for the read of the list. */
	noteLookup(): number {
		this.lookedUp = true;
		return this.oldestRead;
	}

	/** Latest time, by the clock's `now`, when a write that depends on the titles may leave. */
	get validUntil(): number {
		const isBound = this.lookedUp && this.repeats < MOST_REPEATS;
		return isBound ? this.oldestRead + OLDEST_MS : Infinity;
	}

	/** Makes the item look its titles up again. */
	expire(): void {
		this.repeats++;
		this.lookedUp = false;
		this.oldestRead = systemClock.now() - SHARED_MS;
	}
}
