import type { IDataObject } from 'n8n-workflow';
import { iriOf, valueOf } from '../common/iri';
import { referenceIn } from '../common/records';
import { asRecord } from '../runtime/output';
import { MAX_PAGE_SIZE } from '../transport/paging';
import type { PollRequests } from './requests';

/** The titles of columns and workspaces, by their IRIs. */
export type Titles = ReadonlyMap<string, string>;

interface KnownTitles {
	readAt: number;
	titles: Titles;
}

const KEEP_MS = 60 * 60_000;
/** A column that nobody knows may be new: read again, though not in each poll. */
const KEEP_UNKNOWN_MS = 10 * 60_000;
/** Titles that could not be read are asked for again, where an item is to show them. */
const RETRY_MS = 60_000;
/** Pages of workspaces: 120 of them. */
const MOST_PAGES = 4;

const known = new Map<string, KnownTitles>();

/** The titles as they were last read; none where they never were. */
export function titlesOf(identity: string): Titles {
	return known.get(identity)?.titles ?? new Map();
}

/**
 * Reads the titles of columns and workspaces once an hour, or sooner where one is not known, within
 * what the poll may send. Where they cannot be had, items show none.
 *
 * @param wanted IRIs of the columns that items will show
 * @param now ms of the clock's `now`
 */
export async function readTitles(
	requests: Pick<PollRequests, 'identity' | 'limit' | 'records' | 'sent'>,
	wanted: readonly string[],
	now: number,
): Promise<void> {
	if (requests.sent >= requests.limit) return;
	const before = known.get(requests.identity);
	const keepMs = wanted.every((iri) => before?.titles.has(iri)) ? KEEP_MS : KEEP_UNKNOWN_MS;
	if (before && now - before.readAt < keepMs) return;
	const titles = new Map<string, string>(before?.titles);
	for (let page = 1; page <= MOST_PAGES; page++) {
		const query = [
			['itemsPerPage', String(MAX_PAGE_SIZE)] as const,
			...(page > 1 ? [['page', String(page)] as const] : []),
		];
		const workspaces = await requests.records('/workspaces', query).catch(() => undefined);
		for (const workspace of workspaces ?? []) addTitles(titles, asRecord(workspace));
		const readAt = workspaces ? now : now - KEEP_UNKNOWN_MS + RETRY_MS;
		known.set(requests.identity, { readAt, titles });
		if (!workspaces || workspaces.length < MAX_PAGE_SIZE) return;
	}
}

function addTitles(titles: Map<string, string>, workspace: IDataObject): void {
	const iri = valueOf(iriOf(workspace, '/workspaces'));
	if (iri === undefined) return;
	if (typeof workspace.title === 'string') titles.set(iri, workspace.title);
	const columns = Array.isArray(workspace.columns) ? (workspace.columns as unknown[]) : [];
	for (const column of columns) {
		const { title, name } = asRecord(column);
		const own = valueOf(iriOf(column, '/workspaces/{workspaceId}/columns'));
		const columnIri = own ?? valueOf(iriOf(column, `${iri}/columns`));
		const text = title ?? name;
		if (columnIri !== undefined && typeof text === 'string') titles.set(columnIri, text);
	}
}

/** The columns that a task stands in and stood in before, of which the titles are to be shown. */
export function columnsNamedIn(task: IDataObject, before: IDataObject): string[] {
	return [task.status, before.previousStatus]
		.map(referenceIn)
		.filter((iri): iri is string => typeof iri === 'string');
}

/** The titles of the column and the workspace that a task stands in; null where they are not known. */
export function titlesFor(task: IDataObject, titles: Titles): IDataObject {
	const status = referenceIn(task.status);
	const place = referenceIn(task.workspace) ?? String(status).split('/').slice(0, 3).join('/');
	return {
		statusTitle: embeddedTitle(task.status) ?? titleAt(titles, status),
		workspaceTitle: embeddedTitle(task.workspace) ?? titleAt(titles, place),
	};
}

function titleAt(titles: Titles, iri: unknown): string | null {
	return titles.get(String(iri)) ?? null;
}

/** A column or a workspace may come embedded, with its title. */
function embeddedTitle(value: unknown): string | undefined {
	const { title } = asRecord(value);
	return typeof title === 'string' ? title : undefined;
}
