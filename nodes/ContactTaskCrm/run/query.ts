import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import type { Match } from '../people/find';
import { contracts } from '../schema';
import type { AppliedFilter } from '../schema/filter';
import { ANY } from '../schema/filter';
import { labelOf, titleCase } from '../schema/label';
import { filledPath, pathParameters } from '../util/iri';
import type { RecordContract } from '../schema/record';
import { inZone } from '../util/dateTime';
import { ExplainedError, UnusableParameter } from '../util/errors';
import { isAddress } from '../util/contacts';
import {
	cleanContact,
	cleanText,
	isBlank,
	isObject,
	listOf,
	locatedIn,
	parsedList,
	quoted,
	referencesIn,
	truthOf,
} from '../util/values';
import type { Item } from './item';
import type { FilterParameter, ReadFilter } from './specification';

/*
 * Which records an item is about, as its parameters say it: one by its locator, or those of a list by filters, in an order.
 */

/** What an item works with, as its parameters say it. */
export interface Target {
	/** Path of the request; a template where the person has still to be found. */
	path: string;
	/** Id of the record that is addressed; absent for a collection. */
	id?: string;
	/** What the last locator of the path names: the record, or the one it stands below. */
	named?: { noun: string; id: string };
	/** The search for a person who is addressed by e-mail address. */
	lookup?: Match;
}

/**
 * The record that an item addresses: by its id, or, for a person, by e-mail address.
 *
 * @throws UnusableParameter naming the locator that cannot be used
 */
export async function targetOf(item: Item): Promise<Target> {
	const { context, request } = item;
	const { url: template = '' } = request;
	const names = pathParameters(template);
	const { locator, noun } = contracts.person;
	const email = names.includes(locator)
		? emailOf(context.getNodeParameter(locator, undefined))
		: undefined;
	if (email !== undefined) {
		const lookup = item.looksForEmail(email, titleCase(noun));
		return { path: template, lookup };
	}
	const ids: Record<string, string> = {};
	for (const name of names) ids[name] = await locatedId(item, name);
	const path = filledPath(template, ids);
	const last = names.at(-1) ?? '';
	const id = ids[last];
	if (id === undefined) return { path };
	const named = { noun: contractOf(last).noun, id };
	// The path of comments and history names their task. The task is not the record of the operation.
	const isBelow = template.endsWith('/comments') || template.endsWith('/history');
	return { path, named, ...(isBelow ? {} : { id }) };
}

function contractOf(name: string): RecordContract {
	return Object.values(contracts).find(({ locator }) => locator === name)!;
}

/** The e-mail address that a locator holds: in the mode for it, or in any, since a model cannot choose one. */
function emailOf(located: unknown): string | undefined {
	const value = locatedIn(located);
	if (typeof value !== 'string' || isBlank(value)) return undefined;
	const isByEmail = isObject(located) && located.mode === 'email';
	return isByEmail || isAddress(value) ? value : undefined;
}

async function locatedId(item: Item, name: string): Promise<string> {
	const value = item.context.getNodeParameter(name, undefined, { extractValue: true });
	const { noun, collection } = contractOf(name);
	const label = titleCase(noun);
	if (isBlank(value)) {
		throw new UnusableParameter(
			`${label} is empty`,
			`${item.adviceOn(collection)}. An expression must give one for every item`,
		);
	}
	const id = await item.id(value, collection);
	if ('value' in id) return id.value;
	throw new UnusableParameter(`${label}: ${id.expected}`, item.adviceOn(collection));
}

/**
 * The filters of an item.
 *
 * Filters of such services fail open: one that cannot be read, or that has no value, gives the
 * unfiltered list. So a value that is no id, date or direction is refused here, and so is an
 * expression that gave nothing; only a filter that was left empty in the editor counts as not set.
 *
 * @throws UnusableParameter naming the filter
 */
export async function filtersOf<F extends FilterParameter>(
	item: Item,
	filters: Readonly<Record<string, F>>,
): Promise<Array<AppliedFilter<F>>> {
	const { context } = item;
	const given = context.getNodeParameter('filters', {}) as IDataObject;
	const raw = (context.getNode().parameters.filters ?? {}) as IDataObject;
	const { whenFilterEmpty } = item.options;
	// The model of an AI agent fills in every parameter, and gives those that it does not need a blank.
	const ignoresBlanks = whenFilterEmpty === 'ignore' || item.run.isTool;
	const applied: Array<AppliedFilter<F>> = [];
	for (const [name, filter] of Object.entries(filters)) {
		const { kind, label, takesSeveral } = filter;
		const entries = valuesGiven(kind, given[name]);
		if (entries.length === 0) {
			if (ignoresBlanks || !isExpression(raw[name])) continue;
			throw new UnusableParameter(
				`${label} is empty: its expression gave nothing for this item`,
				'Correct the expression, or remove the filter, or set Options > When a Filter Is Empty to Ignore. Without a value the service gives the unfiltered list',
			);
		}
		if (entries.length > 1 && !takesSeveral) {
			throw new UnusableParameter(
				`${label}: expected one value, got ${entries.length}`,
				'Give one value; the service has no way to look for several at once here',
			);
		}
		const isYesOrNo = kind === 'boolean' || kind === 'choice';
		if (isYesOrNo && wordOf(entries[0]) === ANY) continue;
		const values: string[] = [];
		for (const entry of entries) values.push(await valueFor(item, filter, entry));
		applied.push({ filter, values });
	}
	return applied;
}

