import { systemClock } from '../util/clock';
import { MINUTE_MS } from '../values/time';

/** When a write leaves, the list of titles that it used may be at most this old, in ms. */
const OLDEST_MS = 10 * MINUTE_MS;
/**
 * When an item looks titles up again, the list of titles may be at most this old, in ms. Items that follow each other
 * can then share one read of the list.
 */
const SHARED_MS = 5 * MINUTE_MS;
/** When the run begins, a list of titles may be at most this old, in ms. */
const AT_START_MS = MINUTE_MS;
/**
 * Maximum number of times that an item looks titles up again. After that, the item writes with old titles, so that
 * every item ends.
 */
const MOST_REPEATS = 2;

/** Limits the age of the lists of titles that an item uses. Somebody may rename a record while the item waits. */
export class TitleAge {
	private lookedUp = false;

	private repeats = 0;

	/** @param oldestRead time by the clock's `now`. The item may use only lists that the node read then or later */
	private constructor(private oldestRead: number) {}

	/** Allows lists read at most `AT_START_MS` before the run began. `runBegan` is a time by the clock's `now`. */
	static atStart(runBegan: number): TitleAge {
		return new TitleAge(runBegan - AT_START_MS);
	}

	/** Notes that the item looks a title up. Returns `oldestRead`: the item may use a list read then or later. */
	noteLookup(): number {
		this.lookedUp = true;
		return this.oldestRead;
	}

	/**
	 * Latest time, by the clock's `now`, at which the item's write may leave. Infinity if the write uses no title, or
	 * after `MOST_REPEATS` repeats.
	 */
	get validUntil(): number {
		const isBound = this.lookedUp && this.repeats < MOST_REPEATS;
		return isBound ? this.oldestRead + OLDEST_MS : Infinity;
	}

	/** Begins a repeat: the item looks its titles up again, in lists that are at most `SHARED_MS` old. */
	expire(): void {
		this.repeats++;
		this.lookedUp = false;
		this.oldestRead = systemClock.now() - SHARED_MS;
	}
}
