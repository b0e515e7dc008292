import { listOf, parsedList } from './json';
import { isEmail } from './email';
import { fullerIdentifier, identifierKey, isSameIdentifier } from './identifier';
import { isPhoneNumber } from './phone';
import { cleanContact, cleanText, isBlank } from './text';

/*
 * A list in one text, as tables and other programs write it, and lists whose entries may be the same.
 */

/** Separators in every kind of list. Google Contacts writes ":::". */
const ALWAYS = String.raw`[,;]|:::`;
const BETWEEN_TITLES = new RegExp(String.raw`${ALWAYS}|\n`);
/** A slash or a new line separates contacts only if another contact seems to follow. */
const BETWEEN_CONTACTS = new RegExp(
	// The new line is looked for from the start of its white space, because a search from each of many lines would be slow.
	String.raw`${ALWAYS}|(?:\s\/\s|(?<!\s)[^\S\n]*\n)\s*(?=[+(0]|[^\s@]+@)`,
);

/** Splits a text with several titles or IDs. Removes the quotes of `"VIP","Partner"`, and blanks. */
export function splitTitles(text: string): string[] {
	const titles = text.split(BETWEEN_TITLES).map((title) => title.trim().replace(/^"(.*)"$/, '$1'));
	return titles.filter((title) => !isBlank(title));
}

/** Splits a text with several e-mail addresses or phone numbers. Leaves out blanks. */
export function splitContacts(text: string): string[] {
	return text.split(BETWEEN_CONTACTS).filter((part) => !isBlank(part));
}

/** Returns each e-mail address or phone number of a text once; the whole text if a part of it is neither. */
export function contactsIn(text: string): string[] {
	const parts = splitContacts(text);
	const isContact = (part: string) =>
		isEmail(cleanContact(part)) || isPhoneNumber(cleanContact(part));
	if (parts.length === 0 || !parts.every(isContact)) return [text];
	const comparison = { keyOf: identifierKey, isSame: isSameIdentifier, fuller: fullerIdentifier };
	return grouped(parts, comparison).map(([first]) => first);
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
