import { asRecord } from '../run/output';
import type { Reading, Step } from './reading';
import { compare, detected, markOf, recall, remember, roundsSince } from './reading';
import type { Remembered } from './remembered';
import { memberId } from './remembered';
import type { TriggerState } from './state';
import { GAPPED } from './state';

/** As many who are missing from a list are read one by one, whatever it takes: more wait for another round. */
const MOST_READ_SINGLY = 10;

const isInLine = (line: string) => line.startsWith('in', 1);

/** How many who were in the segment the scan under way has not seen. */
export function countMissing({ records, scan }: TriggerState): number {
	const mark = markOf(scan.number);
	return [...records.values()].filter((line) => isInLine(line) && line.charAt(0) !== mark).length;
}

/**
 * One of the members whom the last round did not see, that first whom the most rounds did not: where equals come in
 * another order on each page, many are not seen who are there. Each is read before they count as gone. Where the
 * last round was exact and many are missing, the next one tells.
 */
export function memberStep(reading: Reading): Step | undefined {
	const { records, scan, exact } = reading.state;
	let [count, most, longest] = [0, 1, ''];
	for (const [key, line] of records) {
		const rounds = roundsSince(line, scan);
		if (rounds < 2 || !isInLine(line)) continue;
		count++;
		if (rounds > most) [most, longest] = [rounds, key];
	}
	if (count === 0 || (exact > 0 && count > MOST_READ_SINGLY)) return undefined;
	return {
		asks: memberId(longest),
		take: ({ members: [person] }) => takeMember(reading, longest, person),
		fail: () => {
			// The others are not held up by one that cannot be read: it is left to the next round.
			records.set(longest, markOf(scan.number - 2) + (records.get(longest) ?? '').slice(1));
			return true;
		},
	};
}

/** @param found undefined where the service has no such person */
function takeMember(reading: Reading, key: string, found: unknown): void {
	if (found === undefined) return noteGone(reading, key, 'gone');
	const person = asRecord(found);
	// A record that does not show segments is in none, as far as anybody can see.
	const shown = Array.isArray(person.segments) ? person : { ...person, segments: [] };
	compare(reading, [shown], true);
}

/**
 * The end of a round. Who is missing from two exact rounds in a row, archived people among them, has left. Who left
 * before is forgotten once no copy can show them any more.
 */
export function endRound(reading: Reading): void {
	const { records, scan, exact } = reading.state;
	for (const [key, line] of [...records]) {
		if (roundsSince(line, scan) < 2) continue;
		if (isInLine(line) && exact > 1) noteGone(reading, key, 'out');
		if (!isInLine(line) && scan.doubt !== GAPPED) records.delete(key);
	}
}

/** Nothing can be seen of them any more but what is remembered: their id, and whether they met the filters. */
function noteGone(reading: Reading, key: string, membership: 'gone' | 'out'): void {
	const before = recall(reading, key);
	if (!before) return;
	const after: Remembered = { ...before, membership };
	remember(reading, key, after, markOf(reading.state.scan.number));
	const isTold = before.membership === 'in';
	const changes = isTold ? detected(reading, { record: { id: memberId(key) }, before, after }) : [];
	reading.changes.push(...changes);
	reading.mustOutlast ||= changes.length === 0;
}
