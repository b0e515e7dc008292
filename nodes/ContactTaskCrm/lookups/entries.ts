import type { INodeListSearchItems, INodePropertyOptions } from 'n8n-workflow';

/** An entry of a list, in either kind of list. */
type Entry = INodeListSearchItems & INodePropertyOptions;

/**
 * Means for each parameter that nothing is given, and is not what an empty one holds: the editor would show
 * the entry first then, as the one that is chosen.
 */
const NOTHING = ' ';

/** A last entry that says what a list does not show, and chooses nothing. */
export function lastEntry(name: string): Entry {
	return { name, value: NOTHING };
}

/** A drop-down of what was read lately. */
export const MORE_MAY_EXIST = lastEntry('More exist: search, or give an ID as an expression');

/** A locator of what was read lately. */
export const MORE_MAY_BE_THERE = lastEntry('More may exist: choose By ID');

/** A locator that finds more where it is searched. */
export const MORE_TO_SEARCH = lastEntry('More exist: search, or choose By ID');

/** A locator whose list was not read to its end, and cannot be searched beyond that. */
export function onlyTheFirst(records: number): Entry {
	return lastEntry(`Only the first ${records} were read. More exist: choose By ID`);
}

/** A locator that could be searched in what was read before alone. */
export const ONLY_REMEMBERED = lastEntry(
	'Only what was read lately was searched. More may exist: open this list again, or choose By ID',
);
