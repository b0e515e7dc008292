import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import type { Collection } from '../tenant/directory';
import { COLUMNS, titleIn } from '../tenant/directory';
import { titledCollection } from '../tenant/titles';
import { idOf, valueOf } from '../util/iri';
import { idIn, listIn, referenceIn } from '../util/records';
import { withoutCommas } from '../util/text';
import { isBlank, isObject, listOf } from '../util/values';
import type { RecordSpecification, TitleOf } from './specification';

/*
 * Records as flat columns, ready for a table. What comes out follows from the record, the lists of titles and
 * the credential's names alone: the same record gives the same columns in the same form in every run. A field
 * has one form, in Simplified and in Selected Fields.
 */

type Value = IDataObject[string];

/** The title of a record that another one refers to: its own where it comes embedded; null for none. */
export function titleFor(
	reference: unknown,
	collection: Collection,
	titleOf: TitleOf,
): string | null {
	return titleIn(reference, collection) || (titleOf(reference, collection) ?? null);
}

/** A reference by the title or name of its record, else by ID; null for none. */
export function named(reference: Value, collection: string, titleOf: TitleOf): Value {
	const titled = titledCollection(collection);
	const title = titled && !isBlank(reference) ? titleFor(reference, titled, titleOf) : null;
	return title ?? idText(reference, collection);
}

/** A reference by ID; one to a column by IRI, since its ID says nothing without the workspace. */
function idText(reference: Value, collection: string): Value {
	const id = collection === COLUMNS ? undefined : valueOf(idOf(reference, collection));
	return id ?? referenceIn(reference);
}

/** References by title or name, else by ID, as one text with commas: titles lose theirs. */
export function namedList(list: Value, collection: string, titleOf: TitleOf): Value {
	return listIn(list, (reference) =>
		withoutCommas(String(named(reference, collection, titleOf) ?? '')),
	);
}

/** Where a task stands: columns and workspaces are told by ID, with the title beside it. */
const PLACES: readonly string[] = [COLUMNS, '/workspaces'];

/** The fields of a record that were asked for, each as one column or several. */
export function flat(
	record: IDataObject,
	names: readonly string[],
	{ fields, derived = {} }: Pick<RecordSpecification, 'fields' | 'derived'>,
	titleOf: TitleOf,
): IDataObject {
	const columns = names.map((name) => {
		if (name === 'id') return { id: idIn(record) };
		if (Object.hasOwn(derived, name)) return { [name]: derived[name](record) };
		const value = Object.hasOwn(record, name) ? record[name] : undefined;
		return columnsOf(name, value, Object.hasOwn(fields, name) ? fields[name] : {}, titleOf);
	});
	return Object.assign({}, ...columns) as IDataObject;
}

function columnsOf(
	name: string,
	value: Value,
	{ refersTo, entryKey, columns = [] }: Partial<Field>,
	titleOf: TitleOf,
): IDataObject {
	if (refersTo !== undefined && PLACES.includes(refersTo)) {
		const title = titleFor(value, refersTo as Collection, titleOf);
		return { [name]: idText(value, refersTo), [`${name}Title`]: title };
	}
	if (refersTo !== undefined) {
		const shown = listOf(value) ? namedList : named;
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

/** Any other value in one cell: a list of texts with commas, and what has parts as JSON. */
export function cellOf(value: Value): Value {
	if (typeof value !== 'object' || value === null) return value ?? null;
	const isPlain = (entry: unknown) => typeof entry !== 'object' || entry === null;
	const list = listOf(value);
	return list?.every(isPlain)
		? list.filter((entry) => !isBlank(entry)).join(', ')
		: JSON.stringify(value);
}
