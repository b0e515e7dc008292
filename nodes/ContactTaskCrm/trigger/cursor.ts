import { asRecord } from '../runtime/output';
import { idText, shortHash } from './fingerprint';
import { goesOn } from '../transport/paging';
import type { Cursor } from './state';
import type { Instant } from './times';
import { asQuery, timeOf, wholeSecond } from './times';
import type { QueryPair, ServedPage } from './watch';

/** The same page three times in a row: the service does not understand the page's number. */
const MOST_REPEATS = 2;
/** Where no total says how long the list is: pages in a row with nothing unseen, above those with something. */
const SPARE_STALE_PAGES = 3;

/** A list read by creation time, each page from where the one before ended; or by the page's number. */
export type Paging = 'byTime' | 'byPage';

/** The query of the page to be read next. */
export function pageQuery({ after, page }: Cursor, paging: Paging, pageSize: number): QueryPair[] {
	return [
		...(after === undefined ? [] : [['createdAt[after]', asQuery(after)] as const]),
		// Equals in creation time may come in another order on each page, so that their order is asked for, too.
		...(paging === 'byTime'
			? ([
					['order[createdAt]', 'asc'],
					['order[familyName]', 'asc'],
				] as const)
			: []),
		['itemsPerPage', String(pageSize)],
		...(page > 1 ? [['page', String(page)] as const] : []),
	];
}

/** What a page was for the reading that it belongs to. */
interface PageRead {
	page: ServedPage;
	paging: Paging;
	pageSize: number;
	/** Records on it that this reading had not seen before. */
	unseen: number;
}

/** Where a reading goes on after a page, and whether it has ended, or is not in the order asked for. */
export interface Advance<T extends Cursor> {
	cursor: T;
	outcome: 'goesOn' | 'ended' | 'unordered';
}

/** The reading after one more page. */
export function advanced<T extends Cursor>(
	cursor: T,
	{ page, paging, pageSize, unseen }: PageRead,
): Advance<T> {
	const { members, totalItems } = page;
	const size = Math.max(cursor.size, members.length);
	const content = shortHash(
		JSON.stringify([cursor.after, members.map((member) => idText(asRecord(member)) ?? member)]),
	);
	const read: T = {
		...cursor,
		size,
		pages: cursor.pages + 1,
		stale: unseen === 0 ? cursor.stale + 1 : 0,
		startedAt: cursor.startedAt ?? page.servedAt,
		failed: undefined,
		isBehindRead: false,
		repeats: content === cursor.lastPage ? cursor.repeats + 1 : 0,
		lastPage: content,
	};
	const follows = goesOn(page, (cursor.page - 1) * size + members.length, pageSize);
	const { failed } = cursor;
	const isBehind = failed !== undefined && failed !== cursor.page;
	if (paging === 'byTime') {
		const isGapped = cursor.isGapped || isBehind;
		const isFirst = cursor.pages === 0 && totalItems !== undefined;
		const withTotal = { ...read, isGapped, ...(isFirst ? { firstTotal: totalItems } : {}) };
		if (follows && !isInOrder(members, 'asc', cursor.after)) {
			return { cursor: withTotal, outcome: 'unordered' };
		}
		return advancedByTime(withTotal, members, follows && !isStuck(read));
	}
	if (isBehind) {
		// The service is there: the page that failed while it may have been down is asked for again.
		return { cursor: { ...read, page: failed, failed, isBehindRead: true }, outcome: 'goesOn' };
	}
	const isFirst = cursor.pages === 0;
	const known: T = {
		...read,
		...(totalItems === undefined ? {} : { total: totalItems }),
		...(isFirst && totalItems !== undefined ? { firstTotal: totalItems } : {}),
		isSteady: cursor.isSteady && (isFirst || totalItems === cursor.total),
	};
	const back = stepBack(cursor, known);
	if (back > 0) {
		const stepsBack = known.stepsBack + back;
		const page = cursor.page - back;
		return { cursor: { ...known, page, stepsBack, isSteady: false }, outcome: 'goesOn' };
	}
	const outcome = follows && !isStuck(known) ? 'goesOn' : 'ended';
	return { cursor: { ...known, page: cursor.page + 1 }, outcome };
}

function advancedByTime<T extends Cursor>(
	cursor: T,
	members: readonly unknown[],
	follows: boolean,
): Advance<T> {
	if (!follows) return { cursor, outcome: 'ended' };
	const last = timeOf(asRecord(members.at(-1)).createdAt);
	const after = last === undefined ? undefined : wholeSecond(last);
	const isFurther = after !== undefined && (cursor.after === undefined || after > cursor.after);
	return {
		cursor: isFurther
			? { ...cursor, after, page: 1, size: 0 }
			: { ...cursor, page: cursor.page + 1, isCrowded: true },
		outcome: 'goesOn',
	};
}

/**
 * Pages to go back: where the total has become smaller, records that were still to come may have
 * moved up to pages that were read. Not more often than the list has pages, so that totals that go
 * up and down cannot hold a reading up for ever.
 */
function stepBack(before: Cursor, { total, size, stepsBack }: Cursor): number {
	if (before.page < 2 || before.total === undefined || total === undefined) return 0;
	const gone = before.total - total;
	if (gone <= 0 || size === 0) return 0;
	const pages = Math.ceil((before.firstTotal ?? before.total) / size);
	return stepsBack >= pages ? 0 : Math.min(before.page - 1, Math.ceil(gone / size));
}

/** Whether a service that goes on without an end has nothing more to show. */
function isStuck({ repeats, stale, pages, page, total, firstTotal, size }: Cursor): boolean {
	if (repeats >= MOST_REPEATS) return true;
	const entries = total ?? firstTotal;
	if (entries !== undefined) return size > 0 && page > Math.ceil(entries / size) + 1;
	return stale > pages - stale + SPARE_STALE_PAGES;
}

/** Whether the records of a page follow each other by creation time as they were asked for. */
export function isInOrder(
	members: readonly unknown[],
	direction: 'asc' | 'desc',
	notBefore?: Instant,
): boolean {
	let last: Instant | undefined;
	return members.every((member) => {
		const at = timeOf(asRecord(member).createdAt);
		if (at === undefined || (notBefore !== undefined && at < notBefore)) return false;
		const isNext = last === undefined || (direction === 'asc' ? at >= last : at <= last);
		last = at;
		return isNext;
	});
}
