import { isBlank } from '../contract/blank';
import { listOf } from './lists';

/**
 * The references that a parameter holds: a list of them in any form, one record or id, or text with
 * commas. Blanks mean that nothing was given, in a list too.
 */
export function referencesIn(value: unknown): unknown[] {
	const list = listOf(value) ?? listOf(parsedList(value));
	if (list) return list.filter((entry) => !isBlank(entry));
	const entries =
		typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : [value];
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
