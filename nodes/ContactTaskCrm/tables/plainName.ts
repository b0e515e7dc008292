import { folded } from '../values/text';

/*
 * Brings the names of columns, and the headings of tables, into one form to compare.
 */

const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 200;

/** Returns a function that remembers its results by heading, because all rows of a table have the same headings. */
export function remembering<T>(of: (heading: string) => T): (heading: string) => T {
	const known = new Map<string, T>();
	return (heading) => {
		if (known.has(heading)) return known.get(heading)!;
		const result = of(heading);
		if (known.size >= MOST_REMEMBERED) known.clear();
		if (heading.length <= LONGEST_REMEMBERED) known.set(heading, result);
		return result;
	};
}

/** Splits names at commas, and returns the `plainName` of each. */
export function plainNames(names = ''): string[] {
	return names.split(', ').filter(Boolean).map(plainName);
}

/** Mark behind a heading: that a form needs a value, or that Salesforce shows the text of a code. */
const MARK =
	/[([](?:text only|required|verplicht|verplicht veld|erforderlich|pflichtfeld|obligatoire)[)\]]/g;

/**
 * Removes case, accents, separators and invisible characters. So "Family Name", "family_name" and "familyName" become
 * one plain name, and so do "E-mail(s)", "E-mail (required)" and "E-mail". A number becomes #, so that "E-mail 2" equals
 * "E-mail 3". The number 1 disappears: "E-mail 1" equals "E-mail".
 */
export const plainName = remembering((name: string): string =>
	folded(name)
		.replace(/ß/g, 'ss')
		.replace(/\((?:s|es|n|en|sen)\)/g, '')
		.replace(MARK, '')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.replace(/\d+/g, (number) => (number === '1' ? '' : '#')),
);

/**
 * Returns the headings that may give the kind of a value: "Phone 1 - Label" for "Phone 1 - Value", and "Phone 1 Type" for
 * "Phone 1".
 */
export function labelsBeside(heading: string): string[] {
	const [, begun] = /^(.* - )value$/i.exec(heading) ?? [];
	if (begun !== undefined) return [`${begun}Label`, `${begun}Type`];
	return [' Type', ' type', '_type'].map((word) => heading + word);
}

/** Returns the first number in a heading that is 2 or more; undefined if there is none. */
export function numberIn(heading: string): string | undefined {
	return heading.match(/\d+/g)?.find((number) => Number(number) > 1);
}
