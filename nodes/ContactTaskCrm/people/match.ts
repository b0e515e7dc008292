import type { IDataObject } from 'n8n-workflow';
import { person as contract } from '../schema/person';
import type { Client } from '../tenant/client';
import { shownId } from '../tenant/records';
import { ExplainedError } from '../util/errors';
import { cleanContact } from '../util/text';
import { isObject, listOf } from '../util/values';
import { isSamePhone, matchKey, normalized, phoneOf } from '../util/identifiers';

export type MatchBy = 'email' | 'identifier';

/** The filters of the list of people that look for a person. */
export const MATCH_FILTERS: Record<MatchBy, string> = {
	email: 'emailAddressesEmail',
	identifier: 'identifiers',
};

/** What messages call the value that is looked for. */
export const MATCH_LABELS: Record<MatchBy, string> = {
	email: 'e-mail address',
	identifier: 'identifier',
};

/**
 * Whether a person is the one looked for: the filter of the service may find parts of a value, or
 * be dropped altogether, and a guess would overwrite somebody else.
 *
 * @param value e-mail address, phone number or identifier on a professional network
 */
export function isMatch(person: IDataObject, matchBy: MatchBy, value: string): boolean {
	const wanted = normalized(value);
	if (emailsOf(person).some((email) => normalized(email) === wanted)) return true;
	if (matchBy === 'email') return false;
	if (normalized(String(person.networkId ?? '')) === wanted) return true;
	const number = phoneOf(value);
	const phones = partTexts(person.phoneNumbers, 'phoneNumber');
	return number !== undefined && phones.some((phone) => isSamePhone(phoneOf(phone), number));
}

/** A new person, with what they must carry to be found by the same value the next time. */
export function withMatch(person: IDataObject, matchBy: MatchBy, value: string): IDataObject {
	if (isMatch(person, matchBy, value)) return person;
	const carried = Object.entries(matchFields(matchBy, value)).map(([name, found]) => {
		const given = person[name];
		if (Array.isArray(given) && Array.isArray(found)) return [name, [...given, ...found]];
		return [name, given ?? found];
	});
	return { ...person, ...Object.fromEntries(carried) };
}

function matchFields(matchBy: MatchBy, value: string): IDataObject {
	const text = cleanContact(value);
	if (matchBy === 'email' || text.includes('@')) return { emailAddresses: [{ email: text }] };
	if (phoneOf(text) !== undefined) {
		return { phoneNumbers: [{ phoneNumber: text, phoneType: null }] };
	}
	return { networkId: text };
}

/** The e-mail addresses of a person. */
export function emailsOf(person: IDataObject): string[] {
	return partTexts(person.emailAddresses, 'email');
}

function partTexts(entries: unknown, name: string): string[] {
	return (listOf(entries) ?? []).flatMap((entry) =>
		isObject(entry) && typeof entry[name] === 'string' ? [entry[name]] : [],
	);
}

/** All by which a person may be looked up, as it is written. */
function valuesOf(person: IDataObject): string[] {
	return [
		...emailsOf(person),
		...partTexts(person.phoneNumbers, 'phoneNumber'),
		...(typeof person.networkId === 'string' ? [person.networkId] : []),
	];
}

/** The same as `matchKey` has it. */
export function keysOf(person: IDataObject): string[] {
	return [...new Set(valuesOf(person).map(matchKey))];
}

/**
 * Notes of a request that creates a person who carries the values by which people are looked for; where it may
 * have taken effect and nobody knows, that nobody knows.
 *
 * @param create sends the request
 * @param personIn the person in what it gives, where it shows one
 */
export async function creating<T>(
	{ tenant: { writes } }: Client,
	body: IDataObject,
	create: () => Promise<T>,
	personIn: (created: T) => IDataObject | undefined,
): Promise<T> {
	try {
		const created = await create();
		const id = shownId(personIn(created), contract);
		if (id === undefined) writes.noteUnknown(valuesOf(body));
		else writes.note(id, keysOf(body));
		return created;
	} catch (error) {
		const isUnknown = error instanceof ExplainedError && error.mayHaveTakenEffect;
		if (isUnknown) writes.noteUnknown(valuesOf(body));
		return await Promise.reject(error);
	}
}
