import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import type { Query } from '../http/request';
import { namesWhere } from '../schema/record';
import { isBlank, referencesIn } from '../util/values';
import type { Client } from '../tenant/client';
import type { Collection } from '../tenant/directory';
import { readTitledList, titledListOf, titledPage } from '../tenant/titles';
import { UnusableParameter } from '../util/errors';
import { quoted } from '../util/quoted';
import { idOf, valueOf } from '../util/iri';
import { flat } from './flat';
import { optionsOf } from './options';
import type { RecordSpecification, TitleOf } from './specification';

type Output = 'simplified' | 'raw' | 'selectedFields' | 'identifiers' | 'count';

/** How a record leaves the node, by the Output parameter. */
export interface OutputForm {
	kind: Output;
	of: (record: unknown, titleOf: TitleOf) => IDataObject;
}

/** What a write changes of a field; `from` is absent where the service does not show what there is. */
export type Change = { from?: unknown; to: unknown } | { added: unknown[]; removed: unknown[] };

/** A record that was written, or left as it was. */
export class Written {
	constructor(
		readonly result: 'created' | 'updated' | 'unchanged',
		readonly record: IDataObject,
		/** What is to be said beside it: what has changed, where that is known, and of whom else to know. */
		readonly told: { changes?: Record<string, Change>; note?: string } = {},
	) {}
}

/** What is told, without what is not known. */
function asJson(told: Written['told']): IDataObject {
	return Object.fromEntries(
		Object.entries(told).filter(([, value]) => value !== undefined),
	) as IDataObject;
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
	const simplify = isWrite ? simplifiedAnswer(record) : record.simplify;
	return { kind, of: (whole, titleOf) => simplify(asRecord(whole), titleOf) };
}

/** Simplifies what may be a part of a record. */
function simplifiedAnswer(record: RecordSpecification): RecordSpecification['simplify'] {
	return (answer, titleOf) => {
		const whole = record.simplify(answer, titleOf);
		return isPart(answer, record) ? shownOf(whole, answer) : whole;
	};
}

/** Whether an answer is a part of a record: what it does not show is not known, and not empty. */
function isPart(answer: IDataObject, { fields }: RecordSpecification): boolean {
	return namesWhere(fields, ({ isRequired }) => isRequired).some((name) => !(name in answer));
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
	const titleOf: TitleOf = (...asked) => client.titleOf(...asked);
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
	if (record instanceof Written) {
		return { result: record.result, ...asJson(record.told), ...of(record.record, titleOf) };
	}
	return of(record, titleOf);
}
