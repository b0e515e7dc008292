/** What n8n keeps for a record that is given by id, or chosen from a list. */
export const locator = (value: unknown, mode: 'id' | 'list' = 'id') => ({
	__rl: true,
	mode,
	value,
	...(mode === 'list' ? { cachedResultName: 'As the list called it' } : {}),
});

/** A point in time as the date picker of the editor keeps it, in a workflow of Amsterdam. */
export const PICKED = '2026-12-31T17:00:00';
export const PICKED_SENT = '2026-12-31T16:00:00Z';
