import { get, isEmpty, isObjectLike } from 'lodash';
import type { Query, ServiceResponse } from './request';
import { isObject, listOf } from '../values/json';
import { instantOf, wholeSecond } from '../values/time';
import { MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE } from '../schema/limits';

/** One page of a collection. The service sends an envelope (`member`, `totalItems`, `view`) or a bare array. */
export interface Page {
	members: unknown[];
	/** Whether the service says that another page follows; undefined if it says nothing. */
	hasNext?: boolean | undefined;
	totalItems?: number | undefined;
}

/** A page with the service's own time from the `Date` header, in ms since 1970. */
export interface ServedPage extends Page {
	servedAt: number;
}

/** Position in a list where a page begins: a query and a page of that query. */
export interface Cursor {
	/** Number of the page in the query, from 1. */
	page: number;
	/** Number of entries on the earlier pages of the query. */
	position: number;
	/** Creation time where the query begins, in ms since 1970. Absent if the query begins with the first record. */
	from?: number;
}

export const START: Cursor = { page: 1, position: 0 };

/** A strategy for reading a list: by page number, or by creation time. */
export interface PageOrder {
	/** Whether the read goes by creation time. Such a read misses no record if another record leaves the list. */
	isTimed: boolean;
	/** Returns the query for the page at a cursor: the query of the list, with parameters of paging added. */
	query: (cursor: Cursor, list?: Query) => Query;
	/**
	 * Returns the cursor after a page; undefined at the end of the list. Returns "unordered" if the records are not in the
	 * order of creation.
	 */
	after: (cursor: Cursor, page: Page) => Cursor | 'unordered' | undefined;
}

/**
 * Returns the page order by page number. If the service does not say whether a page follows, a page with fewer than
 * `least` entries is the last.
 */
export function byNumber(pageSize = MAX_PAGE_SIZE, least = 1): PageOrder {
	return {
		isTimed: false,
		query: ({ page }, list = []) => [
			...list,
			['itemsPerPage', String(pageSize)],
			...(page > 1 ? [['page', String(page)] as const] : []),
		],
		after: ({ page, position, ...rest }, shown) => {
			const next = { ...rest, page: page + 1, position: position + shown.members.length };
			return goesOn(shown, next.position, pageSize, least) ? next : undefined;
		},
	};
}

/**
 * Page order for searches and lists of titles. A page with fewer entries than the default page size counts as the
 * last, which saves a request.
 */
export const QUICK = byNumber(MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE);

/**
 * Returns the page order by creation time. After each page, a new query begins with the creation time of the page's
 * last record, in whole seconds. The new query shows all records of that second again. If the records of one second
 * fill a whole page, the next page of the same query follows.
 *
 * @param textOf writes a time (ms since 1970) in the form of the service
 * @param pages page order within one query, for records of one second that fill several pages
 * @param ties query parameters that order records with the same creation time
 * @param skipsUndated whether to ignore records without a creation time. By default, one such record makes the list
 *   count as unordered
 */
export function byCreation(
	textOf: (time: number) => string,
	{
		pages = byNumber(),
		ties = [],
		skipsUndated = false,
	}: { pages?: PageOrder; ties?: Query; skipsUndated?: boolean } = {},
): PageOrder {
	return {
		isTimed: true,
		query: (cursor, list = []) => {
			const { from } = cursor;
			const order = [['order[createdAt]', 'asc'] as const, ...ties];
			if (from === undefined) return pages.query(cursor, [...list, ...order]);
			// `from` replaces the filter `createdAt[after]` of the user, because `from` is never earlier than the filter.
			const others = list.filter(([name]) => name !== 'createdAt[after]');
			return pages.query(cursor, [...others, ['createdAt[after]', textOf(from)], ...order]);
		},
		after: (cursor, shown) => {
			const next = pages.after(cursor, shown);
			if (typeof next !== 'object') return next;
			const all = shown.members.map((member) =>
				isObject(member) ? (instantOf(member.createdAt) ?? NaN) : NaN,
			);
			const times = skipsUndated ? all.filter((time) => !isNaN(time)) : all;
			if (!isInOrder(times, 'asc', cursor.from)) return 'unordered';
			const last = times.at(-1);
			const from = last === undefined ? undefined : wholeSecond(last);
			return from === undefined || from === cursor.from ? next : { ...START, from };
		},
	};
}

/** Returns whether `times` are sorted, and none is before `notBefore`. NaN (no time) breaks the order. */
export function isInOrder(
	times: readonly number[],
	direction: 'asc' | 'desc',
	notBefore = -Infinity,
): boolean {
	return times.every((time, index) => {
		const before = times[index - 1] ?? time;
		return time >= notBefore && (direction === 'asc' ? time >= before : time <= before);
	});
}

/**
 * Returns whether another page follows. The link to the next page decides. Without a link, the total decides, and
 * without a total, the number of entries.
 *
 * @param position number of entries on the pages so far, including this page
 * @param pageSize requested page size; a page with more entries comes from an endpoint without paging
 * @param least smallest page size that the service may use instead of `pageSize`. A page with fewer entries is the last
 */
export function goesOn(
	{ members, hasNext, totalItems }: Page,
	position: number,
	pageSize: number,
	least = DEFAULT_PAGE_SIZE,
): boolean {
	const { length } = members;
	if (length === 0) return false;
	if (hasNext) return true;
	if (totalItems !== undefined) return position < totalItems;
	return hasNext ?? (length <= pageSize && length >= Math.min(least, pageSize));
}

/**
 * Reads the page in a list response: the envelope of section 2.2 of the interface, with or without the `hydra:`
 * prefix, or a bare array.
 *
 * @returns undefined if the body is no collection
 */
export function pageOf(body: ServiceResponse['body']): Page | undefined {
	if (Array.isArray(body)) return { members: body };
	const partOf = (whole: unknown, name: string): unknown =>
		get(whole, name) ?? get(whole, `hydra:${name}`);
	const given = partOf(body, 'member');
	// PHP may write an empty list as an empty object.
	const members = listOf(given) ?? (isObjectLike(given) && isEmpty(given) ? [] : undefined);
	if (!members) return undefined;
	const total = partOf(body, 'totalItems');
	const isCount = typeof total === 'number' || (typeof total === 'string' && /^\d+$/.test(total));
	const view = partOf(body, 'view');
	return {
		members,
		totalItems: isCount ? Number(total) : undefined,
		hasNext: isObjectLike(view) ? Boolean(partOf(view, 'next')) : undefined,
	};
}
