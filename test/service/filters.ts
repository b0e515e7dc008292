import { valuesOf, type Query } from './query';
import { parseTimestamp } from './timestamps';

export type Predicate<T> = (record: T) => boolean;

/**
 * A filter of a list. What it cannot read gives undefined, and the list stays unfiltered: API
 * Platform's filters fail open.
 */
export type Filter<T> = (query: Query) => Predicate<T> | undefined;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Text without case and accents, as a search compares it. */
export const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** `name` and `name[]`: the record has one of these values, whatever its case. */
export function byValue<T>(name: string, read: (record: T) => Array<string | null>): Filter<T> {
	return (query) => {
		const values = valuesOf(query, name)?.map((value) => value.toLowerCase());
		if (!values) return undefined;
		const wanted = new Set(values);
		return (record) => read(record).some((value) => value && wanted.has(value.toLowerCase()));
	};
}

/** `name` and `name[]` of ids: one that is no UUID drops the filter, as Doctrine's types do. */
export function byId<T>(name: string, read: (record: T) => Array<string | null>): Filter<T> {
	const filter = byValue(name, read);
	return (query) => {
		const values = valuesOf(query, name);
		return values?.every((value) => UUID.test(value)) ? filter(query) : undefined;
	};
}

/** `name` and `name[]`: the field contains one of these texts. */
export function byPart<T>(name: string, read: (record: T) => string | null): Filter<T> {
	return (query) => {
		const parts = valuesOf(query, name)?.map(fold);
		return parts && ((record) => parts.some((part) => fold(read(record) ?? '').includes(part)));
	};
}

/** A search: every word is somewhere in the texts of the record. */
export function bySearch<T>(name: string, read: (record: T) => Array<string | null>): Filter<T> {
	return (query) => {
		const words = valuesOf(query, name)?.flatMap((text) => fold(text).split(/\s+/).filter(Boolean));
		if (!words || words.length === 0) return undefined;
		return (record) => {
			const text = fold(read(record).filter(Boolean).join('\n'));
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

/** `exists[field]`. */
export function byExistence<T>(field: string & keyof T): Filter<T> {
	return (query) => {
		const wanted = BOOLEANS[String(query[`exists[${field}]`])];
		return wanted === undefined ? undefined : (record) => (record[field] !== null) === wanted;
	};
}

const COMPARISONS: Record<string, (at: number, limit: number) => boolean> = {
	strictly_after: (at, limit) => at > limit,
	after: (at, limit) => at >= limit,
	strictly_before: (at, limit) => at < limit,
	before: (at, limit) => at <= limit,
};

/** The four `field[after]` filters; a record without the date is in none of them. */
export function byDate<T>(field: string & keyof T): Array<Filter<T>> {
	return Object.entries(COMPARISONS).map(([name, compare]) => (query) => {
		const value = query[`${field}[${name}]`];
		const limit = typeof value === 'string' ? parseTimestamp(value) : undefined;
		if (limit === undefined) return undefined;
		return (record) => {
			const at = record[field];
			return typeof at === 'string' && compare(Date.parse(at), limit);
		};
	});
}

/** The records that every filter lets through. */
export function filtered<T>(records: T[], filters: Array<Filter<T>>, query: Query): T[] {
	const predicates = filters
		.map((filter) => filter(query))
		.filter((predicate) => predicate !== undefined);
	if (predicates.length === 0) return records;
	return records.filter((record) => predicates.every((predicate) => predicate(record)));
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
 * The records in the order of `order[field]`, nulls last, equals as they were. With several, the
 * one that comes first in the query counts most. A field or a direction that is none is ignored.
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
