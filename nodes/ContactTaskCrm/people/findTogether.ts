import type { IDataObject } from 'n8n-workflow';
import { RateLimited, RunStopped, ServiceError } from '../http/errors';
import { MAX_PAGE_SIZE, QUICK } from '../http/paging';
import { person as contract } from '../schema/person';
import type { Client } from '../tenant/client';
import { meetsFilter } from '../tenant/readList';
import { shownId } from '../tenant/records';
import { ExplainedError, noneIf } from '../util/errors';
import { emailsOf, matchKey } from '../util/contacts';
import type { Match, MatchBy } from './find';
import { isMatch, MATCH_FILTERS, readPeople, spellingsOf } from './find';

/*
 * Several values in one filter save requests. The interface does not say how a service reads them: as any of them, all
 * of them, the last, the first few, or not at all. So the answer itself has to prove that it means any of them. The
 * values of two witnesses, people who exist, stand first and last, and both have to come back. Only a person who has a
 * value and none of the others proves that the service looked for it.
 */

/** Values of two people who exist. Neither of them has the value of the other. */
export type Witnesses = readonly [string, string];

/**
 * Finds the people who match each of several values. One request does if all of them exist or it names witnesses, or
 * else two.
 *
 * @param matches of one kind, by e-mail address or by identifier
 * @param witnesses from an earlier answer
 * @param areLikelyThere whether everybody seems to exist: the first request then names no witnesses
 * @returns people for each value in order, and witnesses for the next call; undefined if the service has to look for the
 *   values one by one
 */
export async function findTogether(
	client: Client,
	matches: readonly Match[],
	{ witnesses, areLikelyThere }: { witnesses?: Witnesses | undefined; areLikelyThere: boolean },
): Promise<{ people: IDataObject[][]; witnesses: Witnesses | undefined } | undefined> {
	const keys = matches.map(({ value }) => matchKey(value));
	const areWanted = witnesses?.some((witness) => keys.includes(matchKey(witness))) ?? false;
	const called = areLikelyThere || areWanted ? undefined : witnesses;
	const first = await peopleWithAny(client, matches, called);
	if (!first) return undefined;
	const people = matches.map((match) => matching(first, match));
	if (called) return areShown(first, called, matches) ? { people, witnesses } : undefined;
	const open = matches.filter((match) => !isShown(first, match, othersThan(match, matches)));
	if (open.length === 0) return { people, witnesses: witnesses ?? twoApart(first) };
	const someOfAll = async () => await readPeople(client, { limit: MAX_PAGE_SIZE });
	const known = twoApart(first, open) ?? witnesses ?? twoApart(await someOfAll(), open);
	const second = known && (await peopleWithAny(client, open, known));
	if (!second || !areShown(second, known, open)) return undefined;
	// The second answer shows witnesses again, and is the newer one.
	const newer = new Map(second.map((person) => [shownId(person, contract), person]));
	const all = matches.map((match) =>
		open.includes(match)
			? matching(second, match)
			: matching(first, match).map((person) => newer.get(shownId(person, contract)) ?? person),
	);
	return { people: all, witnesses: known };
}

function matching(people: readonly IDataObject[], { matchBy, value }: Match): IDataObject[] {
	return people.filter((person) => isMatch(person, matchBy, value));
}

/** Returns by what all of the matches, which are of one kind, identify people. */
function kindOf(matches: readonly Match[]): MatchBy {
	return matches.every(({ matchBy }) => matchBy === 'email') ? 'email' : 'identifier';
}

/** Returns whether people prove that the service looked for a value, although it looked for others, too. */
function isShown(people: readonly IDataObject[], match: Match, others: readonly Match[]): boolean {
	return matching(people, match).some((person) => !mayMeetAny(person, others));
}

function areShown(
	people: readonly IDataObject[],
	witnesses: Witnesses,
	others: readonly Match[],
): boolean {
	const matchBy = kindOf(others);
	const [first, second] = witnesses;
	const one = { matchBy, value: first };
	const other = { matchBy, value: second };
	return isShown(people, one, [...others, other]) && isShown(people, other, [...others, one]);
}

function othersThan(match: Match, matches: readonly Match[]): Match[] {
	return matches.filter(({ value }) => matchKey(value) !== matchKey(match.value));
}

/** Returns whether a service may find a person by one of several values, or by a part of it. */
function mayMeetAny(person: IDataObject, matches: readonly Match[]): boolean {
	return matches.some(
		({ matchBy, value }) =>
			isMatch(person, matchBy, value) ||
			meetsFilter(person, MATCH_FILTERS[matchBy], spellingsOf(value)),
	);
}

/**
 * Reads the people who have any of several values.
 *
 * @returns undefined if the service reads the values in another way
 */
async function peopleWithAny(
	client: Client,
	matches: readonly Match[],
	witnesses?: Witnesses,
): Promise<IDataObject[] | undefined> {
	const matchBy = kindOf(matches);
	const [first = [], last = []] = witnesses?.map((witness) => [witness]) ?? [];
	const spellings = matches.flatMap(({ value }) => spellingsOf(value));
	const values = [...new Set([...first, ...spellings, ...last])];
	const asked = values.map((value) => ({ matchBy, value }));
	const isStranger = (person: unknown) => !mayMeetAny(person as IDataObject, asked);
	return await readPeople(client, {
		query: values.map((value) => [`${MATCH_FILTERS[matchBy].query}[]`, value]),
		limit: Infinity,
		walk: QUICK,
		check: (people) => {
			// The service dropped the filter, or reads it in another way.
			if (people.some(isStranger)) {
				throw new ExplainedError(
					'The service found people who were not looked for',
					'They are looked for one by one',
				);
			}
		},
	}).catch(noneIf(isAboutTheList));
}

/** Returns whether the service answers, but does not give the list. */
function isAboutTheList(error: unknown): boolean {
	if (error instanceof ServiceError) return error.status === 400;
	const isWait = error instanceof RateLimited || error instanceof RunStopped;
	return error instanceof ExplainedError && !isWait;
}

/** Returns the addresses of two people. Neither has that of the other, or any of the wanted values. */
function twoApart(
	people: readonly IDataObject[],
	asked: readonly Match[] = [],
): Witnesses | undefined {
	const addressed = people.flatMap((person) => {
		const [email = ''] = emailsOf(person);
		return email.trim() === '' || mayMeetAny(person, asked) ? [] : [{ person, email }];
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
