import { requestRecord } from './answer';
import { bodyOf } from './body';
import { paginatorOf } from './item';
import { addressOf } from './path';
import type { BodySpecification, Paginator, RecordSpecification } from './specification';

/**
 * Sends one record: creates, updates, replaces or duplicates it, as the description says. An update in
 * which nothing is given sends nothing, since an empty one would count as a change.
 */
export function runWrite(record: RecordSpecification, specification: BodySpecification): Paginator {
	return paginatorOf((item) => {
		const { path, id } = addressOf(item);
		const body = bodyOf(item, specification);
		const { method = 'POST' } = item.request;
		const subject = { noun: record.noun, id };
		return {
			targets: targetsOf(record, path, id),
			isRepeatable: method !== 'POST',
			send: async (connection) => {
				if (method === 'PATCH' && Object.keys(body).length === 0) return [{ id: id ?? null }];
				return [await requestRecord(connection, { method, path, body }, record, subject)];
			},
		};
	});
}

/**
 * What the items of a run have to take turns for: the record that is written, or for a comment the
 * list of its task, in which the order shows. Nothing for a new record, which nobody else writes to.
 */
function targetsOf({ noun, collection }: RecordSpecification, path: string, id?: string) {
	if (collection.includes('{')) return [path.split('/').slice(0, 4).join('/')];
	return id === undefined ? [] : [`${noun} ${id}`];
}
