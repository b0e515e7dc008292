import { intersection } from 'lodash';
import { isErrorValue, isOnlySigns, isPlaceholder } from './placeholder';
import { cleanText, folded } from './text';

/*
 * Decides whether two names may belong to one person. The names need not be equal, because programs spell a name in
 * several ways.
 */

/** Parts of a name, from a record or a row. */
export interface NameParts {
	givenName?: unknown;
	additionalName?: unknown;
	familyName?: unknown;
}

/**
 * Words between the parts of a name. They do not count as a common word of two names: De Vries and De Jong have no word
 * in common.
 */
const PARTICLES: ReadonlySet<string> = new Set(
	(
		'aan af al am an auf aus bij bin d da das de degli dei del della den der des di do dos du e el en het im in ' +
		'l la las le les lo los of op over s t te ten ter the thoe to tot uijt und uit van vander vom von voor y zu ' +
		'zum zur'
	).split(' '),
);

/** Letters that programs without accents write as two letters: Müller becomes Mueller. */
const AS_TWO: Readonly<Record<string, string>> = {
	...{ ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', æ: 'ae', œ: 'oe', þ: 'th', ß: 'ss' },
};
/** Plain spellings of letters that `folded` keeps, because they have no accent to remove: Łódź becomes Lodz. */
const AS_ONE: Readonly<Record<string, string>> = {
	...{ ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ø: 'o', æ: 'a', œ: 'o', ß: 'ss' },
};

/**
 * Returns the words of a name, each in all its spellings without accents. Leaves out particles and single letters,
 * unless the name consists of them.
 */
function wordsOf(...parts: unknown[]): string[] {
	const texts = parts.map((part) => (typeof part === 'string' ? cleanText(part) : ''));
	const named = texts.filter((text) => !isErrorValue(text) && !isOnlySigns(text)).join(' ');
	const words = named
		.normalize('NFC')
		.toLowerCase()
		.replace(/['’`]/g, '')
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
	const telling = words.filter((word) => word.length > 1 && !PARTICLES.has(word));
	return (telling.length > 0 ? telling : words).flatMap(spellingsOf);
}

/** Returns a part of a person's name in a record; undefined for a placeholder such as "unknown". */
function shownPart(part: unknown): unknown {
	return typeof part === 'string' && isPlaceholder(part) ? undefined : part;
}

/** Returns a word without accents, in each usual spelling: müller becomes mueller and muller. */
export function spellingsOf(word: string): string[] {
	const inLetters = (letters: Readonly<Record<string, string>>) =>
		folded([...word].map((letter) => letters[letter] ?? letter).join(''));
	return [...new Set([inLetters(AS_TWO), inLetters(AS_ONE)])];
}

function share(one: readonly string[], other: readonly string[]): boolean {
	return intersection(one, other).length > 0;
}

/**
 * Returns whether two given names may mean one person. One name must have a word that begins with a word of the other
 * name, as Jan begins with J. Equal words count, too.
 */
function areLikeGivenNames(one: readonly string[], other: readonly string[]): boolean {
	return one.some((word) =>
		other.some((second) => word.startsWith(second) || second.startsWith(word)),
	);
}

/**
 * Returns whether a row and a person surely have different names, because the names have no word in common. Returns
 * false if the row or the person lacks the given or family name.
 */
export function areSurelyTwoPeople(row: NameParts, person: NameParts): boolean {
	const isWhole = ({ givenName, familyName }: NameParts) =>
		wordsOf(shownPart(givenName)).length > 0 && wordsOf(familyName).length > 0;
	const all = ({ givenName, additionalName, familyName }: NameParts) =>
		wordsOf(givenName, additionalName, familyName);
	return isWhole(row) && isWhole(person) && !share(all(row), all(person));
}

/**
 * Returns whether a row and a person may be two people, because their family names or their given names differ. An
 * equal e-mail address or phone number is no proof, because relatives or colleagues may share it. A placeholder in the
 * record counts as no name.
 */
export function mayBeTwoPeople(row: NameParts, person: NameParts): boolean {
	const differ = (
		[first, second]: [string[], string[]],
		areAlike: (one: string[], other: string[]) => boolean,
	) => first.length > 0 && second.length > 0 && !areAlike(first, second);
	const family = wordsOf(row.additionalName, row.familyName);
	const shownFamily = wordsOf(person.additionalName, shownPart(person.familyName));
	const given = wordsOf(row.givenName);
	const shownGiven = wordsOf(shownPart(person.givenName));
	return differ([family, shownFamily], share) || differ([given, shownGiven], areLikeGivenNames);
}
