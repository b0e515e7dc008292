import type { INodeProperties } from 'n8n-workflow';
import { workspace } from '../../contract/workspace';
import { dropDownFilter, timeFilterParameters } from '../../description/fields';

/** Which workspaces to return. */
export const workspaceFilters: INodeProperties[] = [
	...timeFilterParameters('archivedAt', 'archived', workspace.plural),
	...timeFilterParameters('createdAt', 'created', workspace.plural),
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		typeOptions: { multipleValues: true },
		default: [],
		placeholder: 'e.g. renewals',
		description: 'Return workspaces with one of these texts in the description, such as renewals',
	},
	{
		displayName: 'Archived',
		name: 'existsArchivedAt',
		type: 'boolean',
		default: true,
		description:
			'Whether to return archived workspaces; turned off, only workspaces that are not archived',
	},
	dropDownFilter(workspace, 'owner', 'Return workspaces owned by one of these users'),
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		typeOptions: { multipleValues: true },
		default: [],
		placeholder: 'e.g. Sales',
		description: 'Return workspaces with one of these texts in the title, such as Sales',
	},
];
