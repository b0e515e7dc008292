import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../contract/blank';
import type { Page } from '../transport/paging';
import { ListRead } from '../transport/paging';
import { Cancelled } from '../transport/requestErrors';
import { ServiceError } from '../transport/serviceErrors';
import type { Directory } from './directory';

/** Titles change rarely: a list is read once an hour for them. */
const KEEP_MS = 60 * 60_000;
/** What nobody knows may be new: the list is read again, though not for each such record. */
const KEEP_UNKNOWN_MS = 10 * 60_000;
/** A read for which there was no room, or no answer, is gone on with a little later. */
const LATER_MS = 60_000;
/** 600 records as a rule: whoever has more sees titles of these. */
const MOST_PAGES = 20;

/** The lists whose records have titles that others are shown with. */
export type TitledList = '/segments' | '/workspaces';

/**
 * Reads one page of a list.
 *
 * @param query which page, and how many records it has
 * @returns undefined where there is no room for it now
 */
type ReadPage = (query: ReadonlyArray<readonly [string, string]>) => Promise<Page | undefined>;

/** How far the read of a list has come. */
interface Reading {
	/** What was read of a list that is not read to its end. */
	list: ListRead;
	/** Pages that were read of it. */
	pages: number;
	/** Refusals of the service in a row. */
	refusals: number;
	/** When it could not be read last, and when it may be asked for again, in ms of the clock's `now`. */
	failedAt: number;
	notBefore: number;
	/** Present while it is read. */
	underWay?: Promise<void>;
}

interface WholeRead {
	isComplete: boolean;
	isWanted?: boolean;
	readPage: ReadPage;
	now: number;
}

const readings = new WeakMap<Directory, Map<TitledList, Reading>>();

/**
 * Reads a list to its end for the titles of its records, unless that was done within the hour; where one
 * is wanted that is not known, within ten minutes. Whoever asks meanwhile shares the read. Does not throw:
 * a title that cannot be had is not worth a run.
 *
 * @param isComplete whether all titles that are wanted are known
 * @param isWanted whether any is wanted now, so that a read that failed is tried again within the hour
 * @param now ms of the clock's `now`
 */
export async function readWhole(
	directory: Directory,
	list: TitledList,
	{ isComplete, isWanted = true, readPage, now }: WholeRead,
): Promise<void> {
	const reading = readingOf(directory, list);
	if (reading.underWay) return await reading.underWay;
	const last = directory.wholeList(list);
	const keepMs = isComplete ? KEEP_MS : KEEP_UNKNOWN_MS;
	const isBegun = reading.pages > 0;
	const notBefore = isWanted || isBegun ? reading.notBefore : reading.failedAt + KEEP_MS;
	if ((last && now - last.readAt < keepMs) || now < notBefore) return;
	reading.underWay = readPages(directory, list, { reading, readPage, now }).finally(() => {
		reading.underWay = undefined;
	});
	await reading.underWay;
}

function readingOf(directory: Directory, list: TitledList): Reading {
	const ofDirectory = readings.get(directory) ?? new Map<TitledList, Reading>();
	readings.set(directory, ofDirectory);
	const reading = ofDirectory.get(list) ?? {
		...notBegun(),
		failedAt: -Infinity,
		notBefore: -Infinity,
	};
	ofDirectory.set(list, reading);
	return reading;
}

async function readPages(
	directory: Directory,
	list: TitledList,
	{ reading, readPage, now }: { reading: Reading; readPage: ReadPage; now: number },
): Promise<void> {
	for (; reading.pages < MOST_PAGES && !reading.list.isDone; reading.pages++) {
		const page = await readPage(reading.list.nextPageQuery()).catch(endingOf);
		if (page === undefined || typeof page === 'string') {
			reading.refusals = page === 'refused' ? reading.refusals + 1 : 0;
			reading.failedAt = now;
			reading.notBefore = now + waitAfter(page, reading.refusals);
			return;
		}
		directory.notice(page.members, list);
		reading.list.add(page);
	}
	directory.keepWhole(list, reading.list.records.filter(isObject) as IDataObject[], now);
	Object.assign(reading, notBegun());
}

function notBegun(): Pick<Reading, 'list' | 'pages' | 'refusals'> {
	return { list: new ListRead(Infinity), pages: 0, refusals: 0 };
}

type Ending = 'refused' | 'cancelled' | undefined;

function endingOf(error: unknown): Ending {
	if (error instanceof Cancelled) return 'cancelled';
	const { status = 0 } = error instanceof ServiceError ? error : {};
	return status >= 400 && status < 500 && status !== 429 ? 'refused' : undefined;
}

/** Another run may go on at once where one was cancelled; what is refused twice is refused for longer. */
function waitAfter(ending: Ending, refusals: number): number {
	if (ending === 'cancelled') return 0;
	return refusals > 1 ? KEEP_UNKNOWN_MS : LATER_MS;
}
