import { ListRead } from '../http/listRead';
import type { Page, PageOrder } from '../http/paging';
import type { Query } from '../http/request';
import { type AppliedFilter, meetsFilter } from '../schema/filter';
import type { RecordContract } from '../schema/record';
import { ExplainedError } from '../util/errors';
import type { Client } from './client';
import { shownId } from './records';
import { hasTimes, inServiceTime, learnZone, noticeRecords } from './serviceForm';
import { isObject } from '../values/json';
import { idOf, valueOf } from '../values/reference';
import { quoted } from '../values/text';

export interface ListRequest {
	path: string;
	query?: Query;
	/** Number of records that are wanted; Infinity for all. */
	limit: number;
	/** Order of reading the pages. If absent, or if the service ignores this order, the node reads by page number. */
	pageOrder?: PageOrder | undefined;
	contract: RecordContract;
	/** Whether the members are identifiers instead of records (`view=idx`). */
	isOfIdentifiers?: boolean;
	/** Returns whether a record is wanted. The node filters by this function, because the service lacks the filter. */
	passes?: (record: unknown) => boolean;
	/** Receives the records of each page. Throws to stop the read, for example if the service ignored a filter. */
	check?: ((records: readonly unknown[]) => void) | undefined;
}

/** Result of reading a list, perhaps not to its end. */
export interface ListPart {
	/** Records that are wanted, up to the limit. */
	records: readonly unknown[];
	/** Number of records in the list. Absent if the service does not say it, or if the node itself filters the list. */
	total?: number;
	/** Whether the node stopped before the end of the list. */
	isCut: boolean;
}

/** Maximum number of reads of a list, if records seem to be missing. */
const MAX_READS = 2;

/**
 * Reads pages of a list until the limit or the end. If record A leaves the list or moves meanwhile, record B may slip
 * onto a page that the node has already read. The node then misses B. If records seem to be missing, the function reads
 * the list again.
 *
 * @throws ServiceError when the service refuses a page, or an answer is no page of the list
 * @throws ExplainedError when records are still missing
 */
export async function readList(client: Client, list: ListRequest): Promise<ListPart> {
	const { plural } = list.contract;
	const readPage = async (query: Query) => await requestPage(client, list, query);
	const onUnordered = () => client.tenant.description.noteUnordered(list.path);
	return await readPages(client, { ...list, plural, readPage, onUnordered });
}

/** A list, with the caller's own function to read one page. */
interface PagedList extends Pick<ListRequest, 'limit' | 'passes' | 'query' | 'pageOrder'> {
	plural: string;
	readPage: (query: Query) => Promise<Page>;
	/** Called if the records of a page are not in the requested order. */
	onUnordered?: () => void;
}

/** Reads a list as `readList` does, with the caller's own function to read a page. */
export async function readPages(client: Client, list: PagedList): Promise<ListPart> {
	const { limit, passes = () => true, plural, query, readPage, pageOrder } = list;
	const read = new ListRead(list.passes ? Infinity : limit, pageOrder);
	const wanted: unknown[] = [];
	let readCount = 0;
	const part = (isCut: boolean): ListPart => {
		const total = list.passes ? undefined : read.totalItems;
		const records = wanted.slice(0, limit);
		return { records, isCut, ...(total !== undefined && { total }) };
	};
	for (let reads = 1; ; reads++) {
		while (!read.isDone) {
			read.add(await readPage(read.query(query)));
			wanted.push(...read.records.slice(readCount).filter(passes));
			readCount = read.records.length;
			if (wanted.length >= limit) return part(wanted.length > limit || read.hasMore);
		}
		if (read.isUnordered) list.onUnordered?.();
		if (read.isWhole) return part(false);
		if (pageOrder?.isTimed) return await readPages(client, { ...list, pageOrder: undefined });
		const error = incomplete(plural, read);
		if (reads === MAX_READS) throw error;
		client.logInfo(`The list of ${plural} is read once more: ${error.message}`);
		read.startAgain();
	}
}

/**
 * Reads one page of a list. From its records, `noticeRecords` learns titles, names and the forms of IDs and times.
 *
 * @throws ServiceError when the service refuses the page, or the answer is no page of the list
 */
export async function requestPage(client: Client, list: ListRequest, query: Query): Promise<Page> {
	const { path, contract, isOfIdentifiers = false, check } = list;
	if (hasTimes(query)) await learnZone(client, contract);
	const subject = { noun: `list of ${contract.plural}` };
	const request = { path, query: inServiceTime(client, query), subject };
	const idShown = (member: unknown) =>
		isOfIdentifiers ? valueOf(idOf(member, contract.collection)) : shownId(member, contract);
	const isMember = (member: unknown) => idShown(member) !== undefined;
	const page = await client.page(request, { isMember });
	noticeRecords(client.tenant, page.members, contract);
	if (!isOfIdentifiers) client.noteReads(page.members, contract, page.begun);
	check?.(page.members);
	return page;
}

function incomplete(plural: string, read: ListRead): ExplainedError {
	const { length } = read.records;
	if (read.hasChanged) {
		return new ExplainedError(
			`The list of ${plural} changed while it was read`,
			'Records left it or changed places twice in a row, so that others may be missing. Run again, when less is changed; if it happens each time, sort by another field',
			{ code: 'unreadable' },
		);
	}
	return new ExplainedError(
		read.missing > 0
			? `The service says that there are ${length + read.missing} ${plural}, and shows ${length} of them`
			: `The service repeats its pages after ${length} ${plural}, so the node cannot know whether these are all`,
		'The list is not complete. Run again, or set Limit to what it shows; if it happens each time, ask the administrator of the CRM whether the key may see them all',
		{ code: 'unreadable' },
	);
}

/**
 * Checks that the records of a page meet the filters of the request. The service ignores an unknown filter or value,
 * and returns the whole list.
 *
 * @throws ExplainedError naming the filter that the service ignored
 */
export function assertFiltered(
	records: readonly unknown[],
	filters: readonly AppliedFilter[],
	{ plural }: RecordContract,
): void {
	for (const { filter, values } of filters) {
		if (filter.shownIn.length === 0) continue;
		// A record that does not show the filtered field does not meet the filter, because the service leaves out only
		// empty fields.
		if (records.filter(isObject).every((record) => meetsFilter(record, filter, values))) continue;
		throw new ExplainedError(
			`${filter.label}: the service returned ${plural} that do not meet the filter`,
			`The service may ignore this filter, or may not know ${values.map(quoted).join(', ')}. Check the value, or remove the filter; the node used nothing of the list`,
			{ code: 'unsupported', parameter: filter.label },
		);
	}
}
