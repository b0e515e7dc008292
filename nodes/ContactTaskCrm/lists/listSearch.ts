import { sortBy, uniqBy } from 'lodash';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { isNoSuchList } from '../util/failures';
import { type Cursor, START } from '../http/paging';
import type { Query } from '../http/request';
import { COLUMNS, referenceForm, textMode } from '../schema/record';
import type { Directory } from '../crm/directory';
import { asNodeError, ExplainedError, noneIf, UnusableParameter } from '../util/errors';
import { isArchived } from '../values/person';
import {
	columnItems,
	commentLabel,
	historyLabel,
	noteEntry,
	noteAtEnd,
	personLabel,
	taskLabel,
	titleLabel,
	untitledColumns,
	workspaceLabel,
} from './labels';
import {
	explainedForList,
	isLimited,
	isUnreadable,
	ListReader,
	MOST_PAGES_READ,
} from './listReader';
import { readKnown } from './loadOptions';
import { locatedIn } from '../values/json';
import { idOf, lastSegment, valueOf } from '../values/reference';

/** The list that a locator (the parameter for one record) offers in the editor. */
interface SearchedList {
	/** Path of the collection. `{taskId}` stands for the task that the user has chosen. */
	collection: string;
	/** Returns the choices in a record. A workspace may give several choices: its columns. */
	choices: (record: IDataObject, directory: Directory) => INodeListSearchItems[];
	/** Reads the titles of the choices one by one. Present if the list itself may not show them. */
	readTitles?: (reader: ListReader, records: readonly IDataObject[]) => Promise<void>;
	/** Query parameter for a search by the service. If absent, the node searches the records that it has read. */
	searchParameter?: string;
	/** Whether a record that is read by ID may show choices that its entry in the list lacks. */
	mayShowMoreAlone?: boolean;
	/** Error to show if the list is empty. */
	whenEmpty: { message: string; advice: string };
}

interface ListSearch {
	/** The text that the user has typed. */
	filter: string;
	/** Cursor of the next page, as JSON; undefined for the first page. */
	token: string | undefined;
	/** Label of the locator mode for text, such as "By Title or ID". */
	mode: string;
}

function moreToSearch({ mode }: ListSearch): INodeListSearchItems {
	return noteEntry(`More exist: search, or choose ${mode}`);
}

function onlyTheFirst(records: number, { mode }: ListSearch): INodeListSearchItems {
	return noteEntry(`Only the first ${records} were read. More exist: choose ${mode}`);
}

/** Maximum number of records to read one by one. A list has to open in seconds, and leave slots for other requests. */
const MOST_RECORDS_FOR_LIST = 8;

/** Reads up to ten pages of a list. Lets the service search the further pages if it can. Archived records come last. */
async function searchWhole(
	reader: ListReader,
	list: SearchedList,
	wanted: ListSearch,
): Promise<INodeListSearchResult> {
	const { filter } = wanted;
	const { collection, searchParameter } = list;
	const { records, isCut } = await reader.list(collection);
	const found =
		isCut && filter !== '' && searchParameter !== undefined
			? await reader.page(collection, START, [[searchParameter, filter]]).catch(noneIf(isLimited))
			: undefined;
	const choices = await choicesOf(reader, list, [...records, ...(found?.records ?? [])]);
	if (choices.length === 0 && !isCut) throw nothingToChoose(list);
	const results = choicesWith(choices, filter);
	const last = searchParameter ? moreToSearch(wanted) : onlyTheFirst(records.length, wanted);
	return { results: isCut ? [...results, last] : results };
}

/** Returns the choices in records of a list. If there are none, reads some records by ID, which may show more. */
async function choicesOf(
	reader: ListReader,
	{ collection, choices, mayShowMoreAlone, readTitles }: SearchedList,
	records: IDataObject[],
): Promise<INodeListSearchItems[]> {
	await readTitles?.(reader, records);
	const choicesIn = (record: IDataObject) => choices(record, reader.directory);
	const inOrder = sortBy(records, isArchived);
	const offered = inOrder.flatMap(choicesIn);
	if (offered.length > 0 || !mayShowMoreAlone) return offered;
	const ids = inOrder
		.slice(0, MOST_RECORDS_FOR_LIST)
		.flatMap((record) => valueOf(idOf(record, collection)) ?? []);
	const read = await Promise.all(ids.map(async (id) => await reader.record(`${collection}/${id}`)));
	return read.flatMap(choicesIn);
}

