import { BETWEEN_TITLES, isBlankText } from './text';

/*
 * The one rule for blanks: null, undefined, text of white space alone, and lists and objects of
 * nothing else mean that nothing was given, at any depth. Rows of databases and spreadsheets are full
 * of them.
 */

/** Whether a value is null, undefined, or text of white space alone. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && isBlankText(value));
}

/** What is left of a value without its blanks; undefined where nothing is. */
export function withoutBlanks(value: unknown): unknown {
	if (isBlank(value)) return undefined;
	if (Array.isArray(value)) {
		const entries = value.map(withoutBlanks).filter((entry) => entry !== undefined);
		return entries.length > 0 ? entries : undefined;
	}
	if (!isObject(value)) return value;
	const parts = Object.entries(value)
		.map(([name, part]): [string, unknown] => [name, withoutBlanks(part)])
		.filter(([, part]) => part !== undefined);
	return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

/** Text, or the texts among the parts of an object, without the white space around it. */
export function trimmed(value: unknown): unknown {
	if (typeof value === 'string') return value.trim();
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, part]) => [
			name,
			typeof part === 'string' ? part.trim() : part,
		]),
	);
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
