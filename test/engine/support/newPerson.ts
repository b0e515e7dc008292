import { randomUUID } from 'node:crypto';
import type { Person } from '../../service/records';
import type { Scene } from './scene';
import { PEOPLE } from './seeded';

/** Adds a person with these fields and addresses to the CRM. Returns the ID. */
export function newPerson(
	{ service }: Scene,
	{ emails = [], ...fields }: Partial<Person> & { emails?: string[] },
): string {
	const id = randomUUID();
	const [{ createdAt, updatedAt }] = PEOPLE;
	const blank = Object.fromEntries(Object.keys(PEOPLE[0]).map((name) => [name, null]));
	const lists = { tags: [], segments: [], organizations: [], phoneNumbers: [] };
	const address = { city: null, postalCode: null, street: null, country: null };
	service.store.people.set(id, {
		...(blank as unknown as Person),
		...{ id, createdAt, updatedAt, ...lists, address },
		...{ emailAddresses: emails.map((email) => ({ email })), ...fields },
	});
	return id;
}
