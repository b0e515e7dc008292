import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import type { QueueOptions } from '../http/limiter';
import { Limiter } from '../http/limiter';
import type { ApiRequest, ServiceResponse } from '../http/request';
import type { Body } from '../schema/field';
import type { RecordContract } from '../schema/record';
import { fieldsOf } from '../schema/record';
import { comparableId } from '../util/iri';
import { isObject } from '../util/values';

/** A request that a preview does not send. */
export type NotSent = Pick<ApiRequest, 'method' | 'path' | 'query' | 'body'>;

/** An ID that no service gives, for whom a run would create. */
const OF_CREATED = 'not-created:';

/** Whether an ID is that of a record that a preview would create. */
export function isOfPreview(id: string): boolean {
	return id.startsWith(OF_CREATED);
}

/**
 * What a run that writes nothing would leave behind. It reads this in place of what the service has, so that an
 * item that meets an earlier one does what it would do.
 */
export class Preview {
	/** Records as they would be, by path. */
	private readonly records = new Map<string, IDataObject>();

	/** What items would send of which nobody knows what becomes of it, by item. */
	private readonly unknown = new Map<number, NotSent>();

	/** Its items go one after the other, beside all that is really changed. */
	private readonly turns = new Limiter(systemClock, Math.random);

	private created = 0;

	/** Waits for the turn of an item, however long those before it take. */
	async turn(waiting: QueueOptions): Promise<() => void> {
		const patient = { slotWaitMs: Infinity, throttledWaitMs: Infinity, runMinutes: 0 };
		return await this.turns.turn({ ...waiting, ...patient });
	}

	/** What the service would answer to a read, where the run would have written the record before. */
	read({ method, path }: Pick<ApiRequest, 'method' | 'path'>): ServiceResponse | undefined {
		const record = method === 'GET' ? this.records.get(comparableId(path)) : undefined;
		return record && answered(record);
	}

	/**
	 * What the service would answer to a write.
	 *
	 * @param expected the record as it would be, without an ID where it would be created; undefined where that is not known
	 */
	write(request: NotSent & { item: number }, expected: IDataObject | undefined): ServiceResponse {
		const { item, method, path, query, body } = request;
		if (!expected) {
			this.unknown.set(item, { method, path, query, body });
			return answered(undefined);
		}
		const id = `${OF_CREATED}${this.created + 1}`;
		const isCreated = method === 'POST';
		if (isCreated) this.created++;
		const record = isCreated ? { ...expected, id } : expected;
		this.records.set(comparableId(isCreated ? `${path}/${id}` : path), record);
		return answered(record);
	}

	/** The request of an item of which nobody knows what becomes of it; undefined for none. */
	unknownOf(item: number): NotSent | undefined {
		return this.unknown.get(item);
	}
}

function answered(body: IDataObject | undefined): ServiceResponse {
	return { status: 200, headers: {}, body: body && structuredClone(body) };
}

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
	return mapValues(parts as IDataObject, () => null);
}

/** A record after a merge patch (RFC 7396); null stays, since a record shows what is empty. */
function merged(before: IDataObject, patch: IDataObject): IDataObject {
	const parts = mapValues(patch, (given, name) => {
		const is: unknown = before[name];
		const areObjects = isObject(is) && isObject(given);
		return areObjects ? merged(is as IDataObject, given as IDataObject) : given;
	});
	return { ...before, ...parts };
}
