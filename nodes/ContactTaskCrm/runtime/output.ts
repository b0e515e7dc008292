import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import { UnusableParameter } from '../common/errors';
import { idOf, valueOf } from '../common/iri';
import { referencesIn } from '../common/references';
import { namesWhere } from '../contract/record';
import type { RecordSpecification, TitleOf } from './specification';

type Output = 'simplified' | 'raw' | 'selectedFields' | 'identifiers' | 'count';

/** How a record leaves the node, by the Output parameter. */
export interface OutputForm {
	kind: Output;
	of: (record: unknown, titleOf: TitleOf) => IDataObject;
}

/**
 * The form that the user chose for the records of an item.
 *
 * @param source a write may be answered with the fields that were written alone (interface, section 4.4)
 */
export function outputFormOf(
	{ context }: { context: Pick<IExecutePaginationFunctions, 'getNodeParameter'> },
	record: RecordSpecification,
	source: 'read' | 'write' = 'read',
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
	const simplify = source === 'write' ? simplifiedAnswer(record) : record.simplify;
	return { kind, of: (whole, titleOf) => simplify(asRecord(whole), titleOf) };
}

/** Simplifies what may be a part of a record: what was not answered is not known, and not empty. */
function simplifiedAnswer({
	fields,
	simplify,
}: RecordSpecification): RecordSpecification['simplify'] {
	const needed = namesWhere(fields, ({ isRequired }) => isRequired);
	return (record, titleOf) => {
		const whole = simplify(record, titleOf);
		return needed.every((name) => name in record) ? whole : shownOf(whole, record);
	};
}

function shownOf(simple: IDataObject, record: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(simple).filter(
			([name, value]) => name in record || !(value === null || value === ''),
		),
	);
}

/** The form of a record with what an operation says of it before: `result`. */
export function withResult({ kind, of }: OutputForm): OutputForm {
	return {
		kind,
		of: (whole, titleOf) => {
			const { result, ...record } = asRecord(whole);
			return { ...(result === undefined ? {} : { result }), ...of(record, titleOf) };
		},
	};
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
