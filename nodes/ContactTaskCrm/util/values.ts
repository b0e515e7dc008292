import { attempt, isEmpty, isError, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

/** A value in the JSON of an item. */
export type Value = IDataObject[string];

/*
 * The only rule for blanks: null, undefined, white space, and lists and objects without other values count as absent,
 * at any depth. Rows of databases and spreadsheets have many blanks.
 */

const BLANK = /^[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]*$/;

/** Returns whether a value is null, undefined, or text that has only invisible characters. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && BLANK.test(value));
}

/** Returns a value without its blanks; undefined if nothing is left. */
export function withoutBlanks(value: unknown): unknown {
	if (isBlank(value)) return undefined;
	if (Array.isArray(value)) {
		const entries = value.map(withoutBlanks).filter((entry) => entry !== undefined);
		return entries.length > 0 ? entries : undefined;
	}
	if (!isObject(value)) return value;
	const parts = partsWhere(mapValues(value, withoutBlanks), (part) => part !== undefined);
	return isEmpty(parts) ? undefined : parts;
}

/** Returns an own property of an object, because a name from a user or service may be "constructor". */
export function ownOf<T>(whole: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(whole, name) ? whole[name] : undefined;
}

/**
 * Returns the parts of an object that meet a condition. lodash does not suit names from users and services. `pick`
 * and `omit` read a name with a dot as a path, and `pickBy` and `omitBy` lose "constructor".
 */
export function partsWhere<T>(
	whole: Readonly<Record<string, T>>,
	holds: (part: T, name: string) => boolean,
): Record<string, T> {
	return Object.fromEntries(Object.entries(whole).filter(([name, part]) => holds(part, name)));
}

/** Trims a text, or each text in an object. Other values stay as they are. */
export function trimmed(value: unknown): unknown {
	if (typeof value === 'string') return value.trim();
	if (!isObject(value)) return value;
	return mapValues(value, (part) => (typeof part === 'string' ? part.trim() : part));
}

/** Returns whether a value is an object, and not a list, Date or Luxon DateTime. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return (
		typeof value === 'object' &&
		value !== null &&
		!Array.isArray(value) &&
		!(value instanceof Date) &&
		typeof (value as { toISO?: unknown }).toISO !== 'function'
	);
}

/**
 * Returns a list from an array. An object with numbers for keys is a list as well, because PHP writes a list with
 * gaps that way. Returns undefined for any other value.
 */
export function listOf(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	if (typeof value !== 'object' || value === null) return undefined;
	const entries = Object.entries(value);
	return entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))
		? entries.map(([, entry]) => entry as unknown)
		: undefined;
}

/** Separators between titles: commas, and semicolons from other programs. */
const BETWEEN_TITLES = /[,;]/;

/**
 * Returns the references in a parameter: a list, one record or ID, or text with commas or semicolons. Leaves out
 * blanks.
 */
export function referencesIn(value: unknown): unknown[] {
	const list = listOf(value) ?? listOf(parsedList(value));
	if (list) return list.filter((entry) => !isBlank(entry));
	const entries = typeof value === 'string' ? value.split(BETWEEN_TITLES).map(unquoted) : [value];
	return entries.filter((entry) => !isBlank(entry));
}

/** Returns an entry of a list without quotes. Some programs write a list as `"VIP","Partner"`. */
function unquoted(entry: string): string {
	return entry.trim().replace(/^"(.*)"$/, '$1');
}

/** Parses text that holds a JSON list or object. Returns undefined for any other value. */
export function parsedList(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
	const parsed: unknown = attempt(JSON.parse, value);
	return isError(parsed) ? undefined : parsed;
}

/** Returns the value of a locator, the parameter for one record. Other values stay as they are. */
export function locatedIn(value: unknown): unknown {
	const isLocator = typeof value === 'object' && value !== null && '__rl' in value;
	return isLocator ? (value as { value?: unknown }).value : value;
}

/** Returns a value as a word in lower case, to compare it. */
export function wordOf(value: unknown): string {
	return String(value).trim().toLowerCase();
}

/** Reads true or false as tables and web forms write them ("true", "1"). Returns undefined for any other value. */
export function truthOf(value: unknown): boolean | undefined {
	const word = wordOf(value);
	if (word === 'true' || word === '1') return true;
	return word === 'false' || word === '0' ? false : undefined;
}

/** Invisible characters: zero width, soft hyphen, direction marks, byte order mark. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** Full-width digits and signs, as Chinese and Japanese keyboards write them in phone numbers and addresses. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g;

/** Hyphens, dashes and minus signs other than the one on the keyboard. */
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/** Returns text in a form to compare: trimmed, without invisible characters, in Unicode form NFC. */
export function cleanText(text: string): string {
	return text.normalize('NFC').replace(INVISIBLE, '').trim();
}

/** Returns a title or name without commas and semicolons, because these characters separate titles in a list. */
export function withoutCommas(title: string): string {
	const parts = title.split(BETWEEN_TITLES).map((part) => part.trim());
	return parts.filter(Boolean).join(' ');
}

/** Returns a title in a form to compare. White space around the slash in "Workspace / Column" does not count. */
export function comparableTitle(text: string): string {
	const parts = withoutCommas(cleanText(text)).toLowerCase().split('/');
	return parts.map((part) => part.trim()).join('/');
}

/**
 * Returns an e-mail address, phone number or identifier with ASCII digits, signs and hyphens. Removes additions of mail
 * programs and links ("Eva <eva@crm.example>", "mailto:", "tel:").
 */
export function cleanContact(text: string): string {
	const plain = cleanText(text)
		.replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
		.replace(HYPHENS, '-');
	const inBrackets = plain.endsWith('>') ? plain.slice(plain.lastIndexOf('<') + 1, -1) : plain;
	const address = inBrackets.includes('@') ? inBrackets : plain;
	return address
		.trim()
		.replace(/^(?:mailto|tel):/i, '')
		.trim();
}

/** Returns a field of the first list entry that has it; null if none has. */
export function firstIn(value: Value, field: string): Value {
	for (const entry of listOf(value) ?? []) {
		if (isObject(entry) && !isBlank(entry[field])) return entry[field] as Value;
	}
	return null;
}

/** Returns the entries of a list as one text, separated by commas; null for any other value. */
export function listIn(value: Value, textOf: (entry: Value) => Value): Value {
	const list = listOf(value) as Value[] | undefined;
	return list === undefined ? null : list.map(textOf).filter(Boolean).join(', ');
}

/** Returns the trimmed text of a string or number; an empty string for any other value. */
export function textIn(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Writes a value for a message: text in quotes, a number as it is, anything else as JSON. */
export function quoted(value: unknown): string {
	if (value === undefined) return 'nothing';
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') return `"${shortened(value)}"`;
	return shortened(JSON.stringify(value) ?? typeof value);
}

/** Cuts a text to `longest` characters, and marks the cut with "…". It does not split a surrogate pair. */
export function shortened(text: string, longest = 100): string {
	if (text.length <= longest) return text;
	return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Joins at most `most` texts. If there are more texts, the result ends with the number of those left out. */
export function cutList(texts: readonly string[], most: number, between = ', '): string {
	const left = texts.length - most;
	return [...texts.slice(0, most), ...(left > 0 ? [`and ${left} more`] : [])].join(between);
}
