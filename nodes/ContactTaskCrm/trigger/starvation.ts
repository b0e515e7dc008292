import { ExplainedError } from '../common/errors';

const MINUTE_MS = 60_000;
/** Others may use the rate limit for a while; after this, somebody wants to know. */
const LONG_MS = 30 * MINUTE_MS;

/** Since when a trigger has read nothing, though nothing failed, in ms since 1970. */
const starvedSince = new Map<string, number>();

/**
 * What there is to say of a trigger that gets nothing of the rate limit.
 *
 * @param hasWord whether the poll that ends at `wallTime` has read anything, or failed
 * @returns undefined while that is not worth a word
 */
export function starvation(
	trigger: string,
	hasWord: boolean,
	wallTime: number,
): { error: ExplainedError } | undefined {
	if (hasWord) {
		starvedSince.delete(trigger);
		return undefined;
	}
	const since = starvedSince.get(trigger) ?? wallTime;
	starvedSince.set(trigger, since);
	if (wallTime - since < LONG_MS) return undefined;
	const minutes = Math.round((wallTime - since) / MINUTE_MS);
	const error = new ExplainedError(
		`The trigger has read nothing for ${minutes} minutes: the rate limit is used up, or the service refuses all requests`,
		'Look which other workflows or programs use the key, and let them send less. What happens in the meantime starts the workflow later',
	);
	return { error };
}
