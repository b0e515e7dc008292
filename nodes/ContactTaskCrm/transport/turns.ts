/** The last of those who take turns, by what they take turns on. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs work that reads and then writes the same thing one after the other within the process, so
 * that no change of ours is lost between another's read and write.
 *
 * @param subject what they take turns on, such as the tenant and a person's id
 */
export async function inTurn<T>(subject: string, work: () => Promise<T>): Promise<T> {
	const before = last.get(subject) ?? Promise.resolve();
	const mine = before.then(work, work);
	last.set(subject, mine);
	try {
		return await mine;
	} finally {
		if (last.get(subject) === mine) last.delete(subject);
	}
}
