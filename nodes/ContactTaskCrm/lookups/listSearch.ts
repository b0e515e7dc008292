import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { UnusableParameter } from '../common/errors';
import { asNodeError } from '../common/nodeErrors';
import { idOf, valueOf } from '../common/iri';
import { columnsOf } from './columns';
import { commentLabel, historyLabel, personLabel, taskLabel, titleLabel } from './labels';
import { chosenTask, readLookupPage, readLookupRecord } from './read';

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

interface Lookup {
	/** Path of the collection; `{taskId}` is the task that is chosen in the node. */
	collection: string;
	/** What a record offers to choose; a workspace offers its columns. */
	choices: (record: IDataObject) => INodeListSearchItems[];
	/** The query parameter that searches on the server; without one, what was read is searched. */
	searchParameter?: string;
	/** Whether a record may show its choices only where it is read by itself. */
	isShownAlone?: boolean;
	/** What the editor says where the list is empty. */
	whenEmpty: { message: string; advice: string };
}

/** Pages that one search reads where the server cannot search: enough to find most, few enough to be quick. */
const MOST_PAGES_SEARCHED = 4;
/**
 * Pages that one list goes on for. The editor asks for the second at once, and for all others, one
 * after another, where the list is closed while it loads: that would use up everybody's limit.
 */
const MOST_PAGES_LISTED = 2;

function searchOf(lookup: Lookup): ListSearch {
	return async function (filter = '', paginationToken) {
		const { collection, choices, searchParameter } = lookup;
		const path = collection.includes('{taskId}')
			? collection.replace('{taskId}', chosenTask(this))
			: collection;
		const query: Array<[string, string]> =
			filter !== '' && searchParameter ? [[searchParameter, filter]] : [];
		const wanted = searchParameter ? '' : filter.toLowerCase();

		let token = paginationToken;
		for (let pages = 1; ; pages++) {
			const { records, nextPage } = await readLookupPage(this, path, query, token);
			const offered = records.flatMap(choices);
			const alone =
				offered.length === 0 && lookup.isShownAlone
					? await readAlone(this, collection, records.slice(0, MOST_READ_ALONE))
					: [];
			const results = [...offered, ...alone.flatMap(choices)].filter(({ name }) =>
				name.toLowerCase().includes(wanted),
			);
			if (results.length > 0 || nextPage === undefined || pages === MOST_PAGES_SEARCHED) {
				if (results.length === 0 && filter === '' && nextPage === undefined && !paginationToken) {
					const { message, advice } = records.length > 0 ? UNREADABLE : lookup.whenEmpty;
					throw asNodeError(this.getNode(), new UnusableParameter(message, advice), 0);
				}
				const goesOn = nextPage !== undefined && Number(nextPage) <= MOST_PAGES_LISTED;
				return { results, ...(goesOn ? { paginationToken: nextPage } : {}) };
			}
			token = nextPage;
		}
	};
}

/** Records that are read one by one: a list has to open within seconds, and others need requests, too. */
const MOST_READ_ALONE = 8;

async function readAlone(
	context: ILoadOptionsFunctions,
	collection: string,
	records: IDataObject[],
): Promise<IDataObject[]> {
	const ids = records.flatMap((record) => valueOf(idOf(record, collection)) ?? []);
	return await Promise.all(
		ids.map(async (id) => await readLookupRecord(context, `${collection}/${id}`)),
	);
}

/** Something is there, so that it would be wrong to say that there is nothing yet. */
const UNREADABLE = {
	message: 'The service answers this list in a form that offers nothing to choose',
	advice: 'Give the ID or IRI instead, as the CRM shows it',
};

/** Each record as one choice, by its id. */
function records(
	collection: string,
	label: (record: IDataObject) => string,
): Pick<Lookup, 'collection' | 'choices'> {
	return {
		collection,
		choices: (record) => {
			const value = valueOf(idOf(record, collection));
			return value === undefined ? [] : [{ name: label(record), value }];
		},
	};
}

export const listSearch = {
	searchColumns: searchOf({
		collection: '/workspaces',
		choices: columnsOf,
		// The interface shows columns as a field of a workspace, and not whether lists have it (2.4).
		isShownAlone: true,
		whenEmpty: {
			message: 'No workspace has columns yet',
			advice: 'Add a column to a workspace in the CRM, then open this list again',
		},
	}),
	searchComments: searchOf({
		...records('/tasks/{taskId}/comments', commentLabel),
		whenEmpty: {
			message: 'The chosen task has no comments yet',
			advice: 'Choose another task, or create a comment first',
		},
	}),
	searchHistory: searchOf({
		...records('/tasks/{taskId}/history', historyLabel),
		whenEmpty: {
			message: 'The chosen task has no history yet',
			advice: 'Choose another task: history begins with the first change',
		},
	}),
	searchPeople: searchOf({
		...records('/people', personLabel),
		searchParameter: 'q',
		whenEmpty: { message: 'The CRM has no people yet', advice: 'Create a person first' },
	}),
	searchSegments: searchOf({
		...records('/segments', titleLabel),
		whenEmpty: { message: 'The CRM has no segments yet', advice: 'Create a segment first' },
	}),
	searchTasks: searchOf({
		...records('/tasks', taskLabel),
		whenEmpty: { message: 'The CRM has no tasks yet', advice: 'Create a task first' },
	}),
	searchWorkspaces: searchOf({
		...records('/workspaces', titleLabel),
		searchParameter: 'title',
		whenEmpty: {
			message: 'This key sees no workspace',
			advice: 'Create a workspace in the CRM, or use a key that may see one',
		},
	}),
};
