import type { IDataObject } from 'n8n-workflow';
import { RateLimited, RunStopped, ServiceError } from '../util/failures';
import { QUICK } from '../http/paging';
import type { Client } from '../crm/client';
import type { KnownPeople, ManyValues } from '../crm/description';
import { ExplainedError, noneIf } from '../util/errors';
import { isMatch, type Match, MATCH_FILTERS, type MatchBy, readPeople } from './find';
import { emailsOf } from '../values/person';
import { identifierKey, spellingsOf } from '../values/identifier';
import { MAX_PAGE_SIZE } from '../schema/limits';
import { meetsFilter } from '../schema/filter';

/*
 * One request with several values of a filter replaces several requests. But the interface does not say that several
 * values mean "any of these values". The service may look for all values, only the last one, only the first few, or
 * none. So one answer must prove the meaning (`ServiceDescription.severalValues`).
 *
 * There are two proofs that the service has looked for each value. First proof: the request begins and ends with the
 * e-mail addresses of two people who exist (known people), and the answer shows both. Second proof: for each value, the
 * answer shows a person with none of the other values.
 */

/**
 * Finds the people for each of several values. One request suffices if an earlier answer is the proof, if the request
 * also asks for two known people (who exist), or if each value finds a person. Otherwise, a second request asks for
 * known people, too. If the node knows no such people, it first reads a page of people, and chooses two of them. If the
 * page shows all people of the CRM, the node needs no second request.
 *
 * @param matches all by e-mail address, or all by identifier
 * @param areProbablyAllThere whether all values probably find a person. The first request then asks for no known people
 * @returns people for each value in order; undefined if the node has to look for the values one by one
 */
export async function findTogether(
	client: Client,
	matches: readonly Match[],
	areProbablyAllThere: boolean,
): Promise<IDataObject[][] | undefined> {
	const { severalValues } = client.tenant.description;
	const { query } = MATCH_FILTERS[kindOf(matches)];
	const proof = severalValues.get(query) ?? { proved: 0 };
	severalValues.set(query, proof);
	const found = await withProof(client, matches, areProbablyAllThere, proof);
	// Forgets the proof. Either an answer contradicts it, or the two known people may have left the CRM.
	if (!found) severalValues.delete(query);
	return found;
}

/**
 * Finds the people as `findTogether` does. Writes into `proof` what the answers prove. Returns undefined if the answers
 * do not prove that the service looked for each value.
 */
async function withProof(
	client: Client,
	matches: readonly Match[],
	areProbablyAllThere: boolean,
	proof: ManyValues,
): Promise<IDataObject[][] | undefined> {
	const count = spellingsIn(matches).length;
	const prove = (number: number, knownPeople?: KnownPeople) => {
		proof.proved = Math.max(proof.proved, number);
		proof.knownPeople = knownPeople ?? proof.knownPeople;
	};
	const { knownPeople } = proof;
	const keys = matches.map(({ value }) => identifierKey(value));
	const isKnownPersonWanted =
		knownPeople?.some((address) => keys.includes(identifierKey(address))) ?? false;
	const isProved = count <= proof.proved;
	const peopleSent =
		isProved || areProbablyAllThere || isKnownPersonWanted ? undefined : knownPeople;
	const first = await peopleWithAny(client, matches, peopleSent);
	if (!first) return undefined;
	const people = matches.map((match) => matching(first, match));
	if (isProved) return people;
	if (peopleSent) {
		if (!areShown(first, peopleSent, matches)) return undefined;
		prove(count + peopleSent.length);
		return people;
	}
	const unproved = matches.filter((match) => !isShown(first, match, othersThan(match, matches)));
	if (unproved.length === 0) {
		prove(count, knownPeople ?? knownPeopleAmong(first));
		return people;
	}
	let secondPeople = knownPeopleAmong(first, unproved) ?? knownPeople;
	if (!secondPeople) {
		const someOfAll = await readPeople(client, { limit: MAX_PAGE_SIZE });
		// A page that is not full shows all people, as in a new CRM. These people answer every lookup, if each of them
		// shows the fields to look up (`shownIn`). A field that is not shown may hold the value.
		const { shownIn } = MATCH_FILTERS[kindOf(matches)];
		const areAll = someOfAll.length < MAX_PAGE_SIZE && someOfAll.length >= first.length;
		const isShownWhole = someOfAll.every((person) => shownIn.every((field) => field in person));
		if (areAll && isShownWhole) return matches.map((match) => matching(someOfAll, match));
		secondPeople = knownPeopleAmong(someOfAll, unproved);
	}
	if (!secondPeople) return undefined;
	const second = await peopleWithAny(client, unproved, secondPeople);
	if (!second || !areShown(second, secondPeople, unproved)) return undefined;
	prove(spellingsIn(unproved).length + secondPeople.length, secondPeople);
	// A person may have changed between the two answers. `Lookups` later takes the newest read of each person.
	return matches.map((match) => matching(unproved.includes(match) ? second : first, match));
}

