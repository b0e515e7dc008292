import { randomUUID } from 'node:crypto';
import type { Person } from '../../service/records';
import { blankPerson } from '../../service/resources/people';
import type { Scene } from './scene';

/** Adds a person with these fields and addresses to the CRM. Returns the ID. */
export function newPerson(
	{ service }: Scene,
	{ emails = [], ...fields }: Partial<Person> & { emails?: string[] },
): string {
	const id = randomUUID();
	const emailAddresses = emails.map((email) => ({ email }));
	const blank = blankPerson(id, '2026-01-05T09:00:00+00:00');
	service.store.people.set(id, { ...blank, emailAddresses, ...fields });
	return id;
}
