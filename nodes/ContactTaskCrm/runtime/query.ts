import type { IDataObject } from 'n8n-workflow';
import { isAgentTool } from '../common/agentTool';
import { inZone } from '../common/dateTime';
import { UnusableParameter } from '../common/errors';
import { isAddress } from '../common/identifiers';
import { listOf } from '../common/lists';
import { locatedIn, parsedList, referencesIn } from '../common/references';
import { isBlank } from '../contract/blank';
import type { Filter, FilterKind } from '../contract/filter';
import { labelOf } from '../contract/label';
import type { RecordContract } from '../contract/record';
import { truthOf } from './coercion';
import type { Item } from './item';
import type { LocateByEmail } from './locate';
import type { References } from './references';

/** A filter with the values it was given, as they go over the wire. */
export interface AppliedFilter<F = Filter> {
	filter: F;
	values: string[];
}

/** What reading the value of a filter needs to know of it. */
type FilterParameter = Pick<Filter, 'kind' | 'label' | 'takesSeveral' | 'refersTo'> & {
	/** Whoever has an e-mail address is looked up with this, once all is read. */
	locateByEmail?: LocateByEmail;
};

/**
 * The filters of an item.
 *
 * Filters of such services fail open: one that cannot be read, or that has no value, gives the
 * unfiltered list. So a value that is no id, date or direction is refused here, and so is an
 * expression that gave nothing; only a filter that was left empty in the editor counts as not set.
 *
 * @throws UnusableParameter naming the filter
 */
export function filtersOf<F extends FilterParameter>(
	{ context, references }: Item,
	filters: Readonly<Record<string, F>>,
): Array<AppliedFilter<F>> {
	const given = context.getNodeParameter('filters', {}) as IDataObject;
	const raw = (context.getNode().parameters.filters ?? {}) as IDataObject;
	const { whenFilterEmpty } = context.getNodeParameter('options', {}) as IDataObject;
	// The model of an AI agent fills in every parameter, and gives those that it does not need a blank.
	const ignoresBlanks = whenFilterEmpty === 'ignore' || isAgentTool(context.getNode());
	return Object.entries(filters).flatMap(([name, filter]): Array<AppliedFilter<F>> => {
		const entries = valuesGiven(filter.kind, given[name]);
		if (entries.length === 0) {
			if (!ignoresBlanks && isExpression(raw[name])) throw emptyFilter(filter);
			return [];
		}
		if (entries.length > 1 && !filter.takesSeveral) throw tooManyValues(filter, entries);
		const timezone = context.getTimezone();
		return [
			{ filter, values: entries.map((entry) => valueFor(filter, entry, { timezone, references })) },
		];
	});
}

/** Filters as query parameters; several values in the array form of the interface. */
export function filterQuery(filters: AppliedFilter[]): Array<[string, string]> {
	return filters.flatMap(({ filter: { query }, values }) =>
		values.map((value): [string, string] => [values.length > 1 ? `${query}[]` : query, value]),
	);
}

/**
 * The order of an item's list. By family name first where both are given: times of creation hardly
 * ever tie, so that a second rule after them would do nothing.
 *
 * @throws UnusableParameter for a direction that is neither asc nor desc
 */
export function orderQuery({ context }: Item, { orders }: RecordContract): Array<[string, string]> {
	const given = context.getNodeParameter('sort', {}) as IDataObject;
	return Object.entries(orders)
		.filter(([name]) => !isBlank(given[name]))
		.map(([name, query]) => {
			const direction = String(given[name]).trim().toLowerCase();
			if (direction === 'asc' || direction === 'desc') return [query, direction];
			throw unusableValue(`Sort: ${labelOf(name)}`, 'asc or desc', given[name]);
		});
}

const EXPECTED: Record<FilterKind, string> = {
	text: 'text',
	id: 'an ID',
	iri: 'an ID or a path such as /users/{id}',
	dateTime: 'a date such as 2026-12-31 or 2026-12-31T17:00:00Z',
	boolean: 'true or false',
};

interface ReadingContext {
	timezone: string;
	references: References;
}

function valueFor(filter: FilterParameter, entry: unknown, reading: ReadingContext): string {
	const { kind, label, refersTo = '', locateByEmail } = filter;
	if (locateByEmail && typeof entry === 'string' && isAddress(entry)) return entry.trim();
	if (kind === 'id' || kind === 'iri') {
		const reference = reading.references[kind](entry, refersTo);
		if ('value' in reference) return reference.value;
		if (!reference.expected.startsWith('expected')) throw unknownTitle(label, reference.expected);
	}
	const text = filterText(filter, entry, reading.timezone);
	if (text !== undefined) return text;
	const expected = locateByEmail ? 'an ID or an e-mail address' : EXPECTED[kind];
	throw unusableValue(label, expected, entry);
}

function unusableValue(label: string, expected: string, got: unknown): UnusableParameter {
	return new UnusableParameter(
		`${label}: expected ${expected}, got ${JSON.stringify(got)}`,
		'Correct the filter, or remove it. Without the check the service would give the unfiltered list',
	);
}

function unknownTitle(label: string, expected: string): UnusableParameter {
	return new UnusableParameter(
		`${label}: ${expected}`,
		'Give one of these titles, or an ID. Without the check the service would give the unfiltered list',
	);
}

function tooManyValues({ label }: FilterParameter, entries: unknown[]): UnusableParameter {
	return new UnusableParameter(
		`${label}: expected one value, got ${entries.length}`,
		'Give one value; the service has no way to look for several at once here',
	);
}

function emptyFilter({ label }: FilterParameter): UnusableParameter {
	return new UnusableParameter(
		`${label} is empty: its expression gave nothing for this item`,
		'Correct the expression, or remove the filter, or set Options > When a Filter Is Empty to Ignore. Without a value the service gives the unfiltered list',
	);
}

/** What was given, without blanks. A filter of references takes text with commas, too. */
function valuesGiven(kind: FilterKind, value: unknown): unknown[] {
	if (kind === 'id' || kind === 'iri') return referencesIn(locatedIn(value));
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	// A model gives a list as JSON text, also where one value is asked for.
	const given =
		kind === 'text' ? entries.flatMap((entry) => listOf(parsedList(entry)) ?? [entry]) : entries;
	return given.filter((entry) => !isBlank(entry));
}

function isExpression(parameter: unknown): boolean {
	const raw = locatedIn(parameter);
	return Array.isArray(raw)
		? raw.some(isExpression)
		: typeof raw === 'string' && raw.startsWith('=');
}

function filterText(filter: FilterParameter, value: unknown, timezone: string): string | undefined {
	switch (filter.kind) {
		case 'id':
		case 'iri':
			return undefined;
		case 'dateTime': {
			const time = inZone(value, timezone);
			// In UTC and with "Z": a plus sign would be read as a space, and the filter dropped.
			return time?.toUTC().toISO({ suppressMilliseconds: true }) ?? undefined;
		}
		case 'boolean':
			return truthOf(value)?.toString();
		case 'text':
			return ['string', 'number', 'boolean'].includes(typeof value)
				? String(value).trim()
				: undefined;
	}
}
