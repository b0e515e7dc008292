import type { IDataObject } from 'n8n-workflow';
import { ExplainedError } from '../../common/errors';
import { normalized } from '../../common/identifiers';
import { personName } from '../../common/records';
import { person as contract } from '../../contract/person';
import { requestRecord, shownId } from '../../runtime/answer';
import { meetsFilter } from '../../runtime/filterCheck';
import { readList } from '../../runtime/readList';
import type { Connection } from '../../transport/connection';
import { MAX_PAGE_SIZE } from '../../transport/paging';
import { ServiceError } from '../../transport/serviceErrors';
import { looksForAny, NotAnyOf, peopleWithAny } from './arrayFilters';
import type { MatchBy } from './match';
import { isMatch, MATCH_FILTERS } from './match';
import { phoneOf, phoneSpellings } from '../../common/phone';

/** What messages call the value that is looked for. */
export const MATCH_LABELS: Record<MatchBy, string> = {
	email: 'e-mail address',
	identifier: 'identifier',
};

/**
 * The one person that has a value, or undefined where nobody has.
 *
 * The filter of the service may compare exactly, so each likely spelling is asked for, in one request
 * where the service is known to look for any of several; what comes is held against the rule of what a
 * match is.
 *
 * @throws ExplainedError when several do, or when the service cannot be relied on to look for it
 */
export async function findPerson(
	connection: Connection,
	{ matchBy, value, spellings }: { matchBy: MatchBy; value: string; spellings: string[] },
): Promise<IDataObject | undefined> {
	const together =
		spellings.length > 1 && (await looksForAny(connection, matchBy))
			? await peopleWithAny(connection, matchBy, spellings).catch(onlyTogether)
			: undefined;
	if (together) return onlyMatch(together, matchBy, value);
	const people = new Map<string | undefined, IDataObject>();
	for (const spelling of spellings) {
		for (const person of await peopleWith(connection, matchBy, value, spelling)) {
			people.set(shownId(person, contract), person);
		}
	}
	return onlyMatch([...people.values()], matchBy, value);
}

/** Where the service takes several values otherwise than it did, each is asked for by itself. */
async function onlyTogether(error: unknown): Promise<undefined> {
	return error instanceof NotAnyOf ? undefined : await Promise.reject(error);
}

/**
 * The one of several people that carries a value.
 *
 * @throws ExplainedError that names them where several do
 */
export function onlyMatch(
	people: readonly IDataObject[],
	matchBy: MatchBy,
	value: string,
): IDataObject | undefined {
	const matches = people.filter((person) => isMatch(person, matchBy, value));
	if (matches.length > 1) throw severalMatch(matches, matchBy, value);
	return matches[0];
}

/** The value as given first, then as a service that compares exactly may hold it. */
export function spellingsOf(value: string): string[] {
	const text = value.trim();
	const phone = phoneOf(text);
	return [...new Set([text, ...(phone ? phoneSpellings(phone) : [normalized(text)])])];
}

/** A person by id; undefined where there is none any more. */
export async function readPerson(
	connection: Connection,
	id: string,
): Promise<IDataObject | undefined> {
	const request = { method: 'GET' as const, path: `${contract.collection}/${id}` };
	const subject = { noun: contract.noun, id };
	return await requestRecord(connection, request, contract, subject).catch(
		async (error: unknown) => {
			if (error instanceof ServiceError && error.status === 404) return undefined;
			return await Promise.reject(error);
		},
	);
}

async function peopleWith(
	connection: Connection,
	matchBy: MatchBy,
	value: string,
	spelling: string,
): Promise<IDataObject[]> {
	const filter = contract.filters[MATCH_FILTERS[matchBy]];
	const { records } = await readList(connection, {
		method: 'GET',
		path: contract.collection,
		query: [[filter.query, spelling]],
		limit: MAX_PAGE_SIZE,
		contract,
	});
	const people = records as IDataObject[];
	const named = `${MATCH_LABELS[matchBy]} "${value}"`;
	if (people.length === MAX_PAGE_SIZE) {
		throw new ExplainedError(
			`The service found ${MAX_PAGE_SIZE} people or more for the ${named}`,
			'Nothing was written, since it cannot be told who is meant. Update the right person by ID',
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

function severalMatch(matches: IDataObject[], matchBy: MatchBy, value: string): ExplainedError {
	const named = matches.map(
		(person) => `${personName(person)} (${shownId(person, contract) ?? 'no ID'})`,
	);
	return new ExplainedError(
		`${matches.length} people have the ${MATCH_LABELS[matchBy]} "${value}": ${named.join(', ')}`,
		'Nothing was written. Make the value unique in the CRM, or update the right person by ID',
	);
}
