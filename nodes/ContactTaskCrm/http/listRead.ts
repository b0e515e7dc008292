import { byNumber, type Page, type Cursor, START, type PageOrder } from './paging';
import type { Query } from './request';
import { ownId } from '../values/reference';
import { MAX_PAGE_SIZE } from '../schema/limits';

type Members = Page['members'];

/** Progress of one pass through a list, from its first page on. */
interface Pass {
	cursor: Cursor;
	pages: number;
	/** Number of pages in a row without a new record. One or two are normal for a list that changes. */
	stalePages: number;
	/** IDs on the latest page, to detect a repeated page. */
	lastPage: string;
	/** `totalItems` of the first page that had it. */
	firstTotal: number | undefined;
	/** IDs that the current query has shown. A read by creation time makes several queries. */
	shown: Set<string>;
	/**
	 * Number of records that later pages repeated, less the new records that second reads of a page found. Above 0,
	 * records may be missing. For each repeated record, another may have moved to a page that was already read.
	 */
	lost: number;
	/**
	 * Latest page, if it repeats records of earlier pages. The page waits here until the read has read the preceding page
	 * again.
	 */
	held: Page | undefined;
}

/**
 * Reason for the end of a read. "last": no page follows. "stuck": the pages show nothing new. "unordered": a page is
 * not in the order of creation.
 */
type Ending = 'last' | 'stuck' | 'unordered';

/** A read by page number ends after this number of pages in a row without a new record. */
const MOST_STALE_PAGES = 3;

const newPass = (): Pass => ({
	...{ cursor: START, pages: 0, stalePages: 0, lastPage: '', firstTotal: undefined },
	...{ shown: new Set(), lost: 0, held: undefined },
});