/**
 * Maximum number of pages that the editor shows. The editor requests the second page at once. After the user closes the
 * list, the editor requests all remaining pages, so the node ends the list early.
 */
const MOST_PAGES_LISTED = 2;

/** Reads one page of a list. If the page has no choice that matches the search text, reads the next page. */
async function searchFrom(
	reader: ListReader,
	list: SearchedList,
	wanted: ListSearch,
): Promise<INodeListSearchResult> {
	const { filter, token } = wanted;
	const { collection, choices, searchParameter } = list;
	const isSearchedHere = filter !== '' && searchParameter === undefined;
	const query: Query = filter !== '' && searchParameter ? [[searchParameter, filter]] : [];
	const mostPages = isSearchedHere ? MOST_PAGES_READ : MOST_PAGES_LISTED;
	let cursor = token === undefined ? START : (JSON.parse(token) as Cursor);

	for (;;) {
		const { page, position } = cursor;
		const mayEndHere = (error: unknown) => page > 1 && isLimited(error);
		const read = await reader.page(collection, cursor, query).catch(noneIf(mayEndHere));
		if (!read) return { results: [onlyTheFirst(position, wanted)] };
		const { next, records } = read;
		const offered = records.flatMap((record) => choices(record, reader.directory));
		const results = choicesWith(offered, isSearchedHere ? filter : '');
		if (!next) {
			if (page > 1 || filter !== '' || offered.length > 0) return { results };
			throw nothingToChoose(list);
		}
		if (page >= mostPages) {
			const last = isSearchedHere ? onlyTheFirst(next.position, wanted) : moreToSearch(wanted);
			return { results: [...results, last] };
		}
		if (results.length > 0) return { results, paginationToken: JSON.stringify(next) };
		cursor = next;
	}
}

async function searchUsers(
	reader: ListReader,
	{ filter, mode }: ListSearch,
): Promise<INodeListSearchResult> {
	const known = await readKnown(reader, '/users');
	const users = known.options.map(({ name, value }) => ({
		name,
		value: lastSegment(String(value)),
	}));
	if (users.length === 0 && !known.isCut) {
		throw new ExplainedError(
			'No record shows a user yet',
			`Choose ${mode}, and give the ID of the user as the CRM shows it`,
			{ code: 'not-found' },
		);
	}
	const last = noteAtEnd(known, `More may exist: choose ${mode}`);
	return { results: [...choicesWith(users, filter), ...last] };
}

/** Returns the choices that contain a text, without duplicates. A list that changes may show a record on two pages. */
function choicesWith(choices: INodeListSearchItems[], filter: string): INodeListSearchItems[] {
	const wanted = filter.toLowerCase();
	const found = choices.filter(({ name }) => name.toLowerCase().includes(wanted));
	return uniqBy(found, 'value');
}

function nothingToChoose({ whenEmpty }: SearchedList): ExplainedError {
	return new ExplainedError(whenEmpty.message, whenEmpty.advice, { code: 'not-found' });
}

function forLocator(
	collection: string,
	search: (
		reader: ListReader,
		wanted: ListSearch,
		context: ILoadOptionsFunctions,
	) => Promise<INodeListSearchResult>,
) {
	return async function (this: ILoadOptionsFunctions, filter = '', token?: string) {
		// The trigger does not look up titles, so its locators take no title.
		const isTrigger = this.getNode().type.endsWith('Trigger');
		const mode = textMode(isTrigger ? 'ID' : referenceForm(collection));
		try {
			const reader = await ListReader.open(this);
			return await search(reader, { filter: filter.trim(), token, mode }, this);
		} catch (error) {
			throw asNodeError(this.getNode(), explainedForList(error, `choose ${mode}`), 0);
		}
	};
}

