import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import type { ServiceRequest } from '../transport/http';
import type { Subject } from '../transport/serviceErrors';

/**
 * Sends a request that is answered with one record.
 *
 * @throws ServiceError when the service says no, or answers with something else
 */
export async function requestRecord(
	connection: Connection,
	request: ServiceRequest,
	subject: Subject,
): Promise<IDataObject> {
	const response = await connection.request(request, subject);
	const { body } = response;
	if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
		return body as IDataObject;
	}
	const isEmpty = body === '' || body === null || body === undefined;
	// A write that is answered without a body took effect; the id is what is known of the record.
	if (isEmpty && request.method !== 'GET')
		return subject.id === undefined ? {} : { id: subject.id };
	throw connection.unreadable(response, request, subject);
}
