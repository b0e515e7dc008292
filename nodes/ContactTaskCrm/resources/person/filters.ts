import type { INodeProperties } from 'n8n-workflow';

const createdAtAfter: INodeProperties = {
	displayName: 'Created After',
	name: 'createdAtAfter',
	type: 'dateTime',
	default: '',
	description: 'Return people created at this time or later, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'createdAt[after]', propertyInDotNotation: false },
	},
};

const createdAtStrictlyAfter: INodeProperties = {
	displayName: 'Created Strictly After',
	name: 'createdAtStrictlyAfter',
	type: 'dateTime',
	default: '',
	description: 'Return people created later than this time, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'createdAt[strictly_after]', propertyInDotNotation: false },
	},
};

const createdAtBefore: INodeProperties = {
	displayName: 'Created Before',
	name: 'createdAtBefore',
	type: 'dateTime',
	default: '',
	description: 'Return people created at this time or earlier, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'createdAt[before]', propertyInDotNotation: false },
	},
};

const createdAtStrictlyBefore: INodeProperties = {
	displayName: 'Created Strictly Before',
	name: 'createdAtStrictlyBefore',
	type: 'dateTime',
	default: '',
	description: 'Return people created earlier than this time, such as 2026-01-31T09:00:00Z',
	routing: {
		send: { type: 'query', property: 'createdAt[strictly_before]', propertyInDotNotation: false },
	},
};

const emailAddressesEmail: INodeProperties = {
	displayName: 'Email',
	name: 'emailAddressesEmail',
	type: 'string',
	typeOptions: { multipleValues: true },
	default: [],
	placeholder: 'e.g. name@email.com',
	description: 'Return people with one of these e-mail addresses, such as name@email.com',
	routing: {
		send: { type: 'query', property: 'emailAddresses.email', propertyInDotNotation: false },
	},
};

const existsArchivedAt: INodeProperties = {
	displayName: 'Archived',
	name: 'existsArchivedAt',
	type: 'boolean',
	default: true,
	description: 'Whether to return archived people; turned off, only people who are not archived',
	routing: {
		send: { type: 'query', property: 'exists[archivedAt]', propertyInDotNotation: false },
	},
};

const identifiers: INodeProperties = {
	displayName: 'Identifiers',
	name: 'identifiers',
	type: 'string',
	typeOptions: { multipleValues: true },
	default: [],
	placeholder: 'e.g. +31 6 12345678',
	description:
		'Return people with one of these e-mail addresses, phone numbers or identifiers on a professional network, such as +31 6 12345678',
	routing: {
		send: { type: 'query', property: 'identifiers', propertyInDotNotation: false },
	},
};

export const ownerId: INodeProperties = {
	displayName: 'Owner Names or IDs',
	name: 'ownerId',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getOwners' },
	default: [],
	description:
		'Return people owned by one of these users. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'query', property: 'owner.id', propertyInDotNotation: false } },
};

const q: INodeProperties = {
	displayName: 'Search',
	name: 'q',
	type: 'string',
	default: '',
	placeholder: 'e.g. jansen',
	description: 'Return people in whom the service finds this text, such as jansen',
	routing: { send: { type: 'query', property: 'q', propertyInDotNotation: false } },
};

export const segmentsUuid: INodeProperties = {
	displayName: 'Segment Names or IDs',
	name: 'segmentsUuid',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getSegments' },
	default: [],
	description:
		'Return people who are in one of these segments (lists of people). Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'query', property: 'segments.uuid', propertyInDotNotation: false } },
};

export const tagsId: INodeProperties = {
	displayName: 'Tag Names or IDs',
	name: 'tagsId',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTags' },
	default: [],
	description:
		'Return people who have one of these tags. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'query', property: 'tags.id', propertyInDotNotation: false } },
};

/** Which people to return. */
export const personFilters: INodeProperties[] = [
	createdAtAfter,
	createdAtBefore,
	createdAtStrictlyAfter,
	createdAtStrictlyBefore,
	emailAddressesEmail,
	existsArchivedAt,
	identifiers,
	ownerId,
	q,
	segmentsUuid,
	tagsId,
];

const sortByCreatedAt: INodeProperties = {
	displayName: 'Created At',
	name: 'createdAt',
	type: 'options',
	default: 'desc',
	description: 'Sort by the time of creation: asc for the oldest first, desc for the newest first',
	options: [
		{ name: 'Ascending', value: 'asc', description: 'Oldest first' },
		{ name: 'Descending', value: 'desc', description: 'Newest first' },
	],
	routing: {
		send: { type: 'query', property: 'order[createdAt]', propertyInDotNotation: false },
	},
};

const sortByFamilyName: INodeProperties = {
	displayName: 'Family Name',
	name: 'familyName',
	type: 'options',
	default: 'asc',
	description: 'Sort by the family name: asc from A to Z, desc from Z to A',
	options: [
		{ name: 'Ascending', value: 'asc', description: 'From A to Z' },
		{ name: 'Descending', value: 'desc', description: 'From Z to A' },
	],
	routing: {
		send: { type: 'query', property: 'order[familyName]', propertyInDotNotation: false },
	},
};

/** The order people can be returned in. */
export const personOrders: INodeProperties[] = [sortByCreatedAt, sortByFamilyName];
