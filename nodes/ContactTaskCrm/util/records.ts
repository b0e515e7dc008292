import type { IDataObject } from 'n8n-workflow';
import { isBlank, isObject, listOf } from './values';
import { lastSegment, ownId, ownIri } from './iri';

type Value = IDataObject[string];

/** The id of a record: its own, or the end of its IRI where it shows no other that can be used. */
export function idIn(record: IDataObject): Value {
	const { id } = record;
	if (ownId({ id }) !== undefined) return id;
	const iri = ownIri(record);
	return iri === undefined ? (ownId(record) ?? null) : lastSegment(iri);
}

/** A reference to another record as one text, though the record may come embedded. */
export function referenceIn(value: Value): Value {
	if (typeof value !== 'object' || value === null) return value ?? null;
	return ownIri(value) ?? ownId(value) ?? (value as IDataObject)['@id'] ?? null;
}

/** The entries of a list as one text with commas. */
export function listIn(value: Value, textOf: (entry: Value) => Value): Value {
	const list = listOf(value) as Value[] | undefined;
	return list === undefined ? null : list.map(textOf).filter(Boolean).join(', ');
}

/** What a field holds of the first entry of a list that has it. */
export function firstIn(value: Value, field: string): Value {
	for (const entry of listOf(value) ?? []) {
		if (isObject(entry) && !isBlank(entry[field])) return entry[field] as Value;
	}
	return null;
}

/** The name of a person as people read it; empty where none is known. */
export function personName({ givenName, additionalName, familyName }: IDataObject): string {
	const parts: string[] = [];
	for (const part of [givenName, additionalName, familyName]) {
		if (typeof part === 'string' && part.trim() !== '') parts.push(part.trim());
	}
	return parts.join(' ');
}

/** The name or title of a record of any kind, in whatever field it comes; empty where none is known. */
export function nameIn(record: Readonly<Record<string, unknown>>): string {
	const { name, fullName, title, email } = record;
	const found = personName(record as IDataObject) || (name ?? fullName ?? title ?? email);
	return textIn(found);
}

/** The first e-mail address of a person; empty where none is known. */
export function emailIn(person: Readonly<Record<string, unknown>>): string {
	return textIn(firstIn(person.emailAddresses as Value, 'email'));
}

/** A text or number as text; empty for anything else. */
export function textIn(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
