import { maxBy } from 'lodash';
import type { ServedPage } from '../http/paging';
import { asRecord } from '../run/output';
import type { Reading, Step } from './reading';
import { compareRecords, detectEvents, markOf, recall, remember, roundsSince } from './reading';
import type { Snapshot } from './remembered';
import { memberId, memberKey } from './remembered';
import type { TriggerState } from './state';
import { PAGE_SKIPPED } from './state';

const isMemberLine = (line: string) => line.startsWith('in', 1);

/** Returns the number of members whom the scan under way has not seen. */
export function countMissing({ records, scan }: TriggerState): number {
	const mark = markOf(scan.number);
	return [...records.values()].filter((line) => isMemberLine(line) && line.charAt(0) !== mark)
		.length;
}

/** Returns the members whom two rounds did not see, and whether these are most of all members. */
function missingFrom({ records, scan }: TriggerState) {
	const members = [...records].filter(([, line]) => isMemberLine(line));
	const missing = members.filter(([, line]) => roundsSince(line, scan) > 1).map(([key]) => key);
	return { missing, areMost: 2 * missing.length > members.length };
}

/**
 * Reads one member whom the last two rounds did not see: the list alone tells nobody as removed. The member whom most
 * rounds missed comes first. Before that, the segment itself has to exist: with a segment that was deleted, nobody has left.
 */
export function memberStep(reading: Reading): Step | undefined {
	const { watch, state } = reading;
	if (!watch.isMember) return undefined;
	const { records, scan } = state;
	const { missing, areMost } = missingFrom(state);
	const longest = maxBy(missing, (key) => roundsSince(records.get(key) ?? '', scan));
	if (longest === undefined) return undefined;
	// A poll may have no more than one request, so that the answer holds for the next round, too.
	if (scan.number - (state.segmentSeenIn ?? -Infinity) > 3) {
		const onPage = () => {
			state.segmentSeenIn = scan.number;
			reading.isBehind = true;
		};
		return { request: watch.anchors[0], onPage, onFailure: () => false };
	}
	return {
		request: memberId(longest),
		onPage: ({ members: [person] }) => {
			applyMember(reading, longest, person);
			const isThere = isMemberLine(records.get(longest) ?? '');
			reading.isBehind = missing.length > 1 && !isThere;
			if (isThere && areMost) reading.isContradicted = true;
		},
		onFailure: () => {
			// A member who cannot be read does not hold up the others: the next round decides.
			records.set(longest, markOf(scan.number - 2) + (records.get(longest) ?? '').slice(1));
			return true;
		},
	};
}

/** Takes a person whom another trigger read: a member may have left. */
export function applySharedPerson(
	reading: Reading,
	id: string,
	{ members: [person] }: ServedPage,
): void {
	const key = memberKey(id);
	if (isMemberLine(reading.state.records.get(key) ?? '')) applyMember(reading, key, person);
}

/** @param found undefined where the service has no such person */
function applyMember(reading: Reading, key: string, found: unknown): void {
	if (found === undefined) return noteDeleted(reading, key);
	const person = asRecord(found);
	// A record that does not show segments is in none, as far as anybody can see.
	const shown = Array.isArray(person.segments) ? person : { ...person, segments: [] };
	compareRecords(reading, [shown], true);
}

/**
 * Ends a round, which counts archived people, too. The trigger forgets a person who left once no replica can show the
 * membership any more.
 */
export function endRound(reading: Reading): void {
	const { state } = reading;
	const { records, scan } = state;
	if (missingFrom(state).missing.length === 0) reading.isContradicted ??= false;
	if (scan.doubt === PAGE_SKIPPED) return;
	for (const [key, line] of records) {
		if (!isMemberLine(line) && roundsSince(line, scan) > 1) records.delete(key);
	}
}

/** Notes that the service has no such person any more. Known is the ID, and whether the person met the filters. */
function noteDeleted(reading: Reading, key: string): void {
	const before = recall(reading, key);
	if (!before) return;
	const after: Snapshot = { ...before, membership: 'gone' };
	remember(reading, key, after, markOf(reading.state.scan.number));
	const metFilters = before.membership === 'in';
	const changes = metFilters
		? detectEvents(reading, { record: { id: memberId(key) }, before, after })
		: [];
	reading.changes.push(...changes);
	reading.mustOutlast ||= changes.length === 0;
}
