import { ExplainedError } from '../util/errors';
import { idOf, valueOf } from '../util/iri';
import type { Query } from '../http/request';
import type { Page, Walk } from '../http/paging';
import { byNumber, goesOn, ListRead, MAX_PAGE_SIZE, pageOf, START } from '../http/paging';
import type { RecordContract } from '../schema/record';
import type { Client } from './client';
import { shownId } from './records';
import { hasTimes, inServiceTime, learnZone, noticeRecords } from './serviceForm';

/** A list to be read. */
export interface ListRequest {
	path: string;
	query?: Query;
	/** Number of records that are wanted; Infinity for all. */
	limit: number;
	/** By page number where absent, and where the service does not keep to it. */
	walk?: Walk;
	contract: RecordContract;
	/** Whether the members are identifiers instead of records (`view=idx`). */
	isOfIdentifiers?: boolean;
	/** Selects records where the service cannot. */
	passes?: (record: unknown) => boolean;
	/** Checks the records of each page. */
	check?: (records: readonly unknown[]) => void;
}

/** The part of a list that was read. */
export interface ListPart {
	/** Records that are wanted, up to the limit. */
	records: readonly unknown[];
	/** Number of records that were read for them. */
	looked: number;
	/** Number of records in the list, if the service says it. */
	total?: number;
	/** Whether the reading ended before the list did. */
	isCut: boolean;
}

/** Reads of a list at most, if the service shows fewer records than it says there are. */
const MAX_READS = 2;

/**
 * Reads the pages of a list that are needed. If a record leaves the list meanwhile, another can move to a page that was
 * read, and be missed. Then reads the list once more.
 *
 * @throws ServiceError when the service refuses a page, or answers with something else
 * @throws ExplainedError when records are still missing
 */
export async function readList(client: Client, list: ListRequest): Promise<ListPart> {
	const readPage = async (query: Query) => await requestPage(client, list, query);
	return await readPages(client, { ...list, plural: list.contract.plural, readPage });
}

/** A list with a function of its own to read one page. */
interface PagedList extends Pick<ListRequest, 'limit' | 'passes' | 'query' | 'walk'> {
	plural: string;
	readPage: (query: Query) => Promise<Page>;
}

/** Reads a list as `readList` does, whatever its pages hold. */
export async function readPages(client: Client, list: PagedList): Promise<ListPart> {
	const { limit, passes = () => true, plural, query, readPage, walk } = list;
	const read = new ListRead(list.passes ? Infinity : limit, walk);
	const wanted: unknown[] = [];
	let looked = 0;
	const part = (isCut: boolean): ListPart => {
		const total = walk?.isTimed ? looked : read.totalItems;
		const records = wanted.slice(0, limit);
		return { records, looked, isCut, ...(total !== undefined && { total }) };
	};
	for (let reads = 1; ; reads++) {
		while (!read.isDone) {
			read.add(await readPage(read.query(query)));
			wanted.push(...read.records.slice(looked).filter(passes));
			looked = read.records.length;
			if (wanted.length >= limit) return part(wanted.length > limit || read.hasMore);
		}
		if (read.isWhole) return part(false);
		if (walk?.isTimed) return await readPages(client, { ...list, walk: undefined });
		if (reads === MAX_READS) throw incomplete(plural, read);
		client.logInfo(`The list of ${plural} is read once more: ${gapOf(read)}`);
		read.startAgain();
	}
}

/**
 * Returns the number of records in a list, from its first page.
 *
 * @throws ExplainedError where the service does not say
 */
export async function countOf(client: Client, list: ListRequest): Promise<number> {
	const page = await requestPage(client, list, byNumber().query(START, list.query));
	const { length } = page.members;
	if (page.totalItems !== undefined) return page.totalItems;
	if (!goesOn(page, length, MAX_PAGE_SIZE)) return length;
	throw new ExplainedError(
		`The service does not say how many ${list.contract.plural} there are`,
		'Set Output to Identifiers or Simplified with Return All, and count the items',
	);
}

/** @throws ServiceError when the service refuses the page, or answers with something else */
async function requestPage(client: Client, list: ListRequest, query: Query): Promise<Page> {
	const { path, contract, isOfIdentifiers = false, check } = list;
	if (hasTimes(query)) await learnZone(client, contract);
	const subject = { noun: `list of ${contract.plural}` };
	const asked = { method: 'GET' as const, path, query: inServiceTime(client, query), subject };
	const response = await client.request(asked);
	const page = pageOf(response.body);
	const idShown = (member: unknown) =>
		isOfIdentifiers ? valueOf(idOf(member, contract.collection)) : shownId(member, contract);
	if (!page?.members.every((member) => idShown(member) !== undefined)) {
		throw client.unreadable(response, asked);
	}
	noticeRecords(client.tenant, page.members, contract);
	check?.(page.members);
	return page;
}

function incomplete(plural: string, read: ListRead): ExplainedError {
	const { length } = read.records;
	if (read.hasShrunk) {
		return new ExplainedError(
			`The list of ${plural} changed while it was read`,
			'Records left it twice in a row, so that others may be missing. Run again, when less is changed',
		);
	}
	return new ExplainedError(
		read.missing > 0
			? `The service says that there are ${length + read.missing} ${plural}, and shows ${length} of them`
			: `The service repeats its pages after ${length} ${plural}, so that it cannot be told whether these are all`,
		'The list is not complete. Run again, or set Limit to what it shows; if it happens each time, ask the administrator of the CRM whether the key may see them all',
	);
}

function gapOf(read: ListRead): string {
	const { length } = read.records;
	if (read.hasShrunk) return 'records left it meanwhile';
	return read.missing > 0
		? `${read.missing} were missing after ${length}`
		: `its pages repeat after ${length}`;
}
