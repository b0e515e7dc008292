import type { Clock } from '../http/clock';
import { Busy, Cancelled } from '../http/errors';

/** How a value is read that may be kept. */
interface CachedRead<T> {
	/** How long before it is asked for its reading may have begun, in ms. */
	maxAgeMs: number;
	/** Whether that holds for a read under way, too; any is shared where absent. */
	isStrict?: boolean;
	read: () => Promise<T>;
}

/**
 * What was read lately, by name, so many at most. Whoever asks while a read of a name is under way shares
 * it. A read that fails is not kept.
 */
export class AsyncCache {
	private readonly copies = new Map<string, { value: unknown; begunAt: number }>();

	private readonly underWay = new Map<string, { reading: Promise<unknown>; begunAt: number }>();

	/** @param most values that are kept; the one that was read longest ago gives way */
	constructor(
		private readonly clock: Clock,
		private readonly most: number,
	) {}

	/** What is kept under a name, whatever its age. */
	peek<T>(name: string): T | undefined {
		return this.copies.get(name)?.value as T | undefined;
	}

	/** Whether something is kept under a name that is young enough. */
	isFresh(name: string, maxAgeMs: number): boolean {
		const copy = this.copies.get(name);
		return copy !== undefined && this.clock.now() - copy.begunAt < maxAgeMs;
	}

	/** Whether a read of a name is under way. */
	isReading(name: string): boolean {
		return this.underWay.has(name);
	}

	/**
	 * What is kept under a name, where it is young enough, or else what is read now.
	 *
	 * @throws what the reading throws
	 */
	async get<T>(name: string, { maxAgeMs, isStrict, read }: CachedRead<T>): Promise<T> {
		if (this.isFresh(name, maxAgeMs)) return this.peek(name) as T;
		const underWay = this.underWay.get(name);
		const { reading, begunAt = 0 } = underWay ?? {};
		const isTooOld = isStrict && this.clock.now() - begunAt >= maxAgeMs;
		return (await (reading && !isTooOld ? reading : this.begin(name, read))) as T;
	}

	/** Keeps a value as read now. */
	set(name: string, value: unknown, begunAt = this.clock.now()): void {
		putLast(this.copies, name, { value, begunAt }, this.most);
	}

	/** Forgets what is kept under a name. */
	delete(name: string): void {
		this.copies.delete(name);
	}

	private begin<T>(name: string, read: () => Promise<T>): Promise<T> {
		const begunAt = this.clock.now();
		const reading = read()
			.then((value) => {
				const isLatest = begunAt >= (this.copies.get(name)?.begunAt ?? -Infinity);
				if (isLatest) this.set(name, value, begunAt);
				return value;
			})
			.finally(() => {
				if (this.underWay.get(name)?.reading === reading) this.underWay.delete(name);
			});
		this.underWay.set(name, { reading, begunAt });
		return reading;
	}
}

/**
 * Puts an entry last into a map that holds so many at most: the one that was put longest ago gives way.
 *
 * @param most entries that the map may hold
 */
export function putLast<Key, Value>(
	map: Map<Key, Value>,
	key: Key,
	value: Value,
	most: number,
): void {
	map.delete(key);
	map.set(key, value);
	if (map.size <= most) return;
	const [longestAgo] = map.keys();
	map.delete(longestAgo);
}

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
		// Work that gives up while it waits must not let later work pass those ahead of it.
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
