import type { IDataObject } from 'n8n-workflow';
import { Cancelled, RateLimited, ServiceError } from '../http/errors';
import { MAX_PAGE_SIZE, QUICK } from '../http/paging';
import { person as contract } from '../schema/person';
import type { Client } from '../tenant/client';
import { meetsFilter } from '../tenant/filterCheck';
import { readList } from '../tenant/readList';
import { shownId } from '../tenant/records';
import { ExplainedError } from '../util/errors';
import { emailsOf, matchKey } from '../util/contacts';
import type { Match } from './find';
import { isMatch, MATCH_FILTERS, spellingsOf } from './find';

/*
 * Several values in one filter save requests, but the interface does not say what a service makes of
 * them: any of them, all of them, the last, the first few, or nothing at all. So nobody is taken for absent
 * unless the answer itself shows that any of them is meant: values of two people who are known to exist
 * stand first and last, and both have to come back. That a value was looked for is shown by somebody who carries
 * it and none of the others: who carries another one, too, may have come for that one.
 */

/** Values of two people who are known to exist, neither of whom has that of the other. */
export type Witnesses = readonly [string, string];

/** Who was found for each of several values, in their order, and who can witness for the next ones. */
interface Found {
	people: IDataObject[][];
	witnesses?: Witnesses;
}

/**
 * Who matches each of several values, from one request where all of them exist or witnesses are called at
 * once, else from two.
 *
 * @param matches of one kind, by e-mail address or by identifier
 * @param witnesses known from an earlier answer
 * @param areLikelyThere whether all are expected to exist, so that no witnesses are called at first
 * @returns undefined where they have to be asked for one by one
 */
export async function findTogether(
	client: Client,
	matches: readonly Match[],
	{ witnesses, areLikelyThere }: { witnesses?: Witnesses; areLikelyThere: boolean },
): Promise<Found | undefined> {
	const called = areLikelyThere || isAskedFor(witnesses, matches) ? undefined : witnesses;
	const first = await peopleWithAny(client, matches, called);
	if (!first) return undefined;
	const people = matches.map((match) => matching(first, match));
	if (called) return areShown(first, called, matches) ? { people, witnesses } : undefined;
	const open = matches.filter((match) => !isShown(first, match, othersThan(match, matches)));
	if (open.length === 0) return { people, witnesses: witnesses ?? twoApart(first) };
	const known = twoApart(first, open) ?? witnesses ?? twoApart(await someOfAll(client), open);
	const second = known && (await peopleWithAny(client, open, known));
	if (!second || !areShown(second, known, open)) return undefined;
	// Witnesses are shown again: the newer answer counts.
	const newer = new Map(second.map((person) => [shownId(person, contract), person]));
	const all = matches.map((match, position) =>
		open.includes(match)
			? matching(second, match)
			: people[position].map((person) => newer.get(shownId(person, contract)) ?? person),
	);
	return { people: all, witnesses: known };
}

/** People came who carry none of the values: the filter was dropped, or means something else. */
class OtherMeant extends ExplainedError {
	constructor() {
		super('The service found people who were not looked for', 'They are looked for one by one');
	}
}

function matching(people: readonly IDataObject[], { matchBy, value }: Match): IDataObject[] {
	return people.filter((person) => isMatch(person, matchBy, value));
}

/** Whether people show that a value was looked for, though others were, too. */
function isShown(people: readonly IDataObject[], match: Match, others: readonly Match[]): boolean {
	return matching(people, match).some((person) => !mayMeetAny(person, others));
}

function areShown(
	people: readonly IDataObject[],
	witnesses: Witnesses,
	others: readonly Match[],
): boolean {
	const [{ matchBy }] = others;
	const [one, other] = witnesses.map((value) => ({ matchBy, value }));
	return isShown(people, one, [...others, other]) && isShown(people, other, [...others, one]);
}

function isAskedFor(witnesses: Witnesses | undefined, matches: readonly Match[]): boolean {
	const keys = matches.map(({ value }) => matchKey(value));
	return witnesses?.some((witness) => keys.includes(matchKey(witness))) ?? false;
}

function othersThan(match: Match, matches: readonly Match[]): Match[] {
	return matches.filter(({ value }) => matchKey(value) !== matchKey(match.value));
}

/** Whether a service may find a person by one of several values, be it by a part. */
function mayMeetAny(person: IDataObject, matches: readonly Match[]): boolean {
	return matches.some(
		({ matchBy, value }) =>
			isMatch(person, matchBy, value) ||
			meetsFilter(person, contract.filters[MATCH_FILTERS[matchBy]], spellingsOf(value)),
	);
}

/**
 * The people that carry any of several values.
 *
 * @returns undefined where the service shows that it makes something else of them
 */
async function peopleWithAny(
	client: Client,
	matches: readonly Match[],
	witnesses?: Witnesses,
): Promise<IDataObject[] | undefined> {
	const [{ matchBy }] = matches;
	const [first = [], last = []] = witnesses?.map((witness) => [witness]) ?? [];
	const spellings = matches.flatMap(({ value }) => spellingsOf(value));
	const values = [...new Set([...first, ...spellings, ...last])];
	const filter = contract.filters[MATCH_FILTERS[matchBy]];
	const asked = values.map((value) => ({ matchBy, value }));
	const isStranger = (person: unknown) => !mayMeetAny(person as IDataObject, asked);
	try {
		const { records } = await readList(client, {
			path: contract.collection,
			query: values.map((value) => [`${filter.query}[]`, value]),
			limit: Infinity,
			walk: QUICK,
			contract,
			check: (people) => {
				if (people.some(isStranger)) throw new OtherMeant();
			},
		});
		return records as IDataObject[];
	} catch (error) {
		return isAboutTheList(error) ? undefined : await Promise.reject(error);
	}
}

/** Whether a list could not be had as it was asked for, though the service answers. */
function isAboutTheList(error: unknown): boolean {
	if (error instanceof ServiceError) return error.status === 400;
	const isWait = error instanceof RateLimited || error instanceof Cancelled;
	return error instanceof ExplainedError && !isWait;
}

/** The addresses of two people, of whom neither has that of the other, or any of the values that are asked for. */
function twoApart(
	people: readonly IDataObject[],
	asked: readonly Match[] = [],
): Witnesses | undefined {
	const addressed = people.flatMap((person) => {
		const [email = ''] = emailsOf(person);
		return email.trim() === '' || mayMeetAny(person, asked) ? [] : [{ person, email }];
	});
	const [first] = addressed;
	const other = addressed.find(
		({ person, email }) =>
			!mayMeetAny(person, [{ matchBy: 'email', value: first.email }]) &&
			!mayMeetAny(first.person, [{ matchBy: 'email', value: email }]),
	);
	return other && [first.email, other.email];
}

/** Some of the people that the CRM has. */
async function someOfAll(client: Client): Promise<readonly IDataObject[]> {
	const { records } = await readList(client, {
		path: contract.collection,
		limit: MAX_PAGE_SIZE,
		contract,
	});
	return records as IDataObject[];
}
