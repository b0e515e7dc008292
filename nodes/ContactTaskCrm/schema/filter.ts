import type { IDataObject } from 'n8n-workflow';
import { type CollectionPath, isSameReference } from '../values/reference';
import { normalized } from '../values/identifier';
import { isObject, listOf } from '../values/json';
import { phoneKey, phoneOf } from '../values/phone';
import { cleanText, folded, isBlank } from '../values/text';
import { inZone, isZoned } from '../values/time';

/**
 * Type that the service expects for the value of a filter. The user may also give an ID for `iri`, and an IRI for `id`.
 */
export type FilterKind = 'text' | 'id' | 'iri' | 'dateTime' | 'boolean';

/**
 * Choice that switches off a filter with fixed choices, such as yes and no. AI agents need it, because they fill in
 * every parameter.
 */
export const ANY = 'any';

/**
 * Side of a time on which a filter keeps records: after or before this time. A strict bound leaves out records with
 * exactly this time.
 */
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
	/** Names of the fields that show whether a record meets the filter. */
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

/** Times with which a filter finds no records, because no CRM has records from before 1980 or after 2999. */
const NEVER_BEFORE = '1980-01-01T00:00:00Z';
const NEVER_AFTER = '2999-01-01T00:00:00Z';

/**
 * Returns values with which a filter must find none of the records that it finds with the given values. If the service
 * still shows one of these records, the service ignores the filter. Returns no values for a filter by text, ID or IRI,
 * because the service may refuse or ignore an ID that it does not know.
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
	/** Whether the value may also be the e-mail address of a person. */
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

/** Returns whether a record meets a filter, judged by the fields that the record shows. */
export function meetsFilter(
	record: Record<string, unknown>,
	filter: Filter,
	values: string[],
): boolean {
	const { kind, shownIn, refersTo = '', bound } = filter;
	const [field = ''] = shownIn;
	switch (kind) {
		case 'id':
		case 'iri': {
			const shown = listOf(record[field]) ?? [record[field]];
			return values.some((value) => shown.some((one) => isSameReference(one, value, refersTo)));
		}
		case 'boolean':
			return isBlank(record[field]) === (values[0] === 'false');
		case 'dateTime':
			return bound === undefined || liesWithin(record[field], bound, values[0]);
		case 'text': {
			const texts = shownIn.flatMap((name) => textsIn(record[name])).map(comparableForms);
			return values
				.map(comparableForms)
				.some((value) =>
					texts.some((text) => text.some((form, position) => form.includes(value[position]!))),
				);
		}
	}
}

/**
 * Returns three forms of a text, because the service may compare any of them. The first has no accents and no case. The
 * second is the key of a phone number or another identifier. The third has only the digits if the text looks like a
 * phone number, to match a part of the number.
 */
function comparableForms(text: string): string[] {
	const plain = folded(cleanText(text)).trim();
	const phone = phoneOf(text);
	const digits = /^[+\d\s().·/-]+$/.test(plain) ? plain.replace(/\D/g, '').replace(/^0+/, '') : '';
	return [plain, phone ? phoneKey(phone) : normalized(text), digits || plain];
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return (listOf(value) ?? []).flatMap((entry) =>
		isObject(entry) ? Object.values(entry).filter((part) => typeof part === 'string') : [],
	);
}

/** Largest offset of a time zone from UTC, in ms. A time without a zone, read as UTC, may be wrong by this much. */
const ANY_ZONE_MS = 14 * 60 * 60_000;

function liesWithin(value: unknown, bound: Bound, limit: unknown): boolean {
	const time = inZone(value, 'utc')?.toMillis();
	const edge = inZone(limit, 'utc')?.toMillis();
	// A time in an unknown form passes, because it does not tell whether the service applied the filter.
	if (time === undefined || edge === undefined) return !isBlank(value);
	const distance = bound.endsWith('after') ? time - edge : edge - time;
	// The function tolerates a difference of one second, because some installations of the CRM compare whole seconds.
	return distance > (isZoned(value) ? -1_000 : -ANY_ZONE_MS);
}
