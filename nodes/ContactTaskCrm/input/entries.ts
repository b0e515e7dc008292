import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { UnusableParameter } from '../util/errors';
import { cleanEntry } from '../values/identifier';
import {
	isObject,
	listOf,
	parsedList,
	withoutJsonLd,
	trimmed,
	withoutBlanks,
} from '../values/json';
import { contactsIn } from '../values/list';
import { isBlank, quoted } from '../values/text';

/*
 * Reads the e-mail addresses and phone numbers that the user gives. Each of them is an entry of a list, with a key:
 * `email` or `phoneNumber`. An entry without its key counts as blank. No request sends a blank entry.
 */

/** A list of e-mail addresses or phone numbers, with its label for messages. */
interface ContactList {
	field: Field;
	/** Part that identifies an entry, such as `email`. */
	entryKey: string;
	label: () => string;
	/** Advice for the user on an entry without its key. */
	advice: string;
}

/**
 * Returns the entries of a list that are not blank. Missing parts become null. Returns undefined if all entries are
 * blank.
 *
 * @param value the list, or a text that holds a list
 * @throws UnusableParameter if an entry lacks its key but has an unknown part
 */
export function entriesIn(list: ContactList, value: unknown): IDataObject[] | undefined {
	const { field, entryKey } = list;
	const none = Object.fromEntries((field.parts ?? []).map((part) => [part, null]));
	const entries = entriesGiven(value)
		.map((one) => (isObject(one) ? one : { [entryKey]: one }))
		.filter((one) => hasKey(list, one))
		.map(
			(one): IDataObject => ({
				...none,
				...cleanEntry(trimmed(withoutBlanks(one)) as IDataObject, entryKey),
			}),
		);
	return entries.length === 0 ? undefined : entries;
}

/**
 * Returns the entries of a list in JSON Body that are not blank; undefined if all entries are blank. An empty list
 * stays empty, because a user who writes `[]` wants to empty the field.
 *
 * @throws UnusableParameter if an entry lacks its key but has an unknown part
 */
export function jsonEntriesIn(list: ContactList, value: unknown[]): unknown[] | undefined {
	const isGiven = (one: unknown) => {
		if (!isObject(one)) return !isBlank(one);
		// A copy of a record may have JSON-LD parts. The user has not given these parts, so they do not count.
		return hasKey(list, withoutJsonLd(one));
	};
	const entries = value.filter(isGiven).map((one) => cleanEntry(one, list.entryKey));
	return entries.length === 0 && value.length > 0 ? undefined : entries;
}

/**
 * Returns whether an entry has its key, such as the e-mail address.
 *
 * @throws UnusableParameter if an entry without its key has an unknown part, because the node would lose that part
 */
function hasKey(
	{ field: { parts = [] }, entryKey, label, advice }: ContactList,
	one: Readonly<Record<string, unknown>>,
): boolean {
	const entry = (trimmed(withoutBlanks(one)) ?? {}) as IDataObject;
	if (Object.hasOwn(entry, entryKey)) return true;
	if (Object.keys(entry).every((part) => parts.includes(part))) return false;
	throw new UnusableParameter(
		`${label()}: expected entries with "${entryKey}", got ${quoted(entry)}`,
		advice,
		label(),
	);
}

/** Returns the entries of a list. `value` is the list, JSON text, text with separators, or a single entry. */
export function entriesGiven(value: unknown): unknown[] {
	const parsed = parsedList(value);
	const list = listOf(value) ?? listOf(parsed);
	if (list) return list;
	if (parsed !== undefined) return [parsed];
	return typeof value === 'string' ? contactsIn(value).filter((one) => !isBlank(one)) : [value];
}
