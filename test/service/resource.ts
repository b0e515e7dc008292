import { changesBetween, merge } from './changes';
import { blankOf, componentSchemas, operations, requiredOf } from './contract';
import { found, takeId, without, type Call, type Endpoint } from './endpoint';
import type { Input } from './input';
import { list, type Result, type Shown } from './representation';

/** One kind of record: how it is kept, written and shown. */
export interface Resource<T extends { id: string }> {
	/** Its schema in openapi.json, which is also what its operations are called after: `Person`. */
	schema: string;
	/** What the operation that lists it is called after: `People`. */
	plural: string;
	/** The JSON-LD type, where it is not called after the schema. */
	type?: string;
	iri: (record: T, call: Call) => string;
	/** The fields as they are shown; by default, as they are kept. */
	show?: (record: T, call: Call) => Record<string, unknown>;
	/** The records that a list shows, filtered and in order. */
	all: (call: Call) => T[];
	find: (call: Call) => T | undefined;
	/** What a new record holds beside its id and the defaults of its schema. */
	blank?: (call: Call) => Partial<T>;
	/** Keeps a new record, or one that has changed. */
	put?: (record: T, call: Call, before?: T) => void;
	/** What a request may set of it; by default, all but the id. */
	writable?: (input: Input, call: Call) => Input;
	/** What a replacement keeps. */
	kept?: Array<keyof T>;
	/** @throws Problem 404 where what a new record belongs to is not there */
	parent?: (call: Call) => void;
	/** @throws Problem where a record cannot be like this */
	check?: (record: T, call: Call) => void;
}

/** A record as it is shown. */
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
 * The endpoints of a resource that are alike, by the names of their operations: as many of list, get,
 * create, replace and update as openapi.json has.
 */
export function endpointsOf<T extends { id: string }>(of: Resource<T>): Record<string, Endpoint> {
	const { all, find, put, check, kept = [] } = of;
	const { writable = (input: Input) => without(input, 'id') } = of;
	const blank = (id: string, call: Call) =>
		({ ...blankOf(of.schema), ...of.blank?.(call), id }) as unknown as T;
	const item = (call: Call, record: T, stored: boolean): Result => ({
		kind: 'item',
		item: shown(of, record, call),
		stored,
	});
	const save = (call: Call, before: T, after: T): Result => {
		check?.(after, call);
		const stored = changesBetween(before, after).length > 0;
		const record = stored && 'updatedAt' in after ? { ...after, updatedAt: call.now } : after;
		if (stored) put?.(record, call, before);
		return item(call, record, stored);
	};
	const endpoints: Record<string, Endpoint> = {
		[`list${of.plural}`]: (call) =>
			list(of.type ?? of.schema, all(call), (record) => shown(of, record, call)),
		[`get${of.schema}`]: (call) => item(call, found(find(call)), false),
		[`create${of.schema}`]: (call) => {
			of.parent?.(call);
			const input = call.readInput();
			const isTaken = (id: string) =>
				find({ ...call, params: { ...call.params, id } }) !== undefined;
			const id = takeId(call.store, of.plural, input, isTaken);
			const record = merge(blank(id, call), writable(input, call));
			check?.(record, call);
			put?.(record, call);
			return item(call, record, true);
		},
		[`replace${of.schema}`]: (call) => {
			const before = found(find(call));
			const reset = { ...blank(before.id, call), ...pick(before, kept) };
			return save(call, before, merge(reset, writable(call.readInput(), call)));
		},
		[`update${of.schema}`]: (call) => {
			const before = found(find(call));
			return save(call, before, merge(before, writable(call.readInput(), call)));
		},
	};
	const documented = operations.map(({ operationId }) => [operationId, endpoints[operationId]]);
	return Object.fromEntries(documented.filter(([, endpoint]) => endpoint !== undefined)) as Record<
		string,
		Endpoint
	>;
}
