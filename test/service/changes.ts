import type { Input } from './input';
import type { Change } from './records';
import type { Switches } from './switches';

const isObject = (value: unknown): value is Input =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

/**
 * Applies a merge patch (RFC 7396) to a record: objects are merged, everything else is replaced, and a null clears. A
 * cleared field stays as null, because a record always has all its fields.
 */
export function merge<T extends object>(record: T, patch: Input): T {
	const merged = { ...record } as Input;
	for (const [name, value] of Object.entries(patch)) {
		const before = merged[name];
		merged[name] = isObject(value) ? merge(isObject(before) ? before : {}, value) : value;
	}
	return merged as T;
}

/** Replaces each null in a record by the default of its field. */
export function withDefaults<T extends object>(record: T, defaults: Partial<T>): T {
	const entries = Object.entries(defaults).filter(
		([name, value]) => value !== null && record[name as keyof T] === null,
	);
	return { ...record, ...Object.fromEntries(entries) };
}

/** Returns the changed fields between two states of a record. */
export function changesBetween<T extends object>(before: T, after: T): Change[] {
	return (Object.keys(after) as Array<string & keyof T>)
		.filter((field) => !isSame(before[field], after[field]))
		.map((field) => ({ field, oldValue: before[field], newValue: after[field] }));
}

/**
 * Returns whether changes of a record change its `updatedAt`.
 *
 * @param entries fields with entries that are rows of their own in the database
 */
export function isTimed(changes: Change[], switches: Switches, entries: string[]): boolean {
	const isUntimed = ({ field }: Change) =>
		switches.changedEntries === 'untimed' && entries.includes(field);
	return !changes.every(isUntimed);
}
