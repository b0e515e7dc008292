import { asMap, showCollection } from './collection';
import { componentSchemas, embeddedIn, requiredOf, type Operation } from './contract';
import type { Representation } from './negotiation';
import type { Query } from './query';
import { anonymousId, shownId, shownIri, showReferences } from './references';
import type { Store } from './store';
import type { Switches } from './switches';
import { showTimes } from './timestamps';

/** A record in an answer, before the representation is chosen. */
export interface Shown {
	iri: string;
	/** JSON-LD type, e.g. `Person`. */
	type: string;
	/** Name of its schema in openapi.json, if it has one. */
	schema?: string;
	fields: Record<string, unknown>;
	/** Fields that are present even if they are null. */
	required: string[];
}

/** The result of an endpoint. */
export type Result =
	| { kind: 'item'; item: Shown; stored: boolean }
	| { kind: 'list'; type: string; records: Array<{ id: string }>; show: (record: never) => Shown }
	| { kind: 'empty' };

/** Returns a list of records. The answer shows only the requested page. */
export function list<T extends { id: string }>(
	type: string,
	records: T[],
	show: (record: T) => Shown,
): Result {
	return { kind: 'list', type, records, show };
}

/** Values that decide a representation, besides the records. */
export interface Request {
	operation: Pick<Operation, 'queryParameters'>;
	representation: Representation;
	/** Path of the collection, without the query. */
	path: string;
	query: Query;
	switches: Switches;
	/** Store for the records of IRIs. Without it, references stay as they are. */
	store?: Store;
}

/** By name of a field with embedded objects: the fields of these objects that are shown even if they are null. */
type RequiredIn = Record<string, string[]>;

/** Removes fields without a value from an object. */
function withoutNulls(
	value: unknown,
	required: string[] = [],
	requiredIn: RequiredIn = {},
): unknown {
	if (Array.isArray(value)) return value.map((item) => withoutNulls(item, required));
	if (typeof value !== 'object' || value === null) return value;
	const isSet = Object.values(value).some((field) => field !== null);
	const entries = Object.entries(value).filter(
		([name, field]) => field !== null || (isSet && required.includes(name)),
	);
	return Object.fromEntries(
		entries.map(([name, field]) => [name, withoutNulls(field, requiredIn[name])]),
	);
}

const embeddedFields = new Map(
	Object.keys(componentSchemas).map((name) => [name, Object.entries(embeddedIn(name))]),
);

const requiredInEmbedded = (schema = ''): RequiredIn =>
	Object.fromEntries(
		(embeddedFields.get(schema) ?? []).map(([field, type]) => [
			field,
			requiredOf(componentSchemas[type]),
		]),
	);

/** Adds `@type` and a generated `@id` to embedded objects. By default, an empty object becomes `[]`, as in PHP. */
function showEmbedded(value: unknown, type: string, place: string, request: Request): unknown {
	const { embeddedIds, emptyObjects } = request.switches;
	if (Array.isArray(value)) {
		return value.map((one, index) => showEmbedded(one, type, `${place}/${index}`, request));
	}
	if (typeof value !== 'object' || value === null) return value;
	if (Object.keys(value).length === 0) return emptyObjects === 'list' ? [] : {};
	if (embeddedIds === 'none' || request.representation === 'application/json') return value;
	return { '@type': type, '@id': anonymousId(place, request.switches), ...value };
}

function showAllEmbedded(item: Shown, fields: Record<string, unknown>, request: Request) {
	const own = embeddedFields.get(item.schema ?? '') ?? [];
	const shown = own
		.filter(([name]) => name in fields)
		.map(([name, type]) => [
			name,
			showEmbedded(fields[name], type, `${item.iri}/${name}`, request),
		]);
	return { ...fields, ...Object.fromEntries(shown) } as Record<string, unknown>;
}

function showFields(item: Shown, request: Request): Record<string, unknown> {
	const { switches, store } = request;
	const { omitNulls, mapLists, omitFields } = switches;
	const timed = showTimes(item.fields, switches.timezone) as Shown['fields'];
	const referring = store ? showReferences(item.schema, timed, { store, switches }) : timed;
	const fields = omitNulls
		? (withoutNulls(referring, item.required, requiredInEmbedded(item.schema)) as typeof referring)
		: referring;
	const shown = Object.entries(showAllEmbedded(item, fields, request))
		.filter(([name]) => !omitFields.includes(name))
		.map(([name, value]) => {
			const isMap = mapLists.includes(name) && Array.isArray(value);
			return [name, isMap ? asMap(value) : value];
		});
	return Object.fromEntries(shown);
}

function showItem(item: Shown, request: Request, isRoot: boolean): Record<string, unknown> {
	const fields = showFields(item, request);
	if (request.representation === 'application/json') return fields;
	const context = isRoot ? { '@context': `/contexts/${item.type}` } : {};
	return { ...context, '@id': shownId(item.iri, request.switches), '@type': item.type, ...fields };
}

/** Returns the short form of a record for a request of identifiers. */
function identifier(item: Shown, id: string, request: Request): unknown {
	switch (request.switches.identifiers) {
		case 'objects':
			return showItem({ ...item, fields: { id } }, request, false);
		case 'iris':
		case 'iri-array':
			return shownIri(item.iri, request.switches);
		case 'id-objects':
		case 'id-object-array':
			return { id };
		case 'uuid-objects':
		case 'uuid-object-array':
			return { uuid: id };
		default:
			return id;
	}
}

/**
 * Returns the body of a list of records or of their identifiers.
 *
 * @throws Problem 400 for an impossible page
 */
function showList(result: Result & { kind: 'list' }, request: Request): unknown {
	const { switches, operation, representation, path, query } = request;
	const { queryParameters } = operation;
	const onlyIdentifiers =
		query.view === 'idx' &&
		!switches.dropFilters.includes('view') &&
		queryParameters.includes('view');
	const show = result.show as (record: { id: string }) => Shown;
	return showCollection(result.records, {
		type: result.type,
		isBare:
			representation === 'application/json' ||
			(onlyIdentifiers && switches.identifiers.endsWith('array')),
		show: (record) =>
			onlyIdentifiers
				? identifier(show(record), record.id, request)
				: showItem(show(record), request, false),
		...{ path, query, queryParameters, switches },
	});
}

/** Returns the body of an answer; undefined if it has none. */
export function showResult(result: Result, request: Request): unknown {
	if (result.kind === 'empty') return undefined;
	if (result.kind === 'item') return showItem(result.item, request, true);
	return showList(result, request);
}
