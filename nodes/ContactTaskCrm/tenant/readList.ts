import { asText, instantOf } from '../util/dateTime';
import { ExplainedError } from '../util/errors';
import { idOf, valueOf } from '../util/iri';
import { isObject } from '../util/values';
import type { Query } from '../http/request';
import type { Page } from '../http/paging';
import { goesOn, ListRead, MAX_PAGE_SIZE, pageOf } from '../http/paging';
import type { RecordContract } from '../schema/record';
import type { Client } from './client';
import { noticeRecords, shownId } from './records';

/** How a list is to be read. */
export interface ListRequest {
	path: string;
	query?: Query;
	/** Records wanted; Infinity for all. */
	limit: number;
	contract: RecordContract;
	/** Whether the members are identifiers instead of records (`view=idx`). */
	isOfIdentifiers?: boolean;
	/** Which records are wanted, where the service cannot be asked for them; all where absent. */
	passes?: (record: unknown) => boolean;
	/** Looks at the records of each page. */
	check?: (records: readonly unknown[]) => void;
}

/** What was read of a list. */
export interface ListPart {
	/** The records that are wanted, at most as many as the limit. */
	records: readonly unknown[];
	/** How many records were read to find them. */
	looked: number;
	/** How many records the list has, as the service says; absent where it does not say. */
	total?: number;
	/** Whether the reading ended at the limit, before the end of the list. */
	isCut: boolean;
}

/** Times that a list is read once more where the service says that there is more than it has shown. */
const MAX_READS = 2;

/**
 * Reads a list page by page, and asks for no page that is not needed.
 *
 * A list that others change while it is read can lose a record from one page to another, as when a record
 * leaves it and others move up: it is then read once more, and what is still missing is an error, since a
 * list that looks whole is taken for whole.
 *
 * @throws ServiceError when the service says no, or answers with something else
 * @throws ExplainedError when the list stays incomplete
 */
export async function readList(client: Client, list: ListRequest): Promise<ListPart> {
	const { limit, passes, contract } = list;
	const readPage = async (paging: Query) => await requestPage(client, list, paging);
	return await readPages(client, { limit, passes, plural: contract.plural, readPage });
}

/** A list of any kind, and how a page of it is read. */
interface PagedList extends Pick<ListRequest, 'limit' | 'passes'>, Pick<RecordContract, 'plural'> {
	/** @param paging the query parameters that name the page */
	readPage: (paging: Query) => Promise<Page>;
}

/** Reads a list as `readList` does, whatever its pages hold. */
export async function readPages(client: Client, list: PagedList): Promise<ListPart> {
	const { limit, passes = () => true, plural, readPage } = list;
	const read = new ListRead(list.passes ? Infinity : limit);
	const wanted: unknown[] = [];
	let looked = 0;
	const part = (isCut: boolean): ListPart => ({
		records: wanted.slice(0, limit),
		looked,
		...(read.totalItems === undefined ? {} : { total: read.totalItems }),
		isCut,
	});
	for (let reads = 1; ; reads++) {
		while (!read.isDone) {
			read.add(await readPage(read.nextPageQuery()));
			wanted.push(...read.records.slice(looked).filter(passes));
			looked = read.records.length;
			if (wanted.length >= limit) return part(wanted.length > limit || read.hasMore);
		}
		const isWhole =
			!read.hasShrunk && read.missing === 0 && (!read.isCut || read.totalItems !== undefined);
		if (isWhole) return part(false);
		if (reads === MAX_READS) throw incomplete(plural, read);
		client.logInfo(`The list of ${plural} is read once more: ${gapOf(read)}`);
		read.startAgain();
	}
}

/**
 * How many records a list has, from its first page.
 *
 * @throws ExplainedError where the service does not say
 */
export async function countOf(client: Client, list: ListRequest): Promise<number> {
	const { members, totalItems, hasNext } = await requestPage(client, list, [
		['itemsPerPage', String(MAX_PAGE_SIZE)],
	]);
	if (totalItems !== undefined) return totalItems;
	if (members.length < MAX_PAGE_SIZE && !hasNext) return members.length;
	throw new ExplainedError(
		`The service does not say how many ${list.contract.plural} there are`,
		'Set Output to Identifiers or Simplified with Return All, and count the items',
	);
}

/**
 * Reads one page of a list, of which every member is a record.
 *
 * @throws ServiceError when the service says no, or answers with something else
 */
export async function requestPage(client: Client, list: ListRequest, paging: Query): Promise<Page> {
	const { path, query = [], contract, isOfIdentifiers = false, check } = list;
	const asked = {
		method: 'GET' as const,
		path,
		query: [...query, ...paging],
		subject: { noun: `list of ${contract.plural}` },
	};
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

const ORDER = 'order[createdAt]';
const FROM = 'createdAt[after]';

/**
 * Reads a whole list in the order in which its records were created, each page from the time at which the one
 * before ended. Whoever leaves the list meanwhile moves nobody past the reader, as they would with page numbers;
 * not even where somebody else comes, so that the total stays the same.
 *
 * @returns undefined where the service does not keep to the order or to the time, or shows no times, or where
 *   fewer came than there were
 */
export async function readByCreation(
	client: Client,
	list: ListRequest,
): Promise<ListPart | undefined> {
	const records = new Map<string | undefined, unknown>();
	let from: number | undefined;
	let number = 1;
	let position = 0;
	/** How many there were when the reading began, as far as the service says it. */
	let most = 0;
	for (;;) {
		const page = await requestPage(client, { ...list, query: queryFrom(list, from) }, [
			['itemsPerPage', String(MAX_PAGE_SIZE)],
			...(number > 1 ? [['page', String(number)] as const] : []),
		]);
		const times = page.members.map((member) =>
			isObject(member) ? instantOf(member.createdAt) : undefined,
		);
		const before = records.size;
		if (!isInOrder(times, from)) return undefined;
		for (const member of page.members) records.set(shownId(member, list.contract), member);
		// Else a service that gives page one for every page would go on for ever.
		if (number > 1 && records.size === before) return undefined;
		position += page.members.length;
		if (from === undefined && number === 1) most = page.totalItems ?? 0;
		if (!goesOn(page, position, MAX_PAGE_SIZE)) {
			const { size } = records;
			const isWhole = position >= (page.totalItems ?? 0) && size >= most;
			const all = [...records.values()];
			return isWhole ? { records: all, looked: size, total: size, isCut: false } : undefined;
		}
		const last = times.at(-1);
		if (last === from) {
			number++;
		} else {
			// From that very time on, since others may have been created in the same second.
			from = last;
			number = 1;
			position = 0;
		}
	}
}

function queryFrom({ query = [] }: ListRequest, from: number | undefined): Query {
	if (from === undefined) return [...query, [ORDER, 'asc']];
	// A time that the user gave is an earlier one.
	const others = query.filter(([name]) => name !== FROM);
	return [...others, [FROM, asText(from)], [ORDER, 'asc']];
}

function isInOrder(times: ReadonlyArray<number | undefined>, from = -Infinity): boolean {
	let before = from;
	for (const time of times) {
		if (time === undefined || time < before) return false;
		before = time;
	}
	return true;
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
