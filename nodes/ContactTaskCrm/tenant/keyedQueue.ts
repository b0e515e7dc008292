import type { Clock } from '../http/clock';
import { Busy, Cancelled } from '../http/errors';

/** How whoever waits for a key waits. */
interface Waiting {
	/** What the work is about, for a message: "The person 1f0c". */
	what: string;
	/** For how long, in ms. */
	maxWaitMs: number;
	/** Ends the wait; work that has begun ends by itself. */
	signal?: AbortSignal;
}

/**
 * Runs work of one key one after the other, in the order in which it came; that of other keys goes on
 * meanwhile.
 */
export class KeyedQueue {
	/** The work that was last let in, by key; settled when it is over. */
	private readonly last = new Map<string, Promise<unknown>>();

	/** Since when the work of a key is under way that is, in ms of the clock's `now`. */
	private readonly since = new Map<string, number>();

	constructor(private readonly clock: Clock) {}

	/**
	 * @throws Cancelled when the signal aborts before the work begins
	 * @throws Busy when other work of the key takes longer than this one may wait
	 */
	async run<T>(key: string, work: () => Promise<T>, waiting: Waiting): Promise<T> {
		const before = this.last.get(key);
		const mine = this.begin(key, before, work, waiting);
		// Who gives up while it waits still lets nobody pass before those ahead of it.
		const settled = Promise.allSettled([before, mine]);
		this.last.set(key, settled);
		void settled.then(() => {
			if (this.last.get(key) === settled) this.last.delete(key);
		});
		return await mine;
	}

	private async begin<T>(
		key: string,
		before: Promise<unknown> | undefined,
		work: () => Promise<T>,
		{ what, maxWaitMs, signal }: Waiting,
	): Promise<T> {
		const isOver = !before || signal?.aborted || (await this.ends(before, maxWaitMs, signal));
		if (signal?.aborted) throw new Cancelled();
		const now = this.clock.now();
		if (!isOver) {
			throw new Busy(`${what} is being changed by another run`, now - (this.since.get(key) ?? now));
		}
		this.since.set(key, now);
		try {
			return await work();
		} finally {
			this.since.delete(key);
		}
	}

	/** Waits for something; says whether it ended before the wait did. */
	private async ends(
		wait: Promise<unknown>,
		maxWaitMs: number,
		signal?: AbortSignal,
	): Promise<boolean> {
		const over = new AbortController();
		const ended = wait.then(() => true);
		const aborted = new Promise<boolean>((resolve) => {
			signal?.addEventListener('abort', () => resolve(false), { once: true, signal: over.signal });
		});
		const waits = [ended, aborted];
		if (maxWaitMs < Infinity) {
			waits.push(this.clock.sleep(maxWaitMs, over.signal).then(() => false));
		}
		const isOver = await Promise.race(waits);
		over.abort();
		return isOver;
	}
}
