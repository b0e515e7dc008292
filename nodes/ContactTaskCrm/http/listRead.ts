import { byNumber, type Page, type Cursor, START, type PageOrder } from './paging';
import type { Query } from './request';
import { ownId } from '../values/reference';
import { MAX_PAGE_SIZE } from '../schema/limits';

type Members = Page['members'];

/** Progress of one reading of a list, from its first page on. */
interface Pass {
	cursor: Cursor;
	pages: number;
	/** Pages in a row without a new record. One or two are normal for a list that changes. */
	stalePages: number;
	/** IDs on the last page, to detect a repeated page. */
	lastPage: string;
	/** `totalItems` of the first page that had it. */
	firstTotal: number | undefined;
	/** IDs that the query of the cursor has shown. */
	shown: Set<string>;
	/** Number of records that came twice, less the number of records found on a page that was read again. */
	lost: number;
	/** Page that repeats records. It waits until the page before it is read again. */
	held: Page | undefined;
}

const newPass = (): Pass => ({
	...{ cursor: START, pages: 0, stalePages: 0, lastPage: '', firstTotal: undefined },
	...{ shown: new Set(), lost: 0, held: undefined },
});

/**
 * Collects a list page by page. Adding a page takes the same time, even far into the list.
 *
 * The read returns each record once, by ID, even if the list changes meanwhile. If a page repeats a record, another
 * record may have moved to the page before. The read then takes the page before again, once. If this does not find as
 * many records as were repeated, the read is not whole, and takes no further page again.
 *
 * A read by page number ends with a repeated page, or after three pages in a row without a new record. Without these
 * ends, a service that shuffles its pages would keep the read going for ever.
 */
export class ListRead {
	/** Records read so far, at most the wanted number. */
	readonly records: unknown[] = [];

	isDone: boolean;

	/** Whether the list seems to hold further records. */
	hasMore = false;

	/** Total from the latest page that showed one; undefined if no page did. */
	totalItems: number | undefined;

	private readonly seen = new Set<string>();

	private pass = newPass();

	private isStuck = false;

	/** Whether the last page of a read by creation time was not in that order. */
	isUnordered = false;

	/** @param limit number of wanted records; Infinity for all */
	constructor(
		private readonly limit: number,
		private readonly pageOrder = byNumber(Math.min(MAX_PAGE_SIZE, limit)),
	) {
		this.isDone = limit < 1;
	}

	/** Whether the read has every record that the service shows. */
	get isWhole(): boolean {
		const isProven = !this.isStuck || this.totalItems !== undefined;
		return isProven && !this.isUnordered && !this.hasChanged && this.missing === 0;
	}

	/** Number of records that the service counts but the read lacks. 0 without a count, or once `limit` is reached. */
	get missing(): number {
		const { pass, records, totalItems = 0 } = this;
		const { firstTotal = 0, cursor } = pass;
		if (records.length >= this.limit) return 0;
		// In a read by creation time, the total of a page counts only records from the queried time on.
		const [first, last] = this.pageOrder.isTimed
			? [firstTotal - records.length, totalItems - cursor.position]
			: [0, totalItems - records.length];
		return Math.max(0, first, last);
	}

	/** Whether the list changed in a way that may hide records. */
	get hasChanged(): boolean {
		return this.hasShrunk || this.hasOverlap;
	}

	/** Whether the list shrank during a read by page number. Records may then have moved to a page already read. */
	private get hasShrunk(): boolean {
		const { pass, totalItems, pageOrder } = this;
		const { firstTotal } = pass;
		const hasTotals = firstTotal !== undefined && totalItems !== undefined && !pageOrder.isTimed;
		return hasTotals && totalItems < firstTotal;
	}

	/** Whether pages repeat records, and the service gives no total. A total says how many records are missing. */
	private get hasOverlap(): boolean {
		return this.pass.lost > 0 && !this.isStuck && this.totalItems === undefined;
	}

	/** Returns the query for the next page: the query of the list, with parameters of paging added. */
	query(list?: Query): Query {
		const { held, cursor } = this.pass;
		return this.pageOrder.query(held ? { ...cursor, page: cursor.page - 1 } : cursor, list);
	}

	/** Begins again with the first page, and keeps the records. */
	startAgain(): void {
		this.pass = newPass();
		this.isDone = false;
	}

