import type { TableColumn } from '../schema/tableColumns';
import { comparedAs } from '../values/fullName';
import { mayBeTwoPeople, type NameParts } from '../values/name';
import * as aliases from './aliases';
import { numberIn, plainName, plainNames, remembering } from './plainName';
import { isFurtherLine } from './postalHeadings';
import { nameUnder } from './fullNameHeadings';

/*
 * A row is about one person. This file recognises the headings of other people: "Contact 2 Email", "Spouse". "Contact
 * Name" beside "Last Name" may mean a second person, too. The names in the cells decide about this.
 */

const PERSON = plainNames(aliases.PERSON).join('|');
const OTHERS = plainNames(aliases.OTHER_PEOPLE).join('|');
/** Matches a `plainName` with a word for another person at its start or end. "#" stands for a number from 2. */
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
	/** Returns whether a heading, in the form of `plainName`, means a column. */
	isKnown: (plain: string) => boolean;
	/** Returns whether a heading, in the form of `plainName`, means a part of a name, such as the given name. */
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
		// A heading that means a column belongs to nobody else: "Account Manager" is the owner, "Address Line 2" a part of
		// the street.
		if (isKnown(plain) || isKnown(plain.replace(OF_PERSON, ''))) return true;
		if (isFurtherLine(heading)) return true;
		const number = numberIn(heading);
		return !isOfAnother(plain) && (number === undefined || !numbers.has(number));
	});
}

/** Groups of words for a person; `undefined` means no such word. A row is about its first group that gives a name. */
const GROUPS: ReadonlyArray<string | undefined> = [undefined, ...aliases.PERSON_GROUPS];
const [OF_CONTACT] = aliases.PERSON_GROUPS;
const GROUP_OF = new Map([
	...plainNames(aliases.BEHIND_PERSON).map((word): [string, string] => [word, OF_CONTACT]),
	...aliases.PERSON_GROUPS.flatMap((group) =>
		plainNames(group).map((word): [string, string] => [word, group]),
	),
]);

/** Returns the group in `PERSON_GROUPS` of a word such as "client" (a `plainName`); undefined for other words. */
export function groupOf(word: string): string | undefined {
	return GROUP_OF.get(word);
}

/** A heading that gives a column its value. */
interface Giving {
	heading: string;
	column: TableColumn;
	/** Group of the word for a person in the heading. Absent without such a word. */
	group?: string | undefined;
}

/** Returns the text that a column takes from the cell under a heading. */
type ValueOf = (heading: string, column: TableColumn) => string;

/** Fields with data of one person. Other fields, such as the owner and the tags, may belong to both people. */
const PERSONAL = [
	...['familyName', 'givenName', 'additionalName', 'initials', 'honorificPrefix', 'jobTitle'],
	...['emailAddresses', 'phoneNumbers'],
];

/**
 * Leaves out the headings of a second person in a row: "Contact Name" and "Contact Email" beside "First Name", "Last
 * Name" and "Email". Leaves them out only if both people have different names. The row must also give the first
 * person's e-mail address, or both given and family name. So a contact person remains beside the name of a company.
 */
export function ofOnePerson<T extends Giving>(
	giving: readonly T[],
	valueOf: ValueOf,
): readonly T[] {
	const personal = giving.filter(({ column }) => PERSONAL.includes(column.field));
	const [first, ...others] = GROUPS.flatMap((group) => {
		const own = personal.filter((one) => one.group === group);
		const name = nameIn(own, valueOf, group !== undefined);
		const hasEmail = own.some(({ column }) => column.field === 'emailAddresses');
		return name ? [{ group, name, hasEmail }] : [];
	});
	const isPerson = !!first?.name.givenName && !!first.name.familyName;
	if (!first || !(first.hasEmail || isPerson)) return giving;
	const second = others.filter(({ name }) => mayBeTwoPeople(first.name, name));
	const groups = second.map(({ group }) => group);
	return giving.filter((one) => !personal.includes(one) || !groups.includes(one.group));
}

/**
 * Returns the name that headings give; undefined if they give none.
 *
 * @param isOfPerson whether the headings have a word for a person. Without such a word, "Name" may be the name of a
 *   company
 */
function nameIn(
	giving: readonly Giving[],
	valueOf: ValueOf,
	isOfPerson: boolean,
): NameParts | undefined {
	const under = (name: string) => giving.find(({ column }) => column.name === name);
	const [given, infix, family, full] = ['givenName', 'additionalName', 'familyName', 'fullName']
		.map(under)
		.map((one) => one && { heading: one.heading, text: valueOf(one.heading, one.column) });
	if (given || family) {
		return { givenName: given?.text, additionalName: infix?.text, familyName: family?.text };
	}
	if (!full || !isOfPerson) return undefined;
	const { isWhole, ...parts } = nameUnder(full.heading, full.text);
	return isWhole ? comparedAs(full.text) : parts;
}
