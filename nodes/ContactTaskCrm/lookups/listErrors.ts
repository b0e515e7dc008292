import { ExplainedError } from '../common/errors';
import { RateLimited } from '../transport/requestErrors';
import { ServiceError } from '../transport/serviceErrors';

/**
 * Why a list cannot be shown, for the person in the editor.
 *
 * @param otherwise what to do without the list, such as "choose By ID"
 */
export function explainedForList(error: unknown, otherwise: string): ExplainedError {
	if (error instanceof RateLimited) {
		const seconds = Math.max(1, Math.ceil(error.waitMs / 1000));
		return new ExplainedError(
			`The requests of this minute are used up. Open this list again in ${seconds} seconds`,
			`A workflow or another program uses what the service allows in a minute. You can also ${otherwise}`,
		);
	}
	if (error instanceof ExplainedError) return error;
	return new ExplainedError(error instanceof Error ? error.message : String(error), '');
}

/** Takes it for nothing that there was no room for a request. */
export async function ifLimited(error: unknown): Promise<undefined> {
	return error instanceof RateLimited ? undefined : await Promise.reject(error);
}

/** The same, and for an answer that holds for this list alone: with a wrong key (401), none can be read. */
export async function ifNotReadable(error: unknown): Promise<undefined> {
	const status = error instanceof ServiceError ? error.status : undefined;
	return status === undefined || status === 401 ? await ifLimited(error) : undefined;
}

/** Whether the service says that the key may not read this, or no more: a copy is not to be shown then. */
export function isRefusal(error: unknown): boolean {
	return error instanceof ServiceError && [401, 403, 404].includes(error.status ?? 0);
}

/** Whether the service has no such list, or not for this key. */
export function isNoSuchList(error: unknown): boolean {
	return error instanceof ServiceError && [403, 404, 405].includes(error.status ?? 0);
}
