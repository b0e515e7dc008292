import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../crm/client';
import { type Collection, SOURCES } from '../schema/record';
import { readTitledList } from '../crm/wholeLists';
import { UnusableParameter } from '../util/errors';
import { flat } from './flat';
import { asRecord, partsWhere } from '../values/json';
import { fieldNamesIn } from '../values/list';
import { idOf, valueOf } from '../values/reference';
import { isBlank, quoted } from '../values/text';
import type { RecordSpecification, TitleOf } from './specification';

/** The form of the records in the output, as the parameter Output chooses it. */
export interface OutputForm {
	kind: 'simplified' | 'raw' | 'selectedFields' | 'identifiers' | 'count';
	of: (record: unknown, titleOf: TitleOf) => IDataObject;
	/** The fields that the records may have. */
	fields: RecordSpecification['fields'];
}

/** A note for an AI agent about a list. The note is the last item of the output, after the records. */
export class ListNote {
	constructor(readonly json: IDataObject) {}
}

/**
 * Returns the form that the user chose for the records of an item.
 *
 * @param isWrite whether the item writes. The answer to a write may show only the written fields (interface, section
 *   4.4)
 */
export function outputFormOf(
	{ output, fields: chosen }: { output?: unknown; fields?: unknown },
	record: RecordSpecification,
	isWrite = false,
): OutputForm {
	const kind = (output ?? 'simplified') as OutputForm['kind'];
	const own = { kind, fields: record.fields };
	if (kind === 'raw' || kind === 'count') return { ...own, of: asRecord };
	if (kind === 'identifiers') {
		return { ...own, of: (identifier) => ({ id: valueOf(idOf(identifier, record.collection)) }) };
	}
	if (kind === 'selectedFields') {
		// For a write, the parameter Fields is an entry of Options, where n8n fills in no defaults. So the node fills in
		// the usual fields.
		const fields = fieldNamesIn(chosen ?? record.usual.split(' '));
		if (fields.length === 0) {
			throw new UnusableParameter('Fields is empty', 'Choose at least one field to return');
		}
		const of: OutputForm['of'] = (whole, titleOf) => {
			const answer = asRecord(whole);
			const isCut = isWrite && isPart(answer, record);
			const shown = isCut ? fields.filter((name) => Object.hasOwn(answer, name)) : fields;
			return flat(answer, shown, record, titleOf);
		};
		return { ...own, of };
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
		if (!isWrite || !isPart(answer, record)) return simple;
		return partsWhere(simple, (value, name) => name in answer || !(value === null || value === ''));
	};
	return { ...own, of };
}

/**
 * Returns whether an answer lacks a required field. The service has then left out fields. Their values are unknown, and
 * not empty.
 */
function isPart(answer: IDataObject, { fields }: RecordSpecification): boolean {
	return Object.entries(fields).some(([name, { isRequired }]) => isRequired && !(name in answer));
}

/**
 * Returns the output of each record, made by `of`. First reads the lists with the titles that the output needs. The
 * node does not read a list again within an hour. For an unknown title of a segment, workspace or column, this time is
 * ten minutes. If the node cannot read a list, the output has the same fields, but without titles.
 */
export async function inForm(
	records: readonly unknown[],
	of: OutputForm['of'],
	client: Client,
): Promise<IDataObject[]> {
	const { titleOf } = client;
	for (const [list, { isComplete }] of listsShownBy(records, { of }, titleOf)) {
		await readTitledList(client.tenant, list, {
			isComplete,
			readPage: async (query) => await client.page({ path: list, query }),
		});
	}
	return records.map((record) => of(record, titleOf));
}

/**
 * Returns the lists with titles that the output needs. `isComplete` says whether the node knows all titles that the
 * output needs from the list.
 */
export function listsShownBy(
	records: readonly unknown[],
	{ of }: Pick<OutputForm, 'of'>,
	titleOf: TitleOf,
): Map<Collection, { isComplete: boolean }> {
	const lists = new Map<Collection, { isComplete: boolean }>();
	const noting: TitleOf = (reference, collection) => {
		const title = titleOf(reference, collection);
		if (!isBlank(reference)) {
			const { list } = SOURCES[collection];
			const isComplete = lists.get(list)?.isComplete ?? true;
			lists.set(list, { isComplete: isComplete && title !== undefined });
		}
		return title;
	};
	for (const record of records) of(record, noting);
	return lists;
}