/** Filters as query parameters; several values in the array form of the interface, and IRIs with the prefix. */
export function filterQuery(filters: AppliedFilter[], prefix = ''): Array<[string, string]> {
	return filters.flatMap(({ filter: { query, kind }, values }) =>
		values.map((value): [string, string] => [
			values.length > 1 ? `${query}[]` : query,
			kind === 'iri' ? prefix + value : value,
		]),
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

/** A word as it is meant, however it is written. */
function wordOf(value: unknown): string {
	return String(value).trim().toLowerCase();
}

/**
 * What a filter is asked for with a value.
 *
 * @throws UnusableParameter where it cannot be asked for with that
 */
async function valueFor(item: Item, filter: FilterParameter, entry: unknown): Promise<string> {
	const { kind, label, refersTo = '', takesEmail, choices = {} } = filter;
	switch (kind) {
		case 'id':
		case 'iri': {
			if (takesEmail && typeof entry === 'string' && isAddress(entry)) return cleanContact(entry);
			const reference = await item[kind](entry, refersTo);
			if ('value' in reference) return reference.value;
			if (!reference.expected.startsWith('expected')) {
				throw new UnusableParameter(
					`${label}: ${reference.expected}`,
					`${item.adviceOn(refersTo)}, or remove the filter. The service ignores what it does not know, and would give the unfiltered list`,
				);
			}
			const orElse = takesEmail ? 'an e-mail address' : `a path such as ${refersTo}/{id}`;
			throw unusableValue(label, kind === 'id' ? 'an ID' : `an ID or ${orElse}`, entry);
		}
		case 'dateTime': {
			// In UTC for now: `inServiceTime` gives it the offset that the service shows.
			const time = inZone(entry, item.context.getTimezone())?.toUTC();
			const text = time?.toISO({ suppressMilliseconds: true });
			if (text) return text;
			throw unusableValue(label, 'a date such as 2026-12-31 or 2026-12-31T17:00:00Z', entry);
		}
		case 'boolean': {
			const truth = truthOf(entry);
			if (truth !== undefined) return String(truth);
			throw unusableValue(label, `true, false or ${ANY}`, entry);
		}
		case 'choice': {
			const word = wordOf(entry);
			if (Object.hasOwn(choices, word)) return word;
			throw unusableValue(label, `${Object.keys(choices).join(', ')} or ${ANY}`, entry);
		}
		case 'text':
			if (!['string', 'number', 'boolean'].includes(typeof entry)) {
				throw unusableValue(label, 'text', entry);
			}
			return cleanText(String(entry));
	}
}

function unusableValue(label: string, expected: string, got: unknown): UnusableParameter {
	return new UnusableParameter(
		`${label}: expected ${expected}, got ${quoted(got)}`,
		'Correct the filter, or remove it. The service ignores what it does not know, and would give the unfiltered list',
	);
}

/** What was given, without blanks. A filter of references takes text with commas, too. */
function valuesGiven(kind: FilterParameter['kind'], value: unknown): unknown[] {
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

/** A filter of this kind with the values it was given. */
export type AppliedReadFilter = AppliedFilter<ReadFilter>;

/**
 * Whether a record passes all filters; undefined where there are none.
 *
 * @param timezone of the workflow
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
 * Makes sure that the records of a list show what a filter looks at: else the list would look empty. Once
 * one shows it, those that do not have none, and do not pass.
 *
 * @returns what looks at each page, and throws an ExplainedError that names the filter
 */
export function shownCheck(
	filters: readonly AppliedReadFilter[],
	{ plural }: RecordContract,
): (records: readonly unknown[]) => void {
	const open = new Set(filters.map(({ filter }) => filter));
	return (records) => {
		if (records.length === 0) return;
		for (const filter of open) {
			const { label, shownIn } = filter;
			const isShown = (record: unknown) => isObject(record) && shownIn! in record;
			if (shownIn !== undefined && !records.some(isShown)) {
				throw new ExplainedError(
					`${label}: the service shows no ${shownIn} of the ${plural}, so that the filter cannot be applied`,
					'Remove the filter, and select the records behind the node',
				);
			}
			open.delete(filter);
		}
	};
}
