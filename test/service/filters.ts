import { iriOf, irisOf } from './iris';
import { Problem } from './problems';
import { valuesOf, type Query } from './query';
import type { Store } from './store';
import type { Switches } from './switches';
import { readWords } from './timestamps';

export type Predicate<T> = (record: T) => boolean;

/** Values that the filters of a request need. */
export interface Filtering {
	query: Query;
	switches: Switches;
	store: Pick<Store, 'has'>;
	/** Time of the request. */
	now: string;
}

/**
 * A filter of a list. For a date or boolean that it cannot read, it returns undefined, and the list stays unfiltered:
 * API Platform's filters fail open here. A value that no record has matches nothing.
 */
export type Filter<T> = (filtering: Filtering, records: T[]) => Predicate<T> | undefined;

/** Removes case and accents, for a search. */
export const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns whether a record's value equals the wanted one, or contains it. */
type Comparison = (value: string, wanted: string) => boolean;

const toTheLetter: Comparison = (value, wanted) => value === wanted;
const folded: Comparison = (value, wanted) => fold(value).includes(fold(wanted));

const WHOLE: Record<Switches['comparison'], Comparison> = {
	literal: toTheLetter,
	forgiving: (value, wanted) => value.toLowerCase() === wanted.toLowerCase(),
	exact: toTheLetter,
	partial: (value, wanted) => value.toLowerCase().includes(wanted.toLowerCase()),
};

const PART: Record<Switches['comparison'], Comparison> = {
	literal: folded,
	forgiving: folded,
	exact: toTheLetter,
	partial: folded,
};

/**
 * Returns the values of a filter as the service understands them.
 * @throws Problem 400
 */
function understoodValues(name: string, { query, switches }: Filtering): string[] | undefined {
	const values = valuesOf(query, name);
	if (!values || !(`${name}[]` in query)) return values;
	const { severalValues } = switches;
	if (severalValues === 'dropped') return valuesOf({ [name]: query[name] ?? [] }, name);
	if (severalValues === 'refused') {
		throw new Problem(400, `Input value "${name}" contains a non-scalar value.`);
	}
	return severalValues === 'last' ? values.slice(-1) : values;
}

/** Returns half of a list; always the same half for the same list. */
const halfOf = <T>(records: T[]) => new Set(records.filter((_, index) => index % 2 === 0));

interface ValueFilter<T> {
	name: string;
	read: (record: T) => Array<string | null>;
	compare: (filtering: Filtering) => Comparison;
	/** Returns whether a record has the value; by default, whether a record of the list has it. */
	isKnown?: (value: string, filtering: Filtering) => boolean;
}

function byComparison<T>({ name, read, compare, isKnown }: ValueFilter<T>): Filter<T> {
	return (filtering, records) => {
		const values = understoodValues(name, filtering);
		if (!values) return undefined;
		const { severalValues, dropUnknownValues } = filtering.switches;
		const matches = compare(filtering);
		const has = (record: T, wanted: string) =>
			read(record).some((value) => value && matches(value, wanted));
		const isUnknown = (wanted: string) =>
			isKnown ? !isKnown(wanted, filtering) : !records.some((record) => has(record, wanted));
		if (dropUnknownValues.includes(name) && values.some(isUnknown)) return undefined;
		if (severalValues === 'all') return (record) => values.every((wanted) => has(record, wanted));
		const besides = severalValues === 'more' && values.length > 1 ? halfOf(records) : undefined;
		return (record) =>
			values.some((wanted) => has(record, wanted)) || besides?.has(record) === true;
	};
}

/** Filters by `name` and `name[]`: the record has one of these values. */
export function byValue<T>(name: string, read: (record: T) => Array<string | null>): Filter<T> {
	return byComparison({ name, read, compare: ({ switches }) => WHOLE[switches.comparison] });
}

/** Reads a value of a filter that takes IRIs. Returns undefined for an IRI without a required prefix. */
function readIri(value: string, { prefixedFilters, mountPath }: Switches): string | undefined {
	if (!prefixedFilters || !value.startsWith('/')) return value;
	return value.startsWith(`${mountPath}/`) ? value.slice(mountPath.length) : undefined;
}

/** Filters by `name` and `name[]` with IRIs and IDs, compared as text. */
export function byReference<T>(name: string, read: (record: T) => Array<string | null>): Filter<T> {
	return byComparison({
		name,
		read,
		compare:
			({ switches }) =>
			(value, wanted) => {
				const iri = readIri(wanted, switches);
				return iri !== undefined && WHOLE[switches.comparison](value, iri);
			},
	});
}

/**
 * Filters by `name` and `name[]` with IDs, which must match exactly. A filter whose name ends in `.id` also takes
 * IRIs.
 *
 * @param resource resource of the records with these IDs
 */
