import { uniq } from 'lodash';
import type { TableColumn } from '../schema/tableColumns';
import { countryCode } from '../values/country';
import { isDotless, isEmail, withoutAddress, withoutWords } from '../values/email';
import { isOfCompany } from '../values/fullName';
import { isOfNoPerson } from '../values/identifier';
import { cutList, isObject, listOf, parsedList, withoutJsonLd } from '../values/json';
import { bracketedIn, contactsIn, titlesIn } from '../values/list';
import { isPhoneNumber, withoutKindWords } from '../values/phone';
import {
	isErrorValue,
	isMarkedNone,
	isNoDate,
	isNoneWord,
	isObjectText,
	isOnlySigns,
	isUnfilled,
	NONE_IS_BLANK_IN,
	meansNone,
} from '../values/placeholder';
import {
	firstOfSeveral,
	isCut,
	unquoted,
	withoutDecimal,
	withoutFormula,
	withoutGuard,
} from '../values/spreadsheet';
import { isBlank, quoted, visibleText } from '../values/text';
import { isGarbled, isKindOfPerson, isNoName, withoutEntities, withoutRole } from './noNames';

/*
 * Rules that clean the cells of a row. Only the text and the column of a cell decide its meaning. The other cells of
 * the row do not count.
 */

/** A rule for the text of cells. */
interface CellRule {
	/** Names of the fields and columns with this rule, separated by spaces. Absent if all columns have the rule. */
	only?: string;
	/** Returns the text that the cell means; an empty text if the cell counts as blank. */
	clean: (text: string) => string;
}

/** Columns of names, titles and places. Several rules apply to all of these columns. */
const WORDS =
	'familyName givenName additionalName initials honorificPrefix jobTitle externalSource street postalCode city country';

/**
 * The rules, in the order of their use. The node cleans each entry of a list like a cell. Many rules apply only to the
 * fields in `only`, because in other fields they would destroy names. Geen is a family name, None is a town, and 't
 * Hart begins with an apostrophe.
 *
 * A word for "none", such as "Todo", stays in references to other records than people, because it may be a title, such
 * as that of a workspace column. `withReferences` in `input/references.ts` first looks for such a title. If there is
 * none, the word counts as blank.
 */
