import { sortBy, uniqBy } from 'lodash';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import type { Place } from '../http/paging';
import { START } from '../http/paging';
import type { Query } from '../http/request';
import { COLUMNS, type Directory } from '../tenant/directory';
import { asNodeError, ExplainedError, noneIf, UnusableParameter } from '../util/errors';
import { idOf, lastSegment, valueOf } from '../util/iri';
import { locatedIn } from '../util/values';
import {
	columnsOf,
	commentLabel,
	historyLabel,
	isArchived,
	lastEntry,
	nameAndEmail,
	personLabel,
	taskLabel,
	titleLabel,
	untitledColumns,
	workspaceLabel,
} from './labels';
import { explainedForList, isLimited, isUnreadable, ListReader } from './listReader';
import { readKnown } from './loadOptions';

/** A list that can be opened in a locator. */
interface SearchedList {
	/** Path of the collection; `{taskId}` is the task that is chosen in the node. */
	collection: string;
	/** What a record offers to choose; a workspace offers its columns. */
	choices: (record: IDataObject, directory: Directory) => INodeListSearchItems[];
	/** Reads what the choices are called, where the list may not show it. */
	readTitles?: (reader: ListReader, records: readonly IDataObject[]) => Promise<void>;
	/** The query parameter that searches on the server; without one, what was read is searched. */
	searchParameter?: string;
	/** Whether a record may show its choices only where it is read by itself. */
	isShownAlone?: boolean;
	/** What was read lately that a text is found in, for what the server's search does not find. */
	rememberedChoices?: (directory: Directory) => INodeListSearchItems[];
	/** What the editor says where the list is empty. */
	whenEmpty: { message: string; advice: string };
}

/** What the editor asks for: all that holds a text, and in a long list the place of the next page as JSON. */
interface Wanted {
	filter: string;
	token?: string;
}

/** Something is there, so that it would be wrong to say that there is nothing yet. */
const UNREADABLE = {
	message: 'The service answers this list in a form that offers nothing to choose',
	advice: 'Give the ID or IRI instead, as the CRM shows it',
};

/** The last entry of a list of what was read lately. */
const MORE_MAY_BE_THERE = lastEntry('More may exist: choose By ID');

/** The last entry of a list that finds more where it is searched. */
const MORE_TO_SEARCH = lastEntry('More exist: search, or choose By ID');

/** The last entry of a list that could be searched in what was read before alone. */
const ONLY_REMEMBERED = lastEntry(
	'Only what was read lately was searched. More may exist: open this list again, or choose By ID',
);

/** The last entry of a list that was not read to its end, and cannot be searched beyond that. */
function onlyTheFirst(records: number): INodeListSearchItems {
	return lastEntry(`Only the first ${records} were read. More exist: choose By ID`);
}

/** Records that are read one by one: a list has to open within seconds, and others need requests, too. */
const MOST_READ_ALONE = 8;

/**
 * A list that is short enough to be read whole: every record can be found, and those that are archived
 * come last.
 */
async function searchWhole(
	reader: ListReader,
	list: SearchedList,
	{ filter }: Wanted,
): Promise<INodeListSearchResult> {
	const { collection, searchParameter } = list;
	const { records, isCut } = await reader.list(collection);
	const found =
		isCut && filter !== '' && searchParameter !== undefined
			? await reader.page(collection, START, [[searchParameter, filter]]).catch(noneIf(isLimited))
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
	reader: ListReader,
	{ collection, choices, isShownAlone, readTitles }: SearchedList,
	records: IDataObject[],
): Promise<INodeListSearchItems[]> {
	await readTitles?.(reader, records);
	const choicesIn = (record: IDataObject) => choices(record, reader.directory);
	const inOrder = sortBy(records, isArchived);
	const offered = inOrder.flatMap(choicesIn);
	if (offered.length > 0 || !isShownAlone) return offered;
	const ids = inOrder
		.slice(0, MOST_READ_ALONE)
		.flatMap((record) => valueOf(idOf(record, collection)) ?? []);
	const read = await Promise.all(ids.map(async (id) => await reader.record(`${collection}/${id}`)));
	return read.flatMap(choicesIn);
}

