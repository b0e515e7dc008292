import type { INodeProperties } from 'n8n-workflow';
import { archivedAt } from '../../description/sharedFields';

export const familyName: INodeProperties = {
	displayName: 'Family Name',
	name: 'familyName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Jansen',
	description: 'Family name of the person, which every person must have, such as Jansen',
	routing: { send: { type: 'body', property: 'familyName' } },
};

const additionalName: INodeProperties = {
	displayName: 'Additional Name',
	name: 'additionalName',
	type: 'string',
	default: '',
	placeholder: 'e.g. van der',
	description: 'What stands between given name and family name, such as van der or Maria',
	routing: { send: { type: 'body', property: 'additionalName' } },
};

const address: INodeProperties = {
	displayName: 'Address',
	name: 'address',
	// Not a fixed collection: that one sends all its entries, and an update would empty those not meant.
	type: 'collection',
	placeholder: 'Add Address Field',
	default: {},
	description: 'Postal address of the person; only the parts that are added are sent',
	routing: { send: { type: 'body', property: 'address' } },
	options: [
		{
			displayName: 'City',
			name: 'city',
			type: 'string',
			default: '',
			placeholder: 'e.g. Utrecht',
			description: 'City or town, such as Utrecht',
		},
		{
			displayName: 'Country',
			name: 'country',
			type: 'string',
			default: 'NL',
			placeholder: 'e.g. NL',
			description: 'Country, such as NL, which the service takes where none is given',
		},
		{
			displayName: 'Postal Code',
			name: 'postalCode',
			type: 'string',
			default: '',
			placeholder: 'e.g. 3511 AB',
			description: 'Postal code, such as 3511 AB',
		},
		{
			displayName: 'Street',
			name: 'street',
			type: 'string',
			default: '',
			placeholder: 'e.g. Oudegracht 1',
			description: 'Street and house number, such as Oudegracht 1',
		},
	],
};

const avatar: INodeProperties = {
	displayName: 'Avatar',
	name: 'avatar',
	type: 'string',
	default: '',
	placeholder: 'e.g. /media_objects/b8e2',
	description:
		'Picture of the person: ID or IRI of a media object in the service, such as /media_objects/b8e2',
	routing: { send: { type: 'body', property: 'avatar' } },
};

const customerId: INodeProperties = {
	displayName: 'Customer ID',
	name: 'customerId',
	type: 'string',
	default: '',
	placeholder: 'e.g. C-1042',
	description: 'ID of the person as a customer in your own administration, such as C-1042',
	routing: { send: { type: 'body', property: 'customerId' } },
};

const dealSize: INodeProperties = {
	displayName: 'Deal Size',
	name: 'dealSize',
	type: 'number',
	typeOptions: { numberPrecision: 0 },
	default: 0,
	description: 'Size of the deals with the person, a whole number such as 2500',
	routing: { send: { type: 'body', property: 'dealSize' } },
};

const emailAddresses: INodeProperties = {
	displayName: 'Email Addresses',
	name: 'emailAddresses',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Email Address',
	default: {},
	description: 'All e-mail addresses of the person; they take the place of those it has now',
	routing: { send: { type: 'body', property: 'emailAddresses' } },
	options: [
		{
			displayName: 'Email Address',
			name: 'values',
			values: [
				{
					displayName: 'Email',
					name: 'email',
					type: 'string',
					default: '',
					placeholder: 'e.g. name@email.com',
					description: 'One e-mail address, such as name@email.com',
				},
			],
		},
	],
};

const externalSource: INodeProperties = {
	displayName: 'External Source',
	name: 'externalSource',
	type: 'string',
	default: '',
	placeholder: 'e.g. website form',
	description: 'Where the person comes from, such as website form',
	routing: { send: { type: 'body', property: 'externalSource' } },
};

const givenName: INodeProperties = {
	displayName: 'Given Name',
	name: 'givenName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Eva',
	description: 'Given name of the person, such as Eva',
	routing: { send: { type: 'body', property: 'givenName' } },
};

const honorificPrefix: INodeProperties = {
	displayName: 'Honorific Prefix',
	name: 'honorificPrefix',
	type: 'string',
	default: '',
	placeholder: 'e.g. Dr',
	description: 'Title that stands before the name, such as Dr or Mrs',
	routing: { send: { type: 'body', property: 'honorificPrefix' } },
};

const initials: INodeProperties = {
	displayName: 'Initials',
	name: 'initials',
	type: 'string',
	default: '',
	placeholder: 'e.g. EM',
	description: 'Initials of the given names, such as EM',
	routing: { send: { type: 'body', property: 'initials' } },
};

const isTracked: INodeProperties = {
	displayName: 'Is Tracked',
	name: 'isTracked',
	type: 'boolean',
	default: false,
	description: 'Whether the service tracks the person',
	routing: { send: { type: 'body', property: 'isTracked' } },
};

