import type { ServiceResponse } from './http';

/** `itemsPerPage` is 30 at most (interface, section 8). */
export const MAX_PAGE_SIZE = 30;

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
 * is read; a page that is empty or repeats the one before is the end.
 */
export function withPage(reading: Reading, page: Page): Reading {
	const { pageSize, limit } = reading;
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
	const records = repeats ? reading.records : [...reading.records, ...fresh].slice(0, limit);
	return {
		...reading,
		page: reading.page + 1,
		records,
		seen,
		lastPage: fingerprint,
		done: repeats || records.length >= limit || !goesOn(page, reading.page + 1, pageSize),
	};
}

function goesOn(page: Page, number: number, pageSize: number): boolean {
	if (page.members.length === 0) return false;
	if (page.hasNext !== undefined) return page.hasNext;
	if (page.totalItems !== undefined) return number * pageSize < page.totalItems;
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
