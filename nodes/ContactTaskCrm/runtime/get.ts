import { requestRecord } from './answer';
import { paginatorOf } from './item';
import { outputFormOf } from './output';
import { addressOf } from './path';
import type { Paginator, RecordSpecification } from './specification';

/** Reads one record by its id. */
export function runGet(record: RecordSpecification): Paginator {
	return paginatorOf((item) => {
		const { path, id } = addressOf(item);
		const form = outputFormOf(item, record);
		return async (connection) => [
			form.of(await requestRecord(connection, { method: 'GET', path }, { noun: record.noun, id })),
		];
	});
}
