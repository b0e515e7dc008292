import { ExplainedError } from '../util/errors';
import type { TriggerMemory } from './process';

const MINUTE_MS = 60_000;
/** The same is thrown no more often: each time is a failed execution. */
const ONCE_MS = 60 * MINUTE_MS;
/** Others may use the rate limit for a while; after this, somebody wants to know. */
const LONG_MS = 30 * MINUTE_MS;

/** What a poll has to throw before it reads: what the last one left unsaid because it handed items over. */
export function takeDue(memory: TriggerMemory): unknown {
	const { due } = memory;
	delete memory.due;
	return due;
}

/**
 * Notes what a poll ended in.
 *
 * @param isLater whether it is to be thrown by the next poll, since this one hands something over
 * @returns whether to throw it: the first time, once an hour, and when it is something else
 */
export function noteError(memory: TriggerMemory, error: unknown, isLater: boolean): boolean {
	const { thrownAt, polledAt } = memory;
	// How many seconds are left says nothing new.
	const kind = (error instanceof Error ? error.message : String(error)).replace(/\d+/g, '#');
	if (polledAt - (thrownAt.get(kind) ?? -Infinity) < ONCE_MS) return false;
	for (const [other, at] of thrownAt) if (polledAt - at >= ONCE_MS) thrownAt.delete(other);
	thrownAt.set(kind, polledAt);
	if (isLater) memory.due = error;
	return !isLater;
}

/**
 * What there is to say of a trigger that gets nothing of the rate limit.
 *
 * @param hasWord whether the poll has read anything, or failed
 * @returns undefined while that is not worth a word
 */
export function starvation(
	memory: TriggerMemory,
	hasWord: boolean,
): { error: ExplainedError } | undefined {
	if (hasWord) {
		delete memory.starvedSince;
		return undefined;
	}
	const { polledAt } = memory;
	const since = (memory.starvedSince ??= polledAt);
	if (polledAt - since < LONG_MS) return undefined;
	const minutes = Math.round((polledAt - since) / MINUTE_MS);
	const error = new ExplainedError(
		`The trigger has read nothing for ${minutes} minutes: the rate limit is used up, or the service refuses all requests`,
		'Look which other workflows or programs use the key, and let them send less. What happens in the meantime starts the workflow later',
	);
	return { error };
}
