import type { IDataObject } from 'n8n-workflow';
import { personBodySchema } from '../../contract/person';
import type {
	BodySpecification,
	QuerySpecification,
	RecordSpecification,
} from '../../runtime/specification';
import { createdAtQuery } from '../createdAt';
import { firstIn, idIn, referenceIn } from '../../common/records';

/** A person, under `/people`. */
export const personRecord: RecordSpecification = {
	noun: 'person',
	plural: 'people',
	collection: '/people',
	simplify: (person: IDataObject) => ({
		id: idIn(person),
		name: [person.givenName, person.additionalName, person.familyName].filter(Boolean).join(' '),
		givenName: person.givenName ?? null,
		familyName: person.familyName ?? null,
		email: firstIn(person.emailAddresses, 'email'),
		phone: firstIn(person.phoneNumbers, 'phoneNumber'),
		jobTitle: person.jobTitle ?? null,
		owner: referenceIn(person.owner),
		createdAt: person.createdAt ?? null,
		updatedAt: person.updatedAt ?? null,
	}),
};

const references = {
	owner: '/users',
	tags: '/tags',
	segments: '/segments',
	organizations: '/organizations',
	avatar: '/media_objects',
};

/** The body of an update: only the fields given. */
export const personUpdateBody: BodySpecification = {
	schema: personBodySchema,
	required: [],
	references,
	entries: { emailAddresses: 'email', phoneNumbers: 'phoneNumber' },
};

/** The body of a new person. */
export const personCreateBody: BodySpecification = {
	...personUpdateBody,
	required: ['familyName'],
};

/** The body that replaces a person. */
export const personReplaceBody: BodySpecification = personCreateBody;

/** The body that archives a person. */
export const personArchiveBody: BodySpecification = {
	...personUpdateBody,
	required: ['archivedAt'],
	nowWhereEmpty: ['archivedAt'],
};

/** The query of a list of people. */
export const personQuery: QuerySpecification = {
	q: { kind: 'text', label: 'Search' },
	'owner.id': { kind: 'id', collection: '/users' },
	'emailAddresses.email': { kind: 'text', label: 'Email' },
	'tags.id': { kind: 'id', collection: '/tags' },
	'segments.uuid': { kind: 'id', collection: '/segments' },
	'exists[archivedAt]': { kind: 'boolean', label: 'Archived' },
	...createdAtQuery,
	identifiers: { kind: 'text' },
	'order[familyName]': { kind: 'direction', label: 'Sort: Family Name' },
	'order[createdAt]': { kind: 'direction', label: 'Sort: Created At' },
};
