import type { Clock } from '../http/clock';

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
