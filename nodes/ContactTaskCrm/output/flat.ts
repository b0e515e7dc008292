import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import {
	type Collection,
	COLUMNS,
	type RecordContract,
	titledCollection,
	titleIn,
} from '../schema/record';
import { cellOf, isObject, listIn, listOf, ownOf, type Value } from '../values/json';
import { withoutSeparators } from '../values/list';
import { idIn, idOf, referenceIn, valueOf } from '../values/reference';
import { isBlank } from '../values/text';
import type { RecordSpecification, TitleOf } from './specification';

/*
 * Turns records into flat columns for a table. The values depend only on the record, the titles of the records that it
 * refers to, and the names in the credential. Simplified and Selected Fields show a field in the same form.
 */

/** Returns the title of a referenced record, from an embedded record or else by `titleOf`; null if unknown. */
export function titleFor(
	reference: unknown,
	collection: Collection,
	titleOf: TitleOf,
): string | null {
	return titleIn(reference, collection) || (titleOf(reference, collection) ?? null);
}

/**
 * Returns the title or name of a referenced record. Without a known title, returns the ID, or the IRI of a workspace
 * column. Returns null for an empty reference.
 */
function titleOrId(reference: Value, collection: string, titleOf: TitleOf): Value {
	const titled = titledCollection(collection);
	const title = titled && !isBlank(reference) ? titleFor(reference, titled, titleOf) : null;
	return title ?? plainReference(reference, collection);
}

/** Returns the ID of a referenced record. For a workspace column, returns the IRI, which also names the workspace. */
function plainReference(reference: Value, collection: string): Value {
	const id = collection === COLUMNS ? undefined : valueOf(idOf(reference, collection));
	return id ?? referenceIn(reference);
}

/**
 * Returns the titles or names of referenced records as text with commas. A record without a known title has its ID. The
 * function removes commas within titles, so that a user can split the text at the commas.
 */
export function titlesOrIds(list: Value, collection: string, titleOf: TitleOf): Value {
	return listIn(list, (reference) =>
		withoutSeparators(String(titleOrId(reference, collection, titleOf) ?? '')),
	);
}

/** Columns that the node computes from a record, by their names. */
type Derived = Readonly<Record<string, (record: IDataObject, titleOf: TitleOf) => Value>>;

/**
 * Returns a function that brings a record into the form of Output: Simplified.
 *
 * @param names names of fields and derived columns, in the order of the output, separated by spaces
 */
export function simplifiedBy(
	{ fields }: RecordContract,
	names: string,
	derived: Derived = {},
): RecordSpecification['simplify'] {
	return (record, titleOf) => flat(record, names.split(' '), { fields, derived }, titleOf);
}

/**
 * Returns chosen fields of a record as flat columns. Some fields become several columns, such as a reference and its
 * title.
 */
export function flat(
	record: IDataObject,
	names: readonly string[],
	{ fields, derived = {} }: { fields: RecordSpecification['fields']; derived?: Derived },
	titleOf: TitleOf,
): IDataObject {
	const columns = names.map((name) => {
		if (name === 'id') return { id: idIn(record) };
		const derive = ownOf(derived, name);
		if (derive) return { [name]: derive(record, titleOf) };
		return flatField(name, ownOf(record, name), ownOf(fields, name) ?? {}, titleOf);
	});
	return Object.assign({}, ...columns) as IDataObject;
}

/** Returns the column or columns of one field. */
function flatField(
	name: string,
	value: Value,
	{ refersTo, entryKey, columns = [] }: Partial<Field>,
	titleOf: TitleOf,
): IDataObject {
	if (refersTo === COLUMNS || refersTo === '/workspaces') {
		const title = titleFor(value, refersTo, titleOf);
		return { [name]: plainReference(value, refersTo), [`${name}Title`]: title };
	}
	if (refersTo !== undefined) {
		const shown = listOf(value) ? titlesOrIds : titleOrId;
		return { [name]: shown(value, refersTo, titleOf) };
	}
	if (entryKey !== undefined) {
		const partOf = (entry: Value) => (isObject(entry) ? (entry[entryKey] as Value) : entry);
		return { [name]: listIn(value, partOf) };
	}
	if (columns.length > 0) {
		const parts = isObject(value) ? value : {};
		return Object.fromEntries(
			columns.map(({ name: column, part = '' }) => [column, (parts[part] ?? null) as Value]),
		);
	}
	return { [name]: cellOf(value) };
}
