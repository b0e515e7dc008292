import type { IDataObject } from 'n8n-workflow';
import type { ServedPage } from '../http/paging';
import type { Snapshot } from './remembered';
import { changeTimeOf, fromText, isInSegment, recordKey, snapshotOf, toText } from './remembered';
import type { TriggerMemory } from './memory';
import type { Spending } from './spending';
import type { TriggerState } from './state';
import { startState } from './state';
import type { Anchor, QueryPair } from './lists';
import type { ChangeEvent, Watch } from './watch';
import { instantOf, isZoned, wholeSecond } from '../values/time';
import { asRecord } from '../values/json';

/** Progress and results of one poll. Results remain valid if a later request of the poll fails. */
export interface Reading {
	readonly watch: Watch;
	state: TriggerState;
	/** Whether the trigger has begun: it has a saved state, or got a first answer in this poll. */
	hasBegun: boolean;
	changes: ChangeEvent[];
	/** Failure that ended the poll, or that left a page or record unread. */
	failure?: { error: unknown };
	/** Whether the new state must survive a restart. If false, n8n saves the state only with the next items. */
	mustOutlast: boolean;
	readonly spending: Spending;
	readonly memory: TriggerMemory;
	/** Whether this poll has read a member of the segment by ID. */
	hasReadMember: boolean;
	/** Time of the last page, by the service's clock. */
	servedAt: number;
	/** Whether this poll needs no further page of the head. */
	isHeadDone: boolean;
	/** Whether this poll has applied a page of the scan, read by itself or by another trigger. */
	hasScanned: boolean;
	/** Whether this poll needs no further page of a scan, because a scan without unreadable pages has ended. */
	isScanDone: boolean;
	/** Keys of the new and changed records of this poll. */
	reported: Set<string>;
}

/** The next request of a poll, and the handling of its answer. */
export interface Step {
	/** Query for a list page, ID of a person, or anchor (record to check). For an anchor, `onPage` gets an empty page. */
	request: QueryPair[] | string | Anchor;
	isScanPage?: boolean;
	onPage: (page: ServedPage) => void;
	/** Handles a page or record that the service cannot give; returns whether the poll continues. */
	onFailure: () => boolean;
}

/** Resolution of the header Date in ms. */
const SECOND_MS = 1_000;

/**
 * Returns the progress of a poll that has read nothing yet.
 *
 * @param saved state of the last poll; undefined in the first one
 */
export function startReading(
	{ watch, spending, memory }: Pick<Reading, 'watch' | 'spending' | 'memory'>,
	saved: TriggerState | undefined,
): Reading {
	return {
		watch,
		spending,
		memory,
		state: saved ?? startState(watch, 0),
		hasBegun: saved !== undefined,
		changes: [],
		mustOutlast: false,
		hasReadMember: false,
		servedAt: 0,
		isHeadDone: false,
		hasScanned: false,
		isScanDone: false,
		reported: new Set(),
	};
}

/*
 * The state keeps one line of text for each record. A line begins with a letter: one character for the number of the last
 * scan that saw the record. An old letter means that the record is missing from the list. Letters repeat after 36 scans.
 */
const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Number of rounds with distinct letters. A round has two scans: of the list and, if needed, of the archived people. */
const ROUNDS = LETTERS.length / 2;

/** Returns whether scans request only people after the high-water mark. */
export function readsNewOnly({ watch, state }: Pick<Reading, 'watch' | 'state'>): boolean {
	return watch.readsNewOnly && !state.readsAll;
}

export function scanLetter(number: number): string {
	return LETTERS.charAt(number % LETTERS.length);
}

/** Returns the number of rounds since a record was last seen: 0 for the current round. */
export function roundsSince(line: string, { number }: TriggerState['scan']): number {
	const seenIn = Math.floor(LETTERS.indexOf(line.charAt(0)) / 2);
	return (Math.floor(number / 2) - seenIn + 100 * ROUNDS) % ROUNDS;
}

export function recall({ watch, state }: Reading, key: string): Snapshot | undefined {
	const line = state.records.get(key);
	return line === undefined ? undefined : fromText(line.slice(1), watch.aspects, state.columns);
}

/** Remembers a snapshot, with the letter of the last scan that saw the record. */
export function remember(
	{ watch, state }: Reading,
	key: string,
	record: Snapshot,
	letter: string,
): void {
	state.records.set(key, letter + toText(record, watch.aspects, state.columns));
}

/** Result of comparing a page with the remembered records, besides the events. */
interface PageComparison {
	/** Number of records that this scan had not seen before. Records that the trigger ignores count, too. */
	newInScan: number;
	/** Records of the watched list that were never seen before. */
	firstSeen: IDataObject[];
	/** Whether the last record of the page is new, or differs from its remembered snapshot. */
	isLastChanged: boolean;
}

