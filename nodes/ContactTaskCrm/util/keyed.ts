import type { Clock } from './clock';

/** Cache of values by name. Simultaneous callers of one name share one read. A failed read is not cached. */
export class AsyncCache {
	private readonly copies = new Map<string, { value: unknown; begunAt: number }>();
	private readonly underWay = new Map<string, { reading: Promise<unknown>; begunAt: number }>();

	/** @param most maximum number of values; the oldest is removed first */
	constructor(
		private readonly clock: Clock,
		private readonly most: number,
	) {}

	/** Returns the value of a name, whatever its age. */
	peek<T>(name: string): T | undefined {
		return this.copies.get(name)?.value as T | undefined;
	}

	/** Returns whether a name has a value that is younger than `maxAgeMs`. */
	isFresh(name: string, maxAgeMs: number): boolean {
		const copy = this.copies.get(name);
		return copy !== undefined && this.clock.now() - copy.begunAt < maxAgeMs;
	}

	isReading(name: string): boolean {
		return this.underWay.has(name);
	}

	/**
	 * Returns the value of a name. Reads the value if there is none, or if it is older than `maxAgeMs`.
	 *
	 * @param isStrict whether to ignore a read under way that began more than `maxAgeMs` ago. By default, callers share
	 *   any read under way
	 * @throws what `read` throws
	 */
	async get<T>(
		name: string,
		{ maxAgeMs, isStrict, read }: { maxAgeMs: number; isStrict?: boolean; read: () => Promise<T> },
	): Promise<T> {
		if (this.isFresh(name, maxAgeMs)) return this.peek(name) as T;
		const begunAt = this.clock.now();
		const underWay = this.underWay.get(name);
		const isTooOld = isStrict && underWay && begunAt - underWay.begunAt >= maxAgeMs;
		if (underWay && !isTooOld) return (await underWay.reading) as T;
		const reading = read()
			.then((value) => {
				const isLatest = begunAt >= (this.copies.get(name)?.begunAt ?? -Infinity);
				const isWanted = this.underWay.get(name)?.reading === reading;
				if (isLatest && isWanted) this.set(name, value, begunAt);
				return value;
			})
			.finally(() => {
				if (this.underWay.get(name)?.reading === reading) this.underWay.delete(name);
			});
		this.underWay.set(name, { reading, begunAt });
		return await reading;
	}

	set(name: string, value: unknown, begunAt = this.clock.now()): void {
		putLast(this.copies, name, { value, begunAt }, this.most);
	}

	/** Deletes a value. A read under way still serves its callers, but the cache does not keep its result. */
	delete(name: string): void {
		this.copies.delete(name);
		this.underWay.delete(name);
	}
}

/**
 * Puts a key and its value last into a map. Then removes the first keys, which are the oldest, until the map holds at
 * most `most`.
 */
export function putLast<Key, Value>(
	map: Map<Key, Value>,
	key: Key,
	value: Value,
	most: number,
): void {
	map.delete(key);
	map.set(key, value);
	for (const longestAgo of map.keys()) {
		if (map.size <= most) return;
		map.delete(longestAgo);
	}
}
