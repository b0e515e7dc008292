import type { IDataObject } from 'n8n-workflow';
import { firstIn, idIn, personName, referenceIn } from '../../common/records';
import { person } from '../../contract/person';
import type { RecordSpecification } from '../../runtime/specification';
import { locateByEmail } from '../../lookups/people/locateByEmail';
import { noticeWrite } from '../../lookups/people/writes';

/** A person, under `/people`. */
export const personRecord: RecordSpecification = {
	...person,
	locateByEmail,
	noticeWrite: (credential, id) => noticeWrite(credential, id, []),
	simplify: (person: IDataObject) => ({
		id: idIn(person),
		name: personName(person),
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
