import fc from 'fast-check';

/*
 * Files about people of companies and families who share addresses, and a CRM that knows some of them. The people are
 * made up. No two of them share a given name, so that a wrong name shows.
 */

/** A real person, whom rows and records describe. */
export interface Truth {
	givenName: string;
	familyName: string;
	/** Addresses of this person alone. */
	own: string[];
	/** Address that others have as well; absent without one. */
	shared?: string;
}

const COMPANIES = ['info@acme.example', 'office@bolt.example'];

export const TRUTHS: Truth[] = (
	[
		['Jan', 'Smit', COMPANIES[0]],
		['Eva', 'Vos', COMPANIES[0]],
		['Tom', 'Smit', COMPANIES[0]],
		['Lea', 'Müller', COMPANIES[1]],
		['Piet', 'de Vries', 'fam@devries.example'],
		['Sanne', 'de Vries', 'fam@devries.example'],
		['Ömer', 'Yılmaz', undefined],
		['Kim', 'Null', COMPANIES[1]],
	] as const
).map(([givenName, familyName, shared], index) => ({
	...{ givenName, familyName, ...(shared && { shared }) },
	own: ['a', 'b', 'c'].map((letter) => `${letter}${index}@mail.example`),
}));

/** A person of the CRM. */
export interface Stored {
	truth: number;
	emails: string[];
	isArchived: boolean;
	jobTitle: string | null;
}

/** A row of the file. */
export interface Row {
	truth: number;
	emails: string[];
	jobTitle: string;
	hasGivenName: boolean;
	/** Way in which the file writes the addresses of the row. */
	spelling: (typeof SPELLINGS)[number];
}

export interface Drawn {
	stored: Stored[];
	rows: Row[];
	whenNameDiffers: 'refuse' | 'update' | undefined;
}

export const SPELLINGS = [
	'columns',
	'one cell',
	'capitals',
	'mailto',
	'quotes',
	'json',
	'guarded',
] as const;

const anyTruth = fc.nat(TRUTHS.length - 1);

/** Draws one to three addresses of a person, in any order. A shared address may be among them. */
const addressesOf = (truth: number) => {
	const { own, shared } = TRUTHS[truth]!;
	const all = shared === undefined ? own : [...own, shared];
	return fc.shuffledSubarray(all, { minLength: 1, maxLength: 3 });
};

const anyStored: fc.Arbitrary<Stored> = anyTruth.chain((truth) =>
	fc.record({
		truth: fc.constant(truth),
		emails: addressesOf(truth),
		isArchived: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
		jobTitle: fc.constantFrom(null, 'Chef', 'Buyer'),
	}),
);

const anyRow: fc.Arbitrary<Row> = anyTruth.chain((truth) =>
	fc.record({
		truth: fc.constant(truth),
		// Addresses of this person, and sometimes one address of somebody else.
		emails: fc
			.tuple(
				addressesOf(truth),
				fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, anyTruth.chain(addressesOf)),
			)
			.map(([own, others]) => [...new Set([...own, ...others.slice(0, 1)])]),
		jobTitle: fc.constantFrom('Chef', 'Buyer', 'NULL', '-', '#N/A', ''),
		hasGivenName: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.boolean()),
		spelling: fc.constantFrom(...SPELLINGS),
	}),
);

export const anyFile: fc.Arbitrary<Drawn> = fc.record({
	stored: fc.array(anyStored, { maxLength: 8 }),
	rows: fc.array(anyRow, { minLength: 1, maxLength: 8 }),
	whenNameDiffers: fc.constantFrom(undefined, undefined, 'refuse' as const, 'update' as const),
});

/** Returns a row as the file holds it. */
export function cellsOf({ truth, emails, jobTitle, hasGivenName, spelling }: Row) {
	const { givenName, familyName } = TRUTHS[truth]!;
	const written = {
		columns: emails,
		capitals: emails.map((email) => email.toUpperCase()),
		mailto: emails.map((email) => `mailto:${email}`),
		quotes: emails.map((email) => `'${email}'`),
		guarded: emails.map((email) => `="${email}"`),
		'one cell': [emails.join('; ')],
		json: [JSON.stringify(emails)],
	}[spelling];
	return {
		...(hasGivenName && { 'First Name': givenName }),
		'Last Name': familyName,
		...Object.fromEntries(
			written.map((cell, index) => [index === 0 ? 'Email' : `Email ${index + 1}`, cell]),
		),
		'Job Title': jobTitle,
	};
}