const RULES: readonly CellRule[] = [
	// ="007" is 007.
	{ clean: withoutFormula },
	// "Delft ::: Goes" is Delft. A list keeps both values, because the node splits it before it applies the rules.
	{ clean: firstOfSeveral },
	// 'eva@crm.example' is eva@crm.example.
	{ only: 'emailAddresses phoneNumbers people', clean: unquoted },
	// '01012 is 01012.
	{
		only: 'phoneNumbers postalCode customerId networkId emailAddresses people',
		clean: withoutGuard,
	},
	// 31612345678.0 is 31612345678. `street` is in `only`, because the column Street also takes the cell of the house
	// number.
	{ only: 'phoneNumbers postalCode street', clean: withoutDecimal },
	// "Tel. 06-12345678 (privé)" is 06-12345678, and "wa.me/612345678" is +612345678.
	{ only: 'phoneNumbers', clean: withoutKindWords },
	// "Eva Vos (1234567)" is the user Eva Vos. The number is the ID of this user in another program.
	{
		only: 'owner author assignees observers',
		clean: (text) => text.replace(/(?<=\S)\s+\(\d{5,}\)$/, ''),
	},
	// "email: eva@crm.example (work)" is eva@crm.example.
	{ only: 'emailAddresses people', clean: withoutWords },
	// "O&#39;Brien" is O'Brien.
	{
		only: 'familyName givenName additionalName jobTitle externalSource street city title',
		clean: withoutEntities,
	},
	// NULL, #N/A and "-" are blank.
	{ clean: (text) => (isErrorValue(text) || isOnlySigns(text) ? '' : text) },
	// "Eva Vos <eva@crm.example>" and "Eva Vos (Guest)" are Eva Vos.
	{ only: 'familyName givenName', clean: (text) => withoutRole(withoutAddress(text)) },
	// "z:2611 AA" and "D-72070" are 2611 AA and 72070. But the letters of "LV-1010" belong to the code.
	{
		only: 'postalCode',
		clean: (text) =>
			text.replace(/^\s*(?:\p{L}{1,12}:\s*|(?:AT?|BE?|CH|DE?|DK|FR?|I|NL|SE?)-(?=\d))/u, ''),
	},
	// A phone number is blank, because "Cep" means a mobile phone in Turkish, and "CEP" a postal code in Brazil.
	{ only: 'postalCode', clean: (text) => (/^(?:\D*\d){10}/.test(text) ? '' : text) },
	// Invisible signs disappear, because no search would find a text with these signs.
	{ only: `${WORDS} phoneNumbers`, clean: visibleText },
	// "#1001" (an order), a phone number and 0 are blank in a name, town or job title. But "2.0" may be a name.
	{
		only: 'familyName givenName additionalName initials city jobTitle',
		clean: (text) => (/^[#+(0]\P{L}*$/u.test(text) ? '' : text),
	},
	// "eva@crm.example" is blank in a name, street, city or job title.
	{
		only: 'familyName givenName additionalName initials street city jobTitle',
		clean: (text) => (isEmail(text.trim()) && !isDotless(text.trim()) ? '' : text),
	},
	// "1.23457E+15" is blank, because a spreadsheet has cut the digits.
	{ only: 'customerId networkId postalCode', clean: (text) => (isCut(text) ? '' : text) },
	// "linkedin.com/company/crm" and "d41d8cd98f" (a hash of a web form) are blank, because they name no person.
	{ only: 'networkId', clean: (text) => (isOfNoPerson(text) ? '' : text) },
	// "J�rgen", "JÃ¼rgen" and "J?rgen" are blank, because another program has read the file in a wrong encoding.
	// "*|FNAME|*" and "<test lead>" are blank, because a program has not filled them in.
	{ only: WORDS, clean: (text) => (isGarbled(text) || isUnfilled(text) ? '' : text) },
	// "unknown" and "n/a" are blank, but Geen and Todo are names, and K.A. are initials.
	{
		only: 'familyName givenName additionalName initials city',
		clean: (text) => (isNoName(text) ? '' : text),
	},
	// "n/a" is blank, but NA is Namibia.
	{
		only: 'country',
		clean: (text) => (isNoneWord(text) && countryCode(text) === undefined ? '' : text),
	},
	// "[not provided]" and "-None-" are blank, even in a name.
	{
		only: 'familyName givenName additionalName initials externalSource city country title description',
		clean: (text) => (isMarkedNone(text) ? '' : text),
	},
	// "n/a" and "none" are blank.
	{
		only: NONE_IS_BLANK_IN.join(' '),
		clean: (text) => (meansNone(text) ? '' : text),
	},
	// "n/a" and "TBD" are blank, but 0 is a number.
	{
		only: 'dealSize totalDeals totalLostDeals totalWonDeals dealSizeEstimation storyPointEstimation timeEstimation',
		clean: (text) => (isNoneWord(text) ? '' : text),
	},
	// "0000-00-00" and "Invalid Date" are blank.
	{
		only: 'archivedAt dueDate completedAt scheduledOn snoozeUntil plannedWeek plannedMonth recurUntil',
		clean: (text) => (isNoDate(text) ? '' : text),
	},
	// "customer" and "Attendee" are blank, because shops and meetings write the kind of a person under "Role".
	{ only: 'jobTitle', clean: (text) => (isKindOfPerson(text) ? '' : text) },
	// "Firma" (company) is blank, because nobody has this salutation.
	{ only: 'honorificPrefix', clean: (text) => (isOfCompany(text) ? '' : text) },
];

/** Result of the rules for one cell. */
export interface Cleaned {
	/**
	 * Clean value of the cell; undefined for a blank. In a column of contacts, such as e-mail addresses, the value is
	 * an array of entries.
	 */
	value: unknown;
	/** Notes on the changes by the rules: `"NULL" counts as blank`. Messages put the label of the column in front. */
	notes: readonly string[];
	/** Original text of a cell that is not empty, but counts as blank. */
	blanked?: string;
}

/** Properties of a column of contacts: e-mail addresses, phone numbers, or people given by e-mail address. */
interface Contacts {
	/** Part of an entry that identifies it, such as `email`. Absent if an entry is a whole record. */
	key?: string;
	/** Returns whether a cleaned text is a valid contact: an e-mail address, or a phone number. */
	isRight: (text: string) => boolean;
}

/** A list of e-mail addresses or phone numbers. */
interface ContactList extends Contacts {
	key: string;
	/** Words for one entry and for several entries, in messages. */
	one: string;
	several: string;
}

export const CONTACT_LISTS: Readonly<Record<string, ContactList>> = {
	emailAddresses: {
		...{ key: 'email', isRight: isEmail },
		...{ one: 'e-mail address', several: 'e-mail addresses' },
	},
	phoneNumbers: {
		...{ key: 'phoneNumber', isRight: isPhoneNumber },
		...{ one: 'phone number', several: 'phone numbers' },
	},
};
const CONTACTS: Readonly<Record<string, Contacts>> = {
	...CONTACT_LISTS,
	people: { isRight: isEmail },
};

/** Maximum number of texts that one note names. */
export const MOST_NAMED = 3;

/**
 * Cleans the value of a cell.
 *
 * @param column column that takes the cell. If absent, only the rules for all columns apply
 */
export function cleaned(value: unknown, column?: TableColumn): Cleaned {
	if (isBlank(value)) return { value: undefined, notes: [] };
	if (column?.kind === 'text' && (typeof value === 'number' || typeof value === 'boolean')) {
		// A spreadsheet gives the number 0 for a blank cell that a formula copies. In a name, the rules make "0" blank.
		const asText = cleaned(String(value), column);
		return asText.value === undefined ? asText : { value, notes: [] };
	}
	const contacts = column && CONTACTS[column.field];
	if (column && (contacts || column.isList)) return cleanedList(value, column, contacts);
	if (typeof value !== 'string') return { value, notes: [] };
	const text = byRules(value, column);
	if (isBlank(text)) return blankOf(value);
	const notes = text === value ? [] : [takenNote(value, text)];
	return column?.name === 'country' ? cleanedCountry(text, notes) : { value: text, notes };
}

/** Replaces the name of a country by its code. The text of an unknown country stays as it is, and gets a note. */
function cleanedCountry(text: string, notes: readonly string[]): Cleaned {
	const code = countryCode(text);
	if (code !== undefined) return { value: code, notes };
	return {
		value: text,
		notes: [...notes, `${quoted(text)} is no known country, and stays as it is`],
	};
}

/** Applies the rules of a column to a text, and returns the text that they leave. */
function byRules(text: string, column?: TableColumn): string {
	const names = column ? [column.name, column.field] : [];
	const isOf = (only: string) => only.split(' ').some((one) => names.includes(one));
	const applying = RULES.filter(({ only }) => only === undefined || isOf(only));
	const clean = applying.reduce((one, rule) => rule.clean(one), text);
	// Applies the rules again, because an apostrophe may hide a formula, and a formula may hide an apostrophe.
	return clean === text || clean === '' ? clean : byRules(clean, column);
}

/** Cleans each entry of a list. Leaves out an entry that a rule makes blank. */
function cleanedList(value: unknown, column: TableColumn, contacts?: Contacts): Cleaned {
	const given = typeof value === 'string' ? withoutFormula(value) : value;
	if (isBlank(given)) return blankOf(String(value));
	const blanked: string[] = [];
	const changed: string[] = [];
	const entries = entriesOf(given, column, contacts).flatMap((one) => {
		const entry = plainEntry(one, column, contacts);
		const key = isObject(entry) ? contacts?.key : undefined;
		const text = key === undefined ? entry : (entry as Record<string, unknown>)[key];
		if (typeof text !== 'string' || isBlank(text)) return [entry];
		const clean = byRules(text, column);
		if (clean === text) return [entry];
		if (isBlank(clean)) {
			blanked.push(text);
			return [];
		}
		changed.push(takenNote(text, clean));
		return [key === undefined ? clean : { ...(entry as object), [key]: clean }];
	});
	const isAsGiven = blanked.length === 0 && changed.length === 0;
	if (given !== value) changed.unshift(takenNote(value, given));
	const notes = [
		...(blanked.length > 0 ? [blankNote(blanked)] : []),
		...(changed.length > 0 ? [cutList(uniq(changed), MOST_NAMED)] : []),
	];
	if (entries.length === 0) {
		return { value: undefined, notes, ...(blanked.length > 0 && { blanked: blanked.join('; ') }) };
	}
	// In a column without contacts, such as tags, an unchanged text stays whole. Its commas may belong to one title.
	return { value: isAsGiven && !contacts ? given : entries, notes };
}

/**
 * Returns an entry of a list of contacts without the parts that JSON-LD adds, such as `@id`. If the column takes only
 * one part of an entry, such as `email`, returns only this part.
 */
function plainEntry(entry: unknown, { part }: TableColumn, contacts?: Contacts): unknown {
	if (contacts?.key === undefined || !isObject(entry)) return entry;
	if (part !== undefined && part in entry) return entry[part];
	return contacts.key in entry ? withoutJsonLd(entry) : entry;
}

/** Returns the entries of a list, or of a text that holds a list. */
function entriesOf(value: unknown, column: TableColumn, contacts?: Contacts): readonly unknown[] {
	if (typeof value !== 'string') return listOf(value) ?? [value];
	// "[object Object]" has brackets, but is no list.
	if (isErrorValue(value) || isObjectText(value)) return [value];
	if (contacts) {
		const reader = { isRight: contacts.isRight, meaning: (part: string) => byRules(part, column) };
		return bracketedIn(value, reader) ?? contactsIn(value, reader);
	}
	const parsed = parsedList(value);
	return listOf(parsed) ?? (parsed === undefined ? titlesIn(value) : [parsed]);
}

function blankOf(text: string): Cleaned {
	return { value: undefined, notes: [blankNote([text])], blanked: text.trim() };
}

function blankNote(texts: readonly string[]): string {
	const named = uniq(texts.map((text) => quoted(text.trim())));
	return `${cutList(named, MOST_NAMED)} ${named.length === 1 ? 'counts' : 'count'} as blank`;
}

function takenNote(text: unknown, clean: unknown): string {
	return `${quoted(text)} is taken as ${quoted(clean)}`;
}
