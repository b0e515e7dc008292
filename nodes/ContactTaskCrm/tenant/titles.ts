import type { IDataObject } from 'n8n-workflow';
import { Cancelled, ServiceError } from '../http/errors';
import type { Page } from '../http/paging';
import { ListRead, MAX_PAGE_SIZE, pageOf } from '../http/paging';
import type { Query } from '../http/request';
import { isObject } from '../util/values';
import type { Resolved } from '../util/iri';
import { idOf, iriOf, lastSegment } from '../util/iri';
import type { Client } from './client';
import type { Collection, Directory, Entry } from './directory';
import { COLUMNS } from './directory';
import type { Tenant } from './tenant';

/** Where the titles or names of a collection are read. */
interface TitleSource {
	/** What messages call one of its records. */
	noun: string;
	/** The list that shows all of them. */
	list?: TitledList;
	/**
	 * Lists in which some of them may be seen with their names, where the interface has no list of them: one
	 * that it does not show comes first.
	 */
	seenIn?: readonly string[];
}

/** The lists whose records have titles that others are shown with. */
export type TitledList = '/segments' | '/workspaces';

/** The collections of which titles are understood; those of people are too many. */
const SOURCES: Partial<Record<string, TitleSource>> = {
	'/segments': { noun: 'segment', list: '/segments' },
	'/tags': { noun: 'tag', seenIn: ['/tags', '/people', '/tasks'] },
	'/users': { noun: 'user', seenIn: ['/users', '/workspaces', '/tasks', '/people'] },
	'/workspaces': { noun: 'workspace', list: '/workspaces' },
	[COLUMNS]: { noun: 'column', list: '/workspaces' },
};

/** Titles that a message lists at most: who does not see the list, such as a model, chooses from these. */
const MOST_LISTED = 30;

/** The collection whose records may be given by title; undefined for any other. */
export function titledCollection(collection: string): Collection | undefined {
	return collection in SOURCES ? (collection as Collection) : undefined;
}

/**
 * Whether a text has to be looked up as a title. An ID has a digit and no white space, an IRI begins with a
 * slash or stands behind a title in brackets; the ID of a column says nothing without its workspace.
 */
export function isTitle(text: string, collection: Collection): boolean {
	if (text === '' || /^(\/|\.|https?:)/.test(text)) return false;
	if (text.endsWith(')') && 'value' in iriOf(text, collection)) return false;
	if (collection === COLUMNS) return true;
	const isWord = 'value' in idOf(text, collection);
	return isWord ? !/\d/.test(text) : / /.test(text) && !/[\n\r\t]/.test(text);
}

/**
 * The IRI of the one record of a title, of upper or lower case; of a column "Workspace / Column", or its
 * own title where it is the only one.
 */
export function byTitle(directory: Directory, text: string, collection: Collection): Resolved {
	const entries = directory.entries(collection).map(({ iri, title }) => ({
		iri,
		title,
		whole: wholeTitle(directory, iri, title, collection),
	}));
	const wanted = comparableTitle(text);
	const exact = entries.filter(({ iri, title, whole }) =>
		[title, whole, lastSegment(iri)].some(
			(name) => name !== '' && comparableTitle(name) === wanted,
		),
	);
	const matches = withoutArchived(directory, exact);
	if (matches.length === 1) return { value: matches[0].iri };
	const { noun } = SOURCES[collection] ?? { noun: 'record' };
	const listed =
		matches.length > 0
			? matches.map(({ whole, iri }) => `${whole} (${iri})`)
			: known(withoutArchived(directory, entries));
	return {
		expected:
			matches.length > 0
				? `"${text}" is the title of ${matches.length} ${noun}s: ${shortList(listed)}`
				: `no ${noun} has the title "${text}"${listed.length > 0 ? `; there are ${shortList(listed)}` : `, as far as the service shows titles of ${noun}s`}`,
	};
}

function known(entries: ReadonlyArray<{ whole: string; title: string }>): string[] {
	const titles = new Set(entries.filter(({ title }) => title !== '').map(({ whole }) => whole));
	return [...titles].sort((one, other) => one.localeCompare(other, 'en'));
}

