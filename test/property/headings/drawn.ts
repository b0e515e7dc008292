import fc from 'fast-check';
import { uniqBy } from 'lodash';
import {
	ADDRESS_KINDS,
	ADDRESS_PARTS,
	BESIDE_STREET,
	WHOLE_ADDRESS,
} from '../../../nodes/ContactTaskCrm/tables/postalAliases';
import {
	ALSO_CALLED,
	FAMILY_NAME_FIRST,
	FULL_NAME,
	KIND_WORDS,
	OF_PERSON,
} from '../../../nodes/ContactTaskCrm/tables/aliases';
import { plainName } from '../../../nodes/ContactTaskCrm/tables/plainName';
import { SEGMENTS, TAGS, USERS } from '../../engine/support/seeded';

/*
 * Files with any subset of the headings that the node knows, in any language, order and spelling, and with some that it does
 * not know. Each cell has a value of its own, so that the place of a value shows where it came from.
 */

/** A column of a file. */
export interface Column {
	heading: string;
	/** Fields of the person that may hold the value; none for a column of another person. */
	fields: readonly string[];
	value: string;
	/** Kind and number of the address that the column belongs to; absent for other columns. */
	address?: string;
}

const listed = (names: string) => names.split(', ').filter(Boolean);

/** Words that make a value of a field. Without an entry, a field takes a plain word. */
const VALUES: Readonly<Record<string, (number: number) => string>> = {
	emailAddresses: (number) => `person${number}@mail.example`,
	phoneNumbers: (number) => `+31 20 ${1_000_000 + number}`,
	networkId: (number) => `network-${number}`,
	name: (number) => `Given${letters(number)} Family${letters(number)}`,
	country: (number) => ['NL', 'Belgium', 'Duitsland', 'FR', 'USA', 'Atlantis'][number % 6]!,
	title: (number) => ['Dr.', `Chief${letters(number)}`][number % 2]!,
	prefix: (number) => ['van der', 'Mrs'][number % 2]!,
	tags: (number) => TAGS[number % TAGS.length]!,
	segments: (number) => SEGMENTS[number % SEGMENTS.length]!,
	owner: (number) => USERS[number % USERS.length]!,
	totalDeals: String,
	totalLostDeals: String,
	totalWonDeals: String,
};

/** Writes a number in letters, because the name of a person has no digits. */
function letters(number: number): string {
	return [...String(number)].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('');
}

const FIELD_OF: Readonly<Record<string, string>> = {
	email: 'emailAddresses',
	...Object.fromEntries(
		['phone', 'mobile', 'fax', 'workPhone', 'homePhone'].map((name) => [name, 'phoneNumbers']),
	),
};
/** Columns of tasks, and columns that a file of people has no use for. */
const OF_TASKS = [
	'assignees',
	'dealSizeEstimation',
	'description',
	'dueDate',
	'person',
	'status',
	'storyPointEstimation',
	'title',
];
const NAMES = ['givenName', 'familyName', 'initials', 'honorificPrefix'];

interface Drawable {
	headings: readonly string[];
	fields: readonly string[];
	kind: string;
	isAddress?: boolean;
}

const DRAWABLE: readonly Drawable[] = [
	...Object.entries(ALSO_CALLED)
		.filter(([name]) => !OF_TASKS.includes(name))
		.map(([name, names]) => {
			const field = FIELD_OF[name] ?? name;
			return { headings: [name, ...listed(names)], fields: [field], kind: field };
		}),
	{ headings: listed(`${FULL_NAME}, ${FAMILY_NAME_FIRST}`), fields: NAMES, kind: 'name' },
	{ headings: ['Title', 'Titel', 'Titre'], fields: ['honorificPrefix', 'jobTitle'], kind: 'title' },
	{
		headings: ['Prefix', 'Name Prefix', 'Voorvoegsel'],
		fields: ['honorificPrefix', 'additionalName'],
		kind: 'prefix',
	},
	...Object.entries(ADDRESS_PARTS).map(([part, names]) => ({
		...{ headings: listed(names), fields: ['address'], kind: part, isAddress: true },
	})),
	...[WHOLE_ADDRESS, BESIDE_STREET.number, BESIDE_STREET.addition].map((names) => ({
		...{ headings: listed(names), fields: ['address'], kind: 'street', isAddress: true },
	})),
	{ headings: ['Company', 'Bedrijf', 'Notizen', 'Birthday'], fields: [], kind: 'unknown' },
];