function spellingsIn(matches: readonly Match[]): string[] {
	return [...new Set(matches.flatMap(({ value }) => spellingsOf(value)))];
}

function matching(people: readonly IDataObject[], { matchBy, value }: Match): IDataObject[] {
	return people.filter((person) => isMatch(person, matchBy, value));
}

/** Returns "email" if all matches look for e-mail addresses, otherwise "identifier". */
function kindOf(matches: readonly Match[]): MatchBy {
	return matches.every(({ matchBy }) => matchBy === 'email') ? 'email' : 'identifier';
}

/**
 * Returns whether one of the people has the value of `match`, and not even a part of the other values. Such a person
 * proves that the filter used this value.
 */
function isShown(people: readonly IDataObject[], match: Match, others: readonly Match[]): boolean {
	return matching(people, match).some((person) => !mayMeetAny(person, others));
}

/** Returns whether an answer proves that the filter used the addresses of both known people. */
function areShown(
	people: readonly IDataObject[],
	knownPeople: KnownPeople,
	others: readonly Match[],
): boolean {
	const matchBy = kindOf(others);
	const [first, second] = knownPeople;
	const one = { matchBy, value: first };
	const other = { matchBy, value: second };
	return isShown(people, one, [...others, other]) && isShown(people, other, [...others, one]);
}

function othersThan(match: Match, matches: readonly Match[]): Match[] {
	return matches.filter(({ value }) => identifierKey(value) !== identifierKey(match.value));
}

/** Returns whether a search for one of these values may find the person, even by a part of the value. */
function mayMeetAny(person: IDataObject, matches: readonly Match[]): boolean {
	return matches.some(
		({ matchBy, value }) =>
			isMatch(person, matchBy, value) ||
			meetsFilter(person, MATCH_FILTERS[matchBy], spellingsOf(value)),
	);
}

/**
 * Reads the people who have any of several values, in one request.
 *
 * @param knownPeople e-mail addresses of two people who exist. One is the first value in the query, and one the last.
 *   If the service uses only the first or the last value, the answer lacks one of these people
 * @returns undefined if the service refuses the request, leaves out records, or returns people without these values
 */
async function peopleWithAny(
	client: Client,
	matches: readonly Match[],
	knownPeople?: KnownPeople,
): Promise<IDataObject[] | undefined> {
	const matchBy = kindOf(matches);
	const [first = [], last = []] = knownPeople?.map((address) => [address]) ?? [];
	const values = [...new Set([...first, ...spellingsIn(matches), ...last])];
	const wanted = values.map((value) => ({ matchBy, value }));
	const isStranger = (person: unknown) => !mayMeetAny(person as IDataObject, wanted);
	return await readPeople(client, {
		query: values.map((value) => [`${MATCH_FILTERS[matchBy].query}[]`, value]),
		limit: Infinity,
		pageOrder: QUICK,
		check: (people) => {
			// A person without any of the values shows that the service ignored the filter, or understood it in another way.
			if (people.some(isStranger)) {
				throw new ExplainedError(
					'The service found other people than those in the request',
					'The node looks for each of them by itself',
					{ code: 'unsupported' },
				);
			}
		},
	}).catch(noneIf(isAboutTheList));
}

/**
 * Returns whether an error concerns only requests for several values, so that requests for one value may succeed. Any
 * other error goes to the caller.
 */
function isAboutTheList(error: unknown): boolean {
	if (error instanceof ServiceError) return error.status === 400;
	const isWait = error instanceof RateLimited || error instanceof RunStopped;
	return error instanceof ExplainedError && !isWait;
}

/**
 * Chooses two people whose addresses can prove that a filter uses each of its values. Returns an address of each. A
 * filter by one address must not find the other person. A filter by `matches` must find neither. Returns undefined if
 * no two people fit.
 */
function knownPeopleAmong(
	people: readonly IDataObject[],
	matches: readonly Match[] = [],
): KnownPeople | undefined {
	const addressed = people.flatMap((person) => {
		const [email = ''] = emailsOf(person);
		return email.trim() === '' || mayMeetAny(person, matches) ? [] : [{ person, email }];
	});
	const [first] = addressed;
	if (!first) return undefined;
	const other = addressed.find(
		({ person, email }) =>
			!mayMeetAny(person, [{ matchBy: 'email', value: first.email }]) &&
			!mayMeetAny(first.person, [{ matchBy: 'email', value: email }]),
	);
	return other && [first.email, other.email];
}
