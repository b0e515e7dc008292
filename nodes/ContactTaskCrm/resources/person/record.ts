import type { IDataObject } from 'n8n-workflow';
import { firstIn } from '../../util/values';
import { idIn } from '../../util/iri';
import { keysOf, personName } from '../../util/contacts';
import { person } from '../../schema/person';
import { named, namedList } from '../../run/flat';
import type { RecordSpecification } from '../../run/specification';

export const personRecord: RecordSpecification = {
	...person,
	simplify: (person: IDataObject, titleOf) => ({
		id: idIn(person),
		name: personName(person),
		givenName: person.givenName ?? null,
		familyName: person.familyName ?? null,
		email: firstIn(person.emailAddresses, 'email'),
		phone: firstIn(person.phoneNumbers, 'phoneNumber'),
		owner: named(person.owner, '/users', titleOf),
		segments: namedList(person.segments, '/segments', titleOf),
		tags: namedList(person.tags, '/tags', titleOf),
		updatedAt: person.updatedAt ?? null,
	}),
	derived: { matchKeys: (person) => keysOf(person).join(', ') },
};
