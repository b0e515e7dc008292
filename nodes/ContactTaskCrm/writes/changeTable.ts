import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { differingParts, exactKeyOf, isSameList, isSameValue } from '../schema/equality';
import { isObject, listOf, parsedList, partsWhere } from '../values/json';
import type { Change } from '../crm/records';
import { fieldsOf, type RecordContract } from '../schema/record';
import { newRecord } from '../schema/effect';
import { instantOf, wholeSecond } from '../values/time';
import { entriesShown, isComparable } from './merge';

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
 * Returns whether two values of a field are equal, apart from their spelling. Unlike `isSameValue`, this function also
 * finds equal values in a field that the service never shows.
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

/**
 * Returns the fields of a created record that somebody has changed since the run. An unchanged record still shows the
 * values of the run. All its other fields are empty, or have defaults of the service.
 *
 * @param current the record as it is now
 * @param created the item that the run put out for the record
 * @param changes the values that the run wrote
 */
export function changedSince(
	record: RecordContract,
	current: IDataObject,
	created: IDataObject,
	changes: ChangeTable,
): string[] {
	const isUntouched = isSameSecond(current.updatedAt, created.updatedAt);
	const defaults = newRecord(record, changes as unknown as IDataObject);
	return Object.entries(fieldsOf(record, 'create'))
		.filter(([name, field]) => {
			if (name === 'archivedAt' || !isComparable(field)) return false;
			const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
			const shown: unknown = current[name];
			if (change) {
				const to = 'added' in change ? change.added : change.to;
				return !shows(record, name, shown, to, defaults[name]);
			}
			// The run did not write this field. The service itself may fill in such a field, as it does with the author. If
			// the record still has the same `updatedAt`, nobody else has changed the field.
			if (isUntouched || (field.emptiedBy === undefined && !(name in defaults))) return false;
			return ![defaults[name] ?? null, created[name]].some((value) =>
				shows(record, name, shown, value, defaults[name]),
			);
		})
		.map(([name]) => name);
}

/**
 * Returns whether two times are in the same second. Some installations of the CRM show fractions of a second only in the
 * answer to a write.
 */
function isSameSecond(one: unknown, other: unknown): boolean {
	const [first, second] = [instantOf(one), instantOf(other)];
	return first !== undefined && second !== undefined && wholeSecond(first) === wholeSecond(second);
}

/**
 * Returns whether a record shows exactly `value` in a field. A further entry of a list counts as a difference. A
 * further part of an object does, too, unless it is a default of the service (`preset`).
 */
function shows(
	record: RecordContract,
	name: string,
	shown: unknown,
	value: unknown,
	preset: unknown,
): boolean {
	const field = record.fields[name]!;
	if (field.isList) {
		const entries = listOf(value ?? []);
		if (!listOf(shown ?? []) || !entries) return false;
		return isSameList(field, entriesShown(record, name, shown ?? []), entries);
	}
	if (field.kind !== 'object') return isEqualIn(field, shown, value);
	if (!isObject(value)) return !isObject(shown) || hasNoParts(shown);
	if (differingParts(shown, value)) return false;
	const others = partsWhere(isObject(shown) ? shown : {}, (_, part) => !(part in value));
	const presets: Record<string, unknown> = isObject(preset) ? preset : {};
	return hasNoParts(partsWhere(others, (other, part) => other !== presets[part]));
}

/** Returns whether all parts of an object are empty. */
function hasNoParts(value: Record<string, unknown>): boolean {
	return Object.entries(value).every(
		([part, own]) => part.startsWith('@') || (own ?? null) === null || own === '',
	);
}
