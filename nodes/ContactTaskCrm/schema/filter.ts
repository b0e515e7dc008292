/**
 * What a filter takes: free text, the id or the IRI of a record (given as either), a point in time, or
 * a yes or no.
 */
export type FilterKind = 'text' | 'id' | 'iri' | 'dateTime' | 'boolean';

/**
 * What a yes or no takes for "whatever it is", as though the filter was not there: an AI agent has to answer
 * every parameter that it is given.
 */
export const ANY = 'any';

/** Which side of a point in time a filter keeps. */
export type Bound = 'after' | 'strictly_after' | 'before' | 'strictly_before';

/** A documented query parameter of a list (interface, sections 4.1 and 4.2). */
export interface Filter {
	/** Name of the query parameter. */
	query: string;
	kind: FilterKind;
	/** What the editor and messages call it. */
	label: string;
	/** Whether the interface has the array form `name[]`, too. */
	takesSeveral: boolean;
	/** Path of the collection of which it takes ids or IRIs. */
	refersTo?: string;
	/** The fields of a record that show whether it passes; empty where none does. */
	shownIn: readonly string[];
	/** Of points in time: which side of it the filter keeps. */
	bound?: Bound;
}

/** A filter with the values it was given, as they go over the wire. */
export interface AppliedFilter<F = Filter> {
	filter: F;
	values: string[];
}

/** Filters by the names of their parameters. */
export type Filters = Readonly<Record<string, Filter>>;

/** A filter of text, in one form or in two. */
export function textFilter(
	query: string,
	label: string,
	{ takesSeveral = false, shownIn = [] }: { takesSeveral?: boolean; shownIn?: string[] } = {},
): Filter {
	return { query, kind: 'text', label, takesSeveral, shownIn };
}

/** A filter of records by reference. */
export function referenceFilter(
	query: string,
	label: string,
	{ field, ...target }: { kind: 'id' | 'iri'; refersTo: string; field: string },
): Filter {
	return { query, label, takesSeveral: true, shownIn: [field], ...target };
}

/** A filter on whether a field is set. */
export function existsFilter(field: string, label: string): Filter {
	return {
		query: `exists[${field}]`,
		kind: 'boolean',
		label,
		takesSeveral: false,
		shownIn: [field],
	};
}

/**
 * The four filters on a point in time, the bounds themselves included or not.
 *
 * @param verb what happened then, as labels begin: "Created"
 */
export function timeFilters(field: string, verb: string): Filters {
	const bounds: Array<[suffix: string, bound: Bound, label: string]> = [
		['After', 'after', 'After'],
		['StrictlyAfter', 'strictly_after', 'After (Exclusive)'],
		['Before', 'before', 'Before'],
		['StrictlyBefore', 'strictly_before', 'Before (Exclusive)'],
	];
	return Object.fromEntries(
		bounds.map(([suffix, bound, label]): [string, Filter] => [
			`${field}${suffix}`,
			{
				query: `${field}[${bound}]`,
				kind: 'dateTime',
				label: `${verb} ${label}`,
				takesSeveral: false,
				shownIn: [field],
				bound,
			},
		]),
	);
}
