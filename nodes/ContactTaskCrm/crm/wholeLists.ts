import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { RunStopped, ServiceError, isNoSuchList } from '../util/failures';
import { ListRead } from '../http/listRead';
import { type Page, QUICK } from '../http/paging';
import { isSuccess } from '../http/send';
import type { Query } from '../http/request';
import { type Collection, type RecordContract, SOURCES, type TitleSource } from '../schema/record';
import { completeListOf, type Tenant } from './tenant';
import { isObject } from '../values/json';
import type { ErrorCode } from '../util/codes';
import { rethrow, ExplainedError } from '../util/errors';
import type { Client } from './client';
import { readList } from './readList';

/*
 * Lists that the node reads to their end. Each tenant caches them in `titleReads`. For titles in the output, the node
 * reads a list page by page, when a slot is free. If such a read fails, the output lacks the titles. A write that
 * depends on a title needs the complete list: the unread part may have a second record with the same title. The editor
 * adds its lists to the cache, too.
 */

/** Minimum time in ms between two reads of a list for its titles. Titles change rarely. */
const KEEP_MS = 60 * 60_000;
/** Minimum time in ms between two reads of a list that lacks a wanted title. The wanted record may be new. */
const KEEP_UNKNOWN_MS = 10 * 60_000;
/**
 * Wait in ms until the next read of a list, by the reason why the last read ended early. After a stopped run, another
 * run may read on at once.
 */
const WAITS_MS = {
	stopped: 0,
	unanswered: 60_000,
	refused: KEEP_UNKNOWN_MS,
	absent: KEEP_UNKNOWN_MS,
};
/** Maximum number of pages that are read of a list: 600 records if the pages are full. */
const MOST_TITLE_PAGES = 20;

/** How the last read of a list for its titles ended. */
interface TitleRead {
	/** Unfinished read, with its number of pages. Absent if the list was read to its end. */
	open?: { list: ListRead; pages: number };
	/** Time in ms until the next read. Absent if the list was read to its end. */
	waitMs?: number;
}

/**
 * Reads a list for the titles of its records, unless the last read is recent enough. Callers during a read share this
 * read. The function does not throw, because no run should fail for a title.
 *
 * @param isComplete whether all wanted titles are known
 * @param readPage reads one page; returns undefined if there is no slot for it now
 */
export async function readTitledList(
	{ description, directory, titleReads }: Tenant,
	path: Collection,
	{
		isComplete,
		readPage,
	}: { isComplete: boolean; readPage: (query: Query) => Promise<Page | undefined> },
): Promise<void> {
	const last = titleReads.peek<TitleRead>(path);
	const isShown = !SOURCES[path].isUndocumented;
	if (description.isMissing(path)) return;
	const readOn = async (): Promise<TitleRead> => {
		const { list, pages: begun } = last?.open ?? { list: new ListRead(Infinity, QUICK), pages: 0 };
		for (let pages = begun; pages < MOST_TITLE_PAGES && !list.isDone; pages++) {
			const page = await readPage(list.query()).catch(endingOf);
			if (page === 'absent' && pages === 0 && !isShown) {
				description.noteMissing(path);
				return { waitMs: 0 };
			}
			if (page === undefined || typeof page === 'string') {
				return { open: { list, pages }, waitMs: WAITS_MS[page ?? 'unanswered'] };
			}
			directory.notice(page.members, path);
			description.learn(page.members, { collection: path, fields: {} });
			list.add(page);
		}
		directory.keepWhole(path, list.records.filter(isObject) as IDataObject[]);
		return {};
	};
	// Keeps an undocumented list (users or tags) for an hour, even if it lacks a wanted record. The record is probably
	// deleted, and not new.
	const keepMs = isComplete || !isShown ? KEEP_MS : KEEP_UNKNOWN_MS;
	await titleReads.get(path, { maxAgeMs: last?.waitMs ?? keepMs, read: readOn });
}

function endingOf(error: unknown): 'absent' | 'refused' | 'stopped' | undefined {
	if (error instanceof RunStopped) return 'stopped';
	const { status = 0 } = error instanceof ServiceError ? error : {};
	// A successful answer that is no list counts as "absent": the service seems to have no list at this path.
	if (isNoSuchList(error) || isSuccess(status)) return 'absent';
	return status >= 400 && status < 500 ? 'refused' : undefined;
}

/**
 * Puts a list that was read to its end into the cache.
 *
 * @param readAt start of the read, by the clock's `now`
 */
export function keepWholeList(
	{ directory, titleReads }: Tenant,
	path: string,
	records: readonly IDataObject[],
	readAt = systemClock.now(),
): void {
	// The records may come from a cached page, and must not replace a list that was read after them.
	if (titleReads.isFresh(path, systemClock.now() - readAt)) return;
	directory.keepWhole(path, records);
	titleReads.set(path, {} satisfies TitleRead, readAt);
}

/** Returns a whole list, or the reason why it could not be read. `list` is absent if the service has no such list. */
export async function readWholeList(
	client: Client,
	{ list: path, isUndocumented }: TitleSource,
	maxAgeMs: number,
): Promise<{ list?: readonly IDataObject[] } | { expected: string; code: ErrorCode }> {
	const { tenant } = client;
	const plural = path.slice(1);
	const nothing = { locator: '', fields: {}, filters: {}, usual: '', orders: {} };
	const contract: RecordContract = { noun: 'record', plural, collection: path, ...nothing };
	let page = 1;
	const read = async (): Promise<{ list?: readonly IDataObject[] }> => {
		try {
			const check = () => void page++;
			const { records } = await readList(client, { path, limit: Infinity, contract, check });
			const list = records.filter(isObject) as IDataObject[];
			keepWholeList(tenant, path, list);
			return { list };
		} catch (error) {
			if (!isUndocumented || page > 1 || !isNoSuchList(error)) return rethrow(error);
			tenant.description.noteMissing(path);
			return {};
		}
	};
	if (tenant.description.isMissing(path)) return {};
	try {
		return await tenant.titleReads.get(completeListOf(path), { maxAgeMs, isStrict: true, read });
	} catch (error) {
		if (!(error instanceof ExplainedError) || error instanceof RunStopped) return rethrow(error);
		const expected = `page ${page} of the ${plural} could not be read: ${error.text}`;
		return { expected, code: error.facts.code };
	}
}
