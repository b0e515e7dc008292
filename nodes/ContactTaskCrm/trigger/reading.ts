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
	/** Whether this poll has checked that the segment exists, so that it may read any number of missing members. */
	isSegmentChecked: boolean;
	/** Time of the last page, by the service's clock. */
	servedAt: number;
	/** Whether this poll needs no further page of the head. */
	isHeadDone: boolean;
	/** Whether this poll has applied a page of the scan, which this trigger or another trigger has read. */
	hasScanned: boolean;
	/**
	 * Whether this poll needs no further page of a scan, because a scan has ended. After a skipped page, and until the
	 * list has been read, the poll goes on with the next scan.
	 */
	isScanDone: boolean;
	/**
	 * Keys of the records that this poll has seen for the first time, or found an event for. A later answer with the same
	 * `updatedAt` may come from a lagging replica. So the record in such an answer counts as outdated.
	 */
	reported: Set<string>;
}

/** The next request of a poll, and the handling of its answer. */
export interface Step {
	/** Query for a list page, key of a person to read, or anchor to check. For an anchor, `onPage` gets an empty page. */
	request: QueryPair[] | string | Anchor;
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
		isSegmentChecked: false,
		servedAt: 0,
		isHeadDone: false,
		hasScanned: false,
		isScanDone: false,
		reported: new Set(),
	};
}

/*
 * The state keeps one line of text for each record, such as "4mbx2k9d0". The first character of a line, from `LETTERS`,
 * stands for the last scan that saw the record. If the character stands for an older scan, the record may be missing
 * from the list. After 36 scan numbers, the characters repeat.
 */
const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';
/**
 * Number of rounds until the characters of `LETTERS` repeat. Each round uses two characters: one for the scan of the
 * list, and one for the scan of archived people. A round without the second scan uses two characters as well.
 */
const ROUNDS = LETTERS.length / 2;

/**
 * Returns whether scans begin at a high-water mark (`mark.ts`). They do so if Person Created is the only event, and the
 * trigger has not given up the mark.
 */
export function readsNewOnly({ watch, state }: Pick<Reading, 'watch' | 'state'>): boolean {
	return watch.readsNewOnly && !state.readsAll;
}

/**
 * Returns the letter or digit that stands for a scan. In the state, the line of a record begins with the character of
 * the last scan that saw the record.
 */
export function scanLetter(number: number): string {
	return LETTERS.charAt(number % LETTERS.length);
}

/**
 * Returns the number of rounds since a scan last saw a record; 0 for the current round.
 *
 * @param line line of the record in the state. The first character stands for the last scan that saw the record
 */
export function roundsSince(line: string, { number }: TriggerState['scan']): number {
	const seenIn = Math.floor(LETTERS.indexOf(line.charAt(0)) / 2);
	return (Math.floor(number / 2) - seenIn + ROUNDS) % ROUNDS;
}

/** Returns the remembered snapshot of a record; undefined if the trigger does not know the record. */
export function recall({ watch, state }: Reading, key: string): Snapshot | undefined {
	const line = state.records.get(key);
	return line === undefined ? undefined : fromText(line.slice(1), watch.aspects, state.columns);
}

/**
 * Remembers a snapshot in the state.
 *
 * @param letter character that stands for the last scan that saw the record (`scanLetter`)
 */
export function remember(
	{ watch, state }: Reading,
	key: string,
	record: Snapshot,
	letter: string,
): void {
	state.records.set(key, letter + toText(record, watch.aspects, state.columns));
}

/** Result of comparing a record with its remembered snapshot. The events go to `reading.changes` instead. */
interface ComparedRecord {
	record: IDataObject;
	/**
	 * Whether this scan sees the record for the first time. True for an ignored record, because the service's total
	 * counts it.
	 */
	isNewInScan: boolean;
	/** Whether the trigger sees the record for the first time. False for a person outside the watched segment. */
	isFirstSeen: boolean;
	/** Whether the record is new, or differs from its remembered snapshot. */
	isChanged: boolean;
}

/**
 * Compares a page with the remembered records, collects the events, and remembers the new snapshots. Another trigger
 * may have read the page. Skips a record without an ID, because nothing identifies such a record.
 *
 * @param isScanPage whether the page belongs to the scan. If so, the state notes that this scan saw the records
 */
export function compareRecords(
	reading: Reading,
	members: readonly unknown[],
	isScanPage: boolean,
): ComparedRecord[] {
	return members.map((member) => compareRecord(reading, asRecord(member), isScanPage));
}

