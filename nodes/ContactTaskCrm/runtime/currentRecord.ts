import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import { requestRecord } from './answer';
import type { RecordSpecification } from './specification';
import type { Located } from './target';

/**
 * Works with a record as it is now, read immediately before unless it was just looked up; changes to one
 * record take turns within the process.
 */
export async function withCurrentRecord<T>(
	connection: Connection,
	record: RecordSpecification,
	{ path, id = '', record: found, hasTurn = false }: Located,
	work: (current: IDataObject) => Promise<T>,
): Promise<T> {
	const subject = { noun: record.noun, id };
	const request = { method: 'GET' as const, path };
	const readAndWork = async () =>
		await work(found ?? (await requestRecord(connection, request, record, subject)));
	return hasTurn
		? await readAndWork()
		: await connection.withLock(`${record.noun} ${id}`, readAndWork);
}
