import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** A locator for one record: picked from a list that can be searched, or given by id or IRI. */
function locator(
	name: string,
	displayName: string,
	searchListMethod: string,
	description: string,
	placeholder: string,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		displayOptions,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${displayName.toLowerCase()}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder },
		],
	};
}

/** The person an operation works with. */
export function personLocator(displayOptions: IDisplayOptions): INodeProperties {
	return locator(
		'personId',
		'Person',
		'searchPeople',
		'The person to work with: chosen from the list, or given by ID or IRI, such as 0d5c or /people/0d5c',
		'e.g. 0d5c or /people/0d5c',
		displayOptions,
	);
}

/** The workspace an operation reads. */
export function workspaceLocator(displayOptions: IDisplayOptions): INodeProperties {
	return locator(
		'workspaceId',
		'Workspace',
		'searchWorkspaces',
		'The workspace to read: chosen from the list, or given by ID or IRI, such as 5c1f or /workspaces/5c1f',
		'e.g. 5c1f or /workspaces/5c1f',
		displayOptions,
	);
}

/** The segment an operation works with. */
export function segmentLocator(displayOptions: IDisplayOptions): INodeProperties {
	return locator(
		'segmentId',
		'Segment',
		'searchSegments',
		'The segment (list of people) to work with: chosen from the list, or given by ID or IRI, such as a41b or /segments/a41b',
		'e.g. a41b or /segments/a41b',
		displayOptions,
	);
}

/** The task an operation works with, or whose comments or history it works with. */
export function taskLocator(displayOptions: IDisplayOptions): INodeProperties {
	return locator(
		'taskId',
		'Task',
		'searchTasks',
		'The task to work with, or whose comments or history are meant: chosen from the list, or given by ID or IRI, such as 91ce or /tasks/91ce',
		'e.g. 91ce or /tasks/91ce',
		displayOptions,
	);
}

/** The comment an operation works with; its task is addressed first. */
export function commentLocator(displayOptions: IDisplayOptions): INodeProperties {
	return locator(
		'commentId',
		'Comment',
		'searchComments',
		'The comment to work with: chosen from the list of the task, or given by ID or IRI, such as 44aa or /tasks/91ce/comments/44aa',
		'e.g. 44aa or /tasks/91ce/comments/44aa',
		displayOptions,
	);
}

/** The history entry an operation reads; its task is addressed first. */
export function historyLocator(displayOptions: IDisplayOptions): INodeProperties {
	return locator(
		'historyId',
		'History Entry',
		'searchHistory',
		'The history entry to read: chosen from the list of the task, or given by ID or IRI, such as e07d or /tasks/91ce/history/e07d',
		'e.g. e07d or /tasks/91ce/history/e07d',
		displayOptions,
	);
}
