import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { filters } from '../description/parameters';

const ownerId: INodeProperties = {
	displayName: 'Owner Names or IDs',
	name: 'ownerId',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getOwners' },
	default: [],
	description:
		'Only people owned by one of these users. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const segmentsUuid: INodeProperties = {
	displayName: 'Segment Names or IDs',
	name: 'segmentsUuid',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getSegments' },
	default: [],
	description:
		'Only people who are in one of these segments (lists of people). Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const tagsId: INodeProperties = {
	displayName: 'Tag Names or IDs',
	name: 'tagsId',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTags' },
	default: [],
	description:
		'Only people who have one of these tags. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const workspaceId: INodeProperties = {
	displayName: 'Workspace',
	name: 'workspaceId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'Only tasks of this workspace: chosen from the list, or given by ID or IRI, such as 5c1f or /workspaces/5c1f',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a workspace…',
			typeOptions: { searchListMethod: 'searchWorkspaces', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 5c1f or /workspaces/5c1f',
		},
	],
};

const status: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'Only tasks that stand in this column, for Task Moved those that come into it: chosen from the list of all workspaces, or given by its IRI, such as /workspaces/5c1f/columns/12ab',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a column…',
			typeOptions: { searchListMethod: 'searchColumns', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. /workspaces/5c1f/columns/12ab',
		},
	],
};

/** Which people start the workflow. */
export function personFilters(
	displayOptions: IDisplayOptions,
	withSegments: boolean,
): INodeProperties {
	const fields = withSegments ? [ownerId, segmentsUuid, tagsId] : [ownerId, tagsId];
	return {
		...filters(fields, displayOptions),
		description: 'Which people start the workflow; a person has to meet all filters that are added',
	};
}

/** Which tasks start the workflow. */
export function taskFilters(displayOptions: IDisplayOptions): INodeProperties {
	return {
		...filters([status, workspaceId], displayOptions),
		description: 'Which tasks start the workflow; a task has to meet all filters that are added',
	};
}
