import { Cancelled } from '../http/errors';

/**
 * Runs work of one key one after the other, in the order in which it came; that of other keys goes on
 * meanwhile.
 */
export class KeyedQueue {
	/** The work that was last let in, by key; settled when it is over. */
	private readonly last = new Map<string, Promise<unknown>>();

	/**
	 * @param signal ends the wait; work that has begun ends by itself
	 * @throws Cancelled when the signal aborts before the work begins
	 */
	async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		const before = this.last.get(key);
		const mine = this.begin(before, work, signal);
		// Who gives up while it waits still lets nobody pass before those ahead of it.
		const settled = Promise.allSettled([before, mine]);
		this.last.set(key, settled);
		void settled.then(() => {
			if (this.last.get(key) === settled) this.last.delete(key);
		});
		return await mine;
	}

	private async begin<T>(
		before: Promise<unknown> | undefined,
		work: () => Promise<T>,
		signal: AbortSignal | undefined,
	): Promise<T> {
		if (before && !signal?.aborted) await unlessAborted(before, signal);
		if (signal?.aborted) throw new Cancelled();
		return await work();
	}
}

/** Waits for something, or until a signal aborts. */
async function unlessAborted(wait: Promise<unknown>, signal?: AbortSignal): Promise<void> {
	const over = new AbortController();
	const aborted = new Promise<void>((resolve) => {
		signal?.addEventListener('abort', () => resolve(), { once: true, signal: over.signal });
	});
	await Promise.race([wait, aborted]);
	over.abort();
}
