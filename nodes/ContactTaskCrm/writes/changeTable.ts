import { isEqual } from 'lodash';
import type { Field } from '../schema/field';
import { isSameValue, exactKeyOf } from '../schema/equality';
import { isObject, parsedList } from '../values/json';
import type { Change } from '../crm/written';

/*
 * Reads the field `changes` in the output of a preview or a run. The field holds an object. If a table has stored the
 * output, the field holds the JSON text of this object.
 */

/** The changes of a record, by the names of its fields. */
export type ChangeTable = Readonly<Record<string, Change>>;

/** Returns the changes that a value holds; undefined if the value has another form. */
export function readChanges(value: unknown): ChangeTable | undefined {
	const changes = parsedList(value) ?? value;
	return isObject(changes) && Object.values(changes).every(isChange)
		? (changes as ChangeTable)
		: undefined;
}

function isChange(change: unknown): boolean {
	if (!isObject(change)) return false;
	const { added, removed } = change;
	return 'added' in change ? Array.isArray(added) && Array.isArray(removed) : 'to' in change;
}

/**
 * Returns whether two values of a field are equal. Unlike `isSameValue`, it also compares values of a field that the
 * service never shows.
 */
export function isEqualIn(field: Field | undefined, one: unknown, other: unknown): boolean {
	const [first, second] = [one ?? null, other ?? null];
	return isEqual(first, second) || isSameValue(field, first, second);
}

/** Returns whether a list has an entry with exactly the same parts and spelling. */
export function hasEntry(field: Field, list: readonly unknown[], entry: unknown): boolean {
	const key = exactKeyOf(field, entry);
	return list.some((one) => exactKeyOf(field, one) === key);
}
