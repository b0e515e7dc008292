import type { IDataObject } from 'n8n-workflow';
import { directoryOf } from '../directory/directory';
import { comparableId, idOf, lastSegment, valueOf } from '../common/iri';
import { isObject } from '../contract/blank';
import type { RecordContract } from '../contract/record';
import type { Connection } from '../transport/connection';
import type { ServiceRequest, ServiceResponse } from '../transport/http';
import type { Subject } from '../transport/serviceErrors';
import { noticeIriForm, withServiceIris } from './iriForm';

/**
 * Sends a request that is answered with one record, and makes sure that the answer is that record:
 * anything else would pass for a record whose fields are empty, or for another one.
 *
 * @throws ServiceError when the service says no, or answers with something else
 */
export async function requestRecord(
	connection: Connection,
	request: ServiceRequest,
	contract: RecordContract,
	subject: Subject,
): Promise<IDataObject> {
	const body = request.body && (await withServiceIris(connection, request.body, contract));
	const response = await connection.request({ ...request, body }, subject);
	const record = recordIn(response, request, contract, subject.id);
	noticeIriForm(connection, record, contract);
	directoryOf(connection.identity).notice([record], contract.collection);
	if (record) return record;
	throw connection.unreadable(response, request, subject);
}

function recordIn(
	{ body, headers }: ServiceResponse,
	{ method }: ServiceRequest,
	contract: RecordContract,
	id: string | undefined,
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
