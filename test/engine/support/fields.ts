/** Returns n8n's saved value for a record that is given by ID, or chosen from a list. */
export const locator = (value: unknown, mode: 'id' | 'list' = 'id') => ({
	__rl: true,
	mode,
	value,
	...(mode === 'list' ? { cachedResultName: 'As the list called it' } : {}),
});

/** A point in time as the editor's date picker saves it in a workflow in Amsterdam, and as the node sends it. */
export const PICKED = '2026-12-31T17:00:00';
export const PICKED_SENT = '2026-12-31T16:00:00Z';
