import type { IDataObject } from 'n8n-workflow';
import { firstIn, partTexts } from './json';
import { identifierKey } from './identifier';
import { isBlank, textIn } from './text';

/** Returns the full name of a person; empty if the record has none. */
export function personName({ givenName, additionalName, familyName }: IDataObject): string {
	const parts = [givenName, additionalName, familyName];
	const names = parts.map((part) => (typeof part === 'string' ? part.trim() : ''));
	return names.filter(Boolean).join(' ');
}

/** Returns the name or title of a record of any kind, from whichever field has it; empty if none is known. */
export function nameIn(record: Readonly<Record<string, unknown>>): string {
	const { name, fullName, title, email } = record;
	const found = personName(record as IDataObject) || (name ?? fullName ?? title ?? email);
	return textIn(found);
}

/** Returns whether a record of any kind is archived. */
export function isArchived({ archivedAt }: IDataObject): boolean {
	return !isBlank(archivedAt);
}

/** Returns the first e-mail address of a person; empty if none is known. */
export function emailIn(person: Readonly<Record<string, unknown>>): string {
	return textIn(firstIn(person.emailAddresses as IDataObject[string], 'email'));
}

export function emailsOf(person: IDataObject): string[] {
	return partTexts(person.emailAddresses, 'email');
}

/** Returns all identifiers of a person, as the record spells them. A lookup may find the person by each. */
export function valuesOf(person: IDataObject): string[] {
	return [
		...emailsOf(person),
		...partTexts(person.phoneNumbers, 'phoneNumber'),
		...(typeof person.networkId === 'string' ? [person.networkId] : []),
	];
}

/** Returns the `identifierKey` of each identifier of a person, without duplicates. */
export function keysOf(person: IDataObject): string[] {
	return [...new Set(valuesOf(person).map(identifierKey))];
}
