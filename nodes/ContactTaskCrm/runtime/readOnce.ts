import { deepCopy } from 'n8n-workflow';
import { systemClock } from '../transport/clock';
import type { NodeRun } from '../transport/nodeRun';

/** How long an answer counts as that of the moment, in ms. */
const KEEP_MS = 60_000;

interface Read {
	at: number;
	answer: Promise<unknown>;
}

const reads = new WeakMap<NodeRun, Map<string, Read>>();

/**
 * Reads something once for all items of a run that ask for the same, within a minute. A read that fails
 * is not kept.
 *
 * @param question what is asked for, the same text for the same
 * @returns a copy of the answer for each item
 */
export async function readOnce<T extends object>(
	run: NodeRun,
	question: string,
	read: () => Promise<T>,
): Promise<T> {
	const now = systemClock.now();
	const known = reads.get(run) ?? new Map<string, Read>();
	reads.set(run, known);
	const last = known.get(question);
	if (last && now - last.at <= KEEP_MS) return deepCopy((await last.answer) as T);
	const answer = read();
	known.delete(question);
	known.set(question, { at: now, answer });
	for (const [old, { at }] of known) {
		if (now - at <= KEEP_MS) break;
		known.delete(old);
	}
	answer.catch(() => {
		if (known.get(question)?.answer === answer) known.delete(question);
	});
	return await answer;
}
