import { cutPage, readPage, swapAtPageEnds, viewOf, type Page, type View } from './paging';
import type { Query } from './query';
import { shownIri } from './references';
import type { Switches } from './switches';

/** Values that decide the body of a collection, besides its records. */
export interface Listing<T> {
	/** Path of the collection, without the query. */
	path: string;
	query: Query;
	/** JSON-LD type of the records, e.g. `Person`. */
	type: string;
	/** Query parameters of the list, for `search`. */
	queryParameters: string[];
	/** Whether the answer is a bare array, whatever the switches say. */
	isBare?: boolean;
	switches: Switches;
	/** Returns a record in the form of an answer. */
	show: (record: T) => unknown;
}

/** Returns a list as PHP shows an array with gaps: as an object with numbers as keys. An empty list stays a list. */
export function asMap(list: unknown[]): unknown {
	if (list.length === 0) return list;
	return Object.fromEntries(list.map((value, index) => [String(2 * index + 1), value]));
}

/** Returns `search` of the collection envelope (interface section 2.2). */
function searchOf(path: string, names: string[]) {
	const variables = names.filter((name) => !['page', 'itemsPerPage', 'view'].includes(name));
	if (variables.length === 0) return undefined;
	return {
		'@type': 'IriTemplate',
		template: `${path}{?${variables.join(',')}}`,
		variableRepresentation: 'BasicRepresentation',
		mapping: variables.map((variable) => ({
			'@type': 'IriTemplateMapping',
			variable,
			property: variable.replace(/^(exists|order)\[(.+)\]$/, '$2').replace(/\[.*\]$/, ''),
			required: false,
		})),
	};
}

/** Renames the members of the envelope as in version 3 of API Platform. */
function prefixed(envelope: Record<string, unknown>): Record<string, unknown> {
	const rename = (name: string) => (name.startsWith('@') ? name : `hydra:${name}`);
	const entries = Object.entries(envelope).map(([name, value]) => {
		if (name === '@type') return [name, `hydra:${String(value)}`];
		const nested = name === 'view' || name === 'search';
		return [rename(name), nested ? prefixed(value as Record<string, unknown>) : value];
	});
	return Object.fromEntries(entries);
}

/** Returns the paging links of a list in the form of IRIs that the switches set. They may omit `next`. */
function showView(view: View, switches: Switches): View {
	const shown = Object.entries(view)
		.filter(([name]) => name !== 'next' || switches.viewNext)
		.map(([name, link]) => [name, name === '@type' ? link : shownIri(link, switches)]);
	return Object.fromEntries(shown) as View;
}

/**
 * Returns the records on the requested page, in the order of the page.
 *
 * @param page as requested, although the service may repeat another
 */
function recordsOn<T>(page: Page, records: readonly T[], switches: Switches): T[] {
	const { repeatFromPage, equalRecords } = switches;
	const repeats = repeatFromPage > 0 && page.number >= repeatFromPage;
	const number = repeats ? Math.max(1, repeatFromPage - 1) : page.number;
	const isSwapped =
		equalRecords === 'swapped' || (equalRecords === 'byPage' && page.number % 2 === 0);
	return cutPage(isSwapped ? swapAtPageEnds(records, page) : records, { ...page, number });
}

/**
 * Returns the body of a collection: the envelope of interface section 2.2, or a bare array.
 *
 * @throws Problem 400 for an impossible page
 */
export function showCollection<T>(records: readonly T[], listing: Listing<T>): unknown {
	const { path, type, queryParameters, isBare, switches, show } = listing;
	const query = switches.ignorePage ? { ...listing.query, page: '1' } : listing.query;
	const totalItems = records.length;
	const isPaged = !switches.unpaged.includes(path);
	const page = isPaged
		? readPage(query, switches.pageSize || undefined)
		: { number: 1, itemsPerPage: totalItems };
	const members = recordsOn(page, records, switches).map(show);
	const member = switches.mapLists.includes('member') ? asMap(members) : members;
	if (isBare || switches.bareCollections) return member;
	const view = switches.view && isPaged ? viewOf(path, query, page, totalItems) : undefined;
	const search = searchOf(path, queryParameters);
	const envelope = {
		'@context': `/contexts/${type}`,
		'@id': shownIri(path, switches),
		'@type': 'Collection',
		...(switches.totalItems && { totalItems }),
		member,
		...(view && { view: showView(view, switches) }),
		...(search && { search }),
	};
	return switches.hydraPrefix ? prefixed(envelope) : envelope;
}