/**
 * Collects a list page by page. The time to add a page does not grow with the list.
 *
 * The read returns each record once, by ID, even if the list changes meanwhile. If a page repeats a record, another
 * record may have moved to the preceding page. So the preceding page is read once more. If this second read finds fewer
 * new records than the page repeats, records may be missing. The read then reads no further page twice.
 *
 * A read by page number ends with a page equal to the preceding page. It also ends after three pages in a row without a
 * new record. Without these two rules, a service that shuffles its pages would make the read endless.
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

	/** Reason why no page follows; undefined while a page follows. */
	private ending: Ending | undefined;

	/** `limit` is the number of wanted records; Infinity for all. */
	constructor(
		private readonly limit: number,
		private readonly pageOrder = byNumber(Math.min(MAX_PAGE_SIZE, limit)),
	) {
		this.isDone = limit < 1;
	}

	/** Whether a read by creation time ended because the service did not keep the order of creation. */
	get isUnordered(): boolean {
		return this.ending === 'unordered';
	}

	/** Whether the read has every record that the service shows. After "stuck", only a total can prove this. */
	get isWhole(): boolean {
		const isProven = this.ending !== 'stuck' || this.totalItems !== undefined;
		return isProven && !this.isUnordered && !this.hasChanged && this.missing === 0;
	}

	/** Number of records that the service counts but a read below its limit lacks. 0 without a count. */
	get missing(): number {
		const { pass, records, totalItems = 0 } = this;
		const { firstTotal = 0, cursor } = pass;
		// In a read by creation time, each query begins at a later time, so its total counts fewer records. `first`
		// compares the first total with all records. `last` compares the latest total with the records of the last query.
		const [first, last] = this.pageOrder.isTimed
			? [firstTotal - records.length, totalItems - cursor.position]
			: [0, totalItems - records.length];
		return Math.max(0, first, last);
	}

	/** Whether the list changed in a way that may hide records. */
	get hasChanged(): boolean {
		return this.hasShrunk || this.hasOverlap;
	}

	/** Whether the list shrank during a read by page number. Records may have moved to a page that was read before. */
	private get hasShrunk(): boolean {
		const { pass, totalItems, pageOrder } = this;
		const { firstTotal } = pass;
		const hasTotals = firstTotal !== undefined && totalItems !== undefined && !pageOrder.isTimed;
		return hasTotals && totalItems < firstTotal;
	}

	/**
	 * Whether pages repeat records, and no page shows a total. If a page shows a total, `missing` says instead whether
	 * records are missing.
	 */
	private get hasOverlap(): boolean {
		return this.pass.lost > 0 && this.ending !== 'stuck' && this.totalItems === undefined;
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

	/**
	 * Returns whether to read the preceding page again before the read takes this page. If this page repeats records,
	 * other records may have moved to the preceding page.
	 */
	private shouldWait({ members }: Page): boolean {
		const { limit, pass, records } = this;
		const isEnough = records.length + members.length - countIn(this.seen, members) >= limit;
		const repeats = fingerprintOf(members) === pass.lastPage;
		return !isEnough && !repeats && pass.lost === 0 && countIn(pass.shown, members) > 0;
	}

	/**
	 * Takes a page: keeps its new records, and moves on to the next page.
	 *
	 * @param before entries from the second read of the preceding page, if there was one
	 */
	private take(page: Page, before: Members = []): void {
		const { limit, pass, records } = this;
		const { members } = page;
		const fingerprint = fingerprintOf(members);
		const repeats = fingerprint === pass.lastPage;
		const news = this.newsOf(members, before, repeats);
		pass.held = undefined;
		pass.pages++;
		pass.lastPage = fingerprint;
		pass.stalePages = news.length === 0 ? pass.stalePages + 1 : 0;
		const fresh = addNew(this.seen, news);
		const taken = repeats ? [] : fresh.slice(0, limit - records.length);
		records.push(...taken);
		this.moveOn(this.after(page, { repeats, hasNews: news.length > 0 }), members.length);
		this.hasMore = this.ending === undefined || fresh.length > taken.length;
		this.isDone = this.ending !== undefined || records.length >= limit;
	}

	/**
	 * Returns the entries that the current query has not shown before. Counts the repeated entries of the page in
	 * `pass.lost`. The new entries in `before`, the second read of the preceding page, lower this number.
	 */
	private newsOf(members: Members, before: Members, repeats: boolean): Members {
		const { pass } = this;
		const found = addNew(pass.shown, before);
		if (!repeats) pass.lost += countIn(pass.shown, members);
		pass.lost = Math.max(0, pass.lost - found.length);
		// The new entries of the preceding page come first, as in the list.
		return [...found, ...addNew(pass.shown, members)];
	}

	/** Returns the cursor of the next page, or the reason why no page follows. */
	private after(page: Page, was: { repeats: boolean; hasNews: boolean }): Cursor | Ending {
		const { members, hasNext, totalItems } = page;
		const { cursor, pages, stalePages } = this.pass;
		const { isTimed } = this.pageOrder;
		const next = this.cursorAfter(page);
		// A read by creation time makes several queries, each from another creation time on. If the service sorts by it,
		// each further page of the same query has new records. So a page without them means that it ignored the order.
		const isIgnored = isTimed && cursor.page > 1 && members.length > 0 && !was.hasNews;
		if (next === 'unordered' || isIgnored) return 'unordered';
		// In a read by creation time, a new query shows the records of one second again. So only a second empty page ends
		// the read. A page that merely lacks new records does not.
		const isStale = isTimed
			? was.repeats && members.length === 0
			: was.repeats || stalePages >= MOST_STALE_PAGES;
		if (!isStale) return next ?? 'last';
		// The endpoint has no paging if its second page equals the first, without a total or a link to a next page.
		const isUnpaged =
			was.repeats && pages === 2 && hasNext === undefined && totalItems === undefined;
		return isUnpaged || members.length === 0 ? 'last' : 'stuck';
	}

	private moveOn(next: Cursor | Ending, count: number): void {
		const { pass } = this;
		const isEnd = typeof next === 'string';
		this.ending = isEnd ? next : undefined;
		pass.cursor = isEnd ? { ...pass.cursor, position: pass.cursor.position + count } : next;
		if (pass.cursor.page === 1) pass.shown.clear();
	}

	/** Returns the cursor after a page. Skips an empty page with a link to a next page, because records may follow. */
	private cursorAfter(page: Page): ReturnType<PageOrder['after']> {
		const { cursor } = this.pass;
		if (page.members.length > 0 || !page.hasNext) return this.pageOrder.after(cursor, page);
		const isOpen = this.totalItems === undefined || this.missing > 0;
		return isOpen ? { ...cursor, page: cursor.page + 1 } : undefined;
	}
}

/** Adds the IDs of entries to a set. Returns the entries that the set lacked. An entry without an ID is always new. */
function addNew(known: Set<string>, members: Members): Members {
	return members.filter((member) => {
		const key = idOrIri(member);
		const isKnown = key !== undefined && known.has(key);
		if (key !== undefined) known.add(key);
		return !isKnown;
	});
}

/** Returns the number of members with an ID or IRI in the set `known`. */
function countIn(known: ReadonlySet<string>, members: Members): number {
	return members.filter((member) => known.has(idOrIri(member) ?? '')).length;
}

function fingerprintOf(members: Members): string {
	return JSON.stringify(members.map((member) => idOrIri(member) ?? member));
}

/**
 * Returns the key of a list entry. The key of a record is its ID or IRI. The key of a text or number is the entry
 * itself.
 */
function idOrIri(member: unknown): string | undefined {
	if (typeof member === 'string' || typeof member === 'number') return String(member);
	if (typeof member !== 'object' || member === null) return undefined;
	const { '@id': iri } = member as { '@id'?: unknown };
	return ownId(member) ?? (typeof iri === 'string' ? iri : undefined);
}
