import { uniq } from 'lodash';
import { listOf, parsedList } from './json';
import { isDotless, isEmail } from './email';
import { fullerIdentifier, identifierKey, isSameIdentifier } from './identifier';
import { isPhoneNumber } from './phone';
import { isPlaceholder } from './placeholder';
import { cleanContact, cleanText, isBlank } from './text';

/*
 * Splits a text that holds a list, as tables and other programs write lists. Also finds equal values in a list.
 */

/** Separators of titles, e-mail addresses and phone numbers. Google Contacts writes ":::" between values. */
const ALWAYS = String.raw`;|:::`;
/** Separators of titles and IDs. They count everywhere, unlike the separators in `BETWEEN_CONTACTS`. */
const SIMPLE_SEPARATORS = new RegExp(String.raw`${ALWAYS}|[,\n]`);
/**
 * Separators that count only between two contacts. White space counts between two e-mail addresses, also with a hyphen
 * or plus sign: "eva@x.nl - jan@x.nl". A word or sign, such as "or" and "|", counts before an e-mail address or phone
 * number.
 */
const BETWEEN_TWO = String.raw`(?<=@[^\s@,;"'<>]+)\s+(?:[-+]\s+)?(?=[^\s@]+@)|(?<=\S)\s(?:or|of|oder|ou|and|en|und|et|[&|])\s+(?=(?:[A-Za-z]{1,12}[.:]\s?)?[+(0]|[^\s@]+@)`;
/**
 * Separators of contacts (e-mail addresses and phone numbers), except the comma. A slash or a new line separates only
 * before another contact, or before a text without digits, such as "n/a".
 */
const BETWEEN_CONTACTS = new RegExp(
	// `(?<!\s)` lets a search for a new line start only where white space begins. Otherwise, the search in a text with
	// many empty lines would be slow.
	String.raw`${ALWAYS}|${BETWEEN_TWO}|(?:\s\/\s|(?<!\s)[^\S\n]*\n)\s*(?=(?:[A-Za-z]{1,12}[.:]\s?)?[+(0"'[]|[^\s@]+@|(?!\s)[^\n\d@;,]*?(?:$|[\n;,]|\s\/\s))`,
);
/** Matches a word and an e-mail address with a semicolon between them, but no space: "eva;vos@crm.example". */
const BEFORE_ADDRESS = /(?:^|[\s;,])[^\s;,@]+;[^\s;,@]+@/;
/**
 * Maximum length in characters of a text with contacts. No person has so many contacts, so a longer text is no list of
 * contacts.
 */
const LONGEST_CONTACTS = 60_000;
/**
 * Maximum length in characters of a text that the node splits by `BETWEEN_CONTACTS`. In a longer text, every comma and
 * new line separates contacts.
 */
const LONGEST_MIXED = 10_000;

/** Splits a text with several titles or IDs. Removes the quotes in "VIP","Partner". Leaves out blanks. */
export function splitTitles(text: string): string[] {
	const titles = text
		.split(SIMPLE_SEPARATORS)
		.map((title) => title.trim().replace(/^"(.*)"$/, '$1'));
	return titles.filter((title) => !isBlank(title));
}

/** Matches a list in brackets or braces, as Python and PostgreSQL write it, without further lists in it. */
const BRACKETED = /^\s*(?:\[([^[\]{}]*)\]|\{([^[\]{}]*)\})\s*$/;

/** Returns the text between the brackets of a list; undefined for a text without such brackets. */
function innerOf(text: string): string | undefined {
	const [, square, curly] = BRACKETED.exec(text) ?? [];
	return square ?? curly;
}

/** Splits a text with several titles or IDs, which may stand in brackets: "[VIP, Partner]". */
export function titlesIn(text: string): string[] {
	const inner = innerOf(text);
	if (inner === undefined) return splitTitles(text);
	return splitTitles(inner).map((title) => title.replace(/^'(.*)'$/, '$1'));
}

/** Functions that read the parts of a text with several contacts. */
interface ContactReader {
	/** Returns whether a clean text is a contact that the caller wants, such as an e-mail address. */
	isRight: (text: string) => boolean;
	/** Returns the contact in a part of the text; an empty text if the part stands for no value. */
	meaning: (part: string) => string;
}

const ANY_CONTACT: ContactReader = {
	isRight: (text) => isEmail(text) || isPhoneNumber(text),
	meaning: (part) => (isPlaceholder(part) ? '' : part),
};

/**
 * Splits a text into its e-mail addresses and phone numbers, and returns each once. A comma separates only if all
 * pieces around it are contacts, because the comma in "eva@crm,example" is a mistyped dot. In "eva@crm;example" and
 * "eva;vos@crm.example", the semicolon may also be a mistyped dot. Such a text stays whole.
 */
