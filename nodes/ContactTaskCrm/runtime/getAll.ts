import type { Connection } from '../transport/connection';
import type { ServiceRequest } from '../transport/http';
import { ListRead, pageOf } from '../transport/paging';
import type { Subject } from '../transport/serviceErrors';
import type { Item } from './item';
import { paginatorOf } from './item';
import { UnusableParameter } from '../common/errors';
import { outputFormOf } from './output';
import { addressOf } from './path';
import { filterQuery, filtersOf, orderQuery } from './query';
import type { Paginator, RecordSpecification } from './specification';

/** Reads a list, page by page, up to the limit or to its end. */
export function runGetAll(record: RecordSpecification): Paginator {
	return paginatorOf((item) => {
		const { path } = addressOf(item);
		const limit = limitOf(item);
		const form = outputFormOf(item, record);
		const query = [...filterQuery(filtersOf(item, record)), ...orderQuery(item, record)];
		if (form.kind === 'identifiers') query.push(['view', 'idx']);
		return async (connection) => {
			const request = { method: 'GET' as const, path, query };
			const records = await readAll(
				connection,
				request,
				{ noun: `list of ${record.plural}` },
				limit,
			);
			return records.map(form.of);
		};
	});
}

/**
 * Reads a list page by page, and asks for no page that is not needed.
 *
 * @param limit records wanted; Infinity for all
 */
export async function readAll(
	connection: Connection,
	request: ServiceRequest,
	subject: Subject,
	limit: number,
): Promise<readonly unknown[]> {
	const read = new ListRead(limit);
	while (!read.isDone) {
		const query = [...(request.query ?? []), ...read.nextPageQuery()];
		const response = await connection.request({ ...request, query }, subject);
		const page = pageOf(response.body);
		if (!page) {
			throw connection.unreadable(response, request, subject);
		}
		read.add(page);
	}
	return read.records;
}

function limitOf({ context }: Item): number {
	if (context.getNodeParameter('returnAll', false) === true) return Infinity;
	const limit: unknown = context.getNodeParameter('limit', 50);
	const count = typeof limit === 'string' && limit.trim() !== '' ? Number(limit) : limit;
	if (typeof count !== 'number' || !Number.isInteger(count) || count < 1) {
		throw new UnusableParameter(
			`Limit: expected a whole number of 1 or more, got ${JSON.stringify(limit) ?? 'nothing'}`,
			'Enter how many records you want, or turn on Return All',
		);
	}
	return count;
}