/**
 * Kind of field by heading, for headings without a drawn noun. A noun may change the kind: "Customer - Number" is the
 * customer number. `anyColumn` draws no such noun.
 */
const KIND_OF_NAME = new Map(
	DRAWABLE.flatMap(({ headings, kind }) => headings.map((name) => [plainName(name), kind])),
);

const anyKind = fc.constantFrom(
	...Object.entries(ADDRESS_KINDS).map(([kind, words]) => ({ kind, words })),
);

/** Draws a heading as a file may spell it, with a noun, a kind, a number or another person. */
const anyColumn = fc
	.record({
		drawable: fc.constantFrom(...DRAWABLE),
		pick: fc.nat(),
		number: fc.constantFrom(1, 1, 1, 1, 2, 3),
		noun: fc.option(fc.constantFrom(...listed(OF_PERSON)), { freq: 8 }),
		kind: fc.option(fc.tuple(anyKind, fc.nat()), { freq: 3 }),
		spelling: fc.constantFrom('plain', 'plain', 'plain', 'capitals', 'underscores'),
		isOfAnother: fc.integer({ min: 0, max: 15 }).map((drawn) => drawn === 0),
	})
	.map(
		({
			drawable,
			pick,
			number,
			noun,
			kind,
			spelling,
			isOfAnother,
		}): Omit<Column, 'value'> & { kind: string } => {
			const { headings, isAddress = false } = drawable;
			let heading = headings[pick % headings.length]!;
			const of = isAddress ? kind?.[0] : undefined;
			if (of) {
				const words = listed(of.words);
				heading = `${words[kind![1] % words.length]} ${heading}`;
			} else if (kind && ['phoneNumbers', 'emailAddresses'].includes(drawable.kind)) {
				const words = listed(Object.values(KIND_WORDS)[kind[1] % 3]!);
				heading = `${heading} ${words[kind[1] % words.length]}`;
			}
			if (number > 1) heading = `${heading} ${number}`;
			const named = `${noun} - ${heading}`;
			const isOwnName = [drawable.kind, undefined].includes(KIND_OF_NAME.get(plainName(named)));
			if (noun !== null && isOwnName) heading = named;
			if (spelling === 'capitals') heading = heading.toUpperCase();
			if (spelling === 'underscores') heading = heading.replaceAll(' ', '_');
			if (isOfAnother) return { heading: `Contact 2 ${heading}`, fields: [], kind: drawable.kind };
			const address = isAddress ? { address: `${of?.kind ?? ''} ${number}` } : {};
			return { heading, fields: drawable.fields, kind: drawable.kind, ...address };
		},
	);

/** Draws a column with the name of the person. Without one, the node refuses the row. */
const anyName = fc
	.constantFrom(
		...listed(`Family Name, ${ALSO_CALLED.familyName}`).map((heading) => ({
			...{ heading, fields: ['familyName'], kind: 'familyName' },
		})),
		...listed(FULL_NAME).map((heading) => ({ heading, fields: NAMES, kind: 'name' })),
	)
	.map((column): Omit<Column, 'value'> & { kind: string } => column);

/** Draws the columns of a file with one row. Two headings never have one spelling, because a row of n8n cannot have that. */
export const anyFile: fc.Arbitrary<Column[]> = fc
	.tuple(anyName, fc.array(anyColumn, { minLength: 1, maxLength: 20 }), fc.nat(20))
	.map(([name, columns, position]) => {
		const others = columns.filter(({ heading }) => heading !== name.heading);
		const all = [...others.slice(0, position), name, ...others.slice(position)];
		return uniqBy(all, ({ heading }) => heading).map(({ kind, ...column }, index): Column => {
			const word = (number: number) => `Word${letters(number)}`;
			return { ...column, value: (VALUES[kind] ?? word)(index + 1) };
		});
	});
