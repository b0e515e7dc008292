import { requestRecord } from './answer';
import { paginatorOf } from './item';
import { outputFormOf } from './output';
import { readOnce } from './readOnce';
import type { Paginator, RecordSpecification } from './specification';
import { targetOf } from './target';

/** Reads one record. */
export function runGet(record: RecordSpecification): Paginator {
	return paginatorOf((item, run) => {
		const form = outputFormOf(item, record);
		const target = targetOf(item, run, record);
		return {
			whenEnded: target.whenEnded,
			form,
			send: async (connection, place) =>
				await target.use(connection, place, async ({ path, id, record: found }) => {
					const request = { method: 'GET' as const, path };
					const subject = { noun: record.noun, id };
					const read = async () => await requestRecord(connection, request, record, subject);
					return [found ?? (await readOnce(place.run, path, read))];
				}),
		};
	});
}