function shortList(texts: readonly string[]): string {
	const more = texts.length - MOST_LISTED;
	return texts.slice(0, MOST_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** "Workspace / Column", as lists in the editor show it. */
function wholeTitle(
	directory: Directory,
	iri: string,
	title: string,
	collection: Collection,
): string {
	if (collection !== COLUMNS) return title;
	const workspace = directory.titleOf(workspaceOf(iri), '/workspaces');
	return workspace === undefined ? title : `${workspace} / ${title}`;
}

function workspaceOf(iri: string): string {
	return iri.split('/').slice(0, 3).join('/');
}

/** Without what is archived or stands in an archived workspace, where anything else is left. */
function withoutArchived<T extends Pick<Entry, 'iri'>>(
	directory: Directory,
	entries: readonly T[],
): readonly T[] {
	const records = directory.wholeList('/workspaces') ?? [];
	const archived = new Set(
		records.filter(({ archivedAt }) => archivedAt).map((record) => iriText(record)),
	);
	const current = entries.filter(({ iri }) => !archived.has(workspaceOf(iri)));
	return current.length > 0 ? current : entries;
}

function iriText(record: unknown): string {
	const iri = iriOf(record, '/workspaces');
	return 'value' in iri ? iri.value : '';
}

function comparableTitle(text: string): string {
	return text
		.normalize('NFC')
		.toLowerCase()
		.replace(/\s*\/\s*/g, '/')
		.trim();
}

/** Titles change rarely: a list is read once an hour for them. */
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
}

/** Reads one page of a list; undefined where there is no room for it now. */
type ReadPage = (query: Query) => Promise<Page | undefined>;

/** The list that shows the titles of a collection. */
export function titledListOf(collection: Collection): TitledList | undefined {
	return SOURCES[collection]?.list;
}

/**
 * Reads a list to its end for the titles of its records, unless that was done within the hour; where one
 * is wanted that is not known, within ten minutes. Whoever asks meanwhile shares the read. Does not throw:
 * a title that cannot be had is not worth a run.
 *
 * @param isComplete whether all titles that are wanted are known
 */
export async function readTitledList(
	tenant: Tenant,
	path: TitledList,
	{ isComplete, readPage }: { isComplete: boolean; readPage: ReadPage },
): Promise<void> {
	const last = tenant.titleReads.peek<TitleRead>(path);
	const maxAgeMs = last?.waitMs ?? (isComplete ? KEEP_MS : KEEP_UNKNOWN_MS);
	const read = async () => await readOn(tenant.directory, path, last, readPage);
	await tenant.titleReads.get(path, { maxAgeMs, read });
}

async function readOn(
	directory: Directory,
	path: TitledList,
	last: TitleRead | undefined,
	readPage: ReadPage,
): Promise<TitleRead> {
	const isBegun = last?.waitMs !== undefined;
	const list = isBegun ? last.list : new ListRead(Infinity);
	const refused = last?.refusals ?? 0;
	for (let pages = isBegun ? last.pages : 0; pages < MOST_PAGES && !list.isDone; pages++) {
		const page = await readPage(list.nextPageQuery()).catch(endingOf);
		if (page === undefined || typeof page === 'string') {
			const refusals = page === 'refused' ? refused + 1 : 0;
			return { list, pages, refusals, waitMs: waitAfter(page, refusals) };
		}
		directory.notice(page.members, path);
		list.add(page);
	}
	directory.keepWhole(path, list.records.filter(isObject) as IDataObject[]);
	return { list, pages: 0, refusals: 0 };
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

const FIRST_PAGE: Query = [['itemsPerPage', String(MAX_PAGE_SIZE)]];

/** Asks for the titles of a collection, as far as they can be had; those known lately cost nothing. */
export async function readTitlesOf(collection: Collection, client: Client): Promise<void> {
	const { tenant } = client;
	const { list, seenIn = [] } = SOURCES[collection] ?? {};
	if (list !== undefined) {
		const readPage = async (query: Query) => await titledPage(client, list, query);
		await readTitledList(tenant, list, { isComplete: false, readPage });
	}
	for (const path of seenIn) {
		const read = async () => {
			const page = await titledPage(client, path, FIRST_PAGE).catch(() => undefined);
			tenant.directory.notice(page?.members ?? [], path);
		};
		await tenant.titleReads.get(`first page of ${path}`, { maxAgeMs: KEEP_MS, read });
		// Who has a list of their own is complete in it.
		if (path === collection && tenant.directory.entries(collection).some(({ title }) => title))
			return;
	}
}

/** One page of a list that is read for titles. */
export async function titledPage(
	client: Client,
	path: string,
	query: Query,
): Promise<Page | undefined> {
	const { body } = await client.request({ method: 'GET', path, query, subject: { noun: 'list' } });
	return pageOf(body);
}
