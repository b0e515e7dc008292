import { z } from 'zod';
import {
	boolean,
	object,
	objectList,
	readOnly,
	reference,
	references,
	shownText,
	text,
	time,
	wholeNumber,
	writeOnly,
} from './field';
import type { Filter, Filters } from './filter';
import { existsFilter, referenceFilter, textFilter, timeFilters } from './filter';
import * as formats from './formats';
import type { RecordContract } from './record';

interface PersonContract extends RecordContract<'/people'> {
	/** All filters of people. The type names these two filters, because Create or Update finds people by them. */
	filters: Filters & Readonly<Record<'emailAddressesEmail' | 'identifiers', Filter>>;
}

/** Columns by which Create or Update can find a person. They identify a person, and the service can filter by them. */
export const MATCHING_COLUMNS: readonly string[] = ['email', 'phone', 'mobile', 'networkId'];

/** A person (interface, sections 2.3 and 4.1). */
export const person: PersonContract = {
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
				formats.openObject({
					city: formats.text.nullable(),
					postalCode: formats.text.nullable(),
					street: formats.text.nullable(),
					country: formats.text.nullable(),
				}),
				{ initial: { city: null, postalCode: null, street: null, country: 'NL' } },
			),
			columns: ['street', 'postalCode', 'city', 'country'].map((part) => ({ name: part, part })),
		},
		dealSize: wholeNumber(),
		totalDeals: wholeNumber(),
		totalLostDeals: wholeNumber(),
		totalWonDeals: wholeNumber(),
		createdAt: readOnly(shownText, 'dateTime'),
		updatedAt: readOnly(shownText, 'dateTime'),
		importedAt: readOnly(shownText, 'dateTime'),
		archivedAt: time(formats.pointInTime),
		owner: reference('/users'),
		tags: references('/tags'),
		segments: references('/segments'),
		organizations: references('/organizations'),
		_organizations: readOnly(z.array(z.unknown())),
		emailAddresses: {
			...objectList('email', { email: shownText }, { email: formats.email.nullable() }),
			columns: [{ name: 'email', part: 'email' }],
		},
		phoneNumbers: {
			...objectList(
				'phoneNumber',
				{ phoneNumber: shownText, phoneType: shownText },
				{ phoneNumber: formats.phoneNumber.nullable(), phoneType: formats.phoneType.nullable() },
			),
			columns: [
				{ name: 'phone', part: 'phoneNumber' },
				{ name: 'mobile', part: 'phoneNumber', entry: { phoneType: 'mobile' } },
				{ name: 'homePhone', part: 'phoneNumber', entry: { phoneType: 'home' } },
				{ name: 'workPhone', part: 'phoneNumber', entry: { phoneType: 'work' } },
				{ name: 'fax', part: 'phoneNumber', entry: { phoneType: 'fax' } },
			],
		},
		avatarUrl: readOnly(shownText, 'text'),
		networkEnrichment: readOnly(z.array(z.unknown()).nullable()),
		avatar: writeOnly(reference('/media_objects')),
	},
	usual:
		'id givenName additionalName familyName emailAddresses phoneNumbers address jobTitle owner segments tags createdAt updatedAt',
	filters: {
		q: { ...textFilter('q', 'Search'), takesSeveral: false },
		ownerId: referenceFilter('owner.id', 'Owner', {
			kind: 'id',
			refersTo: '/users',
			field: 'owner',
		}),
		emailAddressesEmail: textFilter('emailAddresses.email', 'Email', ['emailAddresses']),
		tagsId: referenceFilter('tags.id', 'Tag', { kind: 'id', refersTo: '/tags', field: 'tags' }),
		segmentsUuid: referenceFilter('segments.uuid', 'Segment', {
			kind: 'id',
			refersTo: '/segments',
			field: 'segments',
		}),
		existsArchivedAt: existsFilter('archivedAt', 'Archived'),
		...timeFilters('createdAt', 'Created'),
		identifiers: textFilter('identifiers', 'Email, Phone or Network ID', [
			'emailAddresses',
			'phoneNumbers',
			'networkId',
		]),
	},
	orders: { familyName: 'order[familyName]', createdAt: 'order[createdAt]' },
};