/** Returns the search method for a list that is short in every CRM. */
function wholeListSearch(list: SearchedList) {
	return forLocator(
		list.collection,
		async (reader, wanted) => await searchWhole(reader, list, wanted),
	);
}

/** Returns the search method for a list that may be long. */
function pagedListSearch(list: SearchedList) {
	return forLocator(list.collection, async (reader, wanted, context) => {
		const collection = list.collection.replace('{taskId}', () => chosenTask(context));
		return await searchFrom(reader, { ...list, collection }, wanted);
	});
}

/**
 * Returns the ID of the task that the user has chosen in the node.
 *
 * @throws UnusableParameter if the user has chosen no task
 */
function chosenTask(context: ILoadOptionsFunctions): string {
	const id = idOf(locatedIn(context.getCurrentNodeParameter('taskId')), '/tasks');
	if ('value' in id) return id.value;
	throw new UnusableParameter(
		'No task is chosen yet',
		'Choose a task first, then open this list again',
	);
}

/** Describes a list that offers each record as one choice. */
function oneChoicePerRecord(
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

/** Reads columns one by one if workspaces show only IRIs of columns. Stops at the first column that it cannot read. */
async function readColumnTitles(
	reader: ListReader,
	workspaces: readonly IDataObject[],
): Promise<void> {
	const iris = workspaces
		.filter((workspace) => !isArchived(workspace))
		.flatMap((workspace) => untitledColumns(workspace, reader.directory));
	const { description } = reader;
	if (description.isMissing(COLUMNS)) return;
	let hasShown = false;
	for (const iri of iris.slice(0, MOST_RECORDS_FOR_LIST)) {
		const column = await reader.record(iri).catch((error: unknown) => {
			if (isNoSuchList(error) && !hasShown) description.noteMissing(COLUMNS);
			return noneIf(isUnreadable)(error);
		});
		if (!column) return;
		hasShown = true;
		reader.directory.notice([column], COLUMNS);
	}
}

export const listSearch = {
	searchColumns: wholeListSearch({
		collection: '/workspaces',
		choices: columnItems,
		readTitles: readColumnTitles,
		// The interface documents columns as a field of a workspace, but not whether lists include the field (section 2.4).
		mayShowMoreAlone: true,
		whenEmpty: {
			message: 'No workspace has columns yet',
			advice: 'Add a column to a workspace in the CRM, then open this list again',
		},
	}),
	searchComments: pagedListSearch({
		...oneChoicePerRecord('/tasks/{taskId}/comments', commentLabel),
		whenEmpty: {
			message: 'The chosen task has no comments yet',
			advice: 'Choose another task, or create a comment first',
		},
	}),
	searchHistory: pagedListSearch({
		...oneChoicePerRecord('/tasks/{taskId}/history', historyLabel),
		whenEmpty: {
			message: 'The chosen task has no history yet',
			advice: 'Choose another task: history begins with the first change',
		},
	}),
	searchPeople: pagedListSearch({
		...oneChoicePerRecord('/people', personLabel),
		searchParameter: 'q',
		whenEmpty: { message: 'The CRM has no people yet', advice: 'Create a person first' },
	}),
	searchSegments: wholeListSearch({
		...oneChoicePerRecord('/segments', titleLabel),
		whenEmpty: { message: 'The CRM has no segments yet', advice: 'Create a segment first' },
	}),
	searchTasks: pagedListSearch({
		...oneChoicePerRecord('/tasks', taskLabel),
		whenEmpty: { message: 'The CRM has no tasks yet', advice: 'Create a task first' },
	}),
	searchUsers: forLocator('/users', searchUsers),
	searchWorkspaces: wholeListSearch({
		...oneChoicePerRecord('/workspaces', workspaceLabel),
		searchParameter: 'title',
		whenEmpty: {
			message: 'This key sees no workspace',
			advice: 'Create a workspace in the CRM, or use a key that may see one',
		},
	}),
};
