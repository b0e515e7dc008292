import { z } from 'zod';
import {
	boolean,
	entries,
	object,
	readOnly,
	reference,
	references,
	text,
	time,
	wholeNumber,
	writeOnly,
} from './field';
import { existsFilter, referenceFilter, textFilter, timeFilters } from './filter';
import { email, openObject, phoneType, pointInTime, text as textFormat } from './formats';
import type { RecordContract } from './record';

const shownTime = z.string().nullable();

/** A person (interface, sections 2.3 and 4.1). */
export const person: RecordContract = {
	noun: 'person',
	plural: 'people',
	collection: '/people',
	locator: 'personId',
	fields: {
		id: text({ isJsonOnly: true }),
		familyName: text({ isRequired: true }),
		givenName: text(),
		additionalName: text(),
		initials: text(),
		customerId: text(),
		honorificPrefix: text(),
		jobTitle: text(),
		externalSource: text(),
		networkId: text(),
		isTracked: boolean(),
		address: {
			...object(
				openObject({
					city: textFormat.nullable(),
					postalCode: textFormat.nullable(),
					street: textFormat.nullable(),
					country: textFormat.nullable(),
				}),
				{ initial: { city: null, postalCode: null, street: null, country: 'NL' } },
			),
			columns: ['street', 'postalCode', 'city', 'country'].map((part) => ({ name: part, part })),
		},
		dealSize: wholeNumber(),
		totalDeals: wholeNumber(),
		totalLostDeals: wholeNumber(),
		totalWonDeals: wholeNumber(),
		createdAt: readOnly(shownTime, 'dateTime'),
		updatedAt: readOnly(shownTime, 'dateTime'),
		importedAt: readOnly(shownTime, 'dateTime'),
		archivedAt: time(pointInTime),
		owner: reference('/users'),
		tags: references('/tags'),
		segments: references('/segments'),
		organizations: references('/organizations'),
		_organizations: readOnly(z.array(z.unknown())),
		emailAddresses: {
			...entries('email', { email: z.string().nullable() }, { email: email.nullable() }),
			columns: [{ name: 'email', part: 'email' }],
		},
		phoneNumbers: {
			...entries(
				'phoneNumber',
				{ phoneNumber: z.string().nullable(), phoneType: z.string().nullable() },
				{ phoneNumber: textFormat.nullable(), phoneType: phoneType.nullable() },
			),
			columns: [
				{ name: 'phone', part: 'phoneNumber' },
				{ name: 'mobile', part: 'phoneNumber', entry: { phoneType: 'mobile' } },
				{ name: 'homePhone', part: 'phoneNumber', entry: { phoneType: 'home' } },
				{ name: 'workPhone', part: 'phoneNumber', entry: { phoneType: 'work' } },
				{ name: 'fax', part: 'phoneNumber', entry: { phoneType: 'fax' } },
			],
		},
		avatarUrl: readOnly(z.string().nullable(), 'text'),
		networkEnrichment: readOnly(z.array(z.unknown()).nullable()),
		avatar: writeOnly(reference('/media_objects')),
	},
	filters: {
		q: textFilter('q', 'Search'),
		ownerId: referenceFilter('owner.id', 'Owner', {
			kind: 'id',
			refersTo: '/users',
			field: 'owner',
		}),
		emailAddressesEmail: textFilter('emailAddresses.email', 'Email', {
			takesSeveral: true,
			shownIn: ['emailAddresses'],
		}),
		tagsId: referenceFilter('tags.id', 'Tag', { kind: 'id', refersTo: '/tags', field: 'tags' }),
		segmentsUuid: referenceFilter('segments.uuid', 'Segment', {
			kind: 'id',
			refersTo: '/segments',
			field: 'segments',
		}),
		existsArchivedAt: existsFilter('archivedAt', 'Archived'),
		...timeFilters('createdAt', 'Created'),
		identifiers: textFilter('identifiers', 'Identifiers', {
			takesSeveral: true,
			shownIn: ['emailAddresses', 'phoneNumbers', 'networkId'],
		}),
	},
	orders: { familyName: 'order[familyName]', createdAt: 'order[createdAt]' },
};
