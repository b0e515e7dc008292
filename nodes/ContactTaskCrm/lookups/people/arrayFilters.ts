import type { IDataObject } from 'n8n-workflow';
import { ExplainedError } from '../../common/errors';
import { person as contract } from '../../contract/person';
import { meetsFilter } from '../../runtime/filterCheck';
import { Observed } from '../../runtime/observed';
import { readList } from '../../runtime/readList';
import type { Connection } from '../../transport/connection';
import { MAX_PAGE_SIZE } from '../../transport/paging';
import { ServiceError } from '../../transport/serviceErrors';
import type { MatchBy } from './match';
import { emailsOf, isMatch, MATCH_FILTERS } from './match';

/*
 * Several values in one filter save requests, but the interface does not say what a service makes of
 * them: any of them, all of them, the last, or nothing at all. Nobody may be taken for absent before it
 * was seen that any of them is meant. Otherwise each value is asked for by itself.
 */

/** Whether any of several values is meant, by the identity of a credential and what is looked for. */
const meansAny = new Observed<boolean>();

/** The service does not look for any of several values. */
export class NotAnyOf extends Error {}

/** Whether the service looks for any of several values: undefined where that was not seen yet. */
export function isAnyOf(
	{ identity }: Pick<Connection, 'identity'>,
	matchBy: MatchBy,
): boolean | undefined {
	return meansAny.of(`${identity} ${matchBy}`);
}

/** Keeps what was seen of the service. */
export function keepAnyOf(
	{ identity }: Pick<Connection, 'identity'>,
	matchBy: MatchBy,
	isAny: boolean,
): void {
	meansAny.keep(`${identity} ${matchBy}`, isAny);
}

/**
 * The people that carry any of several values.
 *
 * @throws NotAnyOf where the service shows that it makes something else of them
 */
export async function peopleWithAny(
	connection: Connection,
	matchBy: MatchBy,
	values: readonly string[],
): Promise<IDataObject[]> {
	const filter = contract.filters[MATCH_FILTERS[matchBy]];
	const isStranger = (person: unknown) =>
		!values.some((value) => isMatch(person as IDataObject, matchBy, value)) &&
		!meetsFilter(person as Record<string, unknown>, filter, [...values]);
	try {
		const { records } = await readList(connection, {
			method: 'GET',
			path: contract.collection,
			query: values.map((value) => [`${filter.query}[]`, value]),
			limit: Infinity,
			contract,
			check: (people) => {
				if (people.some(isStranger)) throw new NotAnyOf();
			},
		});
		return records as IDataObject[];
	} catch (error) {
		const isRefused = error instanceof ServiceError && error.status === 400;
		const isOdd = error instanceof ExplainedError && !(error instanceof ServiceError);
		const isOther = (isRefused || isOdd) && error.retryAfterMs === undefined;
		return await Promise.reject(isOther ? new NotAnyOf() : error);
	}
}

/** Whether the service looks for any of several values, found out where that is not known yet. */
export async function looksForAny(connection: Connection, matchBy: MatchBy): Promise<boolean> {
	const known = isAnyOf(connection, matchBy);
	if (known !== undefined) return known;
	const isAny = await proveAnyOf(connection, matchBy);
	if (isAny !== undefined) keepAnyOf(connection, matchBy, isAny);
	return isAny === true;
}

/**
 * Asks for two people who are known to exist, in one request: whether both come shows what the service
 * makes of several values.
 *
 * @returns undefined where there are no two people to ask for
 */
async function proveAnyOf(connection: Connection, matchBy: MatchBy): Promise<boolean | undefined> {
	const { records } = await readList(connection, {
		method: 'GET',
		path: contract.collection,
		limit: MAX_PAGE_SIZE,
		contract,
	});
	const pair = twoApart(records as IDataObject[]);
	if (!pair) return undefined;
	const found = await peopleWithAny(connection, matchBy, pair).catch(async (error: unknown) =>
		error instanceof NotAnyOf ? [] : await Promise.reject(error),
	);
	return showsAnyOf(found, matchBy, pair);
}

/** The addresses of two people of whom neither has that of the other. */
function twoApart(people: readonly IDataObject[]): [string, string] | undefined {
	const addressed = people.flatMap((person) => {
		const [email = ''] = emailsOf(person);
		return email.trim() === '' ? [] : [{ person, email }];
	});
	const [first] = addressed;
	const other = addressed.find(
		({ person, email }) =>
			!isMatch(person, 'email', first.email) && !isMatch(first.person, 'email', email),
	);
	return other && [first.email, other.email];
}

/**
 * Whether an answer shows that any of several values are looked for: people came for more than one of
 * them, and there is none that all of them carry. If one value alone counted, all would carry that one.
 */
export function showsAnyOf(
	people: readonly IDataObject[],
	matchBy: MatchBy,
	values: readonly string[],
): boolean {
	return (
		people.length > 1 &&
		people.every((person) => values.some((value) => isMatch(person, matchBy, value))) &&
		!values.some((value) => people.every((person) => isMatch(person, matchBy, value)))
	);
}