const jobTitle: INodeProperties = {
	displayName: 'Job Title',
	name: 'jobTitle',
	type: 'string',
	default: '',
	placeholder: 'e.g. Head of Sales',
	description: 'What the person does at work, such as Head of Sales',
	routing: { send: { type: 'body', property: 'jobTitle' } },
};

const networkId: INodeProperties = {
	displayName: 'Network ID',
	name: 'networkId',
	type: 'string',
	default: '',
	placeholder: 'e.g. eva-jansen-1a2b',
	description: 'Identifier on an external professional network, such as eva-jansen-1a2b',
	routing: { send: { type: 'body', property: 'networkId' } },
};

const organizations: INodeProperties = {
	displayName: 'Organizations',
	name: 'organizations',
	type: 'string',
	typeOptions: { multipleValues: true },
	default: [],
	placeholder: 'e.g. /organizations/9d0c',
	description:
		'All organizations of the person, each by ID or IRI such as /organizations/9d0c; they take the place of those it has now',
	routing: { send: { type: 'body', property: 'organizations' } },
};

const owner: INodeProperties = {
	displayName: 'Owner Name or ID',
	name: 'owner',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getOwners' },
	default: '',
	description:
		'User who owns the person, by ID or IRI such as /users/3f2a. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'body', property: 'owner' } },
};

const phoneNumbers: INodeProperties = {
	displayName: 'Phone Numbers',
	name: 'phoneNumbers',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Phone Number',
	default: {},
	description: 'All phone numbers of the person; they take the place of those it has now',
	routing: { send: { type: 'body', property: 'phoneNumbers' } },
	options: [
		{
			displayName: 'Phone Number',
			name: 'values',
			values: [
				{
					displayName: 'Phone Number',
					name: 'phoneNumber',
					type: 'string',
					default: '',
					placeholder: 'e.g. +31 6 12345678',
					description: 'One phone number, such as +31 6 12345678',
				},
				{
					displayName: 'Phone Type',
					name: 'phoneType',
					type: 'options',
					default: 'mobile',
					description: 'What kind of number it is: fax, home, mobile or work',
					options: [
						{ name: 'Fax', value: 'fax' },
						{ name: 'Home', value: 'home' },
						{ name: 'Mobile', value: 'mobile' },
						{ name: 'Work', value: 'work' },
					],
				},
			],
		},
	],
};

export const segments: INodeProperties = {
	displayName: 'Segment Names or IDs',
	name: 'segments',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getSegments' },
	default: [],
	description:
		'Segments (lists of people), each by ID or IRI such as /segments/a41b. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'body', property: 'segments' } },
};

export const tags: INodeProperties = {
	displayName: 'Tag Names or IDs',
	name: 'tags',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getTags' },
	default: [],
	description:
		'Tags, each by ID or IRI such as /tags/7c1e. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'body', property: 'tags' } },
};

const totalDeals: INodeProperties = {
	displayName: 'Total Deals',
	name: 'totalDeals',
	type: 'number',
	typeOptions: { numberPrecision: 0 },
	default: 0,
	description: 'Number of deals with the person, such as 3',
	routing: { send: { type: 'body', property: 'totalDeals' } },
};

const totalLostDeals: INodeProperties = {
	displayName: 'Total Lost Deals',
	name: 'totalLostDeals',
	type: 'number',
	typeOptions: { numberPrecision: 0 },
	default: 0,
	description: 'Number of deals with the person that were lost, such as 1',
	routing: { send: { type: 'body', property: 'totalLostDeals' } },
};

const totalWonDeals: INodeProperties = {
	displayName: 'Total Won Deals',
	name: 'totalWonDeals',
	type: 'number',
	typeOptions: { numberPrecision: 0 },
	default: 0,
	description: 'Number of deals with the person that were won, such as 2',
	routing: { send: { type: 'body', property: 'totalWonDeals' } },
};

/** What may be written besides the family name. */
export const furtherFields: INodeProperties[] = [
	additionalName,
	address,
	archivedAt,
	avatar,
	customerId,
	dealSize,
	emailAddresses,
	externalSource,
	givenName,
	honorificPrefix,
	initials,
	isTracked,
	jobTitle,
	networkId,
	organizations,
	owner,
	phoneNumbers,
	segments,
	tags,
	totalDeals,
	totalLostDeals,
	totalWonDeals,
];

/** The fields that may be null, and the lists of references; the family name must stay. */
export const clearableFields = [
	'additionalName',
	'archivedAt',
	'avatar',
	'customerId',
	'dealSize',
	'emailAddresses',
	'externalSource',
	'givenName',
	'honorificPrefix',
	'initials',
	'isTracked',
	'jobTitle',
	'networkId',
	'organizations',
	'owner',
	'phoneNumbers',
	'segments',
	'tags',
	'totalDeals',
	'totalLostDeals',
	'totalWonDeals',
];
