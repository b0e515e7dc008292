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
	/** The path parameters by the names of openapi.json. */
	params: Record<string, string>;
	/** Without filters where the switch says to ignore them. */
	query: Query;
	/**
	 * Reads the body, once the record it is for was found.
	 *
	 * @param filled the fields that may be neither blank nor null
	 */
	readInput: (filled?: string[]) => Input;
	/** The time of the change, as it is stored. */
	now: string;
}

/** Answers an endpoint, or throws a Problem. */
export type Endpoint = (call: Call) => Result;

/** The record of a path parameter. @throws Problem 404 */
export function found<T>(record: T | undefined): T {
	if (record === undefined) throw notFound();
	return record;
}

/** An input without fields that only a creation may set. */
export function without(input: Input, ...names: string[]): Input {
	return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}
