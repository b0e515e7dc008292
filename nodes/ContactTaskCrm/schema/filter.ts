import type { IDataObject } from 'n8n-workflow';
import type { CollectionPath } from '../values/reference';

/**
 * Type that the service expects of a filter's value. The user may give an ID in place of an IRI, and an IRI in place of
 * an ID.
 */
export type FilterKind = 'text' | 'id' | 'iri' | 'dateTime' | 'boolean';

/**
 * Choice that switches off a filter with fixed choices, such as yes and no. AI agents need this choice, because they
 * fill in every parameter.
 */
export const ANY = 'any';

/** Records that a time filter keeps: those after or before a time. The strict forms leave out the time itself. */
export type Bound = 'after' | 'strictly_after' | 'before' | 'strictly_before';

/** A documented query parameter of a list (interface, sections 4.1 and 4.2). */
export interface Filter {
	/** Name of the query parameter. */
	query: string;
	kind: FilterKind;
	label: string;
	/** Whether the filter also takes several values, as `name[]`. */
	takesSeveral: boolean;
	/** The path of the collection that the IDs or IRIs of the filter belong to. */
	refersTo?: CollectionPath;
	/** Fields that show the node whether a record meets the filter. */
	shownIn: readonly string[];
	bound?: Bound;
}

/** A filter with its values, in the form of the service. */
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

/** Returns a filter for records with or without a value in the field. */
export function existsFilter(field: string, label: string): Filter {
	const query = `exists[${field}]`;
	return { query, kind: 'boolean', label, takesSeveral: false, shownIn: [field] };
}

/**
 * Returns four filters by a time. Two include records with exactly this time, and two exclude them.
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

/** Bounds of time filters that no record meets, because no CRM had records then, or has them yet. */
const NEVER_BEFORE = '1980-01-01T00:00:00Z';
const NEVER_AFTER = '2999-01-01T00:00:00Z';

/**
 * Returns values of a filter that select none of the records that the given values select; empty if no such values are
 * sure to suit the service. A service may refuse or ignore an ID that it does not know.
 */
export function oppositeValues({ filter: { kind, bound }, values }: AppliedFilter): string[] {
	if (kind === 'boolean') return values.map((value) => String(value !== 'true'));
	if (kind === 'dateTime') return [bound?.endsWith('after') ? NEVER_AFTER : NEVER_BEFORE];
	return [];
}

/** Description of the node parameter that the editor shows for a filter. */
export type FilterParameter = Pick<Filter, 'label' | 'takesSeveral' | 'refersTo' | 'bound'> & {
	kind: FilterKind | 'choice';
	/** Whether the value may be the e-mail address of a person. */
	takesEmail?: boolean;
	/** Values that the user can choose, except "any", with their descriptions. Only for the kind `choice`. */
	choices?: Readonly<Record<string, string>>;
};

/** The present time. Filters compare times of records with it. */
export interface Moment {
	/** Time in ms since 1970. */
	wallTime: number;
	/** Time zone of the workflow, for a day without a time. */
	timezone: string;
}

/** A filter that the service lacks. The node reads the records, and applies the filter itself. */
export interface ReadFilter extends FilterParameter {
	/** Field that the filter compares. If no record shows the field, the node cannot apply the filter. */
	shownIn?: string;
	passes: (record: IDataObject, values: readonly string[], moment: Moment) => boolean;
}
