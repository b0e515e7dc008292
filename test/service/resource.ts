import { changesBetween, isTimed, merge } from './changes';
import { blankOf, componentSchemas, operations, requiredOf } from './contract';
import { found, without, type Call, type Endpoint } from './endpoint';
import type { Input } from './input';
import { list, type Result, type Shown } from './representation';

/** One kind of record: how it is stored, written and shown. */
export interface Resource<T extends { id: string }> {
	/** Name of its schema in openapi.json. It is also in the names of its operations: `Person`. */
	schema: string;
	/** Plural in the name of the operation that lists it: `People`. */
	plural: string;
	/** JSON-LD type, if it differs from the schema name. */
	type?: string;
	iri: (record: T, call: Call) => string;
	/** Returns the fields in answers; by default, the stored fields. */
	show?: (record: T, call: Call) => Record<string, unknown>;
	/** Returns the records of a list, filtered and sorted. */
	all: (call: Call) => T[];
	find: (call: Call) => T | undefined;
	/**
	 * Returns initial values of a new record, before the request's own values. The ID and the defaults of the schema
	 * come in addition.
	 */
	blank?: (call: Call, input: Input) => Partial<T>;
	/** Stores a new or changed record. */
	put?: (record: T, call: Call, before?: T) => void;
	/** Returns the fields that a request may set. By default, all but the ID. */
	writable?: (input: Input, call: Call) => Input;
	/** Fields that a replacement keeps, if the service does not recreate the record. */
	kept?: Array<keyof T>;
	/** Fields that may be neither blank nor null. */
	filled?: string[];
	/**
	 * Fields with entries that are rows of their own in the database. By default, a change of them does not change
	 * `updatedAt` of the record.
	 */
	entries?: string[];
	/** @throws Problem 404 if the parent of a new record does not exist */
	parent?: (call: Call) => void;
}

/** Returns a record in the form of answers. */
export function shown<T extends { id: string }>(of: Resource<T>, record: T, call: Call): Shown {
	return {
		iri: of.iri(record, call),
		type: of.type ?? of.schema,
		schema: of.schema,
		fields: of.show?.(record, call) ?? { ...record },
		required: requiredOf(componentSchemas[of.schema]),
	};
}

const pick = <T extends object>(record: T, names: Array<keyof T>) =>
	Object.fromEntries(names.map((name) => [name, record[name]])) as Partial<T>;

/**
 * Returns the standard endpoints of a resource by operation name: those of list, get, create, replace and update that
 * openapi.json has.
 */
export function endpointsOf<T extends { id: string }>(of: Resource<T>): Record<string, Endpoint> {
	const { all, find, put, filled, kept = [], entries = [] } = of;
	const { writable = (input: Input) => without(input, 'id') } = of;
	const blank = (id: string, call: Call, input: Input) =>
		({ ...blankOf(of.schema), ...of.blank?.(call, input), id }) as unknown as T;
	const item = (call: Call, record: T, stored: boolean): Result => ({
		kind: 'item',
		item: shown(of, record, call),
		stored,
	});
	const save = (call: Call, before: T, after: T): Result => {
		const changes = changesBetween(before, after);
		const stored = changes.length > 0;
		const moves = 'updatedAt' in after && isTimed(changes, call.switches, entries);
		const record = moves ? { ...after, updatedAt: call.now } : after;
		if (stored) put?.(record, call, before);
		return item(call, record, stored);
	};
	const endpoints: Record<string, Endpoint> = {
		[`list${of.plural}`]: (call) =>
			list(of.type ?? of.schema, all(call), (record) => shown(of, record, call)),
		[`get${of.schema}`]: (call) => item(call, found(find(call)), false),
		[`create${of.schema}`]: (call) => {
			of.parent?.(call);
			const input = call.readInput(filled);
			const id = call.store.newId(of.plural);
			const record = merge(blank(id, call, input), writable(input, call));
			put?.(record, call);
			return item(call, record, true);
		},
		[`replace${of.schema}`]: (call) => {
			const before = found(find(call));
			const input = call.readInput(filled);
			const { replaced } = call.switches;
			const left = { anew: {}, kept: pick(before, kept), merged: before }[replaced];
			const reset = { ...blank(before.id, call, input), ...left };
			return save(call, before, merge(reset, writable(input, call)));
		},
		[`update${of.schema}`]: (call) => {
			const before = found(find(call));
			return save(call, before, merge(before, writable(call.readInput(filled), call)));
		},
	};
	const documented = operations.map(({ operationId }) => [operationId, endpoints[operationId]]);
	return Object.fromEntries(documented.filter(([, endpoint]) => endpoint !== undefined)) as Record<
		string,
		Endpoint
	>;
}
