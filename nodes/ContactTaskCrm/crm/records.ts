import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { isNotFound, isTooOldToSend } from '../util/failures';
import type { ApiRequest, ServiceResponse } from '../http/request';
import { asExplained, noneIf, rethrow } from '../util/errors';
import { person } from '../schema/person';
import type { RecordContract } from '../schema/record';
import { keysOf, valuesOf } from '../values/person';
import { isObject } from '../values/json';
import { comparableId, idOf, lastSegment, valueOf } from '../values/reference';
import type { Client, RequestOptions } from './client';
import type { Answer } from './exchange';
import type { Begun, Read } from './newestReads';
import { expectedRecord } from '../schema/effect';
import { inServiceForm, noticeRecords } from './serviceForm';
import { isBehind, keepOwn, settledAt } from './writeLog';

/** Options of a request about a record. */
interface RecordOptions extends RequestOptions {
	/** Record before the change; absent if the run did not read it, or if the request changes nothing. */
	before?: IDataObject | undefined;
}

/**
 * Sends a request about one record. The answer must be that record.
 *
 * @returns the record, and `begun`: the time when the request left
 * @throws ServiceError when the service refuses the request, or answers with anything but the record
 */
export async function requestRecord(
	client: Client,
	request: ApiRequest,
	contract: RecordContract,
	options: RecordOptions = {},
): Promise<{ record: IDataObject; begun: Begun }> {
	const body = request.body && (await inServiceForm(client, request.body, contract));
	const sent = { ...request, body };
	const expected = client.isPreview ? expectedRecord(contract, sent, options.before) : undefined;
	const all = { ...options, expected };
	const { response, record } = await requestNoted(client, sent, contract, all);
	if (!record) throw client.unreadable(response, sent);
	return { record, begun: response.begun };
}

/**
 * Reads a record before its change. The answer may come from a replica that lacks a recent write of this process. If it
 * seems so, the function waits until all replicas show the write, and reads once more.
 *
 * @throws ServiceError when there is no such record, or no answer
 */
export async function readCurrent(
	client: Client,
	contract: RecordContract,
	{ path, id }: { path: string; id: string },
): Promise<Read> {
	const request = { method: 'GET' as const, path, subject: { noun: contract.noun, id } };
	const read = async (): Promise<Read> => {
		const { record, begun } = await requestRecord(client, request, contract);
		return { ...begun, id, record };
	};
	const entry = client.tenant.writes.settling(contract.noun, id);
	if (!entry) return await read();
	const found = await read().catch(noneIf(isNotFound));
	if (found && !isBehind(contract, { id, entry, record: found.record, own: client.own }))
		return found;
	await client.waitUntil(settledAt(entry));
	return await read();
}

/** Reads a record as `readCurrent` does. Returns undefined if it no longer exists. */
export async function readIfThere(
	...of: Parameters<typeof readCurrent>
): Promise<Read | undefined> {
	return await readCurrent(...of).catch(noneIf(isNotFound));
}

/**
 * Sends a request about a record. Adds a change or a new person to the `WriteLog`, and caches titles in the answer.
 * The create of a person counts as uncertain if the answer does not show the person.
 *
 * @returns the answer, and the record if the answer shows it
 */
