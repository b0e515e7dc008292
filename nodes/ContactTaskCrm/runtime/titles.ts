import type { IDataObject } from 'n8n-workflow';
import type { Collection, Directory } from '../directory/directory';
import { COLUMNS, directoryOf } from '../directory/directory';
import type { TitledList } from '../directory/readWhole';
import { readWhole } from '../directory/readWhole';
import { systemClock } from '../transport/clock';
import type { Connection } from '../transport/connection';
import type { Page } from '../transport/paging';
import { MAX_PAGE_SIZE, pageOf } from '../transport/paging';
import type { OutputForm } from './output';
import type { TitleOf } from './specification';

/** The list that shows the titles of a collection. Users and tags have none, people too many. */
const LISTS: Partial<Record<Collection, TitledList>> = {
	'/segments': '/segments',
	'/workspaces': '/workspaces',
	[COLUMNS]: '/workspaces',
};

/**
 * Records in the form that was asked for. The titles that it shows and that are not known are read, one
 * list for all records of an hour; those that cannot be had are left out.
 *
 * @param open opens a connection to read with; absent where nothing is to be read for titles alone
 */
export async function inForm(
	records: readonly unknown[],
	form: OutputForm,
	identity: string,
	open?: () => Promise<Connection>,
): Promise<IDataObject[]> {
	const directory = directoryOf(identity);
	const known: TitleOf = (reference, collection) => directory.titleOf(reference, collection);
	const asked = new Map<TitledList, { isComplete: boolean }>();
	const shown = records.map((record) =>
		form.of(record, (reference, collection) => {
			const title = known(reference, collection);
			const list = LISTS[collection];
			if (list !== undefined && reference !== null && reference !== undefined) {
				const isComplete = asked.get(list)?.isComplete ?? true;
				asked.set(list, { isComplete: isComplete && title !== undefined });
			}
			return title;
		}),
	);
	if (!open || asked.size === 0) return shown;
	for (const [list, { isComplete }] of asked) {
		const readPage = async (query: Query) => await titledPage(await open(), list, query);
		await readWhole(directory, list, { isComplete, readPage, now: systemClock.now() });
	}
	return records.map((record) => form.of(record, known));
}

type Query = ReadonlyArray<readonly [string, string]>;

const FIRST_PAGE: Query = [['itemsPerPage', String(MAX_PAGE_SIZE)]];

/**
 * Where users and tags may be seen with their names: lists of them, which the interface does not show, come
 * first.
 */
const SEEN_IN: Partial<Record<Collection, readonly string[]>> = {
	'/tags': ['/tags', '/people', '/tasks'],
	'/users': ['/users', '/workspaces', '/tasks', '/people'],
};

/** How long a page that was looked at for names is not asked for again, in ms. */
const KEEP_SEEN_MS = 60 * 60_000;
const seenAt = new WeakMap<Directory, Map<string, number>>();

/** Asks for the titles of a collection, as far as they can be had; those known lately cost nothing. */
export async function readTitlesOf(collection: Collection, connection: Connection): Promise<void> {
	const directory = directoryOf(connection.identity);
	const list = LISTS[collection];
	const now = systemClock.now();
	if (list !== undefined) {
		const readPage = async (query: Query) => await titledPage(connection, list, query);
		return await readWhole(directory, list, { isComplete: false, readPage, now });
	}
	const seen = seenAt.get(directory) ?? new Map<string, number>();
	seenAt.set(directory, seen);
	for (const path of SEEN_IN[collection] ?? []) {
		const isKept = now - (seen.get(path) ?? -Infinity) < KEEP_SEEN_MS;
		if (!isKept) {
			seen.set(path, now);
			const page = await titledPage(connection, path, FIRST_PAGE).catch(() => undefined);
			directory.notice(page?.members ?? [], path);
		}
		// Who has a list of their own is complete in it.
		if (path === collection && directory.entries(collection).some(({ title }) => title)) return;
	}
}

async function titledPage(
	connection: Connection,
	path: string,
	query: Query,
): Promise<Page | undefined> {
	const { body } = await connection.request({ method: 'GET', path, query }, { noun: 'list' });
	return pageOf(body);
}
