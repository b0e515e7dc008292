/*
 * The one rule for blanks: null, undefined, text without a letter, and lists and objects of nothing else
 * mean that nothing was given, at any depth. Rows of databases and spreadsheets are full of them.
 */

/** Whether a value says nothing: none at all, or text without a letter. */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
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

/** Whether a value is an object of parts: no list, and no point in time. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return (
		typeof value === 'object' &&
		value !== null &&
		!Array.isArray(value) &&
		!(value instanceof Date) &&
		typeof (value as { toISO?: unknown }).toISO !== 'function'
	);
}
