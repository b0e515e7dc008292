import { FAMILY_NAME_FIRST, FULL_NAME, OF_PERSON } from './aliases';
import { plainName, plainNames } from './plainName';
import { type FullName, splitName } from '../values/fullName';

/*
 * Recognises the headings of the full name of a person, and splits the names under them.
 */

/** All headings of a full name, in the form of `plainName`. */
export const FULL_NAMES: readonly string[] = plainNames(`${FULL_NAME}, ${FAMILY_NAME_FIRST}`);
const FAMILY_FIRST = plainNames(FAMILY_NAME_FIRST);
/** Matches a formal name with the given name behind it, as Dutch offices write it: "Vries, J.P. de (Jan)". */
const CALLED = /^([^,()]+,[^,()]+?)\s?\((\p{L}['’\p{L}-]+)\)$/u;
const NOUN = new RegExp(`^(?:${plainNames(OF_PERSON).join('|')})`);

/**
 * Returns whether a heading may stand for a full name. "Naam" also counts, although beside "Voornaam" it means the
 * family name.
 */
export function isFullName(heading: string): boolean {
	return isAmong(FULL_NAMES, heading);
}

/** Splits the full name in a cell. Under a heading such as "Nom et prénom", the family name comes first. */
export function nameUnder(heading: string, text: string): FullName {
	const order = {
		isFamilyFirst: isAmong(FAMILY_FIRST, heading),
		isFrench: /^(?:nom|pr[ée]nom)/i.test(heading),
	};
	const [, formal = text, called = ''] = CALLED.exec(text) ?? [];
	const { initials, ...parts } = splitName(formal, order);
	return called && initials ? { ...parts, initials, givenName: called } : splitName(text, order);
}

function isAmong(names: readonly string[], heading: string): boolean {
	const plain = plainName(heading);
	return names.includes(plain) || names.includes(plain.replace(NOUN, ''));
}
