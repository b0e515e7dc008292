/** How an item ended: with its result, or without; "uncertain" where it may have taken effect all the same. */
export type ItemEnd = 'done' | 'failed' | 'notSent' | 'uncertain';

/** How the items of a run ended, for the message of the one that stopped it. */
export interface Tally {
	total: number;
	done: number;
	/** Items of which nothing took effect, because the run was stopped before. */
	notSent: number;
	/** Items of which it is not known whether they took effect. */
	uncertain: number;
}

/** Adds how the items of the run ended, so that the user knows what to run again. */
export function withTally<T extends Error>(
	error: T,
	{ total, done, notSent, uncertain }: Tally,
): T {
	if (total <= 1) return error;
	const unknown = uncertain > 0 ? `, ${uncertain} may have taken effect` : '';
	error.message += ` (${done} of ${total} items done, ${notSent} not sent${unknown})`;
	return error;
}
