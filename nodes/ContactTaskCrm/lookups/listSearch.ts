import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { idOf, valueOf } from '../transport/iri';
import { columnsOf } from './columns';
import { commentLabel, historyLabel, personLabel, taskLabel, titleLabel } from './labels';
import type { LookupPage } from './read';
import { chosenTask, readPage } from './read';

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Where the service can search, it does; elsewhere the page that was read is searched here. */
function searchOf(
	collection: string,
	label: (record: IDataObject) => string,
	searchParameter?: string,
): ListSearch {
	return async function (filter, paginationToken) {
		const path = collection.includes('{taskId}')
			? collection.replace('{taskId}', chosenTask(this))
			: collection;
		const query: Array<[string, string]> =
			filter && searchParameter ? [[searchParameter, filter]] : [];
		const page = await readPage(this, path, query, paginationToken);
		const results = page.records.flatMap((record) => {
			const value = valueOf(idOf(record, collection));
			return value === undefined ? [] : [{ name: label(record), value }];
		});
		return resultOf(results, page, searchParameter ? undefined : filter);
	};
}

function resultOf(
	results: INodeListSearchItems[],
	{ nextPage }: LookupPage,
	filter: string | undefined,
): INodeListSearchResult {
	const wanted = filter?.toLowerCase() ?? '';
	return {
		results: results.filter(({ name }) => name.toLowerCase().includes(wanted)),
		...(nextPage ? { paginationToken: nextPage } : {}),
	};
}

const searchColumns: ListSearch = async function (filter, paginationToken) {
	const page = await readPage(this, '/workspaces', [], paginationToken);
	return resultOf(page.records.flatMap(columnsOf), page, filter);
};

export const listSearch = {
	searchColumns,
	searchComments: searchOf('/tasks/{taskId}/comments', commentLabel),
	searchHistory: searchOf('/tasks/{taskId}/history', historyLabel),
	searchPeople: searchOf('/people', personLabel, 'q'),
	searchSegments: searchOf('/segments', titleLabel),
	searchTasks: searchOf('/tasks', taskLabel),
	searchWorkspaces: searchOf('/workspaces', titleLabel, 'title'),
};
