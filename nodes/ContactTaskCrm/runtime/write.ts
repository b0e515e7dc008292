import { requestRecord } from './answer';
import { bodyOf } from './body';
import { paginatorOf } from './item';
import { outputFormOf } from './output';
import type { BodySpecification, Paginator, RecordSpecification } from './specification';
import { targetOf } from './target';

/**
 * Sends one record: creates, updates, replaces or duplicates it, as the description says. An update in
 * which nothing is given sends nothing, since an empty one would count as a change.
 */
export function runWrite(record: RecordSpecification, specification: BodySpecification): Paginator {
	return paginatorOf((item, run) => {
		const body = bodyOf(item, specification);
		const form = outputFormOf(item, record, 'write');
		const { targets, whenEnded, use } = targetOf(item, run, record);
		const { method = 'POST' } = item.request;
		return {
			targets,
			whenEnded,
			form,
			isRepeatable: method !== 'POST',
			send: async (connection, place) =>
				await use(connection, place, async ({ path, id, named }) => {
					if (method === 'PATCH' && Object.keys(body).length === 0) return [{ id: id ?? null }];
					const subject = { noun: record.noun, id, named };
					if (id !== undefined) record.noticeWrite?.(connection.identity, id);
					return [await requestRecord(connection, { method, path, body }, record, subject)];
				}),
		};
	});
}
