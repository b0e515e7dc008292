import * as aliases from './aliases';
import { nameUnder } from './fullNameHeadings';
import { plainNames } from './plainName';
import type { TableColumn } from '../schema/tableColumns';
import { comparedAs } from '../values/fullName';
import { mayBeTwoPeople, type NameParts } from '../values/name';

/*
 * Recognises the headings of a second person in a row, such as "Contact Name" beside "Last Name". The names in the
 * cells decide whether the row has two people.
 */

/** Groups of words for a person, the first choice first. `undefined` stands for headings without such a word. */
const GROUPS: ReadonlyArray<string | undefined> = [undefined, ...aliases.PERSON_GROUPS];
const [OF_CONTACT] = aliases.PERSON_GROUPS;
const GROUP_OF = new Map([
	...plainNames(aliases.BEHIND_PERSON).map((word): [string, string] => [word, OF_CONTACT]),
	...aliases.PERSON_GROUPS.flatMap((group) =>
		plainNames(group).map((word): [string, string] => [word, group]),
	),
]);

/** Returns the group in `PERSON_GROUPS` of a word such as "Client", given as a plain name; undefined for other words. */
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
 * Name" and "Email". Leaves them out only if both people have different names, and the row gives the first person's
 * e-mail address, or both given and family name. So the contact person beside the name of a company remains.
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
