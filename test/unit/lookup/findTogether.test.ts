import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { findTogether } from '../../../nodes/ContactTaskCrm/lookup/findTogether';
import { isMatch } from '../../../nodes/ContactTaskCrm/lookup/find';
import { Client, decryptAccount } from '../../../nodes/ContactTaskCrm/crm/client';
import type { KnownPeople } from '../../../nodes/ContactTaskCrm/crm/description';
import { runsOf, sampled } from '../../support/drawn';
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
function pairsAmong(people: Person[]): Array<readonly [string, string]> {
	const pairs = people.flatMap((one) => people.map((other) => [one, other] as const));
	return pairs.flatMap(([one, other]) =>
		one.emailAddresses.flatMap(({ email: first }) =>
			other.emailAddresses
				.filter(({ email }) => !isMatch(one, 'email', email) && !isMatch(other, 'email', first))
				.map(({ email: second }) => [first, second] as const),
		),
	);
}

const QUERY = FILTER.replace('[]', '');

/** Returns a client for a service that nothing is known about, apart from a pair of addresses. */
async function clientOf(answer: (options: IHttpRequestOptions) => Answer, pair?: KnownPeople) {
	const { context, requests } = itemContext({ answer });
	const client = new Client(context, await decryptAccount(context), { lane: {} });
	const { severalValues } = client.tenant.description;
	severalValues.set(QUERY, { proved: 0, knownPeople: pair });
	return { client, requests, severalValues };
}

it.each(sampled(UNDERSTANDINGS, 4))(
	'If a filter with several values gives %s, lookups never give a wrong result',
	async (_, understood) => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					people: somePeople,
					lookups: fc.array(
						fc.record({ values: someAddresses(8), areProbablyAllThere: fc.boolean() }),
						{
							minLength: 1,
							maxLength: 4,
						},
					),
					isPartial: fc.boolean(),
					drawn: fc.option(fc.nat(), { nil: undefined }),
				}),
				async ({ people, lookups, isPartial, drawn }) => {
					const pairs = pairsAmong(people);
					const pair = drawn === undefined ? undefined : pairs[drawn % pairs.length];
					const { client } = await clientOf(serviceOf(people, understood, isPartial), pair);
					for (const { values, areProbablyAllThere } of lookups) {
						const matches = values.map((value) => ({ matchBy: 'email' as const, value }));
						const found = await findTogether(client, matches, areProbablyAllThere);
						for (const [position, value] of found ? values.entries() : []) {
							const there = people.filter((person) => isMatch(person, 'email', value));
							const ids = (list: IDataObject[]) => list.map(({ id }) => id).sort();
							expect(ids(found![position])).toEqual(ids(there));
						}
					}
				},
			),
			{ numRuns: runsOf(100) },
		);
	},
);

describe('the number of requests of a lookup of several people', () => {
	const people = [...'abcd'].map((name) => ({
		id: name,
		emailAddresses: [{ email: `${name}@x.nl` }],
	}));
	const PAIR = ['a@x.nl', 'b@x.nl'] as const;
	const matchesOf = (names: string) =>
		[...names].map((name) => ({ matchBy: 'email' as const, value: `${name}@x.nl` }));

	it.each([
		['abc', true, undefined, [1, 1, 1], 1],
		['abx', true, undefined, [1, 1, 0], 2],
		['xcd', false, PAIR, [0, 1, 1], 1],
		// All people fit on one page, so this page answers the lookup.
		['xyz', true, undefined, [0, 0, 0], 2],
		// A person that the lookup asks for proves nothing, so a second request names other people.
		['acx', false, PAIR, [1, 1, 0], 2],
	])(
		'Lookup of "%s" (probably stored: %j, known people: %j) finds %j in %d requests',
		async (names, areProbablyAllThere, pair, counts, expected) => {
			const { client, requests } = await clientOf(serviceOf(people, any, false), pair);
			const found = await findTogether(client, matchesOf(names), areProbablyAllThere);
			expect([found?.map(({ length }) => length), requests.length]).toEqual([counts, expected]);
		},
	);

	it.each([
		[0, 2],
		[1, 2],
		[29, 2],
		[30, 3],
		[31, 3],
	])(
		'In a CRM of %d people, a lookup of unknown people takes %d requests',
		async (size, expected) => {
			const all = Array.from({ length: size }, (_, nth) => ({
				id: `p${nth}`,
				emailAddresses: [{ email: `p${nth}@x.nl` }],
			}));
			const { client, requests } = await clientOf(serviceOf(all, any, false));
			const found = await findTogether(client, matchesOf('xyz'), true);
			expect([found, requests.length]).toEqual([[[], [], []], expected]);
		},
	);

	it('If a small CRM hides e-mail addresses, its whole list answers no lookup', async () => {
		const member = [{ id: 'p1' }, { id: 'p2', emailAddresses: [] }];
		const { client } = await clientOf(({ url }) => ({
			body: decodeURIComponent(url).includes(FILTER)
				? { member: [], totalItems: 0 }
				: { member, totalItems: 2 },
		}));
		expect(await findTogether(client, matchesOf('xyz'), true)).toBeUndefined();
	});

	it('Once a lookup of several values was right, later such lookups take one request', async () => {
		const { client, requests } = await clientOf(serviceOf(people, any, false), PAIR);
		const counts: number[] = [];
		for (const names of ['xcd', 'vwxyz', 'uvwxyz', 'tuvwxyz']) {
			requests.length = 0;
			await findTogether(client, matchesOf(names), false);
			counts.push(new URL(requests[0].url).searchParams.getAll(FILTER).length);
			expect(requests).toHaveLength(1);
		}
		// The pair goes along until an answer has proved as many values.
		expect(counts).toEqual([3 + 2, 5, 6 + 2, 7]);
	});

	it('After one wrong answer, the node no longer trusts lookups of several values', async () => {
		let understood = any;
		const answer = (options: IHttpRequestOptions) => serviceOf(people, understood, false)(options);
		const { client, severalValues } = await clientOf(answer, PAIR);
		await findTogether(client, matchesOf('xcd'), false);
		expect(severalValues.get(QUERY)!.proved).toBe(5);
		understood = (all) => all;
		expect(await findTogether(client, matchesOf('xc'), false)).toBeUndefined();
		expect(severalValues.has(QUERY)).toBe(false);
	});
});
