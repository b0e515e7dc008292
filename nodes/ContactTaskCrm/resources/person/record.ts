import type { IDataObject } from 'n8n-workflow';
import { firstIn, idIn, personName } from '../../util/records';
import { person } from '../../schema/person';
import { named, namedList } from '../../run/flat';
import { Written } from '../../run/output';
import type { RecordSpecification } from '../../run/specification';
import type { Located } from '../../run/target';
import type { Client } from '../../tenant/client';
import { requestRecord } from '../../tenant/records';

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
		owner: named(person.owner, '/users', titleOf),
		segments: namedList(person.segments, '/segments', titleOf),
		tags: namedList(person.tags, '/tags', titleOf),
		updatedAt: person.updatedAt ?? null,
	}),
};

/**
 * Writes what has changed of a person, and says so; nothing goes out where nothing has.
 *
 * @param keys the keys of the values that the person gets, for items that look for them
 */
export async function writeChanges(
	client: Client,
	{ path, id = '' }: Located,
	{
		changes,
		current,
		keys = [],
	}: { changes: IDataObject; current: IDataObject; keys?: readonly string[] },
): Promise<Written> {
	if (Object.keys(changes).length === 0) return new Written('unchanged', current);
	client.tenant.writes.note(id, keys);
	const subject = { noun: personRecord.noun, id };
	const asked = { method: 'PATCH' as const, path, body: changes, subject };
	return new Written('updated', await requestRecord(client, asked, personRecord));
}
