import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import type { Query } from '../http/request';
import { isObject, referencesIn } from '../util/values';
import type { Client } from '../tenant/client';
import type { Collection } from '../tenant/directory';
import { titleIn } from '../tenant/directory';
import { readTitledList, titledListOf, titledPage } from '../tenant/titles';
import { UnusableParameter } from '../util/errors';
import { quoted } from '../util/quoted';
import { idOf, iriOf, isIri, ownIri, valueOf } from '../util/iri';
import { withTitle } from '../util/records';
import { optionsOf } from './options';
import type { RecordSpecification, TitleOf } from './specification';

type Output = 'simplified' | 'raw' | 'selectedFields' | 'identifiers' | 'count';

/** How a record leaves the node, by the Output parameter. */
export interface OutputForm {
	kind: Output;
	of: (record: unknown, titleOf: TitleOf) => IDataObject;
}

/** A record that was written, or left as it was. */
export class Written {
	constructor(
		readonly result: 'created' | 'updated' | 'unchanged',
		readonly record: IDataObject,
		/** What is to be said beside it. */
		readonly note?: string,
	) {}
}

/** What is said of a list behind its records. */
export class ListNote {
	constructor(readonly json: IDataObject) {}
}

/**
 * The form that the user chose for the records of an item.
 *
 * @param isWrite a write may be answered with the fields that were written alone (interface, section 4.4)
 */
export function outputFormOf(
	context: Pick<IExecutePaginationFunctions, 'getNodeParameter'>,
	record: RecordSpecification,
	isWrite = false,
): OutputForm {
	const { output, fields: chosen } = isWrite
		? optionsOf(context)
		: {
				output: context.getNodeParameter('output', 'simplified'),
				fields: context.getNodeParameter('fields', []),
			};
	const kind = (output ?? 'simplified') as Output;
	if (kind === 'raw') return { kind, of: asRecord };
	if (kind === 'identifiers') {
		return { kind, of: (identifier) => ({ id: valueOf(idOf(identifier, record.collection)) }) };
	}
	if (kind === 'count') return { kind, of: asRecord };
	if (kind === 'selectedFields') {
		const fields = namesIn(chosen);
		if (fields.length === 0) {
			throw new UnusableParameter('Fields is empty', 'Choose at least one field to return');
		}
		return { kind, of: (whole) => selected(asRecord(whole), fields) };
	}
	if (kind !== 'simplified') {
		throw new UnusableParameter(
			`Output: expected one of the choices, got ${quoted(kind)}`,
			'Choose from the list: simplified, raw, selectedFields and, for lists, count and identifiers',
		);
	}
	const simplify = isWrite ? simplifiedAnswer(record) : record.simplify;
	return { kind, of: (whole, titleOf) => simplify(asRecord(whole), titleOf) };
}

/** Simplifies what may be a part of a record: what was not answered is not known, and not empty. */
function simplifiedAnswer({
	fields,
	simplify,
}: RecordSpecification): RecordSpecification['simplify'] {
	return (record, titleOf) => {
		const whole = simplify(record, titleOf);
		for (const name in fields) {
			if (fields[name].isRequired && !(name in record)) return shownOf(whole, record);
		}
		return whole;
	};
}

function shownOf(simple: IDataObject, record: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(simple).filter(
			([name, value]) => name in record || !(value === null || value === ''),
		),
	);
}

/** A record as an item's JSON, which has to be an object: anything else is put under `value`. */
export function asRecord(record: unknown): IDataObject {
	return typeof record === 'object' && record !== null && !Array.isArray(record)
		? (record as IDataObject)
		: { value: record as IDataObject[string] };
}

function selected(record: IDataObject, fields: string[]): IDataObject {
	return Object.fromEntries(
		fields.filter((field) => Object.hasOwn(record, field)).map((field) => [field, record[field]]),
	);
}

/** Names given as a list, or as text with commas. */
export function namesIn(value: unknown): string[] {
	return referencesIn(value)
		.filter((name) => typeof name === 'string' || typeof name === 'number')
		.map((name) => String(name).trim());
}

type Value = IDataObject[string];

/** The title of a record that another one refers to: its own where it comes embedded; null for none. */
export function titleFor(
	reference: unknown,
	collection: Collection,
	titleOf: TitleOf,
): string | null {
	return titleIn(reference, collection) || (titleOf(reference, collection) ?? null);
}

/** Shows references into a collection with their titles: "Newsletter (/segments/a41b)". */
export function titled(collection: Collection, titleOf: TitleOf): (reference: Value) => Value {
	return (reference) => {
		const isByItsIri = isObject(reference)
			? ownIri(reference) !== undefined
			: isIri(String(reference));
		// The node takes a title with an IRI for the record, and a title with an ID for a text.
		const iri = isByItsIri ? undefined : valueOf(iriOf(reference, collection));
		return withTitle(iri ?? reference, titleFor(reference, collection, titleOf));
	};
}

/**
 * Records in the form that was asked for. The titles that it shows and that are not known are read, one
 * list for all records of an hour; those that cannot be had are left out.
 *
 * @param mayRead whether anything may be read for titles alone
 */
export async function inForm(
	records: readonly unknown[],
	form: OutputForm,
	client: Client,
	mayRead: boolean,
): Promise<IDataObject[]> {
	const { directory } = client.tenant;
	const known: TitleOf = (reference, collection) => directory.titleOf(reference, collection);
	const wanted = new Map<Collection, { isComplete: boolean }>();
	const noting: TitleOf = (reference, collection) => {
		const title = known(reference, collection);
		const list = titledListOf(collection);
		if (list !== undefined && reference !== null && reference !== undefined) {
			const isComplete = wanted.get(list)?.isComplete ?? true;
			wanted.set(list, { isComplete: isComplete && title !== undefined });
		}
		return title;
	};
	const shown = records.map((record) => formed(record, form, noting));
	if (!mayRead || wanted.size === 0) return shown;
	for (const [list, { isComplete }] of wanted) {
		const readPage = async (query: Query) => await titledPage(client, list, query);
		await readTitledList(client.tenant, list, { isComplete, readPage });
	}
	return records.map((record) => formed(record, form, known));
}

function formed(record: unknown, { of }: OutputForm, titleOf: TitleOf): IDataObject {
	if (record instanceof ListNote) return record.json;
	if (record instanceof Written) {
		const { result, note } = record;
		return { result, ...(note ? { note } : {}), ...of(record.record, titleOf) };
	}
	return of(record, titleOf);
}
