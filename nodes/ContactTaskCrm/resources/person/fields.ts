import { person } from '../../schema/person';
import {
	fieldParameters,
	filterParameters,
	orderParameters,
	partParameters,
	SHARED,
} from '../../ui/fields';
import { labelled } from '../../ui/parameters';

export const phoneParts = partParameters({
	phoneNumber: { meaning: 'Phone number', example: '+31 6 12345678' },
	phoneType: {
		type: 'options',
		default: 'mobile',
		description: 'Kind of number: fax, home, mobile or work',
		options: labelled(['fax', 'home', 'mobile', 'work']),
	},
});

export const personFields = fieldParameters(person, {
	additionalName: {
		example: 'van der',
		description: 'Between given name and family name, such as van der or Maria',
	},
	address: {
		addsPart: 'Add Address Field',
		description: 'Postal address of the person; only the parts you add are sent',
		parts: partParameters({
			city: { meaning: 'City or town', example: 'Utrecht' },
			country: {
				example: 'NL',
				default: 'NL',
				description: 'Country, such as NL. By default, the CRM takes NL.',
			},
			postalCode: { meaning: 'Postal code', example: '3511 AB' },
			street: { meaning: 'Street and house number', example: 'Oudegracht 1' },
		}),
	},
	archivedAt: SHARED.archivedAt,
	avatar: 'Picture of the person: the ID of a file in the CRM, such as /media_objects/b8e2',
	customerId: {
		meaning: 'Customer number of the person in your own books',
		example: 'C-1042',
	},
	dealSize: 'Size of the deals with the person, such as 2500',
	emailAddresses: {
		meaning: 'E-mail addresses of the person',
		example: 'name@email.com',
		addsEntry: 'Add Email Address',
	},
	externalSource: { meaning: 'Where the person comes from', example: 'website form' },
	familyName: {
		meaning: 'Family name of the person',
		example: 'Jansen',
	},
	givenName: { meaning: 'Given name of the person', example: 'Eva' },
	honorificPrefix: {
		example: 'Dr',
		description: 'Title before the name, such as Dr or Mrs',
	},
	initials: { meaning: 'Initials of the given names', example: 'EM' },
	isTracked: { description: 'Whether the CRM tracks the person', default: false },
	jobTitle: { meaning: 'What the person does', example: 'Head of Sales' },
	networkId: {
		meaning: 'ID of the person on a professional network',
		example: 'eva-jansen-1a2b',
	},
	organizations: 'Organizations of the person, each by ID, such as /organizations/9d0c',
	owner: 'Colleague who owns the person',
	phoneNumbers: {
		description: 'Phone numbers of the person, each with its type',
		addsEntry: 'Add Phone Number',
		addsPart: 'Add Part',
		parts: phoneParts,
	},
	segments: 'Segments (lists of people)',
	tags: 'Tags',
	totalDeals: 'Number of deals with the person, such as 3',
	totalLostDeals: 'Number of deals lost, such as 1',
	totalWonDeals: 'Number of deals won, such as 2',
});

export const personFilters = filterParameters(person.filters, person.plural, {
	emailAddressesEmail: {
		meaning: 'Return people with one of these e-mail addresses',
		example: 'name@email.com',
	},
	existsArchivedAt: {
		default: 'false',
		description: 'Yes for people who are archived, No for those who are not',
	},
	identifiers: {
		meaning:
			'Return people with one of these e-mail addresses, phone numbers or IDs on a professional network',
		example: '+31 6 12345678',
	},
	ownerId: 'Return people owned by one of these users',
	q: { meaning: 'Return people in whom the service finds this text', example: 'jansen' },
	segmentsUuid: 'Return people who are in one of these segments (lists of people)',
	tagsId: 'Return people who have one of these tags',
});

export const personOrders = orderParameters({
	createdAt: {
		default: 'desc',
		description:
			'Sort by the time of creation: asc for the oldest first, desc for the newest first',
		ascending: 'Oldest first',
		descending: 'Newest first',
	},
	familyName: {
		default: 'asc',
		description: 'Sort by the family name: asc from A to Z, desc from Z to A',
		ascending: 'From A to Z',
		descending: 'From Z to A',
	},
});
