import type { Collection } from '../directory/directory';
import { directoryOf } from '../directory/directory';
import type { Connection } from '../transport/connection';
import type { NodeRun } from '../transport/nodeRun';
import { References, TitlesNeeded } from './references';
import { readTitlesOf } from './titles';

/** How the parameters of an item are read. */
interface ParameterRead<T> {
	run: NodeRun;
	/** Opens a connection to look titles up with. */
	open: () => Promise<Connection>;
	/** Reads and checks the parameters, without a pause. */
	read: (references: References) => T;
}

/** What the last item of a run that waits for titles comes to, by run. */
const lastRead = new WeakMap<NodeRun, Promise<unknown>>();

/**
 * Reads the parameters of an item: without a pause where it gives its references by ID or IRI. Where it
 * gives a title, that is looked up first, and the items behind it wait with it, since their order counts.
 */
export async function readParameters<T>({ run, open, read }: ParameterRead<T>): Promise<T> {
	const before = lastRead.get(run);
	if (!before) {
		const result = attempt(read, new References());
		if ('value' in result) return result.value;
		if (!(result.error instanceof TitlesNeeded)) return await Promise.reject(result.error);
	}
	const turn = before ?? Promise.resolve();
	const mine = turn.then(async () => await readWithTitles({ run, open, read }));
	lastRead.set(
		run,
		mine.then(
			() => undefined,
			() => undefined,
		),
	);
	return await mine;
}

/**
 * Waits until the parameters of all items of a run are read, so that nothing is sent before they were found
 * right.
 *
 * @throws Cancelled where one was not, and the run stops
 */
export async function allParametersRead(run: NodeRun): Promise<void> {
	const last = lastRead.get(run);
	if (!last) return;
	await last;
	run.throwIfStopped();
}

async function readWithTitles<T>({ run, open, read }: ParameterRead<T>): Promise<T> {
	await run.begin();
	const looked = new Set<Collection>();
	for (;;) {
		const connection = await open();
		const result = attempt(read, new References(directoryOf(connection.identity), looked));
		if ('value' in result) return result.value;
		if (!(result.error instanceof TitlesNeeded)) return await Promise.reject(result.error);
		const { collection } = result.error;
		await readTitlesOf(collection, connection);
		run.throwIfStopped();
		looked.add(collection);
	}
}

function attempt<T>(
	read: (references: References) => T,
	references: References,
): { value: T } | { error: unknown } {
	try {
		return { value: read(references) };
	} catch (error) {
		return { error };
	}
}
