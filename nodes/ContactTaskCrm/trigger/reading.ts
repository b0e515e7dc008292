import type { IDataObject } from 'n8n-workflow';
import type { ServedPage } from '../http/paging';
import { asRecord } from '../run/output';
import { instantOf, isZoned, wholeSecond } from '../util/dateTime';
import { CLOCK_SLACK_MS } from './detectors';
import type { Snapshot } from './remembered';
import { fromText, isInSegment, keyOf, snapshotOf, toText } from './remembered';
import type { TriggerState } from './state';
import { startState } from './state';
import type { Anchor, QueryPair } from './lists';
import type { ChangeEvent, Watch } from './watch';

/** One poll: what it reads, and its results so far. A later failure leaves these results valid. */
export interface Reading {
	readonly watch: Watch;
	state: TriggerState;
	/** Whether the trigger has begun: there was a state, or something was read. */
	hasBegun: boolean;
	changes: ChangeEvent[];
	/** What kept it from reading on, or from reading some of it. */
	failure?: { error: unknown };
	/** Whether something was learned that must outlast a restart, and goes out with no item. */
	mustOutlast: boolean;
	/** Requests that it may send, and has sent. */
	limit: number;
	sent: number;
	/** Counts the polls, so that what does not fit into one poll takes turns. */
	readonly pollNumber: number;
	/** When the service gave the last page, by its own clock. */
	servedAt: number;
	isHeadDone: boolean;
	/** Whether the scan got a request in this poll, and whether it comes first since the poll before had none for it. */
	hasScanned: boolean;
	readonly isScanOverdue: boolean;
	isScanDone: boolean;
	/** Whether much has happened, as after an import: then the poll sends more, if other triggers leave it. */
	isBehind: boolean;
	/** Whether the list leaves out most members, and one of them is there; undefined where nothing says so or the contrary. */
	isContradicted?: boolean;
	/** Where the list shows changes at its beginning: the page to look at next. */
	headPage: number;
	/** Keys of the records of which something was found. */
	reported: Set<string>;
}

/** What to read next, and what comes of it. */
export interface Step {
	/**
	 * The query of a page of the list; the ID of a person, for a page of one or of none; or a record that has to exist, for
	 * an empty page.
	 */
	request: QueryPair[] | string | Anchor;
	isScanPage?: boolean;
	onPage: (page: ServedPage) => void;
	/** It cannot be read, though the service answers: whether the poll goes on. */
	onFailure: () => boolean;
}

/** The header Date holds full seconds. */
const SECOND_MS = 1_000;

/** @param saved what the last poll left; undefined in the first one */
export function startReading(
	watch: Watch,
	saved: TriggerState | undefined,
	{ pollNumber, isScanOverdue }: Pick<Reading, 'pollNumber' | 'isScanOverdue'>,
): Reading {
	return {
		watch,
		state: saved ?? startState(watch.key, 0),
		hasBegun: saved !== undefined,
		changes: [],
		mustOutlast: false,
		limit: 0,
		sent: 0,
		pollNumber,
		servedAt: 0,
		isHeadDone: false,
		hasScanned: false,
		isScanOverdue,
		isScanDone: false,
		isBehind: false,
		headPage: 1,
		reported: new Set(),
	};
}

/*
 * The first letter of a line is the mark of the scan that saw the record last, so that who is missing from
 * a scan is known without a list of its own. Marks come again after 36 scans.
 */
const MARKS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Two scans are a round: one of the list, and where it is needed one of those that the list hides. */
const ROUNDS = MARKS.length / 2;

/** The mark of a scan, by its number. */
export function markOf(number: number): string {
	return MARKS.charAt(number % MARKS.length);
}

/** The rounds since a record was last seen: 0 for the one under way. */
export function roundsSince(line: string, { number }: TriggerState['scan']): number {
	const seenIn = Math.floor(MARKS.indexOf(line.charAt(0)) / 2);
	return (Math.floor(number / 2) - seenIn + 100 * ROUNDS) % ROUNDS;
}

/** What is remembered under a key. */
export function recall({ watch, state }: Reading, key: string): Snapshot | undefined {
	const line = state.records.get(key);
	return line === undefined ? undefined : fromText(line.slice(1), watch.aspects, state.columns);
}

/** Remembers a record, as last seen by the scan of a mark. */
export function remember(
	{ watch, state }: Reading,
	key: string,
	record: Snapshot,
	mark: string,
): void {
	state.records.set(key, mark + toText(record, watch.aspects, state.columns));
}

