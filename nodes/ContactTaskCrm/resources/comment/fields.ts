import type { INodeProperties } from 'n8n-workflow';

export const description: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: 'e.g. Called, will decide next week',
	description: 'Text of the comment, such as Called, will decide next week',
	routing: { send: { type: 'body', property: 'description' } },
};

const author: INodeProperties = {
	displayName: 'Author Name or ID',
	name: 'author',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getOwners' },
	default: '',
	description:
		'User who wrote the comment, by ID or IRI such as /users/3f2a. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'body', property: 'author' } },
};

const flagged: INodeProperties = {
	displayName: 'Flagged',
	name: 'flagged',
	type: 'boolean',
	default: true,
	description: 'Whether the comment is highlighted',
	routing: { send: { type: 'body', property: 'flagged' } },
};

const mentions: INodeProperties = {
	displayName: 'Mention Names or IDs',
	name: 'mentions',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getOwners' },
	default: [],
	description:
		'Users who are mentioned, each by ID or IRI such as /users/3f2a. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'body', property: 'mentions' } },
};

/** What may be written besides the text. */
export const furtherFields: INodeProperties[] = [author, flagged, mentions];

/** The field that may be null, and the list of references; the text must stay. */
export const clearableFields = ['flagged', 'mentions'];
