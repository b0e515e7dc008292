/** The work that was last let in, by key. */
const lastByKey = new Map<string, Promise<unknown>>();

/**
 * Runs work that reads and then writes the same thing one after the other within the process, so
 * that no change of ours is lost between another's read and write.
 *
 * @param key what is locked, such as the tenant and a person's id
 */
export async function withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
	const before = lastByKey.get(key) ?? Promise.resolve();
	const mine = before.then(work, work);
	lastByKey.set(key, mine);
	try {
		return await mine;
	} finally {
		if (lastByKey.get(key) === mine) lastByKey.delete(key);
	}
}
