import { requestRecord } from './answer';
import { bodyOf } from './body';
import { paginatorOf } from './item';
import { addressOf } from './path';
import type { BodySpecification, Paginator, RecordSpecification } from './specification';

/** Sends one record: creates, updates, replaces or duplicates it, as the description says. */
export function runWrite(record: RecordSpecification, specification: BodySpecification): Paginator {
	return paginatorOf((item) => {
		const { path, id } = addressOf(item);
		const body = bodyOf(item, specification);
		const { method = 'POST' } = item.request;
		return async (connection) => [
			await requestRecord(connection, { method, path, body }, { noun: record.noun, id }),
		];
	});
}
