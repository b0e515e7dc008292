import { person } from '../../schema/person';
import { simplifiedBy } from '../../output/flat';
import { keysOf, personName } from '../../values/person';
import { firstIn } from '../../values/json';
import type { RecordSpecification } from '../../output/specification';

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
