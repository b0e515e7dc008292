import type { Operation } from './contract';
import type { Representation } from './negotiation';
import { cutPage, readPage, viewOf } from './paging';
import type { Query } from './query';
import type { Switches } from './switches';

/** A record as it is shown, before its representation is chosen. */
export interface Shown {
	iri: string;
	/** The JSON-LD type, e.g. `Person`. */
	type: string;
	fields: Record<string, unknown>;
	/** The fields that are there even where they are null. */
	required: string[];
}

/** What an endpoint answers. */
export type Result =
	| { kind: 'item'; item: Shown; stored: boolean }
	| { kind: 'list'; type: string; records: Array<{ id: string }>; show: (record: never) => Shown }
	| { kind: 'empty' };

/** A list of records, of which the page asked for is shown. */
export function list<T extends { id: string }>(
	type: string,
	records: T[],
	show: (record: T) => Shown,
): Result {
	return { kind: 'list', type, records, show };
}

/** What a representation depends on besides the records. */
export interface Request {
	operation: Pick<Operation, 'queryParameters'>;
	representation: Representation;
	/** Of the collection, without the query. */
	path: string;
	query: Query;
	switches: Switches;
}

function withoutNulls(value: unknown, required: string[] = []): unknown {
	if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).filter(
		([name, field]) => field !== null || required.includes(name),
	);
	return Object.fromEntries(entries.map(([name, field]) => [name, withoutNulls(field)]));
}

function showItem(item: Shown, request: Request, isRoot: boolean): Record<string, unknown> {
	const fields = request.switches.omitNulls
		? (withoutNulls(item.fields, item.required) as Record<string, unknown>)
		: item.fields;
	if (request.representation === 'application/json') return fields;
	const context = isRoot ? { '@context': `/contexts/${item.type}` } : {};
	return { ...context, '@id': item.iri, '@type': item.type, ...fields };
}

/** `search` of the collection envelope (interface section 2.2). */
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

/** The names of the envelope as version 3 of API Platform has them. */
function prefixed(envelope: Record<string, unknown>): Record<string, unknown> {
	const rename = (name: string) => (name.startsWith('@') ? name : `hydra:${name}`);
	const entries = Object.entries(envelope).map(([name, value]) => {
		if (name === '@type') return [name, `hydra:${String(value)}`];
		const nested = name === 'view' || name === 'search';
		return [rename(name), nested ? prefixed(value as Record<string, unknown>) : value];
	});
	return Object.fromEntries(entries);
}

function identifier(item: Shown, id: string, request: Request): unknown {
	if (request.switches.identifiers !== 'objects') return id;
	return showItem({ ...item, fields: { id } }, request, false);
}

/**
 * The body of a collection: the envelope of interface section 2.2, or a bare array as plain JSON.
 *
 * @throws Problem 400 for a page that cannot be
 */
export function showList(result: Result & { kind: 'list' }, request: Request): unknown {
	const { switches, query, path } = request;
	const page = readPage(query);
	const repeats = switches.repeatFromPage > 0 && page.number >= switches.repeatFromPage;
	const shownPage = repeats ? Math.max(1, switches.repeatFromPage - 1) : page.number;
	const show = result.show as (record: { id: string }) => Shown;
	const onlyIdentifiers =
		query.view === 'idx' && request.operation.queryParameters.includes('view');
	const member = cutPage(result.records, { ...page, number: shownPage }).map((record) =>
		onlyIdentifiers
			? identifier(show(record), record.id, request)
			: showItem(show(record), request, false),
	);
	const isBare =
		request.representation === 'application/json' ||
		switches.bareCollections ||
		(onlyIdentifiers && switches.identifiers === 'array');
	if (isBare) return member;
	const totalItems = result.records.length;
	const view = switches.view ? viewOf(path, query, page, totalItems) : undefined;
	const search = searchOf(path, request.operation.queryParameters);
	const envelope = {
		'@context': `/contexts/${result.type}`,
		'@id': path,
		'@type': 'Collection',
		...(switches.totalItems && { totalItems }),
		member,
		...(view && { view }),
		...(search && { search }),
	};
	return switches.hydraPrefix ? prefixed(envelope) : envelope;
}

/** The body of an answer; undefined where it has none. */
export function showResult(result: Result, request: Request): unknown {
	if (result.kind === 'empty') return undefined;
	if (result.kind === 'item') return showItem(result.item, request, true);
	return showList(result, request);
}
