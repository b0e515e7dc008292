import { maxBy } from 'lodash';
import { asRecord } from '../run/output';
import type { Reading, Step } from './reading';
import { compare, detected, markOf, recall, remember, roundsSince } from './reading';
import type { Remembered } from './remembered';
import { memberId } from './remembered';
import type { TriggerState } from './state';
import { GAPPED } from './state';

/** As many who are missing from a list are read one by one, whatever it takes: more wait for another round. */
const MOST_READ_SINGLY = 10;

/** Members who are asked before a list is believed that shows fewer than half of them. */
const CONFIRMATIONS = 3;

const isInLine = (line: string) => line.startsWith('in', 1);

/** How many who were in the segment the scan under way has not seen. */
export function countMissing({ records, scan }: TriggerState): number {
	const mark = markOf(scan.number);
	return [...records.values()].filter((line) => isInLine(line) && line.charAt(0) !== mark).length;
}

/** Returns the members whom two rounds did not see, and whether the list is in doubt: these are most of all members. */
function missingFrom({ records, scan, confirmed = 0 }: TriggerState) {
	const members = [...records].filter(([, line]) => isInLine(line));
	const missing = members.filter(([, line]) => roundsSince(line, scan) > 1).map(([key]) => key);
	const areMost = 2 * missing.length > members.length;
	return { missing, areMost, isDoubtful: areMost && confirmed < CONFIRMATIONS };
}

/**
 * Reads one member whom the last two rounds did not see. The member whom most rounds missed comes first. A list that
 * orders equal records anew for each page hides many members who are there. If the last round was exact and many are
 * missing, the step leaves them to the next round. It does not if the list is in doubt.
 */
export function memberStep(reading: Reading): Step | undefined {
	const { records, scan, exact } = reading.state;
	const { missing, areMost, isDoubtful } = missingFrom(reading.state);
	const isLeftToRound = exact > 0 && missing.length > MOST_READ_SINGLY && !isDoubtful;
	const rounds = (key: string) => roundsSince(records.get(key) ?? '', scan);
	const longest = maxBy(missing, rounds);
	if (longest === undefined || isLeftToRound) return undefined;
	return {
		asks: memberId(longest),
		take: ({ members: [person] }) => {
			takeMember(reading, longest, person);
			if (areMost) noteAnswer(reading.state, isInLine(records.get(longest) ?? ''));
		},
		fail: () => {
			// The others are not held up by one that cannot be read: it is left to the next round.
			records.set(longest, markOf(scan.number - 2) + (records.get(longest) ?? '').slice(1));
			return true;
		},
	};
}

/** Notes whether a member is there whom a doubtful list did not show: then its last rounds count for nothing. */
function noteAnswer(state: TriggerState, isThere: boolean): void {
	state.confirmed = isThere ? 0 : (state.confirmed ?? 0) + 1;
	if (isThere) state.exact = 0;
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
 * Ends a round. A member whom two exact rounds in a row do not show has left; a round counts archived people, too. A list
 * that suddenly shows fewer than half of the members is in doubt. The trigger believes it after asking some missing
 * members. The trigger forgets a person who left once no replica can show the membership any more.
 */
export function endRound(reading: Reading): void {
	const { state } = reading;
	const { records, scan, exact } = state;
	const { missing, areMost, isDoubtful } = missingFrom(state);
	if (exact > 1 && !isDoubtful) for (const key of missing) noteGone(reading, key, 'out');
	if (!areMost) state.confirmed = 0;
	if (scan.doubt === GAPPED) return;
	for (const [key, line] of records) {
		if (!isInLine(line) && roundsSince(line, scan) > 1) records.delete(key);
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
