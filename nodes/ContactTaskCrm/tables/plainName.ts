import { folded } from '../values/text';

/*
 * Brings the names of columns and the headings of tables into one form for comparison.
 */

const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 200;

/** Returns a function that remembers the results of `of`, because all rows of a table have the same headings. */
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

/** Splits a text with several names at its commas, and returns the `plainName` of each name. */
export function plainNames(names = ''): string[] {
	return names.split(', ').filter(Boolean).map(plainName);
}

/** Words in brackets that a heading loses: "(required)", "(as on your passport)", "(street, town)", "(text only)". */
const MARK =
	/[([](?:text only|required|verplicht|verplicht veld|erforderlich|pflichtfeld|obligatoire|(?:as|zoals|wie) (?:on|in|op|im|auf) [^)\]]*|[^()[\]]{0,80},[^()[\]]{0,80})[)\]]/g;
/** Matches the sentences in front of the question of a web form: "Hi! What's your name?". */
const BEFORE_QUESTION = /^.*[.!?]\s+(?=[^.!?]*\?\s*$)/s;

/**
 * Removes case, accents, separators and invisible characters. So "Family Name", "family_name" and "familyName" become
 * one plain name, and so do "E-mail(s)", "E-mail (required)" and "E-mail". A number becomes #, so that "E-mail 2" equals
 * "E-mail 3". The number 1 disappears: "E-mail 1" equals "E-mail".
 */
export const plainName = remembering((name: string): string =>
	folded(name)
		.replace(BEFORE_QUESTION, '')
		.replace(/ß/g, 'ss')
		.replace(/\((?:s|es|n|en|sen)\)/g, '')
		.replace(MARK, '')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.replace(/\d+/g, (number) => (number === '1' ? '' : '#')),
);

/**
 * Returns the headings that may tell the kind of a phone number. For "Phone 1 - Value", these are "Phone 1 - Label" and
 * "Phone 1 - Type". For "Phone 1", one of them is "Phone 1 Type".
 */
export function labelsBeside(heading: string): string[] {
	const [, begun] = /^(.* - )value$/i.exec(heading) ?? [];
	if (begun !== undefined) return [`${begun}Label`, `${begun}Type`];
	return [' Type', ' type', '_type'].map((word) => heading + word);
}

/** Returns the first number from 2 in a heading; undefined if the heading has none. */
export function numberIn(heading: string): string | undefined {
	return heading.match(/\d+/g)?.find((number) => Number(number) > 1);
}