function compareRecord(reading: Reading, record: IDataObject, isScanPage: boolean): ComparedRecord {
	const { watch, state, reported } = reading;
	const { number } = state.scan;
	const key = recordKey(watch, record);
	if (key === undefined || isBeforeMark(state, record)) {
		return { record, isNewInScan: true, isFirstSeen: false, isChanged: false };
	}
	const line = state.records.get(key);
	const seenIn = line?.charAt(0);
	const before = recall(reading, key);
	const after = snapshotOf(watch, record, before, reading.servedAt);
	const isNewInScan = seenIn !== scanLetter(number);
	const isFirstSeen = !before && after.membership !== 'out';
	const letter = isScanPage ? scanLetter(number) : (seenIn ?? scanLetter(number - 2));
	if (before && isStale(before, after, reported.has(key))) {
		state.records.set(key, letter + (line ?? '').slice(1));
		return { record, isNewInScan, isFirstSeen, isChanged: false };
	}
	remember(reading, key, after, letter);
	reportChange(reading, key, { record, before, after });
	const isChanged = state.records.get(key)?.slice(1) !== line?.slice(1);
	return { record, isNewInScan, isFirstSeen, isChanged };
}

/** Collects the events of a record, and notes whether the new state must survive a restart. */
function reportChange(
	reading: Reading,
	key: string,
	compared: { record: IDataObject; before: Snapshot | undefined; after: Snapshot },
): void {
	const { watch, reported } = reading;
	const { record, before, after } = compared;
	const found = detectEvents(reading, compared);
	const matches = watch.matches(record);
	if (matches) reading.changes.push(...found);
	if (!before || found.length > 0) reported.add(key);
	const isReported = matches && found.length > 0;
	if (!isReported && changesPlace(watch, record, before, after)) reading.mustOutlast = true;
}

/**
 * Returns whether the snapshot `after` is outdated, for example because it comes from a lagging replica. There are
 * three cases:
 *
 * - `updatedAt` is earlier than in `before`, and the remembered time was not ahead of the service's clock (`wasAhead`).
 * - `updatedAt` is the same, and this poll has already found the change (`isReported`).
 * - `updatedAt` is the same, and `after` shows a deleted person as a member.
 */
function isStale(before: Snapshot, after: Snapshot, isReported: boolean): boolean {
	const [remembered, present] = [changeTimeOf(before), changeTimeOf(after)];
	if (!remembered || !present || present.at > remembered.at) return false;
	if (present.at < remembered.at) return !remembered.wasAhead;
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
	const { events, hasWritableTimes, watchedFields, filteredFields, beforeDueMs } = watch;
	const createdAt = instantOf(record.createdAt);
	// The header Date gives `began` only to the second. A record created in that second may be older than the trigger.
	// Such a record counts as old until the list has been read.
	const newSince = isListRead ? began : began + SECOND_MS;
	// `isTimed`: the creation time decides whether a record is new. Three kinds of time are not reliable enough. A time
	// ahead of the service's clock is wrong. A time without a zone may be hours off. A time that users can write may be
	// old on a new record. Without a reliable time, an unknown record counts as new once the list was read. Before that,
	// only a writable time that lies after the beginning makes a record new.
	const isDated = createdAt !== undefined && createdAt < servedAt + SECOND_MS;
	const isLater = isDated && wholeSecond(createdAt) >= newSince;
	const isTimed = isDated && isZoned(record.createdAt) && !hasWritableTimes;
	const isNew = isTimed ? isLater : isListRead || (hasWritableTimes && isLater);
	const known = { isNew, isListRead, began, now: servedAt };
	const settings = { watchedFields, filteredFields, beforeDueMs };
	const compared = { record, before, after, ...known, ...settings };
	return events.flatMap((event) => {
		const previous = event.detect(compared);
		return previous ? [{ event, record, previous }] : [];
	});
}

/**
 * Returns whether the trigger ignores a record, because the record was created before the high-water mark `from`. A
 * record without a creation time counts as old. Only a trigger with Person Created alone has a mark.
 */
function isBeforeMark({ from }: TriggerState, { createdAt }: IDataObject): boolean {
	return from !== undefined && (instantOf(createdAt) ?? -Infinity) < from;
}

/**
 * Returns whether a person has joined or left the segment, or a task has left the column in the filter. If so, n8n must
 * save the state, even if the poll has no items. After a restart with an older state, the trigger would miss the next
 * event. Examples: the new member leaves, or the task comes back.
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
