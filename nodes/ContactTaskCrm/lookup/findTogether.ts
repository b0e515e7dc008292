import type { IDataObject } from 'n8n-workflow';
import { RateLimited, RunStopped, ServiceError } from '../util/failures';
import { QUICK } from '../http/paging';
import type { Client } from '../crm/client';
import { meetsFilter } from '../crm/readList';
import type { KnownPair, ManyValues } from '../crm/description';
import { ExplainedError, noneIf } from '../util/errors';
import { isMatch, type Match, MATCH_FILTERS, type MatchBy, readPeople } from './find';
import { emailsOf } from '../values/person';
import { identifierKey, spellingsOf } from '../values/identifier';
import { MAX_PAGE_SIZE } from '../schema/limits';

/*
 * One request with several values replaces several requests. But the interface does not say that its filter means "any
 * of these". A service may use all values, the last one, the first few, or none. So one answer must prove the meaning
 * (`ServiceDescription.severalValues`). Until then, the first and the last value are the addresses of two known people.
 * Both must come back. A person with only one of the values proves that the service looked for this value.
 */

/**
 * Finds the people who match each of several values. One request is enough after the proof, with a known pair, or if each
 * value finds a person. In other cases, a second request names a pair. If none is known, reads people to choose one.
 *
 * @param matches of one kind, by e-mail address or by identifier
 * @param areLikelyThere whether all people seem to exist; the first request then names no pair
 * @returns people for each value in order; undefined if the node has to look for the values one by one
 */
export async function findTogether(
	client: Client,
	matches: readonly Match[],
	areLikelyThere: boolean,
): Promise<IDataObject[][] | undefined> {
	const { severalValues } = client.tenant.description;
	const { query } = MATCH_FILTERS[kindOf(matches)];
	const found = await withProof(client, matches, areLikelyThere, severalValues.of(query));
	if (!found) severalValues.disprove(query);
	return found;
}

async function withProof(
	client: Client,
	matches: readonly Match[],
	areLikelyThere: boolean,
	proof: ManyValues,
): Promise<IDataObject[][] | undefined> {
	const count = spellingsIn(matches).length;
	const prove = (number: number, pair?: KnownPair) => {
		proof.proved = Math.max(proof.proved, number);
		proof.pair = pair ?? proof.pair;
	};
	const { pair } = proof;
	const keys = matches.map(({ value }) => identifierKey(value));
	const isPairWanted = pair?.some((address) => keys.includes(identifierKey(address))) ?? false;
	const isProved = count <= proof.proved;
	const called = isProved || areLikelyThere || isPairWanted ? undefined : pair;
	const first = await peopleWithAny(client, matches, called);
	if (!first) return undefined;
	const people = matches.map((match) => matching(first, match));
	if (isProved) return people;
	if (called) {
		if (!areShown(first, called, matches)) return undefined;
		prove(count + called.length);
		return people;
	}
	const open = matches.filter((match) => !isShown(first, match, othersThan(match, matches)));
	if (open.length === 0) {
		prove(count, pair ?? twoApart(first));
		return people;
	}
	const someOfAll = async () => await readPeople(client, { limit: MAX_PAGE_SIZE });
	const known = twoApart(first, open) ?? pair ?? twoApart(await someOfAll(), open);
	const second = known && (await peopleWithAny(client, open, known));
	if (!second || !areShown(second, known, open)) return undefined;
	prove(spellingsIn(open).length + known.length, known);
	// A person of the first answer may have changed since. `Lookups` takes the newest read of the person.
	return matches.map((match) => matching(open.includes(match) ? second : first, match));
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

/** Returns whether any of the people has this value and none of `others`, which proves that the filter used it. */
function isShown(people: readonly IDataObject[], match: Match, others: readonly Match[]): boolean {
	return matching(people, match).some((person) => !mayMeetAny(person, others));
}

function areShown(
	people: readonly IDataObject[],
	pair: KnownPair,
	others: readonly Match[],
): boolean {
	const matchBy = kindOf(others);
	const [first, second] = pair;
	const one = { matchBy, value: first };
	const other = { matchBy, value: second };
	return isShown(people, one, [...others, other]) && isShown(people, other, [...others, one]);
}

function othersThan(match: Match, matches: readonly Match[]): Match[] {
	return matches.filter(({ value }) => identifierKey(value) !== identifierKey(match.value));
}

/** Returns whether a service may find a person by one of several values, or by a part of a value. */
function mayMeetAny(person: IDataObject, matches: readonly Match[]): boolean {
	return matches.some(
		({ matchBy, value }) =>
			isMatch(person, matchBy, value) ||
			meetsFilter(person, MATCH_FILTERS[matchBy], spellingsOf(value)),
	);
}

/**
 * Reads the people with any of several values.
 *
 * @returns undefined if the service refuses the list, shows it incompletely, or does not filter by the values
 */
async function peopleWithAny(
	client: Client,
	matches: readonly Match[],
	pair?: KnownPair,
): Promise<IDataObject[] | undefined> {
	const matchBy = kindOf(matches);
	const [first = [], last = []] = pair?.map((address) => [address]) ?? [];
	const values = [...new Set([...first, ...spellingsIn(matches), ...last])];
	const wanted = values.map((value) => ({ matchBy, value }));
	const isStranger = (person: unknown) => !mayMeetAny(person as IDataObject, wanted);
	return await readPeople(client, {
		query: values.map((value) => [`${MATCH_FILTERS[matchBy].query}[]`, value]),
		limit: Infinity,
		pageOrder: QUICK,
		check: (people) => {
			// A stranger shows that the service ignored the filter, or understands it in another way.
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

/** Returns whether an error concerns only a request for several values. Any other error goes to the caller. */
function isAboutTheList(error: unknown): boolean {
	if (error instanceof ServiceError) return error.status === 400;
	const isWait = error instanceof RateLimited || error instanceof RunStopped;
	return error instanceof ExplainedError && !isWait;
}

/** Returns the addresses of two people. Neither person has the other's address or a wanted value. */
function twoApart(
	people: readonly IDataObject[],
	matches: readonly Match[] = [],
): KnownPair | undefined {
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