export function byId<T>(
	name: string,
	resource: string,
	read: (record: T) => Array<string | null>,
): Filter<T> {
	const takesIris = name.endsWith('.id');
	const iris = irisOf(resource);
	const idIn = (value: string, switches: Switches) => {
		const iri = takesIris ? readIri(value, switches) : undefined;
		return iri && iris.test(iri) ? iri.slice(resource.length + 2) : value;
	};
	return byComparison({
		name,
		read,
		compare:
			({ switches }) =>
			(id, wanted) =>
				id === idIn(wanted, switches),
		isKnown: (value, { store, switches }) => store.has(iriOf(resource, idIn(value, switches))),
	});
}

/** Filters by `name` and `name[]`: the field contains one of these texts. */
export function byPart<T>(name: string, read: (record: T) => string | null): Filter<T> {
	return byComparison({
		name,
		read: (record) => [read(record)],
		compare: ({ switches }) => PART[switches.comparison],
	});
}

/** Searches the texts of a record for every word. With exact comparison, searches for the whole text. */
export function bySearch<T>(name: string, read: (record: T) => Array<string | null>): Filter<T> {
	return ({ query, switches }) => {
		const isExact = switches.comparison === 'exact';
		const cut = (text: string) => (isExact ? [text] : fold(text).split(/\s+/).filter(Boolean));
		const words = valuesOf(query, name)?.flatMap(cut);
		if (!words || words.length === 0) return undefined;
		return (record) => {
			const all = read(record).filter(Boolean).join('\n');
			const text = isExact ? all : fold(all);
			return words.every((word) => text.includes(word));
		};
	};
}

const BOOLEANS: Record<string, boolean> = {
	true: true,
	'1': true,
	'': true,
	false: false,
	'0': false,
};

const isSet = (value: unknown) => value !== null && value !== undefined;

/** Filters by `exists[field]`: whether the field has a value. */
export function byExistence<T>(field: string & keyof T): Filter<T> {
	return ({ query }) => {
		const wanted = BOOLEANS[String(query[`exists[${field}]`])];
		return wanted === undefined ? undefined : (record) => isSet(record[field]) === wanted;
	};
}

const COMPARISONS: Record<string, (at: number, limit: number) => boolean> = {
	strictly_after: (at, limit) => at > limit,
	after: (at, limit) => at >= limit,
	strictly_before: (at, limit) => at < limit,
	before: (at, limit) => at <= limit,
};

/** Returns the four filters of a date, such as `createdAt[after]`. A record without the date passes none of them. */
export function byDate<T>(field: string & keyof T): Array<Filter<T>> {
	return Object.entries(COMPARISONS).map(([name, compare]) => ({ query, now, switches }) => {
		const value = query[`${field}[${name}]`];
		const limit =
			typeof value === 'string' ? readWords(value, Date.parse(now), switches) : undefined;
		if (limit === undefined) return undefined;
		return (record) => {
			const at = record[field];
			return typeof at === 'string' && compare(Date.parse(at), limit);
		};
	});
}

/** Returns whether a record passes all filters. */
export function passing<T>(
	filters: Array<Filter<T>>,
	filtering: Filtering,
	records: T[],
): Predicate<T> {
	const predicates = filters
		.map((filter) => filter(filtering, records))
		.filter((predicate) => predicate !== undefined);
	return (record) => predicates.every((predicate) => predicate(record));
}

/** Returns the records that pass all filters. */
export function filtered<T>(records: T[], filters: Array<Filter<T>>, filtering: Filtering): T[] {
	return records.filter(passing(filters, filtering, records));
}

const collator = new Intl.Collator('en');
const ORDER_NAME = /^order\[(.+)\]$/;

const compareBy =
	<T>(field: keyof T, direction: number) =>
	(left: T, right: T) => {
		const [a, b] = [left[field], right[field]];
		if (a === null || b === null) return Number(a === null) - Number(b === null);
		return direction * collator.compare(String(a), String(b));
	};

/**
 * Sorts records by `order[field]`. Nulls come last, and equal records keep their order. The first parameter in the
 * query counts most. An unknown field or direction is ignored.
 */
export function ordered<T>(records: T[], fields: Array<string & keyof T>, query: Query): T[] {
	const comparisons = Object.entries(query).flatMap(([name, value]) => {
		const field = fields.find((candidate) => candidate === ORDER_NAME.exec(name)?.[1]);
		const direction = { asc: 1, desc: -1 }[String(value).toLowerCase()];
		return field && direction ? [compareBy<T>(field, direction)] : [];
	});
	if (comparisons.length === 0) return records;
	return [...records].sort((left, right) => {
		for (const compare of comparisons) {
			const result = compare(left, right);
			if (result !== 0) return result;
		}
		return 0;
	});
}
