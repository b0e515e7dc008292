import type { IDataObject } from 'n8n-workflow';
import { isZoned } from '../common/dateTime';
import { asRecord } from '../runtime/output';
import { idText, shortHash } from './fingerprint';
import { memberKey } from './memberKey';
import { markOf, MARKS } from './memory';
import type { Observation } from './observation';
import { observe } from './observation';
import type { Dictionary } from './observationText';
import { fromText, toText } from './observationText';
import type { Steps, TriggerState } from './state';
import type { Instant } from './times';
import { later, timeOf, wholeSecond } from './times';
import type { ChangeEvent, ServedPage, Watch } from './watch';

/** Length of the keys of a memory; undefined where they are ids, whose length varies. */
export function keyLengthOf({ isMember }: Watch): number | undefined {
	return isMember ? undefined : shortHash('').length;
}

function memoryKeyOf({ isMember }: Watch, record: IDataObject): string | undefined {
	const id = idText(record);
	if (id === undefined) return undefined;
	return isMember ? memberKey(id) : shortHash(id);
}

/** What comparing the records of a page with what is remembered gave. */
export interface Compared {
	state: TriggerState;
	changes: ChangeEvent[];
	/** Records that this scan had not seen before. */
	unseen: number;
	/** Records that were never seen before. */
	unknown: number;
	/** Records of which something has changed, those never seen among them. */
	news: number;
	hasMatch: boolean;
}

/**
 * Compares the records of a page with what is remembered, and remembers them. Records without an id
 * cannot be told apart, and are left out.
 *
 * @param isOfScan whether the full scan has come to this page; else it has still to come to its records
 */
export function compare(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	isOfScan: boolean,
): Compared {
	const { number } = state.scan;
	const mark = markOf(number);
	const memory = new Map<string, string | undefined>();
	let {
		dictionary,
		newestChange,
		departures,
	}: { dictionary: Dictionary; newestChange?: Instant; departures: number } = state;
	const changes: ChangeEvent[] = [];
	let [unseen, unknown, news] = [0, 0, 0];
	let hasMatch = false;
	for (const record of page.members.map(asRecord)) {
		const key = memoryKeyOf(watch, record);
		if (key === undefined || isBeforeWindow(watch, state, record)) continue;
		const known = memory.has(key) ? memory.get(key) : state.memory.get(key);
		const before =
			known === undefined ? undefined : fromText(known.slice(1), watch.aspects, dictionary);
		if (known === undefined) unknown++;
		if (known?.charAt(0) !== mark) unseen++;
		newestChange = later(newestChange, timeOf(record.updatedAt));
		const freshFrom = Math.min(newestChange ?? page.servedAt, page.servedAt);
		const isMember = watch.isMember?.(record) ?? true;
		const now = isMember ? observe(record, watch.aspects, freshFrom, before) : undefined;
		// An answer that is older than the one before comes from a copy that lags behind.
		const after = isOlder(now, before) ? before : now;
		const matches = watch.matches(record);
		// Of who is deleted nothing else can be seen any more.
		if (after?.membership && !matches) after.membership = 'other';
		hasMatch ||= matches && isMember;
		const found = detected(watch, state, { record, before, after });
		if (matches) changes.push(...found);
		if (known === undefined || found.length > 0) news++;
		const isTold = matches && found.length > 0;
		if (before && !isTold && !(matches && isMember) && hasLeft(watch, record, before)) departures++;
		if (!after) {
			if (known !== undefined) memory.set(key, undefined);
			continue;
		}
		const written = toText(after, watch.aspects, dictionary);
		dictionary = written.dictionary;
		const seenIn = isOfScan ? mark : (known?.charAt(0) ?? markOf(number + MARKS - 1));
		memory.set(key, seenIn + written.text);
	}
	return {
		state: {
			...state,
			memory: state.memory.with(memory),
			dictionary: [...dictionary],
			...(newestChange === undefined ? {} : { newestChange }),
			departures,
		},
		changes,
		unseen,
		unknown,
		news,
		hasMatch,
	};
}

/** The events that have happened between two observations of a record. */
export function detected(
	{ events, mayBeBackdated }: Pick<Watch, 'events' | 'mayBeBackdated'>,
	{ began, isListRead }: TriggerState,
	{ record, before, after }: { record: IDataObject; before?: Observation; after?: Observation },
): ChangeEvent[] {
	const createdAt = timeOf(record.createdAt);
	// Of the second in which the trigger began, only what was not there when the list was read is new.
	const from = isListRead ? began : began + 1000;
	const isLater = createdAt !== undefined && wholeSecond(createdAt) >= from;
	// A time without a zone may be hours off.
	const isTimed = createdAt !== undefined && isZoned(record.createdAt) && !mayBeBackdated;
	const isNew = isTimed ? isLater : isListRead || (mayBeBackdated && isLater);
	return events.flatMap((event) => {
		const was = event.detect({ record, before, after, isNew, isListRead, began });
		return was ? [{ event, record, before: was }] : [];
	});
}

/** What lies before the window was told, if it had to be, and forgotten. */
function isBeforeWindow(
	{ hasWindow, hasScan }: Watch,
	{ window }: TriggerState,
	record: IDataObject,
): boolean {
	if (!hasWindow || hasScan || window?.from === undefined) return false;
	const createdAt = timeOf(record.createdAt);
	return createdAt === undefined || createdAt < window.from;
}

function isOlder(now: Observation | undefined, before: Observation | undefined): boolean {
	return (
		now?.updatedAt !== undefined &&
		before?.updatedAt !== undefined &&
		now.updatedAt < before.updatedAt
	);
}

/** Whether a record passed the filters by what is remembered of it: it has left, and may come back. */
function hasLeft({ isMember, matches }: Watch, record: IDataObject, before: Observation): boolean {
	if (isMember) return true;
	if (before.status === undefined) return false;
	return matches({ ...record, status: before.status, workspace: undefined });
}

/** How times follow each other, with one more page. */
export function withSteps(steps: Steps, times: Array<Instant | undefined>): Steps {
	let { last, rising, falling } = steps;
	for (const time of times) {
		if (time === undefined) continue;
		if (last !== undefined && time > last) rising++;
		if (last !== undefined && time < last) falling++;
		last = time;
	}
	return { ...(last === undefined ? {} : { last }), rising, falling };
}
