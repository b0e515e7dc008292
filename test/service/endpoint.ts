import type { Input } from './input';
import { notFound, Problem, violated } from './problems';
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
	/** Reads the body, once the record it is for was found. */
	readInput: () => Input;
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

/** @throws Problem 422 where the value of a required field is blank */
export function requireFilled(propertyPath: string, value: unknown): void {
	if (value !== null && value !== undefined && value !== '') return;
	throw violated([{ propertyPath, message: 'This value should not be blank.' }]);
}

/** The id of a new record: the one sent, where it is free. @throws Problem 422 */
export function takeId(store: Store, kind: string, input: Input, isTaken: (id: string) => boolean) {
	const wanted = input.id;
	if (typeof wanted !== 'string' || wanted === '') return store.newId(kind);
	if (!isTaken(wanted)) return wanted;
	throw violated([{ propertyPath: 'id', message: 'This value is already used.' }]);
}

/** An input without fields that only a creation may set. */
export function without(input: Input, ...names: string[]): Input {
	return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}

export const methodNotAllowed = (method: string, path: string, allowed: string[]) =>
	new Problem(
		405,
		`No route found for "${method} ${path}": Method Not Allowed (Allow: ${allowed.join(', ')})`,
		{ allow: allowed.join(', ') },
	);