/** What comparing the records of a page with what is remembered gave, beside changes. */
export interface PageComparison {
	/** Records that this scan had not seen before. */
	newInScan: number;
	/** Those that belong to what is watched, and were never seen before. */
	firstSeen: IDataObject[];
	/** Records of which something has changed, those never seen among them. */
	changed: number;
}

/**
 * Compares the records of a page with what is remembered, notes what has happened, and remembers them: every
 * page goes through here, whoever asked for it. Records without an id cannot be told apart, and are left out.
 *
 * @param isOfScan whether the scan has come to this page; else it has still to come to its records
 */
export function compareRecords(
	reading: Reading,
	members: readonly unknown[],
	isScanPage: boolean,
): PageComparison {
	const { watch, state, reported } = reading;
	const { number } = state.scan;
	const compared: PageComparison = { newInScan: 0, firstSeen: [], changed: 0 };
	for (const record of members.map(asRecord)) {
		const key = keyOf(watch, record);
		if (key === undefined || isBeforeMark(state, record)) {
			compared.newInScan++;
			continue;
		}
		const line = state.records.get(key);
		const seenIn = line?.charAt(0);
		if (seenIn !== markOf(number)) compared.newInScan++;
		const before = recall(reading, key);
		const after = snapshotOf(watch, record, before, reading.servedAt);
		if (!before && after.membership !== 'out') compared.firstSeen.push(record);
		const mark = isScanPage ? markOf(number) : (seenIn ?? markOf(number - 2));
		if (
			before &&
			isStale(before, after, { isReported: reported.has(key), now: reading.servedAt })
		) {
			state.records.set(key, mark + (line ?? '').slice(1));
			continue;
		}
		remember(reading, key, after, mark);
		const found = detectEvents(reading, { record, before, after });
		const matches = watch.matches(record);
		if (matches) reading.changes.push(...found);
		if (!before || found.length > 0) {
			compared.changed++;
			reported.add(key);
		}
		const isReported = matches && found.length > 0;
		if (before && !isReported && hasLeft(watch, record, before, after)) reading.mustOutlast = true;
	}
	return compared;
}

/**
 * Returns whether an answer is older than the one before, as those of a replica that lags. Two answers of one poll with
 * the same time of change are of one change. A time ahead of the service's own clock orders nothing.
 */
function isStale(
	before: Snapshot,
	after: Snapshot,
	{ isReported, now }: { isReported: boolean; now: number },
): boolean {
	if (before.updatedAt === undefined || after.updatedAt === undefined) return false;
	if (after.updatedAt < before.updatedAt) return before.updatedAt <= now + CLOCK_SLACK_MS;
	const isSame = after.updatedAt === before.updatedAt;
	return isSame && (isReported || (before.membership === 'gone' && isInSegment(after)));
}

/** The events that have happened between a record as it was and as it is. */
export function detectEvents(
	{ watch, state: { began, isListRead }, servedAt }: Reading,
	{ record, before, after }: { record: IDataObject; before?: Snapshot; after?: Snapshot },
): ChangeEvent[] {
	const { events, hasWritableTimes, watchedFields } = watch;
	const createdAt = instantOf(record.createdAt);
	// Of the second in which the trigger began, only what was not there when the list was read is new.
	const from = isListRead ? began : began + SECOND_MS;
	// A time ahead of the service's clock says nothing, and one without a zone may be hours off.
	const isDated = createdAt !== undefined && createdAt < servedAt + SECOND_MS;
	const isLater = isDated && wholeSecond(createdAt) >= from;
	const isTimed = isDated && isZoned(record.createdAt) && !hasWritableTimes;
	const isNew = isTimed ? isLater : isListRead || (hasWritableTimes && isLater);
	return events.flatMap((event) => {
		const compared = {
			record,
			before,
			after,
			isNew,
			isListRead,
			began,
			now: servedAt,
			watchedFields,
		};
		const was = event.detect(compared);
		return was ? [{ event, record, before: was }] : [];
	});
}

/** Who was created before the high-water mark was told, if that had to be, and forgotten. */
function isBeforeMark({ from }: TriggerState, { createdAt }: IDataObject): boolean {
	return from !== undefined && (instantOf(createdAt) ?? -Infinity) < from;
}

/** Whether a record passed the filters by what is remembered of it, and does no more: it may come back. */
function hasLeft(
	{ isMember, matches }: Watch,
	record: IDataObject,
	before: Snapshot,
	after: Snapshot,
): boolean {
	if (isMember) return isInSegment(before) && !isInSegment(after);
	if (before.status === undefined || matches(record)) return false;
	return matches({ ...record, status: before.status, workspace: undefined });
}
