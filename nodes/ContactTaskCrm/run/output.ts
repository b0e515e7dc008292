import type { IDataObject } from 'n8n-workflow';
import type { Query } from '../http/request';
import type { Field } from '../schema/field';
import type { Client } from '../tenant/client';
import type { Collection } from '../tenant/directory';
import { COLUMNS, titledCollection, titledListOf, titleIn } from '../tenant/directory';
import { readTitledList, titledPage } from '../tenant/titles';
import { UnusableParameter } from '../util/errors';
import { idIn, idOf, referenceIn, valueOf } from '../util/iri';
import {
	isBlank,
	isObject,
	listIn,
	listOf,
	partsWhere,
	quoted,
	referencesIn,
	withoutCommas,
} from '../util/values';
import type { RecordSpecification, TitleOf } from './specification';

type Value = IDataObject[string];

type Output = 'simplified' | 'raw' | 'selectedFields' | 'identifiers' | 'count';

/** How a record leaves the node, by the Output parameter. */
export interface OutputForm {
	kind: Output;
	of: (record: unknown, titleOf: TitleOf) => IDataObject;
}

/** What a write changes of a field; `from` is absent where the service does not show what there is. */
export type Change =
	| { from?: unknown; to: unknown }
	/** With the whole list, before and after, where the rest does not tell the order. */
	| { added: unknown[]; removed: unknown[]; from?: unknown[]; to?: unknown[] };

/** A record that was written, or left as it was. */
export class Written {
	constructor(
		readonly result: 'created' | 'updated' | 'unchanged',
		readonly record: IDataObject,
		/** What is to be said beside it: what has changed, where that is known, and of whom else to know. */
		readonly told: { changes?: Record<string, Change>; note?: string } = {},
	) {}
}

/** What is said of a list behind its records. */
export class ListNote {
	constructor(readonly json: IDataObject) {}
}

/**
 * The form that the user chose for the records of an item.
 *
 * @param chosen Output, and which fields, where that leaves them to the user
 * @param isWrite a write may be answered with the fields that were written alone (interface, section 4.4)
 */
export function outputFormOf(
	{ output, fields: chosen }: { output?: unknown; fields?: unknown },
	record: RecordSpecification,
	isWrite = false,
): OutputForm {
	const kind = (output ?? 'simplified') as Output;
	if (kind === 'raw' || kind === 'count') return { kind, of: asRecord };
	if (kind === 'identifiers') {
		return { kind, of: (identifier) => ({ id: valueOf(idOf(identifier, record.collection)) }) };
	}
	if (kind === 'selectedFields') {
		const fields = namesIn(chosen);
		if (fields.length === 0) {
			throw new UnusableParameter('Fields is empty', 'Choose at least one field to return');
		}
		const answered = (whole: IDataObject) =>
			isWrite && isPart(whole, record)
				? fields.filter((name) => Object.hasOwn(whole, name))
				: fields;
		return {
			kind,
			of: (whole, titleOf) => flat(asRecord(whole), answered(asRecord(whole)), record, titleOf),
		};
	}
	if (kind !== 'simplified') {
		throw new UnusableParameter(
			`Output: expected one of the choices, got ${quoted(kind)}`,
			'Choose from the list: simplified, raw, selectedFields and, for lists, count and identifiers',
		);
	}
	const of: OutputForm['of'] = (whole, titleOf) => {
		const answer = asRecord(whole);
		const simple = record.simplify(answer, titleOf);
		return isWrite && isPart(answer, record) ? shownOf(simple, answer) : simple;
	};
	return { kind, of };
}

/** Whether an answer is a part of a record: what it does not show is not known, and not empty. */
function isPart(answer: IDataObject, { fields }: RecordSpecification): boolean {
	return Object.entries(fields).some(([name, { isRequired }]) => isRequired && !(name in answer));
}

function shownOf(simple: IDataObject, record: IDataObject): IDataObject {
	return partsWhere(simple, (value, name) => name in record || !(value === null || value === ''));
}

/** A record as an item's JSON, which has to be an object: anything else is put under `value`. */
export function asRecord(record: unknown): IDataObject {
	return typeof record === 'object' && record !== null && !Array.isArray(record)
		? (record as IDataObject)
		: { value: record as IDataObject[string] };
}

/** Names given as a list, or as text with commas. */
export function namesIn(value: unknown): string[] {
	return referencesIn(value)
		.filter((name) => typeof name === 'string' || typeof name === 'number')
		.map((name) => String(name).trim());
}

/**
 * Records in the form that was asked for. The lists that tell the titles it shows are read first, one request an
 * hour for most; where one cannot be had, the fields are there all the same, without a title.
 */
export async function inForm(
	records: readonly unknown[],
	form: OutputForm,
	client: Client,
): Promise<IDataObject[]> {
	const { titleOf } = client;
	for (const [list, { isComplete }] of listsShownBy(records, form, titleOf)) {
		const readPage = async (query: Query) => await titledPage(client, list, query);
		await readTitledList(client.tenant, list, { isComplete, readPage });
	}
	return records.map((record) => formed(record, form, titleOf));
}

/** The lists that tell the titles which records show in a form, and whether all of those are known. */
export function listsShownBy(
	records: readonly unknown[],
	form: OutputForm,
	titleOf: TitleOf,
): Map<Collection, { isComplete: boolean }> {
	const lists = new Map<Collection, { isComplete: boolean }>();
	const noting: TitleOf = (reference, collection) => {
		const title = titleOf(reference, collection);
		const list = titledListOf(collection);
		if (list !== undefined && !isBlank(reference)) {
			const isComplete = lists.get(list)?.isComplete ?? true;
			lists.set(list, { isComplete: isComplete && title !== undefined });
		}
		return title;
	};
	for (const record of records) formed(record, form, noting);
	return lists;
}

function formed(record: unknown, { of }: OutputForm, titleOf: TitleOf): IDataObject {
	if (record instanceof ListNote) return record.json;
	if (!(record instanceof Written)) return of(record, titleOf);
	const { changes, note } = record.told;
	return {
		result: record.result,
		...(changes && { changes: changes as IDataObject }),
		...(note !== undefined && { note }),
		...of(record.record, titleOf),
	};
}

/*
 * Records as flat columns, ready for a table. What comes out follows from the record, the lists of titles and
 * the credential's names alone: the same record gives the same columns in the same form in every run. A field
 * has one form, in Simplified and in Selected Fields.
 */

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
