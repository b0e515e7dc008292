import { groupBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { QUICK } from '../http/paging';
import { person as contract } from '../schema/person';
import type { Client } from '../crm/client';
import { isOfPreview } from '../crm/preview';
import { type ListRequest, readList } from '../crm/readList';
import { readIfThere, shownId } from '../crm/records';
import type { Read } from '../crm/newestReads';
import { ExplainedError } from '../util/errors';
import { isArchived, personName } from '../values/person';
import {
	fieldFor,
	identifierKey,
	isSameIdentifier,
	normalized,
	spellingsOf,
} from '../values/identifier';
import { ownOf, partTexts } from '../values/json';
import { cleanContact, quoted } from '../values/text';
import { MAX_PAGE_SIZE } from '../schema/limits';
import { meetsFilter } from '../schema/filter';

export type MatchBy = 'email' | 'identifier';

/** A value by which the node looks a person up. `matchBy` chooses the filter of the service. */
export interface Match {
	matchBy: MatchBy;
	value: string;
}

/** Filters of the list of people, one for each `MatchBy`. */
export const MATCH_FILTERS = {
	email: contract.filters.emailAddressesEmail,
	identifier: contract.filters.identifiers,
};

/** Words in messages for each `MatchBy`. */
export const MATCH_LABELS = { email: 'e-mail address', identifier: 'identifier' };

/**
 * Returns whether a person has the value. The node checks this itself. The filter of the service may match a part of a
 * value, or do nothing. The node would then overwrite another person.
 *
 * @param value e-mail address, phone number or network ID
 */
export function isMatch(person: IDataObject, matchBy: MatchBy, value: string): boolean {
	if (hasIdentifier(person.emailAddresses, 'email', value)) return true;
	if (matchBy === 'email') return false;
	// Compares a network ID as text, and not as a phone number. The digits of an ID may be the end of a phone number.
	if (normalized(String(person.networkId ?? '')) === normalized(value)) return true;
	return hasIdentifier(person.phoneNumbers, 'phoneNumber', value);
}

/**
 * For a list in an answer, such as the phone numbers of a person: its texts, grouped by `identifierKey`. Many lookups
 * compare the same list. The node never changes a list of an answer, so these groups stay right.
 */
const textsByKey = new WeakMap<object, Record<string, string[]>>();

/**
 * Returns whether an entry of a list has the value, in any spelling. `part` names the compared part, such as `email`.
 */
function hasIdentifier(list: unknown, part: string, value: string): boolean {
	if (typeof list !== 'object' || list === null) return false;
	const texts = textsByKey.get(list) ?? groupBy(partTexts(list, part), identifierKey);
	textsByKey.set(list, texts);
	return ownOf(texts, identifierKey(value))?.some((text) => isSameIdentifier(text, value)) ?? false;
}

/**
 * Adds the value to a new person, unless the person already has the value. The next lookup of this value then finds the
 * person. An e-mail address or phone number becomes the first entry of its list.
 */
export function withMatch(person: IDataObject, matchBy: MatchBy, value: string): IDataObject {
	if (isMatch(person, matchBy, value)) return person;
	const text = cleanContact(value);
	const adding = (name: string, entry: IDataObject) => {
		const given = person[name];
		return { ...person, [name]: Array.isArray(given) ? [entry, ...given] : (given ?? [entry]) };
	};
	const field = matchBy === 'email' ? 'emailAddresses' : fieldFor(text);
	if (field === 'networkId') return { ...person, networkId: person.networkId ?? text };
	const isEmail = field === 'emailAddresses';
	return adding(field, isEmail ? { email: text } : { phoneNumber: text, phoneType: null });
}

/** Result of a lookup by a value. */
export interface Chosen {
	/** Person with the value; undefined if nobody has it. */
	person: IDataObject | undefined;
	/** Notes on archived people with the same value. */
	notes: readonly string[];
}

/**
 * Looks people up by each likely spelling of a value, because the filter of the service may compare text exactly. The
 * caller must check each person with `isMatch`.
 *
 * @param sent further spellings of the value, as recent writes sent them
 * @throws ExplainedError if the filter does not work, or finds too many people
 */
export async function findPeople(
	client: Client,
	match: Match,
	sent: readonly string[] = [],
): Promise<IDataObject[]> {
	const people = new Map<string | undefined, IDataObject>();
	for (const spelling of new Set([...spellingsOf(match.value), ...sent])) {
		for (const person of await peopleWith(client, match, spelling)) {
			people.set(shownId(person, contract), person);
		}
	}
	return [...people.values()];
}

/**
 * Returns the only person with a value. If exactly one active person has the value, archived people do not count. They
 * are often duplicates: users cannot delete a duplicate, so they archive it.
 *
 * @throws ExplainedError that names the people if several remain
 */
export function onlyMatch(people: readonly IDataObject[], { matchBy, value }: Match): Chosen {
	const matches = people.filter((person) => isMatch(person, matchBy, value));
	if (matches.length < 2) return { person: matches[0], notes: [] };
	const active = matches.filter((person) => !isArchived(person));
	if (active.length === 1) {
		const archived = matches.filter((person) => person !== active[0]).map(nameAndId);
		const note = `Archived people with the same ${MATCH_LABELS[matchBy]} were left alone: ${archived.join(', ')}`;
		return { person: active[0], notes: [note] };
	}
	throw new ExplainedError(
		`${matches.length} people have the ${MATCH_LABELS[matchBy]} ${quoted(value)}: ${matches.map(nameAndId).join(', ')}`,
		'Give the ID of the right person, or make the value unique in the CRM. Nothing was written',
		{ code: 'several-match' },
	);
}

/** Returns the name of a person for a message, or else the word "person", with the ID in brackets. */
export function nameAndId(person: IDataObject): string {
	const id = shownId(person, contract) ?? 'no ID';
	return `${personName(person) || contract.noun} (${isOfPreview(id) ? 'created by an earlier item' : id})`;
}

/** Reads a person by ID. Returns undefined if the person no longer exists. */
export async function readPerson(client: Client, id: string): Promise<Read | undefined> {
	const path = `${contract.collection}/${id}`;
	return await readIfThere(client, contract, { path, id });
}

export async function readPeople(
	client: Client,
	list: Omit<ListRequest, 'path' | 'contract'>,
): Promise<IDataObject[]> {
	const { records } = await readList(client, { path: contract.collection, contract, ...list });
	return records as IDataObject[];
}

/** Reads the people that the service finds by one spelling of a value. */
async function peopleWith(
	client: Client,
	{ matchBy, value }: Match,
	spelling: string,
): Promise<IDataObject[]> {
	const filter = MATCH_FILTERS[matchBy];
	const query = [[filter.query, spelling] as const];
	const people = await readPeople(client, { query, limit: MAX_PAGE_SIZE, pageOrder: QUICK });
	const named = `${MATCH_LABELS[matchBy]} ${quoted(value)}`;
	if (people.length === MAX_PAGE_SIZE) {
		throw new ExplainedError(
			`The service found ${MAX_PAGE_SIZE} people or more for the ${named}`,
			'The node cannot know which person you mean. Give the ID of the right person. Nothing was written',
			{ code: 'several-match' },
		);
	}
	// If a person has not even a part of the value, the service has ignored the filter.
	const strangers = people.filter(
		(person) => !isMatch(person, matchBy, value) && !meetsFilter(person, filter, [spelling]),
	);
	if (strangers.length > 0) {
		throw new ExplainedError(
			`The service found ${people.length} people for the ${named}, and ${strangers.length} of them do not show it`,
			'Nothing was written, because a new person could be a double. Update the right person by ID, or use Create',
			{ code: 'unsupported' },
		);
	}
	return people;
}
