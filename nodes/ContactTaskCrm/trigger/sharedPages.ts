/** An answer that other triggers may use, and when it was asked for. */
interface Shared<T> {
	askedAt: number;
	/** Which trigger asked for it. */
	trigger: string;
	answer: Promise<T>;
}

/** No poll is less than a minute after the one before. */
const KEEP_MS = 60_000;

const answers = new Map<string, Shared<unknown>>();

/**
 * The answer that another trigger of this process got to the same question, where it is younger than
 * all that this trigger has read; else it is asked for. What was read before is never followed by
 * something older, which would look like a change back.
 *
 * @param question tenant, path and query
 * @param trigger who asks: nobody is given their own answer of before
 * @param after what this trigger read last was asked for then, by the clock's `now`
 * @returns the answer, and when it was asked for
 */
export async function sharedAnswer<T>(
	question: string,
	{ trigger, after, now }: { trigger: string; after: number; now: number },
	ask: () => Promise<T | undefined>,
): Promise<{ answer: T | undefined; askedAt: number }> {
	const known = answers.get(question) as Shared<T | undefined> | undefined;
	const isUsable = known && known.trigger !== trigger && known.askedAt >= after;
	if (isUsable && known.askedAt > now - KEEP_MS) {
		const answer = await known.answer.catch(() => undefined);
		if (answer !== undefined) return { answer, askedAt: known.askedAt };
	}
	for (const [other, { askedAt }] of answers) {
		if (askedAt <= now - KEEP_MS) answers.delete(other);
	}
	const answer = ask();
	const mine = { askedAt: now, trigger, answer };
	answers.set(question, mine);
	void answer.catch(() => {
		if (answers.get(question) === mine) answers.delete(question);
	});
	return { answer: await answer, askedAt: now };
}
