import type { IDataObject } from 'n8n-workflow';
import { asRecord } from '../runtime/output';
import type { Page } from '../transport/paging';
import { goesOn } from '../transport/paging';
import { tailPage } from './finish';
import { completed, created } from './rules';
import { timeOf } from './times';
import type { QueryPair, Watch } from './watch';

/** Reads one page of the list that is watched. */
interface Reader {
	page: (watch: Watch, query: readonly QueryPair[]) => Promise<Page | undefined>;
}

/**
 * The newest record that the event could happen to, from one request or two; where no task of those
 * read passes the filters, the newest of them, so that there is something to build with.
 */
export async function newest(reader: Reader, watch: Watch): Promise<IDataObject | undefined> {
	const isByTime = watch.reading === 'window' || watch.reading === 'people';
	const first = await reader.page(watch, [
		...watch.filters,
		...(watch.membership ? [watch.membership] : []),
		...(isByTime ? [['order[createdAt]', 'desc'] as const] : []),
		['itemsPerPage', String(watch.pageSize)],
	]);
	if (!first) return undefined;
	const { members, totalItems } = first;
	const isAll = isByTime || !goesOn(first, members.length, watch.pageSize);
	if (isAll || totalItems === undefined) return newestOf(watch, members.map(asRecord));
	const last = await reader.page(watch, [
		...watch.filters,
		['itemsPerPage', String(watch.pageSize)],
		['page', String(tailPage(totalItems, 'rising', watch.pageSize))],
	]);
	return newestOf(watch, [...members, ...(last?.members ?? [])].map(asRecord));
}

function newestOf(watch: Watch, records: IDataObject[]): IDataObject | undefined {
	const matching = records.filter(watch.matches);
	const done = watch.rule === completed ? matching.filter(({ completedAt }) => completedAt) : [];
	// Where the service drops a filter it does not understand, anybody would do for a member.
	const others = watch.membership ? [] : records;
	const [candidates = []] = [done, matching, others].filter(({ length }) => length > 0);
	const time = (record: IDataObject) => timeOfInterest(watch, record) ?? -Infinity;
	return candidates.reduce<IDataObject | undefined>(
		(best, record) => (best === undefined || time(record) > time(best) ? record : best),
		undefined,
	);
}

function timeOfInterest({ rule }: Watch, record: IDataObject): number | undefined {
	if (rule === completed) return timeOf(record.completedAt);
	return timeOf(rule === created ? record.createdAt : (record.updatedAt ?? record.createdAt));
}
