import type { ServiceResponse } from './http';

/** `itemsPerPage` is 30 at most (interface, section 8). */
export const MAX_PAGE_SIZE = 30;

/** Pages in a row that hold nothing new before a read ends: a collection that moves has one or two. */
const MAX_STALE_PAGES = 3;

/** One page of a collection, from an envelope or a bare array. */
export interface Page {
	members: unknown[];
	/** Whether the service says that another page follows; undefined where it does not say. */
	hasNext?: boolean;
	totalItems?: number;
}

/** What was read so far. */
export interface Reading {
	/** Number of the page that was read last; 0 before the first. */
	page: number;
	/** The same for the whole read, since where a page starts depends on it. */
	pageSize: number;
	/** Records wanted; Infinity for all. */
	limit: number;
	records: readonly unknown[];
	/** Entries on the pages read so far, those that came twice included. */
	position: number;
	/** Pages in a row that held nothing new. */
	stalePages: number;
	/** Ids of the records read so far. */
	seen: ReadonlySet<string>;
	/** What the last page was made of, to tell when a page repeats itself. */
	lastPage: string;
	done: boolean;
}

/** The start of a read of at most `limit` records. */
export function startReading(limit: number): Reading {
	return {
		page: 0,
		pageSize: Math.min(MAX_PAGE_SIZE, limit),
		limit,
		records: [],
		position: 0,
		stalePages: 0,
		seen: new Set(),
		lastPage: '',
		done: limit < 1,
	};
}

/** The query parameters of the page to be read next. */
export function nextPageQuery(reading: Reading): Array<[string, string]> {
	const query: Array<[string, string]> = [['itemsPerPage', String(reading.pageSize)]];
	if (reading.page > 0) query.push(['page', String(reading.page + 1)]);
	return query;
}

/**
 * A read with one more page. Records are given once, by id, even if the collection moves while it
 * is read; a page that is empty or repeats the one before is the end, and so are several in a row
 * that hold nothing new: a service that shuffles its pages would go on for ever.
 */
export function withPage(reading: Reading, page: Page): Reading {
	const { pageSize, limit } = reading;
	const position = reading.position + page.members.length;
	const seen = new Set(reading.seen);
	const fresh = page.members.filter((member) => {
		const key = keyOf(member);
		if (key === undefined) return true;
		if (seen.has(key)) return false;
		seen.add(key);
		return true;
	});
	const fingerprint = JSON.stringify(page.members.map((member) => keyOf(member) ?? member));
	const repeats = fingerprint === reading.lastPage;
	const stalePages = fresh.length === 0 ? reading.stalePages + 1 : 0;
	const isStuck = repeats || stalePages >= MAX_STALE_PAGES;
	const records = repeats ? reading.records : [...reading.records, ...fresh].slice(0, limit);
	return {
		...reading,
		page: reading.page + 1,
		records,
		position,
		stalePages,
		seen,
		lastPage: fingerprint,
		done: isStuck || records.length >= limit || !goesOn(page, position, pageSize),
	};
}

/**
 * Whether the list goes on after a page: as the service says, or by how many entries have come.
 *
 * @param position entries on the pages read so far, this one included
 */
export function goesOn(page: Page, position: number, pageSize: number): boolean {
	if (page.members.length === 0) return false;
	if (page.hasNext !== undefined) return page.hasNext;
	// By what has come, not by what was asked for: the service may cut the page size down.
	if (page.totalItems !== undefined) return position < page.totalItems;
	return page.members.length >= pageSize;
}

/** What a record is known by: its id, its IRI, or the identifier that it is. */
function keyOf(member: unknown): string | undefined {
	if (typeof member === 'string' || typeof member === 'number') return String(member);
	if (typeof member !== 'object' || member === null) return undefined;
	const { id, '@id': iri } = member as { id?: unknown; '@id'?: unknown };
	if (typeof id === 'string' || typeof id === 'number') return String(id);
	return typeof iri === 'string' ? iri : undefined;
}

/**
 * The page that a list response holds: the envelope of section 2.2 of the interface, with or
 * without the `hydra:` prefix, or a bare array.
 *
 * @returns undefined where the body is no collection
 */
export function pageOf(body: ServiceResponse['body']): Page | undefined {
	if (Array.isArray(body)) return { members: body };
	if (typeof body !== 'object' || body === null) return undefined;
	const envelope = body as Record<string, unknown>;
	const named = (name: string): unknown => envelope[name] ?? envelope[`hydra:${name}`];

	const members = named('member');
	if (!Array.isArray(members)) return undefined;
	const totalItems = named('totalItems');
	const view = named('view');
	return {
		members,
		totalItems: typeof totalItems === 'number' ? totalItems : undefined,
		hasNext: hasNextOf(view),
	};
}

function hasNextOf(view: unknown): boolean | undefined {
	if (typeof view !== 'object' || view === null) return undefined;
	const { next, 'hydra:next': prefixedNext } = view as Record<string, unknown>;
	return Boolean(next ?? prefixedNext);
}
