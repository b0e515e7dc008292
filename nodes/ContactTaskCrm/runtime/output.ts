import type { IDataObject } from 'n8n-workflow';
import { UnusableParameter } from '../common/errors';
import { idOf, valueOf } from '../common/iri';
import type { Item } from './item';
import { referencesIn } from '../common/references';
import type { RecordSpecification } from './specification';

type Output = 'simplified' | 'raw' | 'selectedFields' | 'identifiers' | 'count';

/** How a record leaves the node, by the Output parameter. */
export interface OutputForm {
	kind: Output;
	of: (record: unknown) => IDataObject;
}

/** The form that the user chose for the records of an item. */
export function outputFormOf(
	{ context }: { context: Pick<Item['context'], 'getNodeParameter'> },
	record: RecordSpecification,
): OutputForm {
	const kind = context.getNodeParameter('output', 'simplified') as Output;
	if (kind === 'raw') return { kind, of: asRecord };
	if (kind === 'identifiers') {
		return { kind, of: (identifier) => ({ id: valueOf(idOf(identifier, record.collection)) }) };
	}
	if (kind === 'count') return { kind, of: asRecord };
	if (kind === 'selectedFields') {
		const fields = namesIn(context.getNodeParameter('fields', []));
		if (fields.length === 0) {
			throw new UnusableParameter('Fields is empty', 'Choose at least one field to return');
		}
		return { kind, of: (whole) => selected(asRecord(whole), fields) };
	}
	if (kind !== 'simplified') {
		throw new UnusableParameter(
			`Output: expected one of the choices, got ${JSON.stringify(kind)}`,
			'Choose from the list: simplified, raw, selectedFields and, for lists, count and identifiers',
		);
	}
	return { kind, of: (whole) => record.simplify(asRecord(whole)) };
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
