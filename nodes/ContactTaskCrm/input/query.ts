import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { dateAdvice, filterAdvice } from './labels';
import { emailToFind } from './matchToFind';
import { systemClock } from '../util/clock';
import type { Match } from '../lookup/find';
import { contracts } from '../schema';
import { ANY, type AppliedFilter, type FilterParameter, type ReadFilter } from '../schema/filter';
import { labelOf, titleCase } from '../schema/label';
import { type RecordContract, titledCollection } from '../schema/record';
import { ExplainedError, unusableReference, UnusableParameter } from '../util/errors';
import { assertTogether, holdersFor, isHeld } from './heldFilters';
import type { InputItem } from './item';
import { isAgentsNone, refuseObjectText } from './noValue';
import { oneTitleOr } from './references';
import { isMeantAsEmail } from '../values/email';
import { isObject, listOf, locatedIn, parsedList, truthOf } from '../values/json';
import { referencesIn } from '../values/list';
import { filledPath, idOf, pathParameters } from '../values/reference';
import { cleanContact, cleanText, isBlank, quoted, wordOf } from '../values/text';
import { inZone } from '../values/time';

/*
 * Reads the parameters that choose records: the locator of one record, or the filters and the order of a list.
 */

/** The record or list that an item works with, from its parameters. */
export interface Target {
	/** Path of the request; before the lookup of a person, still a template: "/people/{personId}". */
	path: string;
	/** ID of the record; absent for a list, and before a lookup. */
	id?: string;
	/**
	 * Last record in the path, for messages. In the path of a list of comments, such as `/tasks/91ce/comments`, this is
	 * the task.
	 */
	named?: { noun: string; id: string };
	/** Lookup of a person by e-mail address. */
	lookup?: Match;
}

/**
 * Returns the record or list that the parameters of an item choose. The user may give a person by e-mail address
 * instead of ID.
 *
 * @throws UnusableParameter that names the locator
 */
export async function targetOf(item: InputItem): Promise<Target> {
	const { context, request } = item;
	const { url: template = '' } = request;
	const names = pathParameters(template);
	const { locator, noun } = contracts.person;
	const email = names.includes(locator)
		? emailOf(context.getNodeParameter(locator, undefined))
		: undefined;
	if (email !== undefined) {
		const lookup = emailToFind(item, email, titleCase(noun));
		return { path: template, lookup };
	}
	const ids: Record<string, string> = {};
	for (const name of names) ids[name] = await locatedId(item, name);
	const path = filledPath(template, ids);
	const last = names.at(-1) ?? '';
	const id = ids[last];
	if (id === undefined) return { path };
	const named = { noun: contractOf(last).noun, id };
	// If the path ends with /comments or /history, its last ID belongs to the task, not to the operation's record.
	const isBelow = template.endsWith('/comments') || template.endsWith('/history');
	return { path, named, ...(isBelow ? {} : { id }) };
}

function contractOf(name: string): RecordContract {
	return Object.values(contracts).find(({ locator }) => locator === name)!;
}

/** Returns the e-mail address in a locator, if any, whatever its mode. An AI model cannot choose the mode. */
function emailOf(located: unknown): string | undefined {
	const value = locatedIn(located);
	if (typeof value !== 'string' || isBlank(value)) return undefined;
	const isByEmail = isObject(located) && located.mode === 'email';
	return isByEmail || isMeantAsEmail(value) ? value : undefined;
}

async function locatedId(item: InputItem, name: string): Promise<string> {
	const value = item.context.getNodeParameter(name, undefined, { extractValue: true });
	const { noun, collection } = contractOf(name);
	const label = titleCase(noun);
	// A record of a collection with titles may have the title None, so the lookup of the title decides.
	const isNone = !titledCollection(collection) && isAgentsNone(item, value);
	if (isBlank(value) || isNone) {
		throw new UnusableParameter(
			isNone ? `${label}: expected an ID, got ${quoted(value)}` : `${label} is empty`,
			`${item.adviceOn(collection)}. An expression must give one for every item`,
		);
	}
	refuseObjectText(value, () => label);
	// In a collection without titles, the value can only be an ID or IRI. The answer to the item's request tells whether
	// the record exists.
	const id = titledCollection(collection)
		? await item.id(value, collection)
		: idOf(value, collection);
	if ('value' in id) return id.value;
	throw unusableReference(label, id, item.adviceOn(collection));
}

/**
 * Returns the filters of an item, with their values.
 *
 * The service ignores a filter that it cannot read or that has no value, and returns the unfiltered list. So this
 * function refuses an unusable value, and an expression that gave nothing. A filter that the user left empty in the
 * editor does not apply.
 *
 * @throws UnusableParameter that names the filter
 */
