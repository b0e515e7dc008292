import type { IDataObject } from 'n8n-workflow';
import { noticeWrite } from '../../lookups/people/writes';
import { requestRecord } from '../../runtime/answer';
import type { Located } from '../../runtime/target';
import type { Connection } from '../../transport/connection';
import { personRecord } from './output';

/**
 * Writes what has changed of a person, and says so; nothing goes out where nothing has.
 *
 * @param keys the keys of the values that the person gets, for items that look for them
 */
export async function writeChanges(
	connection: Connection,
	{ path, id = '' }: Located,
	{
		changes,
		current,
		keys = [],
	}: { changes: IDataObject; current: IDataObject; keys?: readonly string[] },
): Promise<IDataObject> {
	if (Object.keys(changes).length === 0) return { result: 'unchanged', ...current };
	noticeWrite(connection.identity, id, keys);
	const request = { method: 'PATCH' as const, path, body: changes };
	const subject = { noun: personRecord.noun, id };
	const answer = await requestRecord(connection, request, personRecord, subject);
	return { result: 'updated', ...answer };
}
