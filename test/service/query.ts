import type { Switches } from './switches';

/** Query parameters by name as sent. */
export type Query = Record<string, string | string[]>;

const LIST_NAME = /\[\d*\]$/;

/**
 * Parses a query like PHP. A name that ends in `[]` or `[0]` collects a list under `name[]`. Any other name keeps its
 * last value. `+` is a space.
 */
export function parseQuery(text: string | URLSearchParams): Query {
	const query: Query = {};
	for (const [name, value] of new URLSearchParams(text)) {
		if (!LIST_NAME.test(name)) {
			query[name] = value;
			continue;
		}
		const key = name.replace(LIST_NAME, '[]');
		query[key] = [...(query[key] ?? []), value];
	}
	return query;
}

/** Returns the values of `name` or `name[]`; undefined if the query has neither. */
export function valuesOf(query: Query, name: string): string[] | undefined {
	const values = [query[name] ?? [], query[`${name}[]`] ?? []].flat();
	return values.length > 0 ? values : undefined;
}

/** Returns the parameters that the service heeds. Switches name others, which it ignores. */
export function heededIn(
	query: Query,
	{ ignoreFilters, dropFilters }: Pick<Switches, 'ignoreFilters' | 'dropFilters'>,
): Query {
	const kept = ['page', 'itemsPerPage', 'view'];
	const entries = Object.entries(query).filter(([name]) => {
		if (dropFilters.includes(name.replace(/\[\]$/, ''))) return false;
		return !ignoreFilters || name.startsWith('order[') || kept.includes(name);
	});
	return Object.fromEntries(entries);
}

const encode = (text: string) =>
	encodeURIComponent(text).replace(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
	);

/**
 * Returns a relative link to a page of the same list. It has all parameters as sent, sorted by name, with `page`
 * last, encoded as in RFC 3986.
 */
export function pageLink(path: string, query: Query, page?: number): string {
	const pairs = Object.entries(query)
		.filter(([name]) => name.replace('[]', '') !== 'page')
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.flatMap(([name, value]) => [value].flat().map((single) => [name, single]));
	if (page !== undefined) pairs.push(['page', String(page)]);
	if (pairs.length === 0) return path;
	return `${path}?${pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`;
}
