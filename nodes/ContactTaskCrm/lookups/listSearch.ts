import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { UnusableParameter } from '../common/errors';
import { idOf, lastSegment, valueOf } from '../common/iri';
import { asNodeError } from '../common/nodeErrors';
import { locatedIn } from '../common/references';
import { columnsOf } from './columns';
import {
	commentLabel,
	historyLabel,
	personLabel,
	taskLabel,
	titleLabel,
	workspaceLabel,
} from './labels';
import { explainedForList } from './listErrors';
import { LookupReader } from './read';
import type { SearchedList } from './search';
import { searchPages, searchUsers, searchWhole } from './search';
import { seenLately } from './sightings';

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** A list for a locator that the editor opens. */
function forLocator(
	search: (
		context: ILoadOptionsFunctions,
		wanted: { filter: string; token?: string },
	) => Promise<INodeListSearchResult>,
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
		async (context, { filter }) =>
			await searchWhole(await LookupReader.open(context), list, filter),
	);
}

/** Of a list that may be long: page by page. */
function pagedList(list: SearchedList): ListSearch {
	return forLocator(async (context, wanted) => {
		const { collection } = list;
		const path = collection.includes('{taskId}')
			? collection.replace('{taskId}', chosenTask(context))
			: collection;
		const reader = await LookupReader.open(context);
		return await searchPages(reader, { ...list, collection: path }, wanted);
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

/** The service's search for people may not look into e-mail addresses; those seen lately are searched here. */
function peopleSeen(identity: string): INodeListSearchItems[] {
	return seenLately(identity, '/people').map(({ iri, name }) => ({
		name,
		value: lastSegment(iri),
	}));
}

export const listSearch = {
	searchColumns: wholeList({
		collection: '/workspaces',
		choices: columnsOf,
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
		async (context, { filter }) => await searchUsers(await LookupReader.open(context), filter),
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