/**
 * Pages that one list goes on for. The editor asks for the second at once, and for all others, one
 * after another, where the list is closed while it loads: that would use up everybody's limit.
 */
const MOST_PAGES_LISTED = 2;
/** Pages that are searched where the server cannot search: half of a minute's requests. */
const MOST_PAGES_SEARCHED = 10;

/** Reads a list of any length: a page of it, or the next page with a choice that holds the text. */
async function searchFrom(
	reader: ListReader,
	list: SearchedList,
	{ filter, token }: Wanted,
): Promise<INodeListSearchResult> {
	const { collection, choices, searchParameter } = list;
	const isSearchedHere = filter !== '' && searchParameter === undefined;
	const query: Query = filter !== '' && searchParameter ? [[searchParameter, filter]] : [];
	const mostPages = isSearchedHere ? MOST_PAGES_SEARCHED : MOST_PAGES_LISTED;
	const remembered =
		filter !== '' && token === undefined
			? choicesWith(list.rememberedChoices?.(reader.directory) ?? [], filter)
			: [];
	let place = token === undefined ? START : (JSON.parse(token) as Place);

	for (;;) {
		const { page, position } = place;
		const isSomethingKnown = page > 1 || remembered.length > 0;
		const read = await reader
			.page(collection, place, query)
			.catch(noneIf((error) => isSomethingKnown && isLimited(error)));
		if (!read) {
			const last = page === 1 ? ONLY_REMEMBERED : onlyTheFirst(position);
			return { results: [...remembered, last] };
		}
		const { next, records } = read;
		const offered = records.flatMap((record) => choices(record, reader.directory));
		const found = choicesWith(offered, isSearchedHere ? filter : '');
		// Each as it came first: what is remembered of a person may be less than what the service shows.
		const results = uniqBy([...found, ...remembered], 'value');
		if (!next) {
			if (page > 1 || filter !== '' || offered.length > 0) return { results };
			throw nothingToChoose(list, records);
		}
		if (page >= mostPages) {
			const last = isSearchedHere ? onlyTheFirst(next.position) : MORE_TO_SEARCH;
			return { results: [...results, last] };
		}
		if (results.length > 0) return { results, paginationToken: JSON.stringify(next) };
		place = next;
	}
}

/** Users, as far as they are known from what was read. */
async function searchUsers(reader: ListReader, { filter }: Wanted): Promise<INodeListSearchResult> {
	const { options, isCut } = await readKnown(reader, '/users');
	const users = options.map(({ name, value }) => ({ name, value: lastSegment(String(value)) }));
	if (users.length === 0 && !isCut) {
		throw new ExplainedError(
			'No record shows a user yet',
			'Choose By Name or ID, and give the ID of the user as the CRM shows it',
		);
	}
	return { results: [...choicesWith(users, filter), ...(isCut ? [MORE_MAY_BE_THERE] : [])] };
}

/** Each once: a list that changes while it is read shows a record on two pages. */
function choicesWith(choices: INodeListSearchItems[], filter: string): INodeListSearchItems[] {
	const wanted = filter.toLowerCase();
	return uniqBy(
		choices.filter(({ name }) => name.toLowerCase().includes(wanted)),
		'value',
	);
}

function nothingToChoose(
	{ whenEmpty }: SearchedList,
	records: readonly IDataObject[],
): ExplainedError {
	const { message, advice } = records.length > 0 ? UNREADABLE : whenEmpty;
	return new ExplainedError(message, advice);
}

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** A list for a locator that the editor opens. */
function forLocator(
	search: (context: ILoadOptionsFunctions, wanted: Wanted) => Promise<INodeListSearchResult>,
): ListSearch {
	return async function (filter = '', token) {
		try {
			return await search(this, { filter: filter.trim(), token });
		} catch (error) {
			throw asNodeError(this.getNode(), explainedForList(error, 'choose By ID'), 0);
		}
	};
}

/** Of a list that is short in every CRM: all of it. */
function wholeList(list: SearchedList): ListSearch {
	return forLocator(
		async (context, wanted) => await searchWhole(await ListReader.open(context), list, wanted),
	);
}

