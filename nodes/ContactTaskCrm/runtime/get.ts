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
		const subject = { noun: record.noun, id };
		return {
			send: async (connection) => {
				const request = { method: 'GET' as const, path };
				return [form.of(await requestRecord(connection, request, record, subject))];
			},
		};
	});
}
