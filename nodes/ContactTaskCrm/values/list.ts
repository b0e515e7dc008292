import { uniq } from 'lodash';
import { listOf, parsedList } from './json';
import { isDotless, isEmail } from './email';
import { fullerIdentifier, identifierKey, isSameIdentifier } from './identifier';
import { isPhoneNumber } from './phone';
import { isPlaceholder } from './placeholder';
import { cleanContact, cleanText, isBlank } from './text';

/*
 * A list in one text, as tables and other programs write it, and lists whose entries may be the same.
 */

/** Separators in every kind of list. Google Contacts writes ":::". */
const ALWAYS = String.raw`;|:::`;
const PLAINLY_BETWEEN = new RegExp(String.raw`${ALWAYS}|[,\n]`);
/**
 * Separators of contacts, except the comma. A slash or a new line separates them only if another contact seems to follow,
 * or a text without digits, such as "n/a".
 */
const BETWEEN_CONTACTS = new RegExp(
	// The new line is looked for from the start of its white space, because a search from each of many lines would be slow.
	String.raw`${ALWAYS}|(?:\s\/\s|(?<!\s)[^\S\n]*\n)\s*(?=[+(0"'[]|[^\s@]+@|(?!\s)[^\n\d@;,]*?(?:$|[\n;,]|\s\/\s))`,
);
/** A word with a semicolon, but no space, before an address. */
const BEFORE_ADDRESS = /(?:^|[\s;,])[^\s;,@]+;[^\s;,@]+@/;
/** A person has fewer contacts than this many characters hold. A longer text is no list of them. */
const LONGEST_CONTACTS = 60_000;
/** Length in characters up to which a text may hold contacts between other words. */
const LONGEST_MIXED = 10_000;

/** Splits a text with several titles or IDs. Removes the quotes of `"VIP","Partner"`, and blanks. */
export function splitTitles(text: string): string[] {
	const titles = text.split(PLAINLY_BETWEEN).map((title) => title.trim().replace(/^"(.*)"$/, '$1'));
	return titles.filter((title) => !isBlank(title));
}

/** How to read the parts of a text with several contacts. */
interface ContactReader {
	/** Returns whether a clean text is a contact of the wanted kind. */
	isRight: (text: string) => boolean;
	/** Returns what a part means: an empty text if it stands for no value. */
	meaning: (part: string) => string;
}

const ANY_CONTACT: ContactReader = {
	isRight: (text) => isEmail(text) || isPhoneNumber(text),
	meaning: (part) => (isPlaceholder(part) ? '' : part),
};

/**
 * Returns each e-mail address or phone number of a text once. A part that is neither stays whole, with its commas: in
 * "eva@crm,example", the comma is a mistyped dot. So may be the semicolon in "eva@crm;example" and "eva;vos@crm.example":
 * the whole text stays.
 */
export function contactsIn(
	text: string,
	{ isRight, meaning }: ContactReader = ANY_CONTACT,
): string[] {
	if (text.length > LONGEST_CONTACTS) return [text];
	const cleaned = (part: string) => cleanContact(meaning(part));
	const isUsable = (part: string) => isBlank(meaning(part)) || isRight(cleaned(part));
	const separator = text.length > LONGEST_MIXED ? PLAINLY_BETWEEN : BETWEEN_CONTACTS;
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

/** Returns the entries of a text in brackets: a list in JSON, or as Python and PostgreSQL write it. Otherwise undefined. */
export function bracketedIn(text: string, reader = ANY_CONTACT): unknown[] | undefined {
	const parsed = parsedList(text);
	if (parsed !== undefined) return listOf(parsed) ?? [parsed];
	const [, inner] = /^\s*(?:\[([^[\]{}]*)\]|\{([^[\]{}]*)\})\s*$/.exec(text)?.filter(Boolean) ?? [];
	return inner === undefined ? undefined : contactsIn(inner, reader);
}

/**
 * Returns the references in a parameter: a list, one record or ID, or text with separators. Leaves out blanks.
 */
export function referencesIn(value: unknown): unknown[] {
	const list = listOf(value) ?? listOf(parsedList(value));
	const entries = list ?? (typeof value === 'string' ? splitTitles(value) : [value]);
	return entries.filter((entry) => !isBlank(entry));
}

/** Returns a title or name without separators of lists. */
export function withoutCommas(title: string): string {
	return splitTitles(title).join(' ');
}

/** Returns a title in a form to compare. White space around the slash in "Workspace / Column" does not count. */
export function comparableTitle(text: string): string {
	const parts = withoutCommas(cleanText(text)).toLowerCase().split('/');
	return parts.map((part) => part.trim()).join('/');
}

/**
 * Values that can be searched for an equal one. A search compares only values with the same key, so that its time does
 * not grow with the list. Equal values must have equal keys.
 */
export class Searchable<T> {
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

	/** Adds a value unless there is an equal one. Returns whether it was added. */
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

/** How to compare values that have several spellings. */
interface Comparison<T> {
	/** Returns a key that equal values share. */
	keyOf: (value: T) => string;
	isSame: (one: T, other: T) => boolean;
	/** Returns the one of two equal values that says more, such as the phone number with its country code. */
	fuller: (one: T, other: T) => T;
}

/**
 * Returns the values in groups of equal ones. A phone number without its country code may equal two different numbers.
 * So a further value must equal the fullest value of its group.
 */
export function grouped<T>(
	values: readonly T[],
	{ keyOf, isSame, fuller }: Comparison<T>,
): Array<[T, ...T[]]> {
	interface Group {
		members: [T, ...T[]];
		fullest: T;
	}
	const groups = new Searchable<Group>(
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

/** Reads names from a list, or from text with commas. */
export function fieldNamesIn(value: unknown): string[] {
	return referencesIn(value)
		.filter((name) => typeof name === 'string' || typeof name === 'number')
		.map((name) => String(name).trim());
}
