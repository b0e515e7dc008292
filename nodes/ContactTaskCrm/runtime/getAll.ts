import { isAgentTool } from '../common/agentTool';
import { UnusableParameter } from '../common/errors';
import { assertFiltered } from './filterCheck';
import type { Connection } from '../transport/connection';
import { MAX_PAGE_SIZE } from '../transport/paging';
import { filtersByEmail } from './filterByEmail';
import type { Item } from './item';
import { paginatorOf } from './item';
import { noteOf, withNote } from './listNote';
import { outputFormOf } from './output';
import { addressOf } from './path';
import { assertShown, passesAll } from './readFilter';
import { filterQuery, filtersOf, orderQuery } from './query';
import type { ListPart, ListRequest } from './readList';
import { countOf, readList } from './readList';
import { readOnce } from './readOnce';
import type { Paginator, RecordSpecification } from './specification';

/** Reads a list, page by page, up to the limit or to its end. */
export function runGetAll(record: RecordSpecification): Paginator {
	return paginatorOf((item, run) => {
		const { path } = addressOf(item);
		const limit = limitOf(item);
		const form = outputFormOf(item, record);
		const filters = filtersOf(item, record.filters);
		const readFilters = filtersOf(item, record.readFilters ?? {});
		const query = [...filterQuery(filters), ...orderQuery(item, record)];
		const request: ListRequest = {
			method: 'GET',
			path,
			query,
			limit,
			contract: record,
			check: (records) => {
				assertFiltered(records, filters, record);
				assertShown(records, readFilters, record);
			},
		};
		const byEmail = filtersByEmail(item, run, readFilters);
		return {
			form: withNote(form),
			whenEnded: byEmail.whenEnded,
			send: async (connection, place) => {
				const timezone = item.context.getTimezone();
				const passes = passesAll(await byEmail.found(connection, place), timezone);
				const list: ListRequest = { ...request, passes };
				if (form.kind === 'count') return [{ count: await counted(connection, list) }];
				// Identifiers alone would not show what the node filters by.
				const isOfIdentifiers = form.kind === 'identifiers' && !passes;
				const applied = readFilters.map(({ filter, values }) => [filter.label, values]);
				const question = JSON.stringify([path, query, applied, limit, isOfIdentifiers]);
				const read = isOfIdentifiers
					? async () => await readIdentifiers(connection, list, filters.length > 0)
					: async () => await readList(connection, list);
				const part = await readOnce(run, question, read);
				// Others count the items that they get; a model sees no more than these.
				const note = isAgentTool(item.context.getNode())
					? noteOf(part, record.plural, list.passes !== undefined)
					: undefined;
				return note ? [...part.records, note] : part.records;
			},
		};
	});
}

/** What the node filters by itself, it has to read to count it. */
async function counted(connection: Connection, list: ListRequest): Promise<number> {
	if (!list.passes) return await countOf(connection, list);
	return (await readList(connection, { ...list, limit: Infinity })).records.length;
}

/** Identifiers do not show whether they pass the filters: one page of records does. */
async function readIdentifiers(
	connection: Connection,
	list: ListRequest,
	isFiltered: boolean,
): Promise<ListPart> {
	const limit = Math.min(list.limit, MAX_PAGE_SIZE);
	if (isFiltered) await readList(connection, { ...list, limit });
	return await readList(connection, {
		...list,
		query: [...(list.query ?? []), ['view', 'idx']],
		isOfIdentifiers: true,
		check: undefined,
	});
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
