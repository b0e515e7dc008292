import type { IDataObject } from 'n8n-workflow';
import { idOf, valueOf } from '../transport/iri';
import type { Item } from './item';
import type { RecordSpecification } from './specification';

type Output = 'simplified' | 'raw' | 'selectedFields' | 'identifiers';

/** How a record leaves the node, by the Output parameter. */
export interface OutputForm {
	kind: Output;
	of: (record: unknown) => IDataObject;
}

/** The form that the user chose for the records of an item. */
export function outputFormOf({ context }: Item, record: RecordSpecification): OutputForm {
	const kind = context.getNodeParameter('output', 'simplified') as Output;
	if (kind === 'raw') return { kind, of: asRecord };
	if (kind === 'identifiers') {
		return { kind, of: (identifier) => ({ id: valueOf(idOf(identifier, record.collection)) }) };
	}
	if (kind === 'selectedFields') {
		const fields = listOf(context.getNodeParameter('fields', []));
		return { kind, of: (whole) => selected(asRecord(whole), fields) };
	}
	return { kind: 'simplified', of: (whole) => record.simplify(asRecord(whole)) };
}

/** A record as an item's JSON, whatever the service sent in its place. */
export function asRecord(record: unknown): IDataObject {
	return typeof record === 'object' && record !== null && !Array.isArray(record)
		? (record as IDataObject)
		: { value: record as IDataObject[string] };
}

function selected(record: IDataObject, fields: string[]): IDataObject {
	return Object.fromEntries(
		fields.filter((field) => field in record).map((field) => [field, record[field]]),
	);
}

/** A list given as such, or as text with commas; a number is a list of one. */
export function listOf(value: unknown): string[] {
	const isText = typeof value === 'string' || typeof value === 'number';
	const entries: unknown[] = Array.isArray(value) ? value : isText ? String(value).split(',') : [];
	return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}
