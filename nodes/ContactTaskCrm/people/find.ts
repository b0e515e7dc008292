import type { IDataObject } from 'n8n-workflow';
import { isNotFound } from '../http/errors';
import { MAX_PAGE_SIZE, QUICK } from '../http/paging';
import { person as contract } from '../schema/person';
import type { Client } from '../tenant/client';
import { meetsFilter } from '../tenant/filterCheck';
import { isOfPreview } from '../tenant/preview';
import { readList } from '../tenant/readList';
import { readCurrent, shownId } from '../tenant/records';
import { ExplainedError, noneIf } from '../util/errors';
import {
	emailsOf,
	isSamePhone,
	normalized,
	partTexts,
	personName,
	phoneOf,
	phoneSpellings,
} from '../util/contacts';
import { cleanContact, isBlank, quoted } from '../util/values';

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

/** By what somebody is looked for. */
export interface Match {
	matchBy: MatchBy;
	value: string;
}

/** Whom a value leads to. */
export interface Chosen {
	/** Undefined where nobody has it. */
	person?: IDataObject;
	/** What is to be said of others who have it, too. */
	note?: string;
}

/**
 * The people whom the service finds by a value. Its filter may compare exactly, so each likely spelling is asked
 * for; what comes has still to be held against the rule of what a match is.
 *
 * @param sent further spellings, in which the value was written lately
 * @throws ExplainedError when the service cannot be relied on to look for it
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
 * The one of several people that carries a value; of two, the one who is not archived, since archiving is all
 * that can be done about a double.
 *
 * @throws ExplainedError that names them where several do
 */
export function onlyMatch(people: readonly IDataObject[], { matchBy, value }: Match): Chosen {
	const matches = people.filter((person) => isMatch(person, matchBy, value));
	if (matches.length < 2) return { person: matches[0] };
	const active = matches.filter(({ archivedAt }) => isBlank(archivedAt));
	if (active.length === 1) {
		const archived = matches.filter((person) => person !== active[0]).map(named);
		const note = `Archived people with the same ${MATCH_LABELS[matchBy]} were left alone: ${archived.join(', ')}`;
		return { person: active[0], note };
	}
	throw new ExplainedError(
		`${matches.length} people have the ${MATCH_LABELS[matchBy]} ${quoted(value)}: ${matches.map(named).join(', ')}`,
		'Give the ID of the right person, or make the value unique in the CRM. Nothing was written',
	);
}

function named(person: IDataObject): string {
	const id = shownId(person, contract) ?? 'no ID';
	return `${personName(person)} (${isOfPreview(id) ? 'created by an earlier item' : id})`;
}

/** The value as given first, then as a service that compares exactly may hold it. */
export function spellingsOf(value: string): string[] {
	const text = cleanContact(value);
	const phone = phoneOf(text);
	return [...new Set([text, ...(phone ? phoneSpellings(phone) : [normalized(text)])])];
}

/** Reads a person by ID, as `readCurrent` does; undefined where there is none any more. */
export async function readPerson(client: Client, id: string): Promise<IDataObject | undefined> {
	const path = `${contract.collection}/${id}`;
	return await readCurrent(client, contract, { path, id }).catch(noneIf(isNotFound));
}

async function peopleWith(
	client: Client,
	{ matchBy, value }: Match,
	spelling: string,
): Promise<IDataObject[]> {
	const filter = contract.filters[MATCH_FILTERS[matchBy]];
	const { records } = await readList(client, {
		path: contract.collection,
		query: [[filter.query, spelling]],
		limit: MAX_PAGE_SIZE,
		walk: QUICK,
		contract,
	});
	const people = records as IDataObject[];
	const named = `${MATCH_LABELS[matchBy]} ${quoted(value)}`;
	if (people.length === MAX_PAGE_SIZE) {
		throw new ExplainedError(
			`The service found ${MAX_PAGE_SIZE} people or more for the ${named}`,
			'It cannot be told who is meant: give the ID of the right person. Nothing was written',
		);
	}
	// Where everybody found has at least a part of the value, the filter works; anybody else shows that
	// it was dropped.
	const strangers = people.filter(
		(person) => !isMatch(person, matchBy, value) && !meetsFilter(person, filter, [spelling]),
	);
	if (strangers.length > 0) {
		throw new ExplainedError(
			strangers.length === people.length
				? `The service found ${people.length} people for the ${named}, none of whom shows it`
				: `The service found ${people.length} people for the ${named}, and ${strangers.length} of them do not show it`,
			'Nothing was written, since creating a person could double one. Update the right person by ID, or use Create',
		);
	}
	return people;
}
