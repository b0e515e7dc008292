import { folded } from '../values/text';

/*
 * Names of columns in the form in which they are compared.
 */

/** Splits a list with commas, and returns the `plainName` of each entry. */
export function plainNames(names = ''): string[] {
	return names.split(', ').filter(Boolean).map(plainName);
}

/**
 * Removes case, accents, separators and invisible characters: "Family Name", "family_name" and "familyName" are one
 * plain name. A number becomes #, so that "E-mail 2" equals "E-mail 3". A 1 is left out: "E-mail 1" equals "E-mail".
 */
export function plainName(name: string): string {
	return folded(name)
		.replace(/ß/g, 'ss')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.replace(/\d+/g, (number) => (number === '1' ? '' : '#'));
}
