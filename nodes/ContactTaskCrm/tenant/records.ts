import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { isNotFound } from '../http/errors';
import type { ServiceResponse } from '../http/request';
import { keysOf, valuesOf } from '../util/contacts';
import { ExplainedError, noneIf } from '../util/errors';
import { isObject } from '../util/values';
import { person } from '../schema/person';
import type { RecordContract } from '../schema/record';
import { comparableId, idOf, lastSegment, valueOf } from '../util/iri';
import type { Client, RequestOptions } from './client';
import { expectedRecord } from './preview';
import { inServiceForm, noticeRecords } from './serviceForm';
import { isBehind, keepOwn, settledAt } from './writes';

/**
 * Sends a request that is answered with one record, and makes sure that the answer is that record:
 * anything else would pass for a record whose fields are empty, or for another one.
 *
 * @param before the record as it was read, where it is to be changed
 * @throws ServiceError when the service says no, or answers with something else
 */
export async function requestRecord(
	client: Client,
	asked: RequestOptions,
	contract: RecordContract,
	before?: IDataObject,
): Promise<IDataObject> {
	const body = asked.body && (await inServiceForm(client, asked.body, contract));
	const expected = client.isPreview
		? expectedRecord(contract, { ...asked, body }, before)
		: undefined;
	const { response, record } = await requestNoted(
		client,
		{ ...asked, body, expected },
		contract,
		before,
	);
	if (!record) throw client.unreadable(response, asked);
	return record;
}

/**
 * Reads a record that is to be changed. If the answer seems to come from a replica that lags behind a write of
 * this process, waits a few seconds and reads once more. What that shows is believed.
 *
 * @throws ServiceError when there is no such record, or no answer
 */
export async function readCurrent(
	client: Client,
	contract: RecordContract,
	{ path, id }: { path: string; id: string },
): Promise<IDataObject> {
	const asked = { method: 'GET' as const, path, subject: { noun: contract.noun, id } };
	const read = async () => await requestRecord(client, asked, contract);
	const note = client.tenant.writes.settling(contract.noun, id);
	if (!note) return await read();
	const record = await read().catch(noneIf(isNotFound));
	if (record && !isBehind(contract, { id, note, record, own: client.own })) return record;
	await client.waitUntil(settledAt(note));
	return await read();
}

/**
 * Sends a request about a record, and notes what its answer shows and what it writes. A create without a clear
 * answer is noted as uncertain.
 *
 * @param before the record as it was read, where it is to be changed
 * @returns the answer, and the record in it; no record where the answer is anything else
 */
export async function requestNoted(
	client: Client,
	asked: RequestOptions,
	contract: RecordContract,
	before?: IDataObject,
): Promise<{ response: ServiceResponse; record?: IDataObject }> {
	const { method, body = {} } = asked;
	const { own, isPreview, tenant } = client;
	const { noun } = contract;
	const isNewPerson = method === 'POST' && asked.subject.id === undefined && noun === person.noun;
	const noteWrite = (id: string | undefined, answered?: IDataObject) => {
		if (method === 'GET') return;
		if (id !== undefined)
			tenant.writes.note(noun, id, keysOf(body), isPreview ? undefined : answered);
		else if (isNewPerson) tenant.writes.noteUncertain(valuesOf(body));
		if (id === undefined || !before || isPreview) return;
		keepOwn(own, contract, { id, at: systemClock.now(), before, sent: body });
	};
	const response = await client.request(asked).catch(async (error: unknown) => {
		const isUncertain = error instanceof ExplainedError && error.mayHaveTakenEffect;
		// A read that began before this request may show the record as it was.
		if (isUncertain || !isNewPerson) noteWrite(asked.subject.id);
		return await Promise.reject(error);
	});
	const record = recordIn(response, asked, contract);
	noteWrite(asked.subject.id ?? (isNewPerson ? shownId(record, contract) : undefined), record);
	if (!record) return { response };
	// What a preview would create is nowhere to be found afterwards.
	if (!isPreview) noticeRecords(tenant, [record], contract);
	return { response, record };
}

function recordIn(
	{ body, headers }: ServiceResponse,
	{ method, subject: { id } }: RequestOptions,
	contract: RecordContract,
): IDataObject | undefined {
	const isCreate = method === 'POST';
	if (body === '' || body === null || body === undefined) {
		if (method === 'GET') return undefined;
		// A write that is answered without a body took effect; the id is what is known of the record.
		return { id: isCreate ? createdId(headers.location, contract) : (id ?? null) };
	}
	if (!isObject(body)) return undefined;
	const shown = shownId(body, contract);
	if (shown !== undefined) {
		const isAskedFor = isCreate || comparableId(shown) === comparableId(id ?? '');
		return isAskedFor ? (body as IDataObject) : undefined;
	}
	// The interface answers an update of a task with "updated task fields" (section 4.4), which need not
	// have an id.
	const isUpdate = method === 'PATCH' || method === 'PUT';
	return isUpdate && id !== undefined && showsFields(body, contract)
		? { id, ...(body as IDataObject) }
		: undefined;
}

/** The id that a record shows, as itself or in its IRI; undefined where it is no such record. */
export function shownId(record: unknown, { collection }: RecordContract): string | undefined {
	if (!isObject(record)) return undefined;
	const own = valueOf(idOf(record, collection));
	if (own !== undefined || !collection.includes('{')) return own;
	// A comment or history entry may show an IRI that leaves out its task, so its plain id counts as
	// well.
	return valueOf(idOf({ id: record.id }, collection));
}

function createdId(location: string | undefined, { collection }: RecordContract): string | null {
	return location === undefined ? null : (valueOf(idOf(lastSegment(location), collection)) ?? null);
}

/**
 * Names that an error body has (interface, section 7). Fields of a record may have them too, so they
 * do not show that a body is a record.
 */
const OF_PROBLEMS: ReadonlySet<string> = new Set([
	'description',
	'detail',
	'instance',
	'message',
	'status',
	'title',
	'type',
	'violations',
]);

/** Whether an answer without an id shows fields of the record, and is no error body. */
function showsFields(body: Record<string, unknown>, { fields }: RecordContract): boolean {
	if ('id' in body || '@id' in body) return false;
	if (['detail', 'message', 'violations'].some((name) => name in body)) return false;
	if (typeof body.status === 'number') return false;
	const names = Object.keys(body).filter((name) => name in fields);
	return names.some((name) => !OF_PROBLEMS.has(name)) || 'status' in body || 'title' in body;
}
