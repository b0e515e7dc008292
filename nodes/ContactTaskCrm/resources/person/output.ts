import type { IDataObject } from 'n8n-workflow';
import { firstIn, idIn, listIn, personName, referenceIn } from '../../common/records';
import { person } from '../../contract/person';
import type { RecordSpecification } from '../../runtime/specification';
import { locateByEmail } from '../../lookups/people/locateByEmail';
import { noticeWrite } from '../../lookups/people/writes';
import { titled } from '../../runtime/titled';

/** A person, under `/people`. */
export const personRecord: RecordSpecification = {
	...person,
	locateByEmail,
	noticeWrite: (credential, id) => noticeWrite(credential, id, []),
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
