import { ownId } from '../util/iri';
import { listOf } from '../util/values';
import type { ServiceResponse } from './request';

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

/**
 * A read of a list, page by page, that costs the same for each page however much was read before.
 *
 * Records are given once, by id, even if the collection moves while it is read; a page that is empty
 * or repeats the one before is the end, and so are several in a row that hold nothing new: a service
 * that shuffles its pages would go on for ever.
 */
export class ListRead {
	/** The same for the whole read, since where a page starts depends on it. */
	readonly pageSize: number;

	/** The records read so far, at most as many as wanted. */
	readonly records: unknown[] = [];

	/** Whether no further page is needed. */
	isDone: boolean;

	/** Whether the list seems to hold more than was read of it. */
	hasMore = false;

	/** How many records the list has, as the last page that says so has it. */
	totalItems?: number;

	/** Ids of the records read so far. */
	private readonly seen = new Set<string>();

	/** Number of the page that was read last; 0 before the first. */
	private page = 0;

	/** Entries on the pages read so far, those that came twice included. */
	private position = 0;

	/** Pages in a row that held nothing new. */
	private stalePages = 0;

	/** What the last page was made of, to tell when a page repeats itself. */
	private lastPage = '';

	private isStuck = false;

	/** How many there were on the first page that said so, since the list was begun anew. */
	private firstTotal: number | undefined;

	/** @param limit records wanted; Infinity for all */
	constructor(private readonly limit: number) {
		this.pageSize = Math.min(MAX_PAGE_SIZE, limit);
		this.isDone = limit < 1;
	}

	/** Whether the pages began to repeat themselves before the list was seen to end. */
	get isCut(): boolean {
		return this.isStuck && this.records.length < this.limit;
	}

	/** How many records the service says there are beyond those read; 0 where it does not say. */
	get missing(): number {
		if (this.records.length >= this.limit || this.totalItems === undefined) return 0;
		return Math.max(0, this.totalItems - this.records.length);
	}

	/** Whether records left the list while it was read: others may have moved up to a page that was read. */
	get hasShrunk(): boolean {
		const { firstTotal, totalItems } = this;
		return firstTotal !== undefined && totalItems !== undefined && totalItems < firstTotal;
	}

	/** The query parameters of the page to be read next. */
	nextPageQuery(): Array<[string, string]> {
		const query: Array<[string, string]> = [['itemsPerPage', String(this.pageSize)]];
		if (this.page > 0) query.push(['page', String(this.page + 1)]);
		return query;
	}

	/** Begins once more with the first page; what was read before is kept. */
	startAgain(): void {
		this.page = 0;
		this.firstTotal = undefined;
		this.position = 0;
		this.stalePages = 0;
		this.lastPage = '';
		this.isDone = false;
	}

	/** Takes in the page that `nextPageQuery` asked for. */
	add(page: Page): void {
		this.page++;
		this.position += page.members.length;
		this.firstTotal ??= page.totalItems;
		this.totalItems = page.totalItems ?? this.totalItems;
		const fresh = page.members.filter((member) => this.isNew(member));
		const fingerprint = JSON.stringify(page.members.map((member) => keyOf(member) ?? member));
		const before = this.records.length;
		const repeats = fingerprint === this.lastPage;
		this.lastPage = fingerprint;
		this.stalePages = fresh.length === 0 ? this.stalePages + 1 : 0;
		if (!repeats) {
			for (const member of fresh) if (this.records.length < this.limit) this.records.push(member);
		}
		this.isStuck = page.members.length > 0 && (repeats || this.stalePages >= MAX_STALE_PAGES);
		const isEnough = this.records.length >= this.limit;
		const isEnd = this.isStuck || repeats || !this.goesOnAfter(page);
		this.hasMore = !isEnd || fresh.length > this.records.length - before;
		this.isDone = isEnd || isEnough;
	}

	/** Behind one empty page that names the next there may be more: two of them in a row are the end. */
	private goesOnAfter(page: Page): boolean {
		if (page.members.length > 0) return goesOn(page, this.position, this.pageSize);
		return page.hasNext === true && (this.totalItems === undefined || this.missing > 0);
	}

	private isNew(member: unknown): boolean {
		const key = keyOf(member);
		if (key === undefined) return true;
		if (this.seen.has(key)) return false;
		this.seen.add(key);
		return true;
	}
}

/**
 * Whether the list goes on after a page: as the service says, or by how many entries have come.
 *
 * @param position entries on the pages read so far, this one included
 */
export function goesOn(page: Page, position: number, pageSize: number): boolean {
	if (page.members.length === 0) return false;
	if (page.hasNext) return true;
	// By what has come, not by what was asked for: the service may cut the page size down.
	if (page.totalItems !== undefined) return position < page.totalItems;
	return page.hasNext ?? page.members.length >= pageSize;
}

/** What a record is known by: its id, its IRI, or the identifier that it is. */
function keyOf(member: unknown): string | undefined {
	if (typeof member === 'string' || typeof member === 'number') return String(member);
	if (typeof member !== 'object' || member === null) return undefined;
	const { '@id': iri } = member as { '@id'?: unknown };
	return ownId(member) ?? (typeof iri === 'string' ? iri : undefined);
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

	const given = named('member');
	const members = listOf(given) ?? (isEmptyMap(given) ? [] : undefined);
	if (!members) return undefined;
	return { members, totalItems: countIn(named('totalItems')), hasNext: hasNextOf(named('view')) };
}

function countIn(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** PHP writes an empty list that was a map as an object. */
function isEmptyMap(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function hasNextOf(view: unknown): boolean | undefined {
	if (typeof view !== 'object' || view === null) return undefined;
	const { next, 'hydra:next': prefixedNext } = view as Record<string, unknown>;
	return Boolean(next ?? prefixedNext);
}
