import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../http/request';
import type { Body } from '../schema/field';
import type { RecordContract } from '../schema/record';
import { fieldsOf } from '../schema/record';
import { isObject } from '../util/values';

type Write = Pick<ApiRequest, 'method' | 'body'>;

/** All fields that a write sets, as far as that is known: a new or replaced record resets what is not given. */
export function fieldsSet(contract: RecordContract, { method, body = {} }: Write): IDataObject {
	if (method === 'PATCH') return body;
	return merged(fieldsBefore(contract, method === 'PUT' ? 'update' : 'create', body), body);
}

/** A new record for which nothing is given, as far as that is known. */
export function newRecord(contract: RecordContract): IDataObject {
	return fieldsBefore(contract, 'create', {});
}

/**
 * A record as it is going to be after a write, as far as that is known.
 *
 * @param before as it is; undefined where it is not known, or does not exist
 */
export function expectedRecord(
	contract: RecordContract,
	write: Write & Pick<ApiRequest, 'subject'>,
	before: IDataObject | undefined,
): IDataObject | undefined {
	// What is sent to a record with POST is a command, such as to duplicate it.
	const isCreated = write.method === 'POST' && write.subject.id === undefined;
	const isChanged = write.method === 'PATCH' || write.method === 'PUT';
	if (isCreated) return fieldsSet(contract, write);
	return before && isChanged ? merged(before, fieldsSet(contract, write)) : undefined;
}

/** What the fields of a new or replaced record hold before what is given. */
function fieldsBefore(contract: RecordContract, body: Body, given: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(fieldsOf(contract, body)).flatMap(([name, field]): Array<[string, unknown]> => {
			const { initial = field.emptiedBy, shown } = field;
			if (initial === undefined || !shown) return [];
			// The parts of an object that is not given have no defaults either.
			const isUngiven = isObject(initial) && !(name in given);
			return [[name, isUngiven ? withoutValues(initial) : initial]];
		}),
	) as IDataObject;
}

function withoutValues(parts: object): IDataObject {
	return Object.fromEntries(Object.keys(parts).map((part) => [part, null]));
}

/** A record after a merge patch (RFC 7396); null stays, since a record shows what is empty. */
function merged(before: IDataObject, patch: IDataObject): IDataObject {
	const parts = Object.entries(patch).map(([name, given]): [string, unknown] => {
		const is: unknown = before[name];
		const areObjects = isObject(is) && isObject(given);
		return [name, areObjects ? merged(is as IDataObject, given as IDataObject) : given];
	});
	return { ...before, ...Object.fromEntries(parts) } as IDataObject;
}
