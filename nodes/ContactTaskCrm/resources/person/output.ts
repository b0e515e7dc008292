import type { IDataObject } from 'n8n-workflow';
import { firstIn, idIn, listIn, personName, referenceIn } from '../../util/records';
import { person } from '../../schema/person';
import type { RecordSpecification } from '../../run/specification';
import { titled } from '../../run/output';

/** A person, under `/people`. */
export const personRecord: RecordSpecification = {
	...person,
	simplify: (person: IDataObject, titleOf) => ({
		id: idIn(person),
		name: personName(person),
		givenName: person.givenName ?? null,
		familyName: person.familyName ?? null,
		email: firstIn(person.emailAddresses, 'email'),
		phone: firstIn(person.phoneNumbers, 'phoneNumber'),
		owner: referenceIn(person.owner),
		segments: listIn(person.segments, titled('/segments', titleOf)),
		tags: listIn(person.tags, titled('/tags', titleOf)),
		updatedAt: person.updatedAt ?? null,
	}),
};
