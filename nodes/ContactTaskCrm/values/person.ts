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

/** Returns the name of a person, or else `name`, `fullName`, `title` or `email` of a record; empty without any. */
export function nameIn(record: Readonly<Record<string, unknown>>): string {
	const { name, fullName, title, email } = record;
	const found = personName(record as IDataObject) || (name ?? fullName ?? title ?? email);
	return textIn(found);
}

/** Returns whether a record of any collection is archived. */
export function isArchived({ archivedAt }: IDataObject): boolean {
	return !isBlank(archivedAt);
}

/** Returns the first e-mail address of a person; empty if the record shows none. */
export function emailIn(person: Readonly<Record<string, unknown>>): string {
	return textIn(firstIn(person.emailAddresses as IDataObject[string], 'email'));
}

export function emailsOf(person: IDataObject): string[] {
	return partTexts(person.emailAddresses, 'email');
}

/** Returns all identifiers of a person in the spelling of the record. A lookup may find the person by each of them. */
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
