import type { INodeProperties } from 'n8n-workflow';
import { comment } from '../../contract/comment';
import { dropDown, userLocator } from '../../description/fields';

/** The fields of a comment that have a parameter of their own. */
export const commentFields: INodeProperties[] = [
	userLocator(comment, 'author', 'User who wrote the comment'),
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. Called, will decide next week',
		description: 'Text of the comment, such as Called, will decide next week',
	},
	{
		displayName: 'Flagged',
		name: 'flagged',
		type: 'boolean',
		default: true,
		description: 'Whether the comment is highlighted',
	},
	dropDown(comment, 'mentions', 'Users who are mentioned'),
];
