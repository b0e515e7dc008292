import type { IDataObject } from 'n8n-workflow';
import { isWebPage } from '../transport/answerBody';
import { paginatorOf } from './item';
import { addressOf } from './path';
import type { Paginator, RecordSpecification } from './specification';

/**
 * Asks the service to do something with a record, and gives the answer that the operation defines,
 * since the service sends none.
 *
 * @param verb what is done, for the messages: "export"
 * @param answer what to give for a record, by its id: the service answers without a body
 */
export function runCommand(
	record: RecordSpecification,
	verb: string,
	answer: (id: string) => IDataObject,
): Paginator {
	return paginatorOf((item) => {
		const { path, id = '' } = addressOf(item);
		const { method = 'POST' } = item.request;
		const subject = { noun: record.noun, id, verb };
		return {
			targets: [`${record.noun} ${id}`],
			send: async (connection) => {
				const request = { method, path };
				const response = await connection.request(request, subject);
				if (isWebPage(response.body)) throw connection.unreadable(response, request, subject);
				return [answer(id)];
			},
		};
	});
}