	/** Adds the page that the service returned for the last `query`. */
	add(page: Page): void {
		const { pass } = this;
		pass.firstTotal ??= page.totalItems;
		this.totalItems = page.totalItems ?? this.totalItems;
		if (pass.held) this.take(pass.held, page.members);
		else if (this.shouldWait(page)) pass.held = page;
		else this.take(page);
	}

	/** Returns whether to read the page before again, before the read takes this page. */
	private shouldWait({ members }: Page): boolean {
		const { limit, pass, records } = this;
		const isEnough = records.length + members.length - countIn(this.seen, members) >= limit;
		const repeats = fingerprintOf(members) === pass.lastPage;
		return !isEnough && !repeats && pass.lost === 0 && countIn(pass.shown, members) > 0;
	}

	/** @param before entries of the page before, if it was read again */
	private take(page: Page, before: Members = []): void {
		const { limit, pass, records, pageOrder } = this;
		const { cursor } = pass;
		const { members } = page;
		pass.held = undefined;
		pass.pages++;
		const fingerprint = fingerprintOf(members);
		const repeats = fingerprint === pass.lastPage;
		pass.lastPage = fingerprint;
		const found = newIn(pass.shown, before);
		if (!repeats) pass.lost += countIn(pass.shown, members);
		pass.lost = Math.max(0, pass.lost - found.length);
		// The found records come first, because they belong to the page before.
		const news = [...found, ...newIn(pass.shown, members)];
		pass.stalePages = news.length === 0 ? pass.stalePages + 1 : 0;
		const fresh = newIn(this.seen, news);
		const taken = repeats ? [] : fresh.slice(0, limit - records.length);
		records.push(...taken);

		const isSaid = page.hasNext !== undefined || page.totalItems !== undefined;
		// The endpoint has no paging if the second page equals the first, without a total or a link to a next page.
		const isUnpaged = repeats && pass.pages === 2 && !isSaid;
		// In a read by creation time, a page repeats records of the page before. So only a second empty page is stale.
		const isStale = pageOrder.isTimed
			? repeats && members.length === 0
			: repeats || pass.stalePages >= 3;
		this.isStuck = members.length > 0 && isStale && !isUnpaged;
		const next = this.cursorAfter(page);
		const isIgnored =
			pageOrder.isTimed && cursor.page > 1 && members.length > 0 && news.length === 0;
		this.isUnordered = next === 'unordered' || isIgnored;
		const isEnd = isStale || isIgnored || typeof next !== 'object';
		pass.cursor = isEnd ? { ...cursor, position: cursor.position + members.length } : next;
		if (pass.cursor.page === 1) pass.shown.clear();
		this.hasMore = !isEnd || fresh.length > taken.length;
		this.isDone = isEnd || records.length >= limit;
	}

	/** Returns the cursor after a page. Passes over an empty page that names a next page, because records may follow. */
	private cursorAfter(page: Page): ReturnType<PageOrder['after']> {
		const { cursor } = this.pass;
		if (page.members.length > 0 || !page.hasNext) return this.pageOrder.after(cursor, page);
		const isOpen = this.totalItems === undefined || this.missing > 0;
		return isOpen ? { ...cursor, page: cursor.page + 1 } : undefined;
	}
}

/** Returns the entries that a set of IDs lacks, and adds their IDs. An entry without an ID is always new. */
function newIn(known: Set<string>, members: Members): Members {
	return members.filter((member) => {
		const key = idOrIri(member);
		const isKnown = key !== undefined && known.has(key);
		if (key !== undefined) known.add(key);
		return !isKnown;
	});
}

/** Returns the number of entries with an ID from a set. */
function countIn(known: ReadonlySet<string>, members: Members): number {
	return members.filter((member) => known.has(idOrIri(member) ?? '')).length;
}

function fingerprintOf(members: Members): string {
	return JSON.stringify(members.map((member) => idOrIri(member) ?? member));
}

/** Returns the key of a list entry: the ID or IRI of a record. Text or a number is its own key. */
function idOrIri(member: unknown): string | undefined {
	if (typeof member === 'string' || typeof member === 'number') return String(member);
	if (typeof member !== 'object' || member === null) return undefined;
	const { '@id': iri } = member as { '@id'?: unknown };
	return ownId(member) ?? (typeof iri === 'string' ? iri : undefined);
}
