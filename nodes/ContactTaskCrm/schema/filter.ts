import type { IDataObject } from 'n8n-workflow';
import type { CollectionPath } from '../values/reference';

/**
 * Type that the service expects for the value of a filter. The user may also give an ID for `iri`, and an IRI for `id`.
 */
export type FilterKind = 'text' | 'id' | 'iri' | 'dateTime' | 'boolean';

/**
 * Choice that switches off a filter with fixed choices, such as yes and no. AI agents need it, because they fill in
 * every parameter.
 */
export const ANY = 'any';

/** Side of a time where a filter keeps records. A strict bound leaves out records with exactly this time. */
export type Bound = 'after' | 'strictly_after' | 'before' | 'strictly_before';

/** A documented query parameter of a list (interface, sections 4.1 and 4.2). */
export interface Filter {
	/** Name of the query parameter. */
	query: string;
	kind: FilterKind;
	label: string;
	/** Whether the filter also takes several values, as `name[]`. */
	takesSeveral: boolean;
	/** Path of the collection that the IDs or IRIs of the filter belong to. */
	refersTo?: CollectionPath;
	/** Fields of a record that show whether the record meets the filter. */
	shownIn: readonly string[];
	bound?: Bound;
}

/** A filter with its values, spelled as the service expects them. */
export interface AppliedFilter<F = Filter> {
	filter: F;
	values: string[];
}

export type Filters = Readonly<Record<string, Filter>>;

export function textFilter(query: string, label: string, shownIn: string[] = []): Filter {
	return { query, kind: 'text', label, takesSeveral: true, shownIn };
}

export function referenceFilter(
	query: string,
	label: string,
	{ field, ...target }: { kind: 'id' | 'iri'; refersTo: CollectionPath; field: string },
): Filter {
	return { query, label, takesSeveral: true, shownIn: [field], ...target };
}

/** Returns a filter for records with or without a value in a field. */
export function existsFilter(field: string, label: string): Filter {
	const query = `exists[${field}]`;
	return { query, kind: 'boolean', label, takesSeveral: false, shownIn: [field] };
}

/**
 * Returns four filters by a time. Two filters include records with exactly this time, and two exclude such records.
 *
 * @param verb first word of the labels: "Created"
 */
export function timeFilters(field: string, verb: string): Filters {
	const filter = (bound: Bound, label: string): Filter => ({
		query: `${field}[${bound}]`,
		kind: 'dateTime',
		label: `${verb} ${label}`,
		takesSeveral: false,
		shownIn: [field],
		bound,
	});
	return {
		[`${field}After`]: filter('after', 'After'),
		[`${field}StrictlyAfter`]: filter('strictly_after', 'Later Than'),
		[`${field}Before`]: filter('before', 'Before'),
		[`${field}StrictlyBefore`]: filter('strictly_before', 'Earlier Than'),
	};
}

/** Times for a filter that no record meets, because no CRM has records from before 1980 or after 2999. */
const NEVER_BEFORE = '1980-01-01T00:00:00Z';
const NEVER_AFTER = '2999-01-01T00:00:00Z';

/**
 * Returns values with which the filter finds none of the records that it finds with the given values. Returns no values
 * for a filter by text, ID or IRI, because the service may refuse or ignore an ID that it does not know.
 */
export function oppositeValues({ filter: { kind, bound }, values }: AppliedFilter): string[] {
	if (kind === 'boolean') return values.map((value) => String(value !== 'true'));
	if (kind === 'dateTime') return [bound?.endsWith('after') ? NEVER_AFTER : NEVER_BEFORE];
	return [];
}

/** Description of the node parameter for a filter. */
export type FilterParameter = Pick<Filter, 'label' | 'takesSeveral' | 'refersTo' | 'bound'> & {
	kind: FilterKind | 'choice';
	/** Field or fields of a record that show whether the record meets the filter. */
	shownIn?: string | readonly string[];
	/** Whether the value may be the e-mail address of a person. */
	takesEmail?: boolean;
	/** Values that the user can choose, except `ANY`, with their descriptions. Only for the kind `choice`. */
	choices?: Readonly<Record<string, string>>;
};

/** The present time. Filters compare the times of records with it. */
export interface Moment {
	/** Time in ms since 1970. */
	wallTime: number;
	/** Time zone of the workflow, for a day without a time. */
	timezone: string;
}

/** A filter that the service lacks. The node reads the records, and keeps those that pass the filter. */
export interface ReadFilter extends FilterParameter {
	/** Field of a record that the filter compares. If no record shows this field, the node cannot apply the filter. */
	shownIn?: string;
	passes: (record: IDataObject, values: readonly string[], moment: Moment) => boolean;
}
