import type { IDataObject, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { ExplainedError } from '../common/errors';
import { idOf, lastSegment, valueOf } from '../common/iri';
import { MAX_PAGE_SIZE } from '../transport/paging';
import { MORE_MAY_BE_THERE, MORE_TO_SEARCH, ONLY_REMEMBERED, onlyTheFirst } from './entries';
import { isArchived } from './labels';
import { optionsOf } from './options';
import type { LookupReader } from './read';
import { readSeen } from './readSeen';
import { ifLimited } from './listErrors';

/** A list that can be opened in a locator. */
export interface SearchedList {
	/** Path of the collection; `{taskId}` is the task that is chosen in the node. */
	collection: string;
	/** What a record offers to choose; a workspace offers its columns. */
	choices: (record: IDataObject) => INodeListSearchItems[];
	/** The query parameter that searches on the server; without one, what was read is searched. */
	searchParameter?: string;
	/** Whether a record may show its choices only where it is read by itself. */
	isShownAlone?: boolean;
	/** What was read lately that a text is found in, for what the server's search does not find. */
	rememberedChoices?: (identity: string) => INodeListSearchItems[];
	/** What the editor says where the list is empty. */
	whenEmpty: { message: string; advice: string };
}

/** Something is there, so that it would be wrong to say that there is nothing yet. */
const UNREADABLE = {
	message: 'The service answers this list in a form that offers nothing to choose',
	advice: 'Give the ID or IRI instead, as the CRM shows it',
};

/** Records that are read one by one: a list has to open within seconds, and others need requests, too. */
const MOST_READ_ALONE = 8;

/**
 * A list that is short enough to be read whole: every record can be found, and those that are archived
 * come last.
 */
export async function searchWhole(
	reader: LookupReader,
	list: SearchedList,
	filter: string,
): Promise<INodeListSearchResult> {
	const { collection, searchParameter } = list;
	const { records, isCut } = await reader.list(collection);
	const found =
		isCut && filter !== '' && searchParameter
			? await reader.page(collection, [[searchParameter, filter]]).catch(ifLimited)
			: undefined;
	const choices = await choicesOf(reader, list, [...records, ...(found?.records ?? [])]);
	if (choices.length === 0 && !isCut) throw nothingToChoose(list, records);
	const results = choicesWith(choices, filter);
	if (!isCut) return { results };
	return {
		results: [...results, searchParameter ? MORE_TO_SEARCH : onlyTheFirst(records.length)],
	};
}

async function choicesOf(
	reader: LookupReader,
	{ collection, choices, isShownAlone }: SearchedList,
	records: IDataObject[],
): Promise<INodeListSearchItems[]> {
	const inOrder = [
		...records.filter((record) => !isArchived(record)),
		...records.filter(isArchived),
	];
	const offered = inOrder.flatMap(choices);
	if (offered.length > 0 || !isShownAlone) return offered;
	const ids = inOrder
		.slice(0, MOST_READ_ALONE)
		.flatMap((record) => valueOf(idOf(record, collection)) ?? []);
	const read = await Promise.all(ids.map(async (id) => await reader.record(`${collection}/${id}`)));
	return read.flatMap(choices);
}

/**
 * Pages that one list goes on for. The editor asks for the second at once, and for all others, one
 * after another, where the list is closed while it loads: that would use up everybody's limit.
 */
const MOST_PAGES_LISTED = 2;
/** Pages that are searched where the server cannot search: half of a minute's requests. */
const MOST_PAGES_SEARCHED = 10;

/** A list that may be of any length: a page of it, or the next one that holds what is looked for. */
export async function searchPages(
	reader: LookupReader,
	list: SearchedList,
	{ filter, token = '1' }: { filter: string; token?: string },
): Promise<INodeListSearchResult> {
	const { collection, choices, searchParameter } = list;
	const isSearchedHere = filter !== '' && !searchParameter;
	const query = filter !== '' && searchParameter ? [[searchParameter, filter] as const] : [];
	const mostPages = isSearchedHere ? MOST_PAGES_SEARCHED : MOST_PAGES_LISTED;
	const remembered =
		filter !== '' && token === '1'
			? choicesWith(list.rememberedChoices?.(reader.identity) ?? [], filter)
			: [];

	for (let page = token; ; ) {
		const read = await reader.page(collection, query, page).catch(async (error: unknown) => {
			const isNothingKnown = page === '1' && remembered.length === 0;
			return isNothingKnown ? await Promise.reject(error) : await ifLimited(error);
		});
		if (!read) {
			const results = page === '1' ? remembered : [];
			return { results: [...results, page === '1' ? ONLY_REMEMBERED : noticeOfEnd(page)] };
		}
		const { records, nextPage } = read;
		const offered = records.flatMap(choices);
		const found = choicesWith(offered, isSearchedHere ? filter : '');
		const results = unique([...found, ...(page === '1' ? remembered : [])]);
		const goesOn = nextPage !== undefined && Number(nextPage) <= mostPages;
		if (results.length > 0 || !goesOn) {
			if (nextPage === undefined && page === '1' && filter === '' && offered.length === 0) {
				throw nothingToChoose(list, records);
			}
			if (goesOn) return { results, paginationToken: nextPage };
			if (nextPage === undefined) return { results };
			return { results: [...results, isSearchedHere ? noticeOfEnd(nextPage) : MORE_TO_SEARCH] };
		}
		page = nextPage;
	}
}

/** Says that a search ended before this page. */
function noticeOfEnd(page: string): INodeListSearchItems {
	return onlyTheFirst((Number(page) - 1) * MAX_PAGE_SIZE);
}

/** Users, as far as they are known from what was read. */
export async function searchUsers(
	reader: LookupReader,
	filter: string,
): Promise<INodeListSearchResult> {
	const { seen, isCut } = await readSeen(reader, '/users');
	const users = optionsOf(seen, 'user').map(({ name, value }) => ({
		name,
		value: lastSegment(String(value)),
	}));
	if (users.length === 0 && !isCut) {
		throw new ExplainedError(
			'No record shows a user yet',
			'Choose By Name or ID, and give the ID of the user as the CRM shows it',
		);
	}
	return { results: [...choicesWith(users, filter), ...(isCut ? [MORE_MAY_BE_THERE] : [])] };
}

function choicesWith(choices: INodeListSearchItems[], filter: string): INodeListSearchItems[] {
	const wanted = filter.toLowerCase();
	return unique(choices.filter(({ name }) => name.toLowerCase().includes(wanted)));
}

/**
 * Each choice once, as it came first: a list that changes while it is read shows a record on two pages, and
 * what is remembered of a person may be less than what the service shows.
 */
function unique(choices: INodeListSearchItems[]): INodeListSearchItems[] {
	const seen = new Set<unknown>();
	return choices.filter(({ value }) => !seen.has(value) && seen.add(value));
}

function nothingToChoose(
	{ whenEmpty }: SearchedList,
	records: readonly IDataObject[],
): ExplainedError {
	const { message, advice } = records.length > 0 ? UNREADABLE : whenEmpty;
	return new ExplainedError(message, advice);
}
