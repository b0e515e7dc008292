import { systemClock } from '../util/clock';
import { MINUTE_MS } from '../values/time';

/** Maximum age in ms of a list of titles when a write that depends on it leaves. */
const OLDEST_MS = 10 * MINUTE_MS;
/** Maximum age in ms of a list when an item looks titles up again. Items that follow each other share one read. */
const SHARED_MS = 5 * MINUTE_MS;
/** Maximum age in ms of a list when the run begins. */
const AT_START_MS = MINUTE_MS;
/** Number of times that an item looks titles up again. After that it writes, so that every item ends. */
const MOST_TIMES_AGAIN = 2;

/** Age of the lists of titles that an item uses. Somebody may rename a record while the item waits. */
export class TitleAge {
	private lookedUp = false;

	private timesAgain = 0;

	/** @param oldestRead earliest time, by the clock's `now`, of the read of a list that the item uses */
	private constructor(private oldestRead: number) {}

	/** @param runBegan start of the run, by the clock's `now` */
	static atStart(runBegan: number): TitleAge {
		return new TitleAge(runBegan - AT_START_MS);
	}

	/** Notes that the item looks a title up. Returns the earliest time of a read that it may use. */
	lookUp(): number {
		this.lookedUp = true;
		return this.oldestRead;
	}

	/** Latest time, by the clock's `now`, for a write that depends on the titles. */
	get validUntil(): number {
		const isBound = this.lookedUp && this.timesAgain < MOST_TIMES_AGAIN;
		return isBound ? this.oldestRead + OLDEST_MS : Infinity;
	}

	/** Lets the item look the titles up again. */
	expire(): void {
		this.timesAgain++;
		this.lookedUp = false;
		this.oldestRead = systemClock.now() - SHARED_MS;
	}
}
