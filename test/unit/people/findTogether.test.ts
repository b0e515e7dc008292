import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { findTogether } from '../../../nodes/ContactTaskCrm/people/findTogether';
import { isMatch } from '../../../nodes/ContactTaskCrm/people/find';
import { Client, decryptAccount } from '../../../nodes/ContactTaskCrm/tenant/client';
import { runsOf } from '../../support/drawn';
import type { Answer } from '../../support/itemContext';
import { itemContext } from '../../support/itemContext';

const FILTER = 'emailAddresses.email[]';

type Person = IDataObject & { emailAddresses: Array<{ email: string }> };

/**
 * A service's answer to a lookup of several values: the people it finds. It is undefined if the service refuses
 * several values.
 */
type Understanding = (
	people: Person[],
	values: string[],
	isPartial: boolean,
) => Person[] | undefined;

function carries(person: Person, value: string, isPartial: boolean): boolean {
	const wanted = value.trim().toLowerCase();
	return person.emailAddresses.some(({ email }) =>
		isPartial ? email.toLowerCase().includes(wanted) : email.toLowerCase() === wanted,
	);
}

const any: Understanding = (people, values, isPartial) =>
	people.filter((person) => values.some((value) => carries(person, value, isPartial)));

const anyOf =
	(from?: number, to?: number): Understanding =>
	(people, values, isPartial) =>
		any(people, values.slice(from, to), isPartial);
const all: Understanding = (people, values, isPartial) =>
	people.filter((person) => values.every((value) => carries(person, value, isPartial)));
const anyAndMore: Understanding = (people, values, isPartial) =>
	people.filter((person, nth) => nth % 2 === 0 || any([person], values, isPartial)!.length > 0);

const UNDERSTANDINGS: Array<[string, Understanding]> = [
	['people with any of the values', any],
	['people with all of the values', all],
	['people with any of the values, and others', anyAndMore],
	...[1, 2, 3, 5].map((n): [string, Understanding] => [
		`people with one of the first ${n} values`,
		anyOf(0, n),
	]),
	...[1, 2, 3, 5].map((n): [string, Understanding] => [
		`people with one of the last ${n} values`,
		anyOf(-n),
	]),
	['all people', (people) => people],
	['nobody', () => []],
	['an error', () => undefined],
];

/** Returns a service with some people, which only supports lookups. */
function serviceOf(people: Person[], understood: Understanding, isPartial: boolean) {
	return ({ url }: IHttpRequestOptions): Answer => {
		const values = new URL(url).searchParams.getAll(FILTER);
		const found = values.length > 0 ? understood(people, values, isPartial) : people;
		return found
			? { body: { member: found, totalItems: found.length } }
			: { statusCode: 400, body: { detail: 'One value alone' } };
	};
}

const ADDRESSES = ['ab', 'b', 'cab', 'c', 'd', 'e', 'f', 'g'].map((name) => `${name}@x.nl`);
const someAddresses = (most: number) =>
	fc.array(fc.constantFrom(...ADDRESSES), { minLength: 1, maxLength: most });

const somePeople = fc
	.array(fc.uniqueArray(fc.constantFrom(...ADDRESSES), { maxLength: 3 }), { maxLength: 8 })
	.map((all) =>
		all.map(
			(emails, nth): Person => ({
				id: `p${nth}`,
				emailAddresses: emails.map((email) => ({ email: nth % 2 ? email : email.toUpperCase() })),
			}),
		),
	);

/** Returns all pairs of addresses of two people who do not have each other's address. */
function witnessesAmong(people: Person[]): Array<readonly [string, string]> {
	const pairs = people.flatMap((one) => people.map((other) => [one, other] as const));
	return pairs.flatMap(([one, other]) =>
		one.emailAddresses.flatMap(({ email: first }) =>
			other.emailAddresses
				.filter(({ email }) => !isMatch(one, 'email', email) && !isMatch(other, 'email', first))
				.map(({ email: second }) => [first, second] as const),
		),
	);
}

it.each(UNDERSTANDINGS)(
	'If a filter with several values gives %s, a lookup finds exactly the people of each value, or gives no result',
	async (_, understood) => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					people: somePeople,
					values: someAddresses(8),
					isPartial: fc.boolean(),
					areLikelyThere: fc.boolean(),
					drawn: fc.option(fc.nat(), { nil: undefined }),
				}),
				async ({ people, values, isPartial, areLikelyThere, drawn }) => {
					const { context } = itemContext({ answer: serviceOf(people, understood, isPartial) });
					const client = new Client(context, await decryptAccount(context), { lane: {} });
					const pairs = witnessesAmong(people);
					const witnesses = drawn === undefined ? undefined : pairs[drawn % pairs.length];
					const matches = values.map((value) => ({ matchBy: 'email' as const, value }));
					const found = await findTogether(client, matches, { witnesses, areLikelyThere });
					for (const [position, value] of found ? values.entries() : []) {
						const there = people.filter((person) => isMatch(person, 'email', value));
						const ids = (list: IDataObject[]) => list.map(({ id }) => id).sort();
						expect(ids(found!.people[position])).toEqual(ids(there));
					}
				},
			),
			{ numRuns: runsOf(100) },
		);
	},
);

it('A lookup of several people takes one request if all exist, or if two known people prove that the service filters', async () => {
	const people = ['a', 'b', 'c', 'd'].map((name) => ({
		id: name,
		emailAddresses: [{ email: `${name}@x.nl` }],
	}));
	const { context, requests } = itemContext({ answer: serviceOf(people, any, false) });
	const client = new Client(context, await decryptAccount(context), { lane: {} });
	const find = async (names: string, options: Parameters<typeof findTogether>[2]) => {
		requests.length = 0;
		const matches = [...names].map((name) => ({
			matchBy: 'email' as const,
			value: `${name}@x.nl`,
		}));
		const found = await findTogether(client, matches, options);
		return [found?.people.map(({ length }) => length), requests.length];
	};
	expect(await find('abc', { areLikelyThere: true })).toEqual([[1, 1, 1], 1]);
	expect(await find('abx', { areLikelyThere: true })).toEqual([[1, 1, 0], 2]);
	const witnesses = ['a@x.nl', 'b@x.nl'] as const;
	expect(await find('xcd', { areLikelyThere: false, witnesses })).toEqual([[0, 1, 1], 1]);
	expect(await find('xyz', { areLikelyThere: true })).toEqual([[0, 0, 0], 3]);
	// A person that the lookup asks for proves nothing as a witness, so a second request names other people.
	expect(await find('acx', { areLikelyThere: false, witnesses })).toEqual([[1, 1, 0], 2]);
});
