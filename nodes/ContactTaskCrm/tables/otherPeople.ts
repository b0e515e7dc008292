import * as aliases from './aliases';
import { numberIn, plainName, plainNames, remembering } from './plainName';
import { isFurtherLine } from './postalHeadings';

/*
 * Recognises the headings that belong to another person than the row's: "Contact 2 Email", "Spouse".
 */

const PERSON = plainNames(aliases.PERSON).join('|');
const OTHERS = plainNames(aliases.OTHER_PEOPLE).join('|');
/** A plain name with a word for another person at its start or end. "#" stands for a number from 2. */
const OF_ANOTHER = new RegExp(
	`^#?(?:${PERSON})#|(?:${PERSON})#$|^(?:${PERSON})?(?:${OTHERS})|(?:${OTHERS})$`,
);
/** Words for the row's own person that end like a word for another person: "Ansprechpartner" ends with "partner". */
const LIKE_ANOTHER = plainNames(aliases.BEHIND_PERSON).filter((word) => OF_ANOTHER.test(word));
const OF_OWN = new RegExp(`(?:${LIKE_ANOTHER.join('|')})$`);
const isOfAnother = remembering((plain) => OF_ANOTHER.test(plain.replace(OF_OWN, '')));
const BILLED = new Set(Object.values(aliases.BILLED).flatMap(plainNames));
const OF_PERSON = new RegExp(`^(?:${plainNames(aliases.OF_PERSON).join('|')})`);

/** Tests for the headings of a row. */
interface KnownHeadings {
	/** Returns whether a plain name means a column. */
	isKnown: (plain: string) => boolean;
	/** Returns whether a plain name means a part of a person's name, such as the given name. */
	isName: (plain: string) => boolean;
	/** Returns whether a column takes a value from the cell under a heading. */
	isFilled: (heading: string) => boolean;
}

/** Returns whether a heading belongs to the customer who gets the invoice of an order. */
export function isBilled(heading: string): boolean {
	return BILLED.has(plainName(heading));
}

/**
 * Returns the headings of the row's own person. If the row has "First Name 2", all headings with a 2 belong to another
 * person. If the row also names its own person, headings such as "Billing Email" belong to another person.
 */
export function ownHeadings(
	headings: readonly string[],
	{ isKnown, isName, isFilled }: KnownHeadings,
): string[] {
	const named = headings.filter((heading) => isName(plainName(heading).replace(/#/g, '')));
	const numbers = new Set(named.map(numberIn));
	const isOfName = (heading: string) =>
		!isBilled(heading) && isName(plainName(heading).replace(/#/g, '').replace(OF_PERSON, ''));
	const isOrder =
		headings.some(isBilled) && !headings.some((heading) => isOfName(heading) && isFilled(heading));
	return headings.filter((heading) => {
		if (isBilled(heading)) return isOrder;
		const plain = plainName(heading);
		// A heading that means a column is no other person's: "Account Manager" is the owner, "Address Line 2" a part
		// of the street.
		if (isKnown(plain) || isKnown(plain.replace(OF_PERSON, ''))) return true;
		if (isFurtherLine(heading)) return true;
		const number = numberIn(heading);
		return !isOfAnother(plain) && (number === undefined || !numbers.has(number));
	});
}
