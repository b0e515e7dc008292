import { person } from '../../schema/person';
import { simplifiedBy } from '../../run/flat';
import type { RecordSpecification } from '../../run/specification';
import { keysOf, personName } from '../../util/person';
import { firstIn } from '../../values/json';

export const personRecord: RecordSpecification = {
	...person,
	simplify: simplifiedBy(
		person,
		'id name givenName familyName email phone owner segments tags updatedAt',
		{
			name: personName,
			email: ({ emailAddresses }) => firstIn(emailAddresses, 'email'),
			phone: ({ phoneNumbers }) => firstIn(phoneNumbers, 'phoneNumber'),
		},
	),
	derived: { matchKeys: (person) => keysOf(person).join(', ') },
};
