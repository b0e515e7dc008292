import type { NodeRun } from '../transport/nodeRun';

/** The last work on each target, by run. */
const lastWork = new WeakMap<NodeRun, Map<string, Promise<unknown>>>();

/**
 * Runs what is done to a target (a person, a task, the comments of a task) in the order of the items, each
 * after the one before was answered: the last item wins, however long each answer takes. Other
 * targets go on meanwhile.
 *
 * The order is that of the calls, so they have to be made without a pause while the items are built.
 */
export async function inItemOrder<T>(
	run: NodeRun,
	targets: readonly string[],
	work: () => Promise<T>,
): Promise<T> {
	if (targets.length === 0) return await work();
	const last = lastWork.get(run) ?? new Map<string, Promise<unknown>>();
	lastWork.set(run, last);
	const mine = Promise.all(targets.map((target) => last.get(target))).then(work);
	// The next item is done even where this one failed.
	const settled = mine.then(
		() => undefined,
		() => undefined,
	);
	for (const target of targets) last.set(target, settled);
	return await mine;
}

/** Where an item stands among those of its run. */
export interface Place {
	run: NodeRun;
	/** Waits until every item before this one knows what it will write to, or has ended. */
	earlierItems: () => Promise<void>;
	/** Says that this item knows what it will write to. */
	settle: () => void;
}

/** What the last item of a run waits for, by run. */
const lastPlace = new WeakMap<NodeRun, Promise<void>>();

/**
 * The place of an item whose target has to be looked up. Taken without a pause while the items are
 * built, in their order; each has to be settled in the end, or those behind it would wait for ever.
 */
export function takePlace(run: NodeRun): Place {
	const earlier = lastPlace.get(run) ?? Promise.resolve();
	let settle = () => {};
	const settled = new Promise<void>((resolve) => {
		settle = resolve;
	});
	lastPlace.set(
		run,
		earlier.then(async () => await settled),
	);
	return { run, earlierItems: async () => await earlier, settle };
}
