import { systemClock } from '../transport/clock';

interface Remembered {
	until: number;
	value: Promise<unknown>;
}

/** More than a person opens in a minute; what is over goes, the oldest first. */
const MOST_REMEMBERED = 500;

const memory = new Map<string, Remembered>();

/**
 * What was loaded under a name, if that was not too long ago; else it is loaded, and remembered
 * unless that fails. Whoever asks meanwhile gets the same answer.
 *
 * @param forMs how long it is remembered, in ms
 */
export async function remembered<T>(
	name: string,
	forMs: number,
	load: () => Promise<T>,
): Promise<T> {
	const now = systemClock.now();
	const known = memory.get(name);
	if (known && now < known.until) return (await known.value) as T;

	const value = load();
	memory.delete(name);
	memory.set(name, { until: now + forMs, value });
	const [oldest] = memory.keys();
	if (memory.size > MOST_REMEMBERED && oldest !== undefined) memory.delete(oldest);
	value.catch(() => {
		if (memory.get(name)?.value === value) memory.delete(name);
	});
	return await value;
}
