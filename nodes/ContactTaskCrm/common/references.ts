/**
 * The references that a parameter holds: a list of them, one record or id, or text with commas. Blanks
 * mean that nothing was given, in a list too.
 */
export function referencesIn(value: unknown): unknown[] {
	if (Array.isArray(value)) return (value as unknown[]).filter((entry) => !isBlank(entry));
	const entries =
		typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : [value];
	return entries.filter((entry) => !isBlank(entry));
}

/** What a parameter holds that may be a locator. */
export function locatedIn(value: unknown): unknown {
	const isLocator = typeof value === 'object' && value !== null && '__rl' in value;
	return isLocator ? (value as { value?: unknown }).value : value;
}

/** Whether a value says nothing: none at all, or text without a letter. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || isBlankText(value);
}

function isBlankText(value: unknown): boolean {
	return typeof value === 'string' && value.trim() === '';
}
