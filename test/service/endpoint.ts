import type { Input } from './input';
import { notFound } from './problems';
import type { Query } from './query';
import type { Result } from './representation';
import type { Store } from './store';
import type { Switches } from './switches';

/** One request to an endpoint, after authentication and the rate limit. */
export interface Call {
	store: Store;
	switches: Switches;
	/** Path parameters by their names in openapi.json. */
	params: Record<string, string>;
	/** Query, without filters if a switch says to ignore them. */
	query: Query;
	/**
	 * Reads the body. An endpoint must find its record first.
	 *
	 * @param filled fields that may be neither blank nor null
	 */
	readInput: (filled?: string[]) => Input;
	/** Time of the change, in the stored form. */
	now: string;
}

/** Answers an endpoint, or throws a Problem. */
export type Endpoint = (call: Call) => Result;

/**
 * Returns the record of a path parameter.
 * @throws Problem 404
 */
export function found<T>(record: T | undefined): T {
	if (record === undefined) throw notFound();
	return record;
}

/** Returns an input without the named fields. */
export function without(input: Input, ...names: string[]): Input {
	return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}
