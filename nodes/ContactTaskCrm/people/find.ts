import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../http/errors';
import { MAX_PAGE_SIZE } from '../http/paging';
import { person as contract } from '../schema/person';
import type { Client } from '../tenant/client';
import { meetsFilter } from '../tenant/filterCheck';
import { isOfPreview } from '../tenant/preview';
import { readList } from '../tenant/readList';
import { requestRecord, shownId } from '../tenant/records';
import { ExplainedError } from '../util/errors';
import { normalized, phoneOf, phoneSpellings } from '../util/identifiers';
import { quoted } from '../util/quoted';
import { cleanContact } from '../util/text';
import { personName } from '../util/records';
import { isBlank } from '../util/values';
import type { MatchBy } from './match';
import { MATCH_FILTERS, MATCH_LABELS, isMatch } from './match';

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

/** A person by id; undefined where there is none any more. */
export async function readPerson(client: Client, id: string): Promise<IDataObject | undefined> {
	const path = `${contract.collection}/${id}`;
	const subject = { noun: contract.noun, id };
	try {
		return await requestRecord(client, { method: 'GET', path, subject }, contract);
	} catch (error) {
		if (error instanceof ServiceError && error.status === 404) return undefined;
		return await Promise.reject(error);
	}
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