export async function requestNoted(
	client: Client,
	request: ApiRequest,
	contract: RecordContract,
	{ before, ...options }: RecordOptions = {},
): Promise<{ response: Answer; record?: IDataObject }> {
	const { method, body = {}, subject } = request;
	const { own, isPreview, tenant } = client;
	const { noun } = contract;
	const isNewPerson = method === 'POST' && subject.id === undefined && noun === person.noun;
	const noteWrite = (id: string | undefined, answered?: IDataObject) => {
		if (method === 'GET') return;
		if (id === undefined && isNewPerson) tenant.writes.addUncertain(valuesOf(body));
		if (id === undefined) return;
		tenant.writes.add(noun, id, keysOf(body), isPreview ? undefined : answered);
		if (!before || isPreview) return;
		keepOwn(own, contract, { id, at: systemClock.now(), before, sent: body });
	};
	const response = await client.request(request, options).catch((error: unknown) => {
		// The write has not left n8n, so earlier reads of the record are still valid.
		if (isTooOldToSend(error)) throw error;
		const isUncertain = asExplained(error).mayHaveTakenEffect;
		// Notes every failed change, because the change may have taken effect. Reads that began before the change then
		// count as outdated. If the service refused the change, the note costs one needless read.
		if (isUncertain || !isNewPerson) noteWrite(subject.id);
		return rethrow(error);
	});
	const record = recordIn(response, request, contract);
	noteWrite(subject.id ?? (isNewPerson ? shownId(record, contract) : undefined), record);
	if (!record) return { response };
	// Titles from a preview must not stay in the cache of the tenant.
	if (!isPreview) noticeRecords(tenant, [record], contract);
	if (method === 'GET') client.noteReads([record], contract, response.begun);
	return { response, record };
}

function recordIn(
	{ body, headers }: ServiceResponse,
	{ method, subject: { id } }: ApiRequest,
	contract: RecordContract,
): IDataObject | undefined {
	const isCreate = method === 'POST';
	if (body === '' || body === null || body === undefined) {
		if (method === 'GET') return undefined;
		// An empty answer to a write means success. After a create, the header Location may name the new record.
		const { location = '' } = headers;
		const created = valueOf(idOf(lastSegment(location), contract.collection));
		return { id: (isCreate ? created : id) ?? null };
	}
	if (!isObject(body)) return undefined;
	const shown = shownId(body, contract);
	const record = body as IDataObject;
	if (shown !== undefined) {
		return isCreate || comparableId(shown) === comparableId(id ?? '') ? record : undefined;
	}
	// The service answers an update of a task with "updated task fields" (section 4.4), perhaps without an id.
	const isUpdate = id !== undefined && (method === 'PATCH' || method === 'PUT');
	return isUpdate && showsFields(body, contract) ? { id, ...record } : undefined;
}

/** Returns the ID of a record, from its `id` or its IRI; undefined if the record shows neither. */
export function shownId(record: unknown, { collection }: RecordContract): string | undefined {
	if (!isObject(record)) return undefined;
	const own = valueOf(idOf(record, collection));
	if (own !== undefined || !collection.includes('{')) return own;
	// Uses `id` alone, because the IRI of a comment or history entry may leave out its task.
	return valueOf(idOf({ id: record.id }, collection));
}

/** Returns whether an answer without an id shows fields of a record, and is no error (interface, section 7). */
function showsFields(body: Record<string, unknown>, { fields }: RecordContract): boolean {
	if (['id', '@id', 'detail', 'message', 'violations'].some((name) => name in body)) return false;
	if (typeof body.status === 'number') return false;
	// Error bodies may have these fields, too. So only other fields show that the answer is a record.
	const ofErrors = ['description', 'instance', 'type'];
	return Object.keys(body).some((name) => name in fields && !ofErrors.includes(name));
}

/** Change of a field by a write. `from` is absent if the service does not show the earlier value. */
export type Change =
	| { from?: unknown; to: unknown }
	/** Change of a list. `from` and `to` are absent if `added` and `removed` suffice to undo it. */
	| { added: unknown[]; removed: unknown[]; from?: unknown[]; to?: unknown[] };

/** Details of a write: a note for the user, and if known, its changes and the record before the write. */
interface WriteDetails {
	changes?: Record<string, Change> | undefined;
	before?: IDataObject | undefined;
	note?: string | undefined;
}

/** A record after a write, or a record that needed no write. */
export class Written {
	constructor(
		readonly result: 'created' | 'updated' | 'unchanged',
		readonly record: IDataObject,
		readonly details: WriteDetails = {},
	) {}

	/** Returns a copy of this result, with `notes` before the note in `details`. */
	noted(notes: readonly string[]): Written {
		const note = [...notes, this.details.note].filter(Boolean).join('. ') || undefined;
		return new Written(this.result, this.record, { ...this.details, note });
	}
}
