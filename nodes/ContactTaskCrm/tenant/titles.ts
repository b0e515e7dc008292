import type { IDataObject } from 'n8n-workflow';
import { Cancelled, isNoSuchList, ServiceError } from '../http/errors';
import type { Page } from '../http/paging';
import { ListRead, MAX_PAGE_SIZE, pageOf, QUICK } from '../http/paging';
import { isSuccess } from '../http/send';
import type { Query } from '../http/request';
import { isObject } from '../util/values';
import { idOf, iriOf, NO_CHOICE } from '../util/iri';
import type { Client } from './client';
import type { Collection, Directory, TitleSource } from './directory';
import { COLUMNS, sourceOf } from './directory';
import type { Tenant } from './tenant';

/**
 * Whether a text has to be looked up as a title. An ID has a digit and no white space, an IRI begins with a
 * slash or stands behind a title in brackets; the ID of a column says nothing without its workspace.
 */
export function isTitle(text: string, collection: Collection): boolean {
	if (text === '' || text === NO_CHOICE || /^(\/|\.|https?:)/.test(text)) return false;
	if (text.endsWith(')') && 'value' in iriOf(text, collection)) return false;
	if (collection === COLUMNS) return true;
	const isWord = 'value' in idOf(text, collection);
	return isWord ? !/\d/.test(text) : / /.test(text) && !/[\n\r\t]/.test(text);
}

/** Titles change rarely: a list is read once an hour for them, or asked for whether it is there. */
const KEEP_MS = 60 * 60_000;
/** What nobody knows may be new: the list is read again, though not for each such record. */
const KEEP_UNKNOWN_MS = 10 * 60_000;
/** A read for which there was no room, or no answer, is gone on with a little later. */
const LATER_MS = 60_000;
/** 600 records as a rule: whoever has more sees titles of these. */
const MOST_PAGES = 20;

/** A list that is read for its titles: to its end, or as far as it came. */
interface TitleRead {
	list: ListRead;
	pages: number;
	/** Why it came no further: it is asked for again after so many ms. */
	waitMs?: number;
	/** How often the service refused it in a row. */
	refusals: number;
	/** Whether the service has no such list. */
	isAbsent?: boolean;
}

/** Reads one page of a list; undefined where there is no room for it now. */
type ReadPage = (query: Query) => Promise<Page | undefined>;

/**
 * Reads a list to its end for the titles of its records, unless that was done within the hour; where one
 * is wanted that is not known, within ten minutes. Whoever asks meanwhile shares the read. Does not throw:
 * a title that cannot be had is not worth a run.
 *
 * @param isComplete whether all titles that are wanted are known
 */
export async function readTitledList(
	tenant: Tenant,
	path: Collection,
	{ isComplete, readPage }: { isComplete: boolean; readPage: ReadPage },
): Promise<void> {
	const last = tenant.titleReads.peek<TitleRead>(path);
	// Whom a list lacks that the interface does not show may have left long ago.
	const isKept = isComplete || !sourceOf(path).isShown;
	const maxAgeMs = last?.waitMs ?? (isKept ? KEEP_MS : KEEP_UNKNOWN_MS);
	const read = async () => await readOn(tenant.directory, path, last, readPage);
	await tenant.titleReads.get(path, { maxAgeMs, read });
}

async function readOn(
	directory: Directory,
	path: Collection,
	last: TitleRead | undefined,
	readPage: ReadPage,
): Promise<TitleRead> {
	const isBegun = last?.waitMs !== undefined && !last.isAbsent;
	const list = isBegun ? last.list : new ListRead(Infinity, QUICK);
	const refused = last?.refusals ?? 0;
	for (let pages = isBegun ? last.pages : 0; pages < MOST_PAGES && !list.isDone; pages++) {
		const page = await readPage(list.query()).catch(endingOf);
		if (page === 'absent' && pages === 0 && !sourceOf(path).isShown) return absent();
		if (page === undefined || typeof page === 'string') {
			const refusals = page === undefined || page === 'cancelled' ? 0 : refused + 1;
			return { list, pages, refusals, waitMs: waitAfter(page, refusals) };
		}
		directory.notice(page.members, path);
		list.add(page);
	}
	directory.keepWhole(path, list.records.filter(isObject) as IDataObject[]);
	return { list, pages: 0, refusals: 0 };
}

type Ending = 'absent' | 'refused' | 'cancelled' | undefined;

function endingOf(error: unknown): Ending {
	if (error instanceof Cancelled) return 'cancelled';
	const { status = 0 } = error instanceof ServiceError ? error : {};
	// A success that is no list is none either.
	if (isNoSuchList(error) || isSuccess(status)) return 'absent';
	return status >= 400 && status < 500 ? 'refused' : undefined;
}

/** Another run may go on at once where one was cancelled; what is refused twice is refused for longer. */
function waitAfter(ending: Ending, refusals: number): number {
	if (ending === 'cancelled') return 0;
	return refusals > 1 ? KEEP_UNKNOWN_MS : LATER_MS;
}

/** The service has no such list. */
function absent(): TitleRead {
	const list = new ListRead(0);
	return { list, pages: 0, refusals: 0, waitMs: KEEP_MS, isAbsent: true };
}

/** Remembers for an hour that the service has no list of this path. */
export function noteAbsent({ titleReads }: Tenant, path: string): void {
	titleReads.set(path, absent());
}

/** Whether the service was seen to have no list of this path, within the hour. */
export function isAbsent({ titleReads }: Tenant, path: string): boolean {
	const isSeen = titleReads.peek<TitleRead>(path)?.isAbsent === true;
	return isSeen && titleReads.isFresh(path, KEEP_MS);
}

const FIRST_PAGE: Query = [['itemsPerPage', String(MAX_PAGE_SIZE)]];

/** A list was just read to its end: nothing of it has to be read for names that are only shown. */
export function noteWholeRead({ titleReads }: Tenant, path: string): void {
	const read: TitleRead = { list: new ListRead(0), pages: 0, refusals: 0 };
	titleReads.set(path, read);
}

/** Sees the names of users or tags in the first pages of the lists that show some, once an hour. */
export async function readNamesSeen({ seenIn }: TitleSource, client: Client): Promise<void> {
	const { tenant } = client;
	for (const path of seenIn) {
		const read = async () => {
			const page = await titledPage(client, path, FIRST_PAGE).catch(() => undefined);
			tenant.directory.notice(page?.members ?? [], path);
		};
		await tenant.titleReads.get(`first page of ${path}`, { maxAgeMs: KEEP_MS, read });
	}
}

/**
 * One page of a list that is read for titles.
 *
 * @throws what the request throws, or ServiceError where the answer is no list
 */
export async function titledPage(client: Client, path: string, query: Query): Promise<Page> {
	const asked = { method: 'GET' as const, path, query, subject: { noun: 'list' } };
	const response = await client.request(asked);
	const page = pageOf(response.body);
	if (!page) throw client.unreadable(response, asked);
	return page;
}
