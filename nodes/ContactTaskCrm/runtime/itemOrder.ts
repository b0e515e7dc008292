import type { NodeRun } from '../transport/nodeRun';

/** The last work on each target, by run. */
const lastWork = new WeakMap<NodeRun, Map<string, Promise<unknown>>>();

/**
 * Runs what is done to one target (a person, a task, the comments of a task) in the order of the items,
 * each after the one before was answered: the last item wins, however long each answer takes. Other
 * targets go on meanwhile.
 *
 * The order is that of the calls, so they have to be made without a pause while the items are built.
 */
export async function inItemOrder<T>(
	run: NodeRun,
	target: string | undefined,
	work: () => Promise<T>,
): Promise<T> {
	if (target === undefined) return await work();
	let targets = lastWork.get(run);
	if (!targets) lastWork.set(run, (targets = new Map()));
	const before = targets.get(target) ?? Promise.resolve();
	const mine = before.then(work);
	// Whoever comes next goes on whatever came of this; the outcome is that of this item alone.
	const settled = mine.then(
		() => undefined,
		() => undefined,
	);
	targets.set(target, settled);
	return await mine;
}
