import { attempt, isEmpty, isError, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isBlank, storableText, wordOf } from './text';

/*
 * Functions for the values in the JSON of items, bodies and answers: objects, lists and their parts.
 */

/** A value in the JSON of an item. */
export type Value = IDataObject[string];

/** Returns a value without its blanks (null, empty text), at any depth. Returns undefined if nothing remains. */
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

/**
 * Returns a value without members that are undefined, at any depth, because JSON cannot hold them. Expressions give
 * undefined for fields that the item lacks. Returns undefined for an object that has only undefined members.
 */
export function withoutUndefined(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutUndefined);
	if (!isObject(value) || isEmpty(value)) return value;
	const parts = partsWhere(mapValues(value, withoutUndefined), (part) => part !== undefined);
	return isEmpty(parts) ? undefined : parts;
}

/**
 * Returns the property `name` of an object; undefined if the object only inherits it. Every object inherits
 * "constructor", and a user may give this text as a name.
 */
export function ownOf<T>(whole: Readonly<Record<string, T>>, name: string): T | undefined {
	return Object.hasOwn(whole, name) ? whole[name] : undefined;
}

/**
 * Returns the parts of an object that pass `holds`. Replaces functions of lodash, which treat some names from users and
 * services wrongly. `pick` and `omit` read a name with a dot as a path, and `pickBy` and `omitBy` lose "constructor".
 */
export function partsWhere<T>(
	whole: Readonly<Record<string, T>>,
	holds: (part: T, name: string) => boolean,
): Record<string, T> {
	return Object.fromEntries(Object.entries(whole).filter(([name, part]) => holds(part, name)));
}

/** Trims a text, or each text in an object, and removes NUL characters and the like. Keeps other values. */
export function trimmed(value: unknown): unknown {
	if (typeof value === 'string') return storableText(value);
	if (!isObject(value)) return value;
	return mapValues(value, (part) => (typeof part === 'string' ? storableText(part) : part));
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
 * Returns an array as it is. Also takes an object with only numbers for keys, and returns its values. PHP writes a list
 * with gaps that way. Returns undefined for any other value.
 */
export function listOf(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	if (typeof value !== 'object' || value === null) return undefined;
	const entries = Object.entries(value);
	return entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))
		? entries.map(([, entry]) => entry as unknown)
		: undefined;
}

/** Parses text that holds a list or an object in JSON. Returns undefined for any other value. */
export function parsedList(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
	const parsed: unknown = attempt(JSON.parse, value);
	return isError(parsed) ? undefined : parsed;
}

/** Returns the value in a resource locator, a parameter that chooses a record. Any other value stays as it is. */
export function locatedIn(value: unknown): unknown {
	const isLocator = typeof value === 'object' && value !== null && '__rl' in value;
	return isLocator ? (value as { value?: unknown }).value : value;
}

/** Reads true or false as tables and web forms write them ("true", "1"). Returns undefined for any other value. */
export function truthOf(value: unknown): boolean | undefined {
	const word = wordOf(value);
	if (word === 'true' || word === '1') return true;
	return word === 'false' || word === '0' ? false : undefined;
}

/** Returns an object without its JSON-LD parts, such as `@id`. The service may invent new ones for each answer. */
export function withoutJsonLd<T>(whole: Readonly<Record<string, T>>): Record<string, T> {
	return partsWhere(whole, (_, name) => !name.startsWith('@'));
}

const YES: readonly string[] = ['yes', 'y', 'x', 'ja', 'waar', 'wahr', 'oui', 'vrai'];
const NO: readonly string[] = ['no', 'n', 'nee', 'onwaar', 'nein', 'falsch', 'non', 'faux'];

/** Reads true or false as `truthOf` does, and from words in spreadsheets: "Ja", "FALSCH", "x". Else undefined. */
export function answerOf(value: unknown): boolean | undefined {
	const word = wordOf(value);
	if (YES.includes(word)) return true;
	return NO.includes(word) ? false : truthOf(value);
}

/** Returns the first value of `field` among the entries of a list. Skips blanks. Returns null if all are blank. */
export function firstIn(value: Value, field: string): Value {
	for (const entry of listOf(value) ?? []) {
		if (isObject(entry) && !isBlank(entry[field])) return entry[field] as Value;
	}
	return null;
}

/** Returns the field `name` of each list entry. Leaves out entries without text in this field. */
export function partTexts(entries: unknown, name: string): string[] {
	return (listOf(entries) ?? []).flatMap((entry) =>
		isObject(entry) && typeof entry[name] === 'string' ? [entry[name]] : [],
	);
}

/**
 * Joins with commas the texts that `textOf` returns for the entries of a list. Leaves out empty texts. Returns null if
 * the value is no list.
 */
export function listIn(value: Value, textOf: (entry: Value) => Value): Value {
	const list = listOf(value) as Value[] | undefined;
	return list === undefined ? null : list.map(textOf).filter(Boolean).join(', ');
}

/** Joins at most `most` texts by `between`. The result ends with the number of texts left out, if any: "and 2 more". */
export function cutList(texts: readonly string[], most: number, between = ', '): string {
	const left = texts.length - most;
	return [...texts.slice(0, most), ...(left > 0 ? [`and ${left} more`] : [])].join(between);
}

/** Returns a value as the JSON of an item. n8n requires an object, so any other value becomes `{ value }`. */
export function asRecord(record: unknown): IDataObject {
	return typeof record === 'object' && record !== null && !Array.isArray(record)
		? (record as IDataObject)
		: { value: record as IDataObject[string] };
}

/**
 * Returns a value for one cell of a table. A list without objects becomes a text with commas. Any other list or object
 * becomes JSON text.
 */
export function cellOf(value: Value): Value {
	if (typeof value !== 'object' || value === null) return value ?? null;
	const isPlain = (entry: unknown) => typeof entry !== 'object' || entry === null;
	const list = listOf(value);
	return list?.every(isPlain)
		? list.filter((entry) => !isBlank(entry)).join(', ')
		: JSON.stringify(value);
}
