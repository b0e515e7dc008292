import type { IDataObject } from 'n8n-workflow';
import { asRecord } from '../run/output';
import { goesOn } from '../http/paging';
import type { PollRequests } from './requests';
import type { ChangeEvent, QueryPair, Watch } from './watch';

/**
 * The newest of the chosen events that may have happened, from one page or two; where no record of
 * those read passes the filters, the newest of them, so that there is something to build with.
 */
export async function sampleOf(
	requests: Pick<PollRequests, 'page'>,
	watch: Watch,
): Promise<ChangeEvent | undefined> {
	const order: QueryPair[] = watch.isTimed ? [['order[createdAt]', 'desc']] : [];
	const size: QueryPair = ['itemsPerPage', String(watch.pageSize)];
	const first = await requests.page(watch, [...watch.filters, ...order, size]);
	if (!first) return undefined;
	const { members, totalItems } = first;
	const isAll = watch.isTimed || !goesOn(first, members.length, watch.pageSize);
	if (isAll || totalItems === undefined) return newestOf(watch, members.map(asRecord));
	const lastPage: QueryPair = ['page', String(Math.ceil(totalItems / watch.pageSize))];
	const last = await requests.page(watch, [...watch.filters, size, lastPage]);
	return newestOf(watch, [...members, ...(last?.members ?? [])].map(asRecord));
}

function newestOf(watch: Watch, records: IDataObject[]): ChangeEvent | undefined {
	const isShown = (record: IDataObject) => watch.isMember?.(record) ?? true;
	const matching = records.filter((record) => watch.matches(record) && isShown(record));
	// Where the service drops a filter it does not understand, anybody would do for a member.
	const candidates = matching.length > 0 || watch.isMember ? matching : records;
	const [first] = watch.events;
	const samples = candidates.flatMap((record) =>
		watch.events.flatMap((event) => {
			const at = event.sampleTime(record);
			return at === undefined ? [] : [{ event, record, before: {}, at }];
		}),
	);
	const untimed = candidates.map((record) => ({ event: first, record, before: {}, at: 0 }));
	return (samples.length > 0 ? samples : untimed).reduce<
		(ChangeEvent & { at: number }) | undefined
	>((best, sample) => (best && best.at >= sample.at ? best : sample), undefined);
}
