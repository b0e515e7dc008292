/*
 * A number in text or JSON.
 */

/**
 * Reads a text as a number. Returns undefined for other texts, and for a number with too many digits to be exact. Also
 * returns undefined for "1.000", because it may mean one or a thousand.
 */
export function numberOf(text: string): number | undefined {
	const trimmed = text.trim();
	if (trimmed === '' || /^[+-]?\d{1,3}(\.\d{3})+$/.test(trimmed)) return undefined;
	return isExact(Number(trimmed)) ? Number(trimmed) : undefined;
}

/** Returns whether a number is finite and has lost no digits. */
export function isExact(value: number): boolean {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
