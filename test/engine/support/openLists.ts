import type { Lookups } from './lookup';

/** The lists that somebody opens who builds a workflow. */
const LISTS: ReadonlyArray<(lookups: Lookups) => Promise<unknown>> = [
	async (lookups) => await lookups.list('searchColumns'),
	async (lookups) => await lookups.options('getTags'),
	async (lookups) => await lookups.list('searchPeople'),
	async (lookups) => await lookups.options('getSegments'),
	async (lookups) => await lookups.options('getOwners'),
	async (lookups) => await lookups.list('searchTasks'),
	async (lookups) => await lookups.list('searchWorkspaces'),
	async (lookups) => await lookups.list('searchPeople', 'van'),
];

/**
 * Opens so many lists, one after the other, each after a pause.
 *
 * @returns how long each took in ms, of those that could be shown
 */
export async function openLists(
	lookups: Lookups,
	count: number,
	pause: () => Promise<unknown>,
): Promise<number[]> {
	const took: number[] = [];
	for (let opened = 0; opened < count; opened++) {
		await pause();
		const startedAt = Date.now();
		await LISTS[opened % LISTS.length](lookups).then(
			() => took.push(Date.now() - startedAt),
			() => undefined,
		);
	}
	return took;
}
