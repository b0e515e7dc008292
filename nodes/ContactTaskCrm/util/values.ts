import { isEmpty, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

type Value = IDataObject[string];

/*
 * The one rule for blanks: null, undefined, text of white space alone, and lists and objects of
 * nothing else mean that nothing was given, at any depth. Rows of databases and spreadsheets are full
 * of them.
 */

/** Nothing but what nobody sees, from the first character on. */
const BLANK = /^[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]*$/;

/** Whether a value is null, undefined, or text of white space alone. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && BLANK.test(value));
}

/** What is left of a value without its blanks; undefined where nothing is. */
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
 * The parts of an object for which something holds. lodash takes a name with a dot for a path in `pick` and `omit`, and
 * loses a part called "constructor" in `pickBy` and `omitBy`: neither is for what users and services give.
 */
export function partsWhere<T>(
	whole: Readonly<Record<string, T>>,
	holds: (part: T, name: string) => boolean,
): Record<string, T> {
	return Object.fromEntries(Object.entries(whole).filter(([name, part]) => holds(part, name)));
}

/** Text, or the texts among the parts of an object, without the white space around it. */
export function trimmed(value: unknown): unknown {
	if (typeof value === 'string') return value.trim();
	if (!isObject(value)) return value;
	return mapValues(value, (part) => (typeof part === 'string' ? part.trim() : part));
}

/** Whether a value is an object with parts: neither a list nor a Date or Luxon DateTime. */
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
 * A list as a service may show it: an array, or an object whose keys are numbers with gaps, as PHP
 * writes a list from which entries were taken.
 *
 * @returns undefined for anything else
 */
export function listOf(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value as unknown[];
	if (typeof value !== 'object' || value === null) return undefined;
	const entries = Object.entries(value);
	return entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))
		? entries.map(([, entry]) => entry as unknown)
		: undefined;
}

/** What stands between the titles of a list: commas, or semicolons as other programs export them. */
const BETWEEN_TITLES = /[,;]/;

/**
 * The references that a parameter holds: a list of them in any form, one record or id, or text with
 * commas or semicolons. Blanks mean that nothing was given, in a list too.
 */
export function referencesIn(value: unknown): unknown[] {
	const list = listOf(value) ?? listOf(parsedList(value));
	if (list) return list.filter((entry) => !isBlank(entry));
	const entries =
		typeof value === 'string' ? value.split(BETWEEN_TITLES).map((entry) => entry.trim()) : [value];
	return entries.filter((entry) => !isBlank(entry));
}

/** What text holds that is written as a list or object of JSON; undefined for other text. */
export function parsedList(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}

/** What a parameter holds that may be a locator. */
export function locatedIn(value: unknown): unknown {
	const isLocator = typeof value === 'object' && value !== null && '__rl' in value;
	return isLocator ? (value as { value?: unknown }).value : value;
}

/** True or false, from what tables and forms write for it; undefined for anything else. */
export function truthOf(value: unknown): boolean | undefined {
	return YES_OR_NO.get(String(value).trim().toLowerCase());
}

const YES_OR_NO = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/*
 * Text as people write it: how two of them are compared, and what is meant.
 */

/** Characters that nobody sees: zero width, soft hyphen, marks of direction, the mark before a file. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** Digits, and the signs of phone numbers and addresses, in the width of Chinese characters. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g;

/** Hyphens, dashes and minus signs that stand for the one of the keyboard. */
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/**
 * Text as two of them are compared: trimmed, without what nobody sees, each letter in one form.
 * Nothing that people write to mean something goes.
 */
export function cleanText(text: string): string {
	return text.normalize('NFC').replace(INVISIBLE, '').trim();
}

/** A title or name in a list that is written with commas. */
export function withoutCommas(title: string): string {
	const parts = title.split(BETWEEN_TITLES).map((part) => part.trim());
	return parts.filter(Boolean).join(' ');
}

/** A title as two of them are compared: of "Workspace / Column", each part by itself. */
export function comparableTitle(text: string): string {
	const parts = withoutCommas(cleanText(text)).toLowerCase().split('/');
	return parts.map((part) => part.trim()).join('/');
}

/**
 * An e-mail address, a phone number or an identifier as it is meant: digits and hyphens of the keyboard, and
 * without what mail programs and links put around it ("Eva <eva@crm.example>", "mailto:", "tel:").
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

/** What a field holds of the first entry of a list that has it. */
export function firstIn(value: Value, field: string): Value {
	for (const entry of listOf(value) ?? []) {
		if (isObject(entry) && !isBlank(entry[field])) return entry[field] as Value;
	}
	return null;
}

/** The entries of a list as one text with commas. */
export function listIn(value: Value, textOf: (entry: Value) => Value): Value {
	const list = listOf(value) as Value[] | undefined;
	return list === undefined ? null : list.map(textOf).filter(Boolean).join(', ');
}

/** A text or number as text; empty for anything else. */
export function textIn(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Of a value, as much as a message shows. */
const LONGEST = 100;

/** A value that somebody gave, as messages show it. */
export function quoted(value: unknown): string {
	if (value === undefined) return 'nothing';
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') return `"${shortened(value)}"`;
	return shortened(JSON.stringify(value) ?? typeof value);
}

/** A text without what is too much of it, cut between two characters. */
export function shortened(text: string, longest = LONGEST): string {
	if (text.length <= longest) return text;
	return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