export function contactsIn(
	text: string,
	{ isRight, meaning }: ContactReader = ANY_CONTACT,
): string[] {
	if (text.length > LONGEST_CONTACTS) return [text];
	const cleaned = (part: string) => cleanContact(meaning(part));
	const isUsable = (part: string) => isBlank(meaning(part)) || isRight(cleaned(part));
	const separator = text.length > LONGEST_MIXED ? SIMPLE_SEPARATORS : BETWEEN_CONTACTS;
	const parts = uniq(text.split(separator)).flatMap((part) => {
		const smaller = part.split(',').filter((one) => !isBlank(one));
		return smaller.every(isUsable) ? smaller : [part];
	});
	const isClear = parts.every(isUsable);
	const isOneWithName = !isClear && text.split('@').length === 2 && isRight(cleaned(text));
	const isTorn =
		parts.some((part) => isDotless(cleaned(part))) &&
		!parts.every((part) => isRight(cleaned(part)));
	if (parts.length === 0 || isOneWithName || isTorn || (!isClear && BEFORE_ADDRESS.test(text))) {
		return [text];
	}
	const comparison = { keyOf: identifierKey, isSame: isSameIdentifier, fuller: fullerIdentifier };
	return grouped(parts, comparison).map(([first]) => first);
}

/**
 * Returns the entries of a list in brackets. The list may be JSON, or have the notation of Python or PostgreSQL.
 * Returns undefined for any other text.
 */
export function bracketedIn(text: string, reader = ANY_CONTACT): unknown[] | undefined {
	const parsed = parsedList(text);
	if (parsed !== undefined) return listOf(parsed) ?? [parsed];
	const inner = innerOf(text);
	return inner === undefined ? undefined : contactsIn(inner, reader);
}

/**
 * Returns the references that a parameter holds. Its value may be a list, one record or ID, or a text with a list.
 * Leaves out blanks.
 */
export function referencesIn(value: unknown): unknown[] {
	const list = listOf(value) ?? listOf(parsedList(value));
	const entries = list ?? (typeof value === 'string' ? titlesIn(value) : [value]);
	return entries.filter((entry) => !isBlank(entry));
}

/** Returns a title without commas and other separators, so that it stays one title in a list. */
export function withoutSeparators(title: string): string {
	return splitTitles(title).join(' ');
}

/**
 * Returns a title in a form for comparison. Case does not count, and neither does white space around the slash in
 * "Workspace / Column". Several spaces count as one, because {{ given }} {{ infix }} {{ family }} gives two spaces
 * without an infix. The text `between` replaces each comma or other separator.
 */
export function comparableTitle(text: string, between = ' '): string {
	const parts = splitTitles(cleanText(text)).join(between).toLowerCase().split('/');
	return parts.map((part) => part.trim().replace(/\s+/g, ' ')).join('/');
}

/**
 * Returns a function that tells whether a user means a given title by `text`. "Leads NL" means "Leads, NL", because
 * Simplified shows this title without its comma. But "VIP, Partner" does not mean "VIP Partner", because it may mean
 * two tags.
 */
export function meansTitle(text: string): (title: string) => boolean {
	const between = splitTitles(text).length > 1 ? ',' : ' ';
	const wanted = comparableTitle(text, between);
	return (title) => comparableTitle(title, between) === wanted;
}

/**
 * Index that finds an equal value. A search compares only the values with the same key, so it stays fast in a long
 * list. Equal values must have equal keys.
 */
export class EqualityIndex<T> {
	private readonly groups = new Map<string, T[]>();

	constructor(
		private readonly keyOf: (value: T) => string,
		private readonly isSame: (one: T, other: T) => boolean,
		values: readonly T[] = [],
	) {
		for (const value of values) this.add(value);
	}

	/** Adds a value, and returns it. */
	add(value: T): T {
		const key = this.keyOf(value);
		const group = this.groups.get(key);
		if (group) group.push(value);
		else this.groups.set(key, [value]);
		return value;
	}

	/** Adds a value unless an equal value is in the index. Returns whether the value was new. */
	addNew(value: T): boolean {
		const isNew = !this.has(value);
		if (isNew) this.add(value);
		return isNew;
	}

	has(value: T): boolean {
		return this.groups.get(this.keyOf(value))?.some((other) => this.isSame(other, value)) ?? false;
	}

	/** Returns the first equal value; undefined if there is none. */
	find(value: T): T | undefined {
		return this.groups.get(this.keyOf(value))?.find((other) => this.isSame(other, value));
	}
}

/** Functions that compare values with several spellings, such as phone numbers. */
interface Comparison<T> {
	/** Returns a key that all equal values share. */
	keyOf: (value: T) => string;
	isSame: (one: T, other: T) => boolean;
	/** Returns the fuller of two equal values, such as the phone number with its country code. */
	fuller: (one: T, other: T) => T;
}

/**
 * Groups equal values. A value joins a group only if it equals the fullest value of the group, such as the phone number
 * with its country code. A number without a country code equals numbers of two countries, and would bring them into one
 * group.
 */
export function grouped<T>(
	values: readonly T[],
	{ keyOf, isSame, fuller }: Comparison<T>,
): Array<[T, ...T[]]> {
	interface Group {
		members: [T, ...T[]];
		fullest: T;
	}
	const groups = new EqualityIndex<Group>(
		({ fullest }) => keyOf(fullest),
		(one, other) => isSame(one.fullest, other.fullest),
	);
	const found: Group[] = [];
	for (const value of values) {
		const own: Group = { members: [value], fullest: value };
		const group = groups.find(own);
		if (!group) found.push(groups.add(own));
		else {
			group.members.push(value);
			group.fullest = fuller(group.fullest, value);
		}
	}
	return found.map(({ members }) => members);
}

/** Reads names of fields from a list, or from a text with separators. */
export function fieldNamesIn(value: unknown): string[] {
	return referencesIn(value)
		.filter((name) => typeof name === 'string' || typeof name === 'number')
		.map((name) => String(name).trim());
}
