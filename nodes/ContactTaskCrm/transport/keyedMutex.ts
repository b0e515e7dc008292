import type { Cancellation } from './cancellation';
import { Cancelled } from './requestErrors';

/** The work that was last let in, by key; settled when it is over. */
const lastByKey = new Map<string, Promise<unknown>>();

/**
 * Runs work that reads and then writes the same thing one after the other within the process, so
 * that no change of ours is lost between another's read and write.
 *
 * @param key what is locked, such as the tenant and a person's id
 * @param cancellation ends the wait for the lock; work that has begun ends by itself
 * @throws Cancelled when the run was stopped before the work began
 */
export async function withLock<T>(
	key: string,
	work: () => Promise<T>,
	cancellation?: Cancellation,
): Promise<T> {
	const before = lastByKey.get(key) ?? Promise.resolve();
	return await new Promise<T>((resolve, reject) => {
		const forget = cancellation?.onStop(() => reject(new Cancelled()));
		const begin = async () => {
			forget?.();
			cancellation?.throwIfStopped();
			return await work();
		};
		const mine = before.then(begin).then(resolve, reject);
		lastByKey.set(key, mine);
		void mine.then(() => {
			if (lastByKey.get(key) === mine) lastByKey.delete(key);
		});
	});
}
