import { pickBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { ADDED_TO_LISTS, changesTo, entriesShown } from './merge';
import { contracts } from '../schema';
import type { Field } from '../schema/field';
import { isObject, listOf, withoutJsonLd } from '../values/json';
import { isPlaceholder } from '../values/placeholder';
import { iriOf, valueOf } from '../values/reference';
import { isBlank } from '../values/text';

/*
 * A merge gives the kept person the list entries of the other people. A field that is empty in the kept person gets the
 * value of another person.
 */

const record = contracts.person;

/**
 * Fields of a person that an update can write, and that the service shows. Leaves out fields that need the parameter
 * JSON Body.
 */
const WRITABLE = pickBy(
	record.fields,
	({ bodies, shown, isJsonOnly }) => bodies.includes('update') && shown && !isJsonOnly,
) as Readonly<Record<string, Field>>;

/**
 * Fields that the kept person does not take from the other people. The totals count deals, and deals stay with the
 * archived person.
 */
const NOT_TAKEN = ['archivedAt', 'totalDeals', 'totalLostDeals', 'totalWonDeals'];

/** A postal address counts as empty without any of these parts. A country alone may be the default of the service. */
const FILLED_PARTS = ['street', 'postalCode', 'city'];

/**
 * Returns the body of the update that adds values of the other people to the kept person. The kept person's values
 * stay, and the kept person's entries come first in each list.
 *
 * @throws ExplainedError if the service does not show the entries of a list
 */
export function unionOf(kept: IDataObject, others: readonly IDataObject[]): IDataObject {
	return changesTo(
		record,
		kept,
		{ ...fieldsLacked(kept, others), ...listsOf(others) },
		ADDED_TO_LISTS,
	);
}

/**
 * Returns the list entries that other people have and the kept person lacks, by the name of the list. An entry in
 * another spelling is not lacking.
 */
export function entriesLacked(
	kept: IDataObject,
	others: readonly IDataObject[],
): Record<string, unknown[]> {
	const lists = changesTo(record, kept, listsOf(others), ADDED_TO_LISTS);
	return Object.fromEntries(
		Object.entries(lists).map(([name, entries]) => {
			const { length } = entriesShown(record, name, kept[name]);
			return [name, (entries as unknown[]).slice(length)];
		}),
	);
}

function listsOf(people: readonly IDataObject[]): IDataObject {
	const lists = Object.entries(WRITABLE).flatMap(([name, field]): Array<[string, unknown[]]> => {
		if (!field.isList) return [];
		const entries = people.flatMap((person) =>
			listOf(person[name]) ? entriesShown(record, name, person[name]) : [],
		);
		const usable = entries.filter((entry) => isUsable(field, entry));
		return usable.length > 0 ? [[name, usable]] : [];
	});
	return Object.fromEntries(lists) as IDataObject;
}

/**
 * Returns whether an entry of a list has a real value. An e-mail address such as "n/a" is a placeholder, and reaches
 * nobody.
 */
function isUsable({ entryKey }: Field, entry: unknown): boolean {
	if (entryKey === undefined || !isObject(entry)) return true;
	const text = entry[entryKey];
	return !isBlank(text) && !isPlaceholder(String(text));
}

function fieldsLacked(kept: IDataObject, others: readonly IDataObject[]): IDataObject {
	const given = Object.entries(WRITABLE).flatMap(([name, field]): Array<[string, unknown]> => {
		if (field.isList || NOT_TAKEN.includes(name) || !isEmptyIn(field, kept[name])) return [];
		const found = others.find((other) => !isEmptyIn(field, other[name]))?.[name];
		return found === undefined ? [] : [[name, inBodyForm(field, found)]];
	});
	return Object.fromEntries(given) as IDataObject;
}

function isEmptyIn({ kind }: Field, value: unknown): boolean {
	if (kind !== 'object') return isBlank(value);
	return !isObject(value) || FILLED_PARTS.every((part) => isBlank(value[part]));
}

/** Returns a value of an answer in the form of a request body. */
function inBodyForm({ refersTo }: Field, value: unknown): unknown {
	if (refersTo !== undefined) return valueOf(iriOf(value, refersTo)) ?? value;
	return isObject(value) ? withoutJsonLd(value) : value;
}