export async function filtersOf<F extends FilterParameter>(
	item: InputItem,
	filters: Readonly<Record<string, F>>,
): Promise<Array<AppliedFilter<F>>> {
	const { context } = item;
	const given = context.getNodeParameter('filters', {}) as IDataObject;
	const raw = (context.getNode().parameters.filters ?? {}) as IDataObject;
	const { whenFilterEmpty } = item.options;
	// The model of an AI agent fills in every parameter, with a blank for each parameter that it does not need.
	const ignoresBlanks = whenFilterEmpty === 'ignore' || item.run.isTool;
	const applied: Array<AppliedFilter<F>> = [];
	// Workspaces come before columns, because the node looks for a column by its title in the chosen workspaces first.
	const held = sortBy(Object.entries(filters), ([, filter]) => isHeld(filter));
	for (const [name, filter] of held) {
		const { kind, label, takesSeveral, refersTo = '' } = filter;
		const all = valuesGiven(filter, given[name]);
		refuseObjectText([given[name], all], () => label);
		// The model writes "null" for a filter that it does not need.
		const left = all.filter((one) => !isAgentsNone(item, one));
		if (left.length === 0) {
			if (ignoresBlanks || !isExpression(raw[name])) continue;
			throw new UnusableParameter(
				`${label} is empty: its expression gave nothing for this item`,
				'Correct the expression, or remove the filter, or set Options > When a Filter Is Empty to Ignore. Without a value the service gives the unfiltered list',
			);
		}
		const value = locatedIn(given[name]);
		const entries = await oneTitleOr(left, { item, value, collection: refersTo });
		if (entries.length > 1 && !takesSeveral) {
			throw new UnusableParameter(
				`${label}: expected one value, got ${entries.length}`,
				'Give one value; the service has no way to look for several at once here',
			);
		}
		// A model that gives "any" to one filter may give it to the others, too.
		const takesAny = kind === 'boolean' || kind === 'choice' || item.run.isTool;
		if (takesAny && wordOf(entries[0]) === ANY) continue;
		const values: string[] = [];
		const within = holdersFor(filter, applied)?.values;
		for (const entry of entries) values.push(await valueFor(item, filter, entry, within));
		applied.push({ filter, values });
	}
	assertTogether(applied);
	return applied;
}

/**
 * Returns filters as query parameters. A filter with several values becomes `name[]`.
 *
 * @param prefix text that the service puts before the path of each IRI, such as "/api"
 */
export function filterQuery(filters: AppliedFilter[], prefix = ''): Array<[string, string]> {
	return filters.flatMap(({ filter: { query, kind }, values }) =>
		values.map((value): [string, string] => [
			values.length > 1 ? `${query}[]` : query,
			kind === 'iri' ? prefix + value : value,
		]),
	);
}

/**
 * Returns the sort rules of an item as query parameters, in the order of the contract. In the contract, the family name
 * comes before the creation time. Creation times are hardly ever equal, so a sort rule behind them would have no
 * effect.
 *
 * @throws UnusableParameter for a direction that is neither asc nor desc
 */
export function orderQuery(item: InputItem, { orders }: RecordContract): Array<[string, string]> {
	const given = item.context.getNodeParameter('sort', {}) as IDataObject;
	return Object.entries(orders)
		.filter(([name]) => !isBlank(given[name]) && !isAgentsNone(item, given[name]))
		.map(([name, query]) => {
			const direction = wordOf(given[name]);
			if (direction === 'asc' || direction === 'desc') return [query, direction];
			throw new UnusableParameter(
				`Sort: ${labelOf(name)}: expected asc or desc, got ${quoted(given[name])}`,
				'Correct it, or remove it',
			);
		});
}

/**
 * Returns the value of a filter in the form of the query. An e-mail address stays as it is, and the node looks it up
 * later.
 *
 * @param within IRIs of workspaces. If `entry` is the title of a column, the node searches these workspaces first
 * @throws UnusableParameter if the filter cannot take the value
 */
