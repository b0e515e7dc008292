import type { NodeRun } from '../../transport/nodeRun';
import { matchKey } from './match';

/**
 * The people whom a run has created, by the value they were looked up with. A later item of the run
 * finds them by another spelling of a phone number too, although the service compares exactly or lists
 * new people late. Kept no longer than the run, since others change people as well.
 */
const created = new WeakMap<NodeRun, Map<string, string>>();

/** The id of the person that the run created for a value. */
export function createdFor(run: NodeRun, value: string): string | undefined {
	return created.get(run)?.get(matchKey(value));
}

/** Keeps whom the run created for a value. */
export function keepCreated(run: NodeRun, value: string, id: string): void {
	let people = created.get(run);
	if (!people) created.set(run, (people = new Map()));
	people.set(matchKey(value), id);
}
