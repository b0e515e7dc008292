import { isNoneWord } from '../values/placeholder';

/*
 * Recognises texts that are no name of a person or a town.
 */

/** Words for "none" that are names, too: the family names Geen and Na, the town Leer. */
const NAMES: ReadonlySet<string> = new Set(
	(
		'na none null nil nan undefined blank empty select string missing todo true false geen leeg ka kein keine keiner ' +
		'leer aucun aucune néant neant vide'
	).split(' '),
);
/** Matches initials: "N.V.T.", which small letters make a word for "none". */
const INITIALS = /^(?:\p{Lu}\.\s?){2,}$/u;
/** Matches what a wrong encoding leaves of an accent: "Ã¼" of "ü", or U+FFFD. */
const GARBLED = /\uFFFD|[ÂÃ][\u0080-\u00BF\u0152-\u0178\u2013-\u203A]/;

/** Returns whether a text is a word for "none" that nobody has as a name. */
export function isNoName(text: string): boolean {
	const word = text.toLowerCase().replace(/[\s.]/g, '');
	return isNoneWord(text) && !NAMES.has(word) && !INITIALS.test(text.trim());
}

/** Returns whether a program has read a text in a wrong encoding, and so lost its accents. */
export function isGarbled(text: string): boolean {
	return GARBLED.test(text);
}
