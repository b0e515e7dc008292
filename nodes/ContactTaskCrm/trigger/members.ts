import { maxBy } from 'lodash';
import type { ServedPage } from '../http/paging';
import type { Reading, Step } from './reading';
import { compareRecords, detectEvents, scanLetter, recall, remember, roundsSince } from './reading';
import type { Snapshot } from './remembered';
import { withoutFiltered } from './remembered';
import type { TriggerState } from './state';
import { PAGE_SKIPPED } from './state';
import { asRecord } from '../values/json';

/**
 * Returns whether a person is in the segment. `line` is the person's line in the state: a letter for a scan, then the
 * membership. Examples: "4in" and "4inUnmet" for members, "4out" for a person outside.
 */
const isMemberLine = (line: string) => line.startsWith('in', 1);

/** Returns the number of remembered members that the current scan has not seen yet. */
export function countMissing({ records, scan }: TriggerState): number {
	const letter = scanLetter(scan.number);
	return [...records.values()].filter((line) => isMemberLine(line) && line.charAt(0) !== letter)
		.length;
}

/** Returns the keys of the missing members. Neither the current round nor the round before has shown them. */
function missingFrom({ records, scan }: TriggerState): string[] {
	return [...records]
		.filter(([, line]) => isMemberLine(line) && roundsSince(line, scan) > 1)
		.map(([key]) => key);
}

/**
 * A poll that has checked that the segment exists may read any number of missing members. If such a poll reads none,
 * later polls may read this many members until the next check.
 */
const MEMBERS_OF_A_CHECK = 3;

/**
 * Returns the step that reads a missing member by ID. Absence from the list alone does not prove that the member has
 * left. The member who has been missing longest comes first.
 *
 * Members of a deleted segment do not count as removed. So before polls read members, a poll checks that the segment
 * exists. If this check is due, returns the step of the check.
 */
export function memberStep(reading: Reading): Step | undefined {
	const { watch, state, memory, spending } = reading;
	const [segment] = watch.anchors;
	if (!watch.isMember || !segment) return undefined;
	const { records, scan } = state;
	const missing = missingFrom(state);
	const longestMissing = maxBy(missing, (key) => roundsSince(records.get(key) ?? '', scan));
	if (longestMissing === undefined) return undefined;
	if (!reading.isSegmentChecked && memory.membersUntilCheck < 1) {
		const onPage = () => {
			reading.isSegmentChecked = true;
			memory.membersUntilCheck = MEMBERS_OF_A_CHECK;
			spending.isBehind = true;
		};
		return { request: segment, onPage, onFailure: () => false };
	}
	return {
		request: longestMissing,
		onPage: ({ members: [person] }) => {
			memory.membersUntilCheck = reading.isSegmentChecked ? 0 : memory.membersUntilCheck - 1;
			applyMember(reading, longestMissing, person);
			const isThere = isMemberLine(records.get(longestMissing) ?? '');
			spending.isBehind = missing.length > 1 && !isThere;
		},
		onFailure: () => {
			// An unreadable member must not delay other members. So the member's line gets the letter of the round before, as
			// if that round had shown the member. No poll reads this member again before the next round.
			records.set(
				longestMissing,
				scanLetter(scan.number - 2) + (records.get(longestMissing) ?? '').slice(1),
			);
			return true;
		},
	};
}

/** Applies a person whom another trigger has read by ID, if this trigger remembers a member with this key. */
export function applySharedPerson(
	reading: Reading,
	key: string,
	{ members: [person] }: ServedPage,
): void {
	if (isMemberLine(reading.state.records.get(key) ?? '')) applyMember(reading, key, person);
}

/**
 * Compares a member, read by ID, with the remembered snapshot, and collects the events.
 *
 * @param found the person; undefined if the service has no such person
 */
function applyMember(reading: Reading, key: string, found: unknown): void {
	if (found === undefined) return noteDeleted(reading, key);
	const person = asRecord(found);
	// If a person read by ID shows no segments, the person counts as outside every segment.
	const shown = Array.isArray(person.segments) ? person : { ...person, segments: [] };
	compareRecords(reading, [shown], true);
}

/**
 * Ends a round: a full scan of a segment, sometimes followed by a scan of its archived people. Forgets people outside
 * the segment if two rounds in a row did not show them. Two rounds should outlast a lagging replica, which would show
 * these people as members again.
 */
export function endRound(reading: Reading): void {
	const { records, scan } = reading.state;
	if (scan.consistency === PAGE_SKIPPED) return;
	for (const [key, line] of records) {
		if (!isMemberLine(line) && roundsSince(line, scan) > 1) records.delete(key);
	}
}

/**
 * A record counts as having left a filtered list if this many full scans in a row did not show it. Fewer scans do not
 * suffice, because the service may leave a record out of a list for minutes.
 */
const ROUNDS_TO_LEAVE = 5;

/**
 * Notes the records that have left the list, if the service filters the list by a watched field. Example: the service
 * filters by a tag, the user watches tags, and a person lost the tag. The remembered value of `tags` becomes
 * `UNKNOWN_VALUE`. If the person comes back, `tags` then count as changed.
 */
export function noteLeavers(reading: Reading): void {
	const { watch, state } = reading;
	const { watchedFields, filteredFields } = watch;
	if (!watchedFields.some((name) => filteredFields.includes(name))) return;
	for (const [key, line] of state.records) {
		if (roundsSince(line, state.scan) < ROUNDS_TO_LEAVE) continue;
		const before = recall(reading, key);
		const values = before?.values && withoutFiltered(before.values, watch);
		if (!before || !values || values === before.values) continue;
		remember(reading, key, { ...before, values }, line.charAt(0));
		reading.mustOutlast = true;
	}
}

/** Notes that a deleted person has left the segment. The item of this event can show only the ID. */
function noteDeleted(reading: Reading, key: string): void {
	const before = recall(reading, key);
	if (!before) return;
	const after: Snapshot = { ...before, membership: 'gone' };
	remember(reading, key, after, scanLetter(reading.state.scan.number));
	const metFilters = before.membership === 'in';
	const changes = metFilters
		? detectEvents(reading, { record: { id: decodeURIComponent(key) }, before, after })
		: [];
	reading.changes.push(...changes);
	reading.mustOutlast ||= changes.length === 0;
}
