import { goesOn, MAX_PAGE_SIZE } from '../http/paging';
import type { Query } from '../http/request';
import { asText, instantOf } from '../util/dateTime';
import { isObject } from '../util/values';
import type { Client } from './client';
import type { ListPart, ListRequest } from './readList';
import { requestPage } from './readList';
import { shownId } from './records';

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
