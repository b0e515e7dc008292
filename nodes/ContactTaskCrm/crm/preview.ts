import { mapValues, pickBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { Limiter } from '../limit/limiter';
import type { Waiting } from '../limit/waiting';
import type { ApiRequest, ServiceResponse } from '../http/request';
import { fieldsOf, isOfUpdates, type RecordContract } from '../schema/record';
import { isObject } from '../values/json';
import { comparableId } from '../values/reference';
import { limitEffectOf } from '../http/retry';

/** A request that a preview does not send. */
export type NotSent = Pick<ApiRequest, 'method' | 'path' | 'query' | 'body'>;

/** Prefix of the IDs that a preview gives to new records. The service gives no such ID. */
const OF_CREATED = 'not-created:';

/** Returns whether an ID belongs to a record that exists only in a preview. */
export function isOfPreview(id: string): boolean {
	return id.startsWith(OF_CREATED);
}

/** Writes that a preview does not send. Later items read the records as these writes would leave them. */
export class Preview {
	/** Records as the writes would leave them, by path. */
	private readonly records = new Map<string, IDataObject>();

	/** Writes with an effect that the preview cannot know, such as Duplicate, by index of the item. */
	private readonly unknown = new Map<number, NotSent>();

	/** Limiter that lets one item at a time write. Items of a preview do not wait for real writes. */
	private readonly lock = new Limiter(systemClock, Math.random, limitEffectOf);

	private created = 0;

	/** Waits until the item may write, without a time limit. */
	async lockWrites(waiting: Waiting): Promise<() => void> {
		const patient = { slotWaitMs: Infinity, throttledWaitMs: Infinity };
		return await this.lock.lockWrites({ ...waiting, ...patient });
	}

	/** Returns the answer to a read of a record that the preview wrote; undefined for any other record. */
	read({ path }: Pick<ApiRequest, 'path'>): ServiceResponse | undefined {
		const record = this.records.get(comparableId(path));
		return record && answered(record);
	}

	/**
	 * Returns the answer to a write that the preview does not send.
	 *
	 * @param expected the record after the write, without an ID if it is new; undefined if the record is not known
	 */
	write(
		{ method, path, query, body }: NotSent,
		{ item, expected }: { item: number; expected: IDataObject | undefined },
	): ServiceResponse {
		if (!expected) {
			this.unknown.set(item, { method, path, query, body });
			return answered(undefined);
		}
		if (method !== 'POST') {
			this.records.set(comparableId(path), expected);
			return answered(expected);
		}
		const id = `${OF_CREATED}${++this.created}`;
		const record = { ...expected, id };
		this.records.set(comparableId(`${path}/${id}`), record);
		return answered(record);
	}

	unknownOf(item: number): NotSent | undefined {
		return this.unknown.get(item);
	}
}

function answered(body: IDataObject | undefined): ServiceResponse {
	return { status: 200, headers: {}, body: body && structuredClone(body) };
}

type Write = Pick<ApiRequest, 'method' | 'body'>;

/** Returns all fields that a write sets. A new or replaced record gets defaults for fields that the body lacks. */
export function fieldsSet(contract: RecordContract, { method, body = {} }: Write): IDataObject {
	if (method === 'PATCH') return body;
	return merged((method === 'PUT' ? replacedBy : newRecord)(contract, body), body);
}

/**
 * Returns a record as it would be after a write; undefined if the node cannot know it.
 *
 * @param before the record before the write; undefined for a new or unknown record
 */
export function expectedRecord(
	contract: RecordContract,
	write: Write & Pick<ApiRequest, 'subject'>,
	before: IDataObject | undefined,
): IDataObject | undefined {
	const { method, subject } = write;
	// A POST without an ID creates a record. A POST to a record is a command, such as Duplicate.
	if (method === 'POST' && subject.id === undefined) return fieldsSet(contract, write);
	const isChanged = method === 'PATCH' || method === 'PUT';
	if (!before || !isChanged) return undefined;
	const set = fieldsSet(contract, write);
	// The service ignores a field that an update does not take, such as the tags of a task.
	const taken = pickBy(set, (_, name) => method === 'PUT' || isOfUpdates(contract, name));
	return merged(before, taken as IDataObject);
}

/**
 * Returns the default values of a new record, as far as the node knows them. `given` is the body that creates the
 * record.
 */
export function newRecord(contract: RecordContract, given: IDataObject = {}): IDataObject {
	return defaultsOf(fieldsOf(contract, 'create'), given);
}

/**
 * Returns the values that fields get from a replacement (PUT) whose body `given` lacks them. The service may also reset
 * fields that only a new record takes, such as the tags of a task. So these fields count, too.
 */
function replacedBy(contract: RecordContract, given: IDataObject): IDataObject {
	const resets = pickBy(contract.fields, ({ bodies, isJsonOnly }) => {
		return bodies.includes('update') || (bodies.includes('create') && !isJsonOnly);
	});
	return defaultsOf(resets, given);
}

function defaultsOf(fields: RecordContract['fields'], given: IDataObject): IDataObject {
	const known = pickBy(
		fields,
		({ emptiedBy, initial = emptiedBy, shown }) => shown && initial !== undefined,
	);
	return mapValues(known, ({ emptiedBy, initial = emptiedBy }, name) => {
		// If the body lacks an object, such as the address, the service sets no defaults inside it. So all parts of the
		// object are null.
		const isUngiven = isObject(initial) && !(name in given);
		return isUngiven ? mapValues(initial, () => null) : initial;
	}) as IDataObject;
}

/** Applies a merge patch (RFC 7396), but keeps null, because a record shows its empty fields. */
function merged(before: IDataObject, patch: IDataObject): IDataObject {
	const parts = mapValues(patch, (given, name) => {
		const is: unknown = before[name];
		const areObjects = isObject(is) && isObject(given);
		return areObjects ? merged(is as IDataObject, given as IDataObject) : given;
	});
	return { ...before, ...parts };
}
