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
