import { Problem } from './problems';
import { pageLink, type Query } from './query';

const DEFAULT_ITEMS_PER_PAGE = 15;
const MAX_ITEMS_PER_PAGE = 30;

export interface Page {
	/** From 1. */
	number: number;
	/** From 0 to 30, or to the maximum of the service. */
	itemsPerPage: number;
}

const LEADING_NUMBER = /^\s*[+-]?\d+(\.\d*)?(e[+-]?\d+)?/i;

/** Reads a number like PHP's `(int)`: any other text is 0. */
const toInteger = (text: string) => Math.trunc(Number(LEADING_NUMBER.exec(text)?.[0] ?? 0));

/** Reads a paging parameter. As a list (`page[]`), it does not count. */
const pagingParameter = (value: Query[string] | undefined, otherwise: number) =>
	typeof value === 'string' ? toInteger(value) : otherwise;

/**
 * Reads the requested page (interface section 8). A page size that is too large is silently reduced.
 *
 * @param most maximum page size of the service
 * @throws Problem 400 for a page below 1, like API Platform; a page that is no number counts as 0
 */
export function readPage(query: Query, most = MAX_ITEMS_PER_PAGE): Page {
	const number = pagingParameter(query.page, 1);
	const wanted = pagingParameter(query.itemsPerPage, DEFAULT_ITEMS_PER_PAGE);
	if (number < 1) throw new Problem(400, 'Page should not be less than 1');
	if (wanted < 0) throw new Problem(400, 'Limit should not be less than 0');
	if (wanted === 0 && number > 1) {
		throw new Problem(400, 'Page should not be greater than 1 if limit is equal to 0');
	}
	return { number, itemsPerPage: Math.min(wanted, most) };
}

/** Returns the part of a list on a page; empty after the end. */
export function cutPage<T>(list: readonly T[], page: Page): T[] {
	const start = (page.number - 1) * page.itemsPerPage;
	return list.slice(start, start + page.itemsPerPage);
}

/**
 * Returns a list in another order of equal records: the last record of each page and the first of the next change
 * places.
 */
export function swapAtPageEnds<T>(list: readonly T[], { itemsPerPage }: Page): T[] {
	const swapped = [...list];
	for (let next = itemsPerPage; itemsPerPage > 1 && next < list.length; next += itemsPerPage) {
		[swapped[next - 1], swapped[next]] = [list[next], list[next - 1]];
	}
	return swapped;
}

/** `view` of the collection envelope (interface section 2.2). */
export interface View {
	'@id': string;
	'@type': string;
	first?: string;
	last?: string;
	previous?: string;
	next?: string;
}

/**
 * Returns the view of a page, like API Platform. If all records fit on one page, the view has no links. It is then
 * absent unless the query has a parameter other than `page`.
 */
export function viewOf(
	path: string,
	query: Query,
	page: Page,
	totalItems: number,
): View | undefined {
	const last = page.itemsPerPage > 0 ? Math.max(1, Math.ceil(totalItems / page.itemsPerPage)) : 1;
	const type = 'PartialCollectionView';
	const filtered = Object.keys(query).some((name) => name.replace('[]', '') !== 'page');
	if (last === 1) return filtered ? { '@id': pageLink(path, query), '@type': type } : undefined;
	const link = (number: number) => pageLink(path, query, number);
	return {
		'@id': link(page.number),
		'@type': type,
		first: link(1),
		last: link(last),
		...(page.number > 1 && { previous: link(page.number - 1) }),
		...(page.number < last && { next: link(page.number + 1) }),
	};
}
