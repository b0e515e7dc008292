/*
 * The one rule for blanks: null, undefined, text of white space alone, and lists and objects of
 * nothing else mean that nothing was given, at any depth. Rows of databases and spreadsheets are full
 * of them.
 */

/** Whether a value is null, undefined, or text of white space alone. */
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
