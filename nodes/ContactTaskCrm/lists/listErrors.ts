import { RateLimited, ServiceError } from '../http/errors';
import { ExplainedError } from '../util/errors';
import { asExplained } from '../util/nodeErrors';

/**
 * Why a list cannot be shown, for the person in the editor.
 *
 * @param otherwise what to do without the list, such as "choose By ID"
 */
export function explainedForList(error: unknown, otherwise: string): ExplainedError {
	if (error instanceof RateLimited) {
		return new ExplainedError(
			`The requests of this minute are used up. Open this list again in ${secondsToWait(error)} seconds`,
			`A workflow or another program uses what the service allows in a minute. You can also ${otherwise}`,
		);
	}
	return asExplained(error);
}

/** In how many seconds somebody may try again. */
export function secondsToWait({ waitMs }: RateLimited): number {
	return Math.max(1, Math.ceil(waitMs / 1000));
}

/** What `catch` takes: nothing comes of an error that is expected, and any other is thrown on. */
export function noneIf(
	isExpected: (error: unknown) => boolean,
): (error: unknown) => Promise<undefined> {
	return async (error) => (isExpected(error) ? undefined : await Promise.reject(error));
}

/** Whether there was no room for a request. */
export function isLimited(error: unknown): boolean {
	return error instanceof RateLimited;
}

/** Whether this list alone cannot be read now: with a wrong key (401), or without an answer, none can be. */
export function isUnreadable(error: unknown): boolean {
	const status = error instanceof ServiceError ? error.status : undefined;
	return isLimited(error) || (status !== undefined && status !== 401);
}

/** Whether the service says that the key may not read this, or no more: a copy is not to be shown then. */
export function isRefusal(error: unknown): boolean {
	return error instanceof ServiceError && [401, 403, 404].includes(error.status ?? 0);
}
