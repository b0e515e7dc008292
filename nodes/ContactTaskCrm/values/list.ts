import { listOf, parsedList } from './json';
import { isEmail } from './email';
import { cleanContact } from './contact';
import { identifierKey, isSameIdentifier } from './identifier';
import { isPhoneNumber } from './phone';
import { cleanText, isBlank } from './text';

/*
 * A list in one text, as tables and other programs write it, and lists whose entries may be the same.
 */

/** Separators in every kind of list. Google Contacts writes ":::". */
const ALWAYS = String.raw`[,;]|:::`;
const BETWEEN_TITLES = new RegExp(String.raw`${ALWAYS}|\n`);
/** A slash or a new line separates contacts only if another contact seems to follow. */
const BETWEEN_CONTACTS = new RegExp(String.raw`${ALWAYS}|(?:\s\/\s|\n)\s*(?=[+(0]|[^\s@]+@)`);

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
	return distinct(parts, identifierKey, isSameIdentifier);
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

/** Returns the values without those that equal an earlier one. */
export function distinct<T>(
	values: readonly T[],
	keyOf: (value: T) => string,
	isSame: (one: T, other: T) => boolean,
): T[] {
	const found = new Searchable(keyOf, isSame);
	return values.filter((value) => found.addNew(value));
}
