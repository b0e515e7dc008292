import { maxBy } from 'lodash';
import type { ServedPage } from '../http/paging';
import type { Reading, Step } from './reading';
import { compareRecords, detectEvents, scanLetter, recall, remember, roundsSince } from './reading';
import type { Snapshot } from './remembered';
import { memberId, memberKey, withoutFiltered } from './remembered';
import type { TriggerState } from './state';
import { PAGE_SKIPPED } from './state';
import { asRecord } from '../values/json';

/**
 * Returns whether a person is in the segment, by the person's line in the state. The line begins with a letter for
 * a scan, followed by the membership.
 */
const isMemberLine = (line: string) => line.startsWith('in', 1);

/** Returns the number of remembered members that the current scan has not seen yet. */
export function countMissing({ records, scan }: TriggerState): number {
	const letter = scanLetter(scan.number);
	return [...records.values()].filter((line) => isMemberLine(line) && line.charAt(0) !== letter)
		.length;
}

/** Returns the keys of the members whom neither the last full scan of the segment nor the current one has seen. */
function missingFrom({ records, scan }: TriggerState): string[] {
	return [...records]
		.filter(([, line]) => isMemberLine(line) && roundsSince(line, scan) > 1)
		.map(([key]) => key);
}

/**
 * Returns the step that reads by ID one member who is missing from the list, because absence proves no removal. The
 * longest missing member comes first. Before that, a step checks that the segment exists. If the segment was deleted,
 * its members do not count as removed.
 */
export function memberStep(reading: Reading): Step | undefined {
	const { watch, state, memory, spending } = reading;
	const [segment] = watch.anchors;
	if (!watch.isMember || !segment) return undefined;
	const { records, scan } = state;
	const missing = missingFrom(state);
	const longestMissing = maxBy(missing, (key) => roundsSince(records.get(key) ?? '', scan));
	if (longestMissing === undefined) return undefined;
	if (memory.membersUntilCheck < 1) {
		const onPage = () => {
			memory.membersUntilCheck = Infinity;
			spending.isBehind = true;
		};
		return { request: segment, onPage, onFailure: () => false };
	}
	return {
		request: memberId(longestMissing),
		onPage: ({ members: [person] }) => {
			reading.hasReadMember = true;
			memory.membersUntilCheck--;
			applyMember(reading, longestMissing, person);
			const isThere = isMemberLine(records.get(longestMissing) ?? '');
			spending.isBehind = missing.length > 1 && !isThere;
		},
		onFailure: () => {
			// An unreadable member must not delay other members. So this member counts as seen in the round before, and no poll
			// asks for it again before the next round.
			records.set(
				longestMissing,
				scanLetter(scan.number - 2) + (records.get(longestMissing) ?? '').slice(1),
			);
			return true;
		},
	};
}

/**
 * Number of members that the next polls may read before they check again that the segment exists. It applies if this
 * poll made the check, but read no member.
 */
const MEMBERS_OF_A_CHECK = 3;

/** Returns the number of members that the next polls may read before they check again that the segment exists. */
export function membersForLater({ memory, hasReadMember }: Reading): number {
	const { membersUntilCheck } = memory;
	if (membersUntilCheck < Infinity) return membersUntilCheck;
	return hasReadMember ? 0 : MEMBERS_OF_A_CHECK;
}

/** Applies a person whom another trigger has read by ID, if this trigger remembers the person as a member. */
export function applySharedPerson(
	reading: Reading,
	id: string,
	{ members: [person] }: ServedPage,
): void {
	const key = memberKey(id);
	if (isMemberLine(reading.state.records.get(key) ?? '')) applyMember(reading, key, person);
}

/**
 * Compares a member with the remembered snapshot, and collects the events.
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
 * Ends a round: a full scan of a segment, sometimes with its archived people. Forgets people outside the segment if
 * two rounds in a row did not show them. By then, no lagging replica shows them as members any more.
 */
export function endRound(reading: Reading): void {
	const { records, scan } = reading.state;
	if (scan.consistency === PAGE_SKIPPED) return;
	for (const [key, line] of records) {
		if (!isMemberLine(line) && roundsSince(line, scan) > 1) records.delete(key);
	}
}

/**
 * A record counts as having left a filtered list if this many full scans in a row did not show it. Fewer do not
 * suffice, because a list may leave out a record for minutes.
 */
const ROUNDS_TO_LEAVE = 5;

/**
 * Notes which records have left a list that the service filters by a watched field. The remembered value of this field
 * becomes unknown, so that the record counts as changed when it comes back.
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

/** Notes that a deleted person has left the segment. The event can show only the ID. */
function noteDeleted(reading: Reading, key: string): void {
	const before = recall(reading, key);
	if (!before) return;
	const after: Snapshot = { ...before, membership: 'gone' };
	remember(reading, key, after, scanLetter(reading.state.scan.number));
	const metFilters = before.membership === 'in';
	const changes = metFilters
		? detectEvents(reading, { record: { id: memberId(key) }, before, after })
		: [];
	reading.changes.push(...changes);
	reading.mustOutlast ||= changes.length === 0;
}
