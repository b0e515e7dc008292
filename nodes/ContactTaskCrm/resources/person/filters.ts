import type { INodeProperties } from 'n8n-workflow';
import { person } from '../../contract/person';
import { dropDownFilter, timeFilterParameters } from '../../description/fields';

/** Which people to return. */
export const personFilters: INodeProperties[] = [
	...timeFilterParameters('createdAt', 'created', person.plural),
	{
		displayName: 'Email',
		name: 'emailAddressesEmail',
		type: 'string',
		typeOptions: { multipleValues: true },
		default: [],
		placeholder: 'e.g. name@email.com',
		description: 'Return people with one of these e-mail addresses, such as name@email.com',
	},
	{
		displayName: 'Archived',
		name: 'existsArchivedAt',
		type: 'boolean',
		default: true,
		description: 'Whether to return archived people; turned off, only people who are not archived',
	},
	{
		displayName: 'Identifiers',
		name: 'identifiers',
		type: 'string',
		typeOptions: { multipleValues: true },
		default: [],
		placeholder: 'e.g. +31 6 12345678',
		description:
			'Return people with one of these e-mail addresses, phone numbers or identifiers on a professional network, such as +31 6 12345678',
	},
	dropDownFilter(person, 'ownerId', 'Return people owned by one of these users'),
	{
		displayName: 'Search',
		name: 'q',
		type: 'string',
		default: '',
		placeholder: 'e.g. jansen',
		description: 'Return people in whom the service finds this text, such as jansen',
	},
	dropDownFilter(
		person,
		'segmentsUuid',
		'Return people who are in one of these segments (lists of people)',
	),
	dropDownFilter(person, 'tagsId', 'Return people who have one of these tags'),
];

/** The order people can be returned in. */
export const personOrders: INodeProperties[] = [
	{
		displayName: 'Created At',
		name: 'createdAt',
		type: 'options',
		default: 'desc',
		description:
			'Sort by the time of creation: asc for the oldest first, desc for the newest first',
		options: [
			{ name: 'Ascending', value: 'asc', description: 'Oldest first' },
			{ name: 'Descending', value: 'desc', description: 'Newest first' },
		],
	},
	{
		displayName: 'Family Name',
		name: 'familyName',
		type: 'options',
		default: 'asc',
		description: 'Sort by the family name: asc from A to Z, desc from Z to A',
		options: [
			{ name: 'Ascending', value: 'asc', description: 'From A to Z' },
			{ name: 'Descending', value: 'desc', description: 'From Z to A' },
		],
	},
];