async function valueFor(
	item: InputItem,
	filter: FilterParameter,
	entry: unknown,
	within?: readonly string[],
): Promise<string> {
	const { kind, label, refersTo = '', takesEmail, shownIn = [], choices = {} } = filter;
	const { isTool } = item.run;
	const unusable = (expected: string, more = '') => {
		const message = `${label}: expected ${expected}, got ${quoted(entry)}`;
		return new UnusableParameter(message, filterAdvice(isTool) + more);
	};
	switch (kind) {
		case 'id':
		case 'iri': {
			if (takesEmail && typeof entry === 'string' && isMeantAsEmail(entry))
				return cleanContact(entry);
			const reference = await item[kind](entry, refersTo, within);
			if ('value' in reference) return reference.value;
			const orElse = takesEmail ? 'an e-mail address' : `a path such as ${refersTo}/{id}`;
			const form = `expected ${kind === 'id' ? 'an ID' : `an ID or ${orElse}`}, got ${quoted(entry)}`;
			const isOfForm = !reference.expected.startsWith('expected');
			const advice = filterAdvice(isTool, item.adviceOn(refersTo));
			throw unusableReference(label, isOfForm ? reference : { expected: form }, advice);
		}
		case 'dateTime': {
			// The time is in UTC here. Before the request, `inServiceTime` converts it to the time zone of the service.
			const time = inZone(entry, item.context.getTimezone())?.toUTC();
			const text = time?.toISO({ suppressMilliseconds: true });
			if (text) return text;
			const expected = 'a date such as 2026-12-31 or 2026-12-31T17:00:00Z';
			throw unusable(expected, dateAdvice(isTool, item.context.getTimezone()));
		}
		case 'boolean': {
			const word = wordOf(entry);
			const truth = word === 'yes' || word === 'no' ? word === 'yes' : truthOf(entry);
			if (truth !== undefined) return String(truth);
			throw unusable(`yes, no or ${ANY}`);
		}
		case 'choice': {
			const word = wordOf(entry);
			if (Object.hasOwn(choices, word)) return word;
			throw unusable(`${Object.keys(choices).join(', ')} or ${ANY}`);
		}
		case 'text':
			if (!['string', 'number', 'boolean'].includes(typeof entry)) throw unusable('text');
			return (shownIn.includes('emailAddresses') ? cleanContact : cleanText)(String(entry));
	}
}

/**
 * Returns the values that the user gives for a filter, without blanks. Splits text with several IDs or e-mail addresses.
 */
function valuesGiven({ kind, shownIn = [] }: FilterParameter, value: unknown): unknown[] {
	if (kind === 'id' || kind === 'iri') return referencesIn(locatedIn(value));
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	if (shownIn.includes('emailAddresses')) return entries.flatMap((entry) => referencesIn(entry));
	// An AI model may give a list as JSON text, even for a filter with a single value.
	const given =
		kind === 'text' ? entries.flatMap((entry) => listOf(parsedList(entry)) ?? [entry]) : entries;
	return given.filter((entry) => !isBlank(entry));
}

/** Returns whether a parameter, or a part of it, is an expression. In n8n, an expression begins with "=". */
function isExpression(parameter: unknown): boolean {
	const raw = locatedIn(parameter);
	return Array.isArray(raw)
		? raw.some(isExpression)
		: typeof raw === 'string' && raw.startsWith('=');
}

/** A filter with its values. The node applies this filter itself, because the service lacks it. */
export type AppliedReadFilter = AppliedFilter<ReadFilter>;

/**
 * Returns a function that says whether a record passes all filters; undefined if there are no filters.
 *
 * @param timezone time zone of the workflow
 */
export function passesAll(
	filters: readonly AppliedReadFilter[],
	timezone: string,
): ((record: unknown) => boolean) | undefined {
	if (filters.length === 0) return undefined;
	const moment = { wallTime: systemClock.wallTime(), timezone };
	return (record) =>
		isObject(record) &&
		filters.every(({ filter, values }) => filter.passes(record as IDataObject, values, moment));
}

/**
 * Returns a check for each page of a list. The check throws an ExplainedError if no record of the page shows the field
 * of a filter. Without the check, no record would pass, and the list would look empty. Once a page has shown the field,
 * a record without the field counts as a record with an empty field.
 */
export function shownCheck(
	filters: readonly AppliedReadFilter[],
	{ plural }: RecordContract,
): (records: readonly unknown[]) => void {
	const notYetShown = new Set(filters.map(({ filter }) => filter));
	return (records) => {
		if (records.length === 0) return;
		for (const filter of notYetShown) {
			const { label, shownIn } = filter;
			const isShown = (record: unknown) => isObject(record) && shownIn! in record;
			if (shownIn !== undefined && !records.some(isShown)) {
				throw new ExplainedError(
					`${label}: the service shows no ${shownIn} of the ${plural}, so that the filter cannot be applied`,
					'Remove the filter, and select the records behind the node',
					{ code: 'unsupported' },
				);
			}
			notYetShown.delete(filter);
		}
	};
}
