import { mapValues, pickBy } from 'lodash';
import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { fieldsOf, isOfUpdates, type RecordContract } from './record';
import { isObject } from '../values/json';

/*
 * Foretells the effect of a write: the fields that it sets, and the record after it (interface, section 4). Previews
 * show this record. A real write compares these fields with the record before it and with the answer.
 */

interface Write {
	method: IHttpRequestMethods;
	body?: IDataObject | undefined;
}

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
	write: Write & { subject: { id?: string | undefined } },
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
 * Returns the values that a replacement (PUT) gives to the fields that its body (`given`) lacks. The service may also
 * reset fields that only a new record takes, such as the tags of a task. So these fields count, too.
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
