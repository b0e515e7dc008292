import type { IDataObject } from 'n8n-workflow';
import { paginatorOf } from './item';
import { addressOf } from './path';
import type { Paginator, RecordSpecification } from './specification';

/**
 * Asks the service to do something with a record, and gives what is to be said of it afterwards.
 *
 * @param answer what to give for a record, by its id: the service answers without a body
 */
export function runCommand(
	record: RecordSpecification,
	answer: (id: string) => IDataObject,
): Paginator {
	return paginatorOf((item) => {
		const { path, id = '' } = addressOf(item);
		const { method = 'POST' } = item.request;
		return async (connection) => {
			await connection.request({ method, path }, { noun: record.noun, id });
			return [answer(id)];
		};
	});
}
