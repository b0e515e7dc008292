/** A field as the editor keeps it, and as it must go over the wire. */
export type Field = readonly [name: string, given: unknown, sent: unknown];

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

export const texts = (...names: string[]): Field[] =>
	names.map((name) => [name, 'Ünique “x”', 'Ünique “x”'] as const);

export const dates = (...names: string[]): Field[] =>
	names.map((name) => [name, PICKED, PICKED_SENT] as const);

export const numbers = (...names: string[]): Field[] => names.map((name) => [name, 12, 12]);
