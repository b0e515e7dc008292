import { z } from 'zod';
import {
	email,
	iri,
	iris,
	listOf,
	openObject,
	phoneType,
	pointInTime,
	text,
	trueOrFalse,
	wholeNumber,
} from './formats';
import { jsonLdFields } from './jsonLd';

const address = openObject({
	city: text.nullable(),
	postalCode: text.nullable(),
	street: text.nullable(),
	country: text.nullable(),
});

/** The fields that read and write alike. */
const plainFields = {
	id: text.nullable(),
	familyName: text.nullable(),
	givenName: text.nullable(),
	additionalName: text.nullable(),
	initials: text.nullable(),
	customerId: text.nullable(),
	honorificPrefix: text.nullable(),
	jobTitle: text.nullable(),
	externalSource: text.nullable(),
	networkId: text.nullable(),
	isTracked: trueOrFalse.nullable(),
	address,
	dealSize: wholeNumber.nullable(),
	totalDeals: wholeNumber.nullable(),
	totalLostDeals: wholeNumber.nullable(),
	totalWonDeals: wholeNumber.nullable(),
};

/** A person as the service answers it. */
export const personSchema = openObject({
	...jsonLdFields,
	...plainFields,
	createdAt: z.string().nullable(),
	updatedAt: z.string().nullable(),
	importedAt: z.string().nullable(),
	archivedAt: z.string().nullable(),
	owner: z.string().nullable(),
	tags: z.array(z.string()),
	segments: z.array(z.string()),
	organizations: z.array(z.string()),
	_organizations: z.array(z.unknown()),
	emailAddresses: z.array(openObject({ email: z.string().nullable() })),
	phoneNumbers: z.array(
		openObject({ phoneNumber: z.string().nullable(), phoneType: z.string().nullable() }),
	),
	avatarUrl: z.string().nullable(),
	networkEnrichment: z.array(z.unknown()).nullable(),
});

/** A person as it is written: the body of a create, an update and a replacement. */
export const personBodySchema = openObject({
	...plainFields,
	archivedAt: pointInTime.nullable(),
	owner: iri('/users/3f2a').nullable(),
	tags: iris('/tags/7c1e'),
	segments: iris('/segments/a41b'),
	organizations: iris('/organizations/9d0c'),
	emailAddresses: listOf(openObject({ email: email.nullable() })),
	phoneNumbers: listOf(
		openObject({ phoneNumber: text.nullable(), phoneType: phoneType.nullable() }),
	),
	avatar: iri('/media_objects/b8e2').nullable(),
});

export type Person = z.infer<typeof personSchema>;
export type PersonBody = z.infer<typeof personBodySchema>;