/** Of a list that may be long: page by page. */
function pagedList(list: SearchedList): ListSearch {
	return forLocator(async (context, wanted) => {
		const collection = list.collection.replace('{taskId}', () => chosenTask(context));
		return await searchFrom(await ListReader.open(context), { ...list, collection }, wanted);
	});
}

/**
 * The id of the task that is chosen in the node, for lists of what belongs to it.
 *
 * @throws UnusableParameter that asks for a task where none is chosen
 */
function chosenTask(context: ILoadOptionsFunctions): string {
	const id = idOf(locatedIn(context.getCurrentNodeParameter('taskId')), '/tasks');
	if ('value' in id) return id.value;
	throw new UnusableParameter(
		'No task is chosen yet',
		'Choose a task first, then open this list again',
	);
}

/** Each record as one choice, by its id. */
function recordsOf(
	collection: string,
	label: (record: IDataObject) => string,
): Pick<SearchedList, 'collection' | 'choices'> {
	return {
		collection,
		choices: (record) => {
			const value = valueOf(idOf(record, collection));
			return value === undefined ? [] : [{ name: label(record), value }];
		},
	};
}

/** Columns that come as IRIs alone are asked for by these, as many as a list may, where that answers. */
async function readColumnTitles(
	reader: ListReader,
	workspaces: readonly IDataObject[],
): Promise<void> {
	const iris = workspaces
		.filter((workspace) => !isArchived(workspace))
		.flatMap((workspace) => untitledColumns(workspace, reader.directory));
	for (const iri of iris.slice(0, MOST_READ_ALONE)) {
		const column = await reader.record(iri).catch(noneIf(isUnreadable));
		if (!column) return;
		reader.directory.notice([column], COLUMNS);
	}
}

/** The service's search for people may not look into e-mail addresses; those seen lately are searched here. */
function peopleSeen(directory: Directory): INodeListSearchItems[] {
	return directory.entries('/people').map(({ iri, title, email = '' }) => ({
		name: nameAndEmail(title, email),
		value: lastSegment(iri),
	}));
}

export const listSearch = {
	searchColumns: wholeList({
		collection: '/workspaces',
		choices: columnsOf,
		readTitles: readColumnTitles,
		// The interface shows columns as a field of a workspace, and not whether lists have it (2.4).
		isShownAlone: true,
		whenEmpty: {
			message: 'No workspace has columns yet',
			advice: 'Add a column to a workspace in the CRM, then open this list again',
		},
	}),
	searchComments: pagedList({
		...recordsOf('/tasks/{taskId}/comments', commentLabel),
		whenEmpty: {
			message: 'The chosen task has no comments yet',
			advice: 'Choose another task, or create a comment first',
		},
	}),
	searchHistory: pagedList({
		...recordsOf('/tasks/{taskId}/history', historyLabel),
		whenEmpty: {
			message: 'The chosen task has no history yet',
			advice: 'Choose another task: history begins with the first change',
		},
	}),
	searchPeople: pagedList({
		...recordsOf('/people', personLabel),
		searchParameter: 'q',
		rememberedChoices: peopleSeen,
		whenEmpty: { message: 'The CRM has no people yet', advice: 'Create a person first' },
	}),
	searchSegments: wholeList({
		...recordsOf('/segments', titleLabel),
		whenEmpty: { message: 'The CRM has no segments yet', advice: 'Create a segment first' },
	}),
	searchTasks: pagedList({
		...recordsOf('/tasks', taskLabel),
		whenEmpty: { message: 'The CRM has no tasks yet', advice: 'Create a task first' },
	}),
	searchUsers: forLocator(
		async (context, wanted) => await searchUsers(await ListReader.open(context), wanted),
	),
	searchWorkspaces: wholeList({
		...recordsOf('/workspaces', workspaceLabel),
		searchParameter: 'title',
		whenEmpty: {
			message: 'This key sees no workspace',
			advice: 'Create a workspace in the CRM, or use a key that may see one',
		},
	}),
};
