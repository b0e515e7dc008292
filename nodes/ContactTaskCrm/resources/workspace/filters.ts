import type { INodeProperties } from 'n8n-workflow';

const archivedAtAfter: INodeProperties = {
	displayName: 'Archived After',
	name: 'archivedAtAfter',
	type: 'dateTime',
	default: '',
	description: 'Return workspaces archived at this time or later, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'archivedAt[after]', propertyInDotNotation: false },
	},
};

const archivedAtBefore: INodeProperties = {
	displayName: 'Archived Before',
	name: 'archivedAtBefore',
	type: 'dateTime',
	default: '',
	description: 'Return workspaces archived at this time or earlier, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'archivedAt[before]', propertyInDotNotation: false },
	},
};

const archivedAtStrictlyAfter: INodeProperties = {
	displayName: 'Archived Strictly After',
	name: 'archivedAtStrictlyAfter',
	type: 'dateTime',
	default: '',
	description: 'Return workspaces archived later than this time, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'archivedAt[strictly_after]', propertyInDotNotation: false },
	},
};

const archivedAtStrictlyBefore: INodeProperties = {
	displayName: 'Archived Strictly Before',
	name: 'archivedAtStrictlyBefore',
	type: 'dateTime',
	default: '',
	description: 'Return workspaces archived earlier than this time, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'archivedAt[strictly_before]', propertyInDotNotation: false },
	},
};

const createdAtAfter: INodeProperties = {
	displayName: 'Created After',
	name: 'createdAtAfter',
	type: 'dateTime',
	default: '',
	description: 'Return workspaces created at this time or later, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'createdAt[after]', propertyInDotNotation: false },
	},
};

const createdAtBefore: INodeProperties = {
	displayName: 'Created Before',
	name: 'createdAtBefore',
	type: 'dateTime',
	default: '',
	description: 'Return workspaces created at this time or earlier, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'createdAt[before]', propertyInDotNotation: false },
	},
};

const createdAtStrictlyAfter: INodeProperties = {
	displayName: 'Created Strictly After',
	name: 'createdAtStrictlyAfter',
	type: 'dateTime',
	default: '',
	description: 'Return workspaces created later than this time, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'createdAt[strictly_after]', propertyInDotNotation: false },
	},
};

const createdAtStrictlyBefore: INodeProperties = {
	displayName: 'Created Strictly Before',
	name: 'createdAtStrictlyBefore',
	type: 'dateTime',
	default: '',
	description: 'Return workspaces created earlier than this time, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'createdAt[strictly_before]', propertyInDotNotation: false },
	},
};

const description: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	typeOptions: { multipleValues: true },
	default: [],
	placeholder: 'e.g. renewals',
	description: 'Return workspaces with one of these texts in the description, such as renewals',
	routing: { send: { type: 'query', property: 'description', propertyInDotNotation: false } },
};

const existsArchivedAt: INodeProperties = {
	displayName: 'Archived',
	name: 'existsArchivedAt',
	type: 'boolean',
	default: true,
	description:
		'Whether to return archived workspaces; turned off, only workspaces that are not archived',
	routing: {
		send: { type: 'query', property: 'exists[archivedAt]', propertyInDotNotation: false },
	},
};

const owner: INodeProperties = {
	displayName: 'Owner Names or IDs',
	name: 'owner',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getOwners' },
	default: [],
	description:
		'Return workspaces owned by one of these users. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'query', property: 'owner', propertyInDotNotation: false } },
};

const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	typeOptions: { multipleValues: true },
	default: [],
	placeholder: 'e.g. Sales',
	description: 'Return workspaces with one of these texts in the title, such as Sales',
	routing: { send: { type: 'query', property: 'title', propertyInDotNotation: false } },
};

/** Which workspaces to return. */
export const workspaceFilters: INodeProperties[] = [
	archivedAtAfter,
	archivedAtBefore,
	archivedAtStrictlyAfter,
	archivedAtStrictlyBefore,
	createdAtAfter,
	createdAtBefore,
	createdAtStrictlyAfter,
	createdAtStrictlyBefore,
	description,
	existsArchivedAt,
	owner,
	title,
];
