import type { IDataObject } from 'n8n-workflow';
import { compare, detected, markOf, recall, remember, roundsSince } from './compare';
import { memberId } from './fingerprint';
import type { PollProgress } from './progress';
import type { Remembered } from './remembered';
import type { TriggerState } from './state';
import { GAPPED } from './state';
import type { ChangeEvent, Watch } from './watch';

/** As many who are missing from a list are read one by one, whatever it takes: more wait for another round. */
const MOST_READ_SINGLY = 10;

const isInLine = (line: string) => line.charAt(1) === 'i' || line.charAt(1) === 'o';

/** How many who were in the segment the scan under way has not seen. */
export function countMissing({ records, scan }: TriggerState): number {
	const mark = markOf(scan.number);
	return [...records.values()].filter((line) => isInLine(line) && line.charAt(0) !== mark).length;
}

/**
 * Members whom the last round did not see, those first whom the most rounds did not: where equals come in another
 * order on each page, many are not seen who are there. Each is read before they count as gone. Where the last
 * round was exact and many are missing, the next one tells.
 */
export function membersToRead({ records, scan, exact }: TriggerState): string[] {
	const missing: Array<{ key: string; rounds: number }> = [];
	for (const [key, line] of records) {
		const rounds = roundsSince(line, scan);
		if (rounds > 1 && isInLine(line)) missing.push({ key, rounds });
	}
	if (exact > 0 && missing.length > MOST_READ_SINGLY) return [];
	return missing.sort((one, other) => other.rounds - one.rounds).map(({ key }) => key);
}

/** What the record of a member leads to; undefined where the service has no such person. */
export function withMember(
	watch: Watch,
	state: TriggerState,
	{ key, person }: { key: string; person: IDataObject | undefined },
	progress: PollProgress,
): ChangeEvent[] {
	if (!person) return gone(watch, state, key, { as: 'gone', progress });
	// A record that does not show segments is in none, as far as anybody can see.
	const shown = Array.isArray(person.segments) ? person : { ...person, segments: [] };
	return compare(watch, state, [shown], { progress, isOfScan: true }).changes;
}

/** Leaves a member whose record cannot be read to the next round. */
export function leaveForLater({ records, scan }: TriggerState, key: string): void {
	const line = records.get(key);
	if (line !== undefined) records.set(key, markOf(scan.number - 2) + line.slice(1));
}

/**
 * The end of a round. Who is missing from two exact rounds in a row, archived people among them, has left. Who left
 * before is forgotten once no copy can show them any more.
 */
export function withoutLeft(
	watch: Watch,
	state: TriggerState,
	progress: PollProgress,
): ChangeEvent[] {
	const { records, scan, exact } = state;
	const changes: ChangeEvent[] = [];
	for (const [key, line] of [...records]) {
		if (roundsSince(line, scan) < 2) continue;
		if (!isInLine(line)) {
			if (scan.doubt !== GAPPED) records.delete(key);
		} else if (exact > 1) {
			changes.push(...gone(watch, state, key, { as: 'out', progress }));
		}
	}
	return changes;
}

/** Nothing can be seen of them any more but what is remembered: their id, and whether they met the filters. */
function gone(
	watch: Watch,
	state: TriggerState,
	key: string,
	{ as, progress }: { as: 'gone' | 'out'; progress: PollProgress },
): ChangeEvent[] {
	const before = recall(watch, state, key);
	if (!before) return [];
	const after: Remembered = { ...before, membership: as };
	remember(watch, state, key, { record: after, mark: markOf(state.scan.number) });
	const changes =
		before.membership === 'in'
			? detected(watch, state, { record: { id: memberId(key) }, before, after })
			: [];
	progress.mustOutlast ||= changes.length === 0;
	return changes;
}