/**
 * Compares a page with the remembered records, collects the events, and remembers the new snapshots. Every page goes
 * through this function, even if another trigger read it. Skips records without an ID: nothing tells them apart.
 *
 * @param isScanPage whether the page belongs to the scan; otherwise known records keep the letter of their last scan
 */
export function compareRecords(
	reading: Reading,
	members: readonly unknown[],
	isScanPage: boolean,
): PageComparison {
	const { watch, state, reported } = reading;
	const { number } = state.scan;
	const compared: PageComparison = { newInScan: 0, firstSeen: [], isLastChanged: false };
	for (const record of members.map(asRecord)) {
		const key = recordKey(watch, record);
		compared.isLastChanged = false;
		if (key === undefined || isBeforeMark(state, record)) {
			compared.newInScan++;
			continue;
		}
		const line = state.records.get(key);
		const seenIn = line?.charAt(0);
		if (seenIn !== scanLetter(number)) compared.newInScan++;
		const before = recall(reading, key);
		const after = snapshotOf(watch, record, before, reading.servedAt);
		if (!before && after.membership !== 'out') compared.firstSeen.push(record);
		const letter = isScanPage ? scanLetter(number) : (seenIn ?? scanLetter(number - 2));
		if (before && isStale(before, after, reported.has(key))) {
			state.records.set(key, letter + (line ?? '').slice(1));
			continue;
		}
		remember(reading, key, after, letter);
		compared.isLastChanged = state.records.get(key)?.slice(1) !== line?.slice(1);
		const found = detectEvents(reading, { record, before, after });
		const matches = watch.matches(record);
		if (matches) reading.changes.push(...found);
		if (!before || found.length > 0) reported.add(key);
		const isReported = matches && found.length > 0;
		if (!isReported && changesPlace(watch, record, before, after)) reading.mustOutlast = true;
	}
	return compared;
}

/**
 * Returns whether the new snapshot is outdated, as from a lagging replica: its time of change is earlier. A remembered
 * time that was ahead of the service's clock proves nothing. With equal times, a snapshot is outdated if this poll has
 * already found the change, or if the person was deleted.
 */
function isStale(before: Snapshot, after: Snapshot, isReported: boolean): boolean {
	const [was, is] = [changeTimeOf(before), changeTimeOf(after)];
	if (!was || !is || is.at > was.at) return false;
	if (is.at < was.at) return !was.wasAhead;
	return isReported || (before.membership === 'gone' && isInSegment(after));
}

/** Returns the events between two snapshots of a record. */
export function detectEvents(
	{ watch, state: { began, isListRead }, servedAt }: Reading,
	{
		record,
		before,
		after,
	}: { record: IDataObject; before?: Snapshot | undefined; after?: Snapshot },
): ChangeEvent[] {
	const { events, hasWritableTimes, watchedFields, filteredFields } = watch;
	const createdAt = instantOf(record.createdAt);
	// Until the list has been read, a record created in the second when the trigger began counts as old.
	const from = isListRead ? began : began + SECOND_MS;
	// A creation time ahead of the service's clock cannot tell new from old. A time without a zone may be hours off.
	const isDated = createdAt !== undefined && createdAt < servedAt + SECOND_MS;
	const isLater = isDated && wholeSecond(createdAt) >= from;
	const isTimed = isDated && isZoned(record.createdAt) && !hasWritableTimes;
	const isNew = isTimed ? isLater : isListRead || (hasWritableTimes && isLater);
	const known = { isNew, isListRead, began, now: servedAt };
	const compared = { record, before, after, ...known, watchedFields, filteredFields };
	return events.flatMap((event) => {
		const was = event.detect(compared);
		return was ? [{ event, record, before: was }] : [];
	});
}

/** Returns whether a record was created before the high-water mark. The trigger ignores records older than the mark. */
function isBeforeMark({ from }: TriggerState, { createdAt }: IDataObject): boolean {
	return from !== undefined && (instantOf(createdAt) ?? -Infinity) < from;
}

/**
 * Returns whether a record has come into the segment, or has left the segment or the filtered column. A restart must
 * not lose this fact: without it, the trigger does not report that a new member leaves, or that a record comes back.
 */
function changesPlace(
	{ isMember, matches }: Watch,
	record: IDataObject,
	before: Snapshot | undefined,
	after: Snapshot,
): boolean {
	if (isMember) return isInSegment(before) !== isInSegment(after);
	if (before?.status === undefined || matches(record)) return false;
	return matches({ ...record, status: before.status, workspace: undefined });
}
