import type { NodeRun } from '../../transport/nodeRun';
import { matchKey } from './match';

/**
 * Whom a run has created, by what they were looked up with: one that was created under one spelling of
 * a phone number is met under another, too, though the service compares exactly or is slow to list what
 * is new. No longer than a run, since others change people, too.
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
