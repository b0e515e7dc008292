import { isEqual } from 'lodash';
import type { Field } from '../schema/field';
import { isSameValue, exactKeyOf } from '../schema/equality';
import { isObject, parsedList } from '../values/json';
import type { Change } from '../crm/written';

/*
 * Reads the `changes` that a preview or a run has put out. They are an object, or its JSON text after a table.
 */

/** The changes of a record, by the names of its fields. */
export type Told = Readonly<Record<string, Change>>;

/** Returns changes from an item; undefined if the value has another form. */
export function toldChanges(value: unknown): Told | undefined {
	const changes = parsedList(value) ?? value;
	return isObject(changes) && Object.values(changes).every(isChange)
		? (changes as Told)
		: undefined;
}

function isChange(change: unknown): boolean {
	if (!isObject(change)) return false;
	const { added, removed } = change;
	return 'added' in change ? Array.isArray(added) && Array.isArray(removed) : 'to' in change;
}

/** Returns whether two values of a field are equal. A field that the service never shows has equal values, too. */
export function isEqualIn(field: Field | undefined, one: unknown, other: unknown): boolean {
	const [first, second] = [one ?? null, other ?? null];
	return isEqual(first, second) || isSameValue(field, first, second);
}

/** Returns whether a list has an entry, equal to the letter. */
export function hasEntry(field: Field, list: readonly unknown[], entry: unknown): boolean {
	const key = exactKeyOf(field, entry);
	return list.some((one) => exactKeyOf(field, one) === key);
}
