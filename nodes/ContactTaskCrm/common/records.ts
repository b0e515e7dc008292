import type { IDataObject } from 'n8n-workflow';
import { lastSegment } from './iri';

type Value = IDataObject[string];

/** The id of a record: its own, or the end of its IRI where it shows no other. */
export function idIn(record: IDataObject): Value {
	const iri = record['@id'];
	return record.id ?? (typeof iri === 'string' ? lastSegment(iri) : null);
}

/** A reference to another record as one text, though the record may come embedded. */
export function referenceIn(value: Value): Value {
	if (typeof value !== 'object' || value === null) return value ?? null;
	const { '@id': iri, id } = value as IDataObject;
	return iri ?? id ?? null;
}

/** The entries of a list as one text with commas. */
export function listIn(value: Value, textOf: (entry: Value) => Value): Value {
	if (!Array.isArray(value)) return null;
	return (value as Value[]).map(textOf).filter(Boolean).join(', ');
}

/** What one field of the first entry of a list holds. */
export function firstIn(value: Value, field: string): Value {
	if (!Array.isArray(value)) return null;
	const [first] = value as Array<IDataObject | undefined>;
	return first?.[field] ?? null;
}

/** The name of a person as people read it; empty where none is known. */
export function personName({ givenName, additionalName, familyName }: IDataObject): string {
	return [givenName, additionalName, familyName]
		.filter((part) => typeof part === 'string' && part.trim() !== '')
		.map((part) => String(part).trim())
		.join(' ');
}
