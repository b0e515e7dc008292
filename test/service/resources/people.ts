import { merge } from '../changes';
import { blankOf } from '../contract';
import { without } from '../endpoint';
import { byDate, byExistence, byId, bySearch, byValue, filtered, ordered } from '../filters';
import type { Input } from '../input';
import { iriOf } from '../iris';
import type { Person } from '../records';
import { endpointsOf } from '../resource';
import type { Store } from '../store';

const NO_ADDRESS = { city: null, postalCode: null, street: null, country: null };

/** Returns a person with only an ID, the times of creation and update, and defaults. */
export function blankPerson(id: string, now: string): Person {
	const own = { id, createdAt: now, updatedAt: now, address: NO_ADDRESS };
	return { ...blankOf('Person'), ...own } as unknown as Person;
}

/** Returns a new person to merge the request into. For a request with an address, sets the defaults of the address. */
function startOf(input: Input, id: string, now: string): Person {
	const person = blankPerson(id, now);
	return 'address' in input ? { ...person, address: blankOf('Address') as never } : person;
}

/** Replaces `avatar`, because it is write-only and shows as `avatarUrl`. */
function withAvatar(store: Store, input: Input): Input {
	if (!('avatar' in input)) return input;
	const avatar = String(input.avatar).split('/').at(-1) ?? '';
	return {
		...without(input, 'avatar'),
		avatarUrl: store.mediaObjects.get(avatar)?.publicUrl ?? null,
	};
}

/** Stores an embedded person. */
export function addPerson(store: Store, input: Input, now: string): Person {
	const id = store.newId('people');
	const fields = without(withAvatar(store, input), 'id', '@id');
	const person = merge(startOf(input, id, now), fields);
	store.people.set(id, person);
	return person;
}

/** Writes the values of an embedded person into the record of that person. */
export function changePerson(store: Store, person: Person, input: Input, now: string): void {
	const fields = without(withAvatar(store, input), 'id', '@id');
	if (Object.keys(fields).length === 0) return;
	store.people.set(person.id, { ...merge(person, fields), updatedAt: now });
}

const emails = (person: Person) => person.emailAddresses.map(({ email }) => email);
const phones = (person: Person) => person.phoneNumbers.map(({ phoneNumber }) => phoneNumber);
const ids = (iris: Array<string | null>) => iris.map((iri) => iri?.split('/').at(-1) ?? null);

/** The filters of a list of people. */
export const PEOPLE_FILTERS = [
	bySearch<Person>('q', (person) => [
		person.givenName,
		person.additionalName,
		person.familyName,
		person.jobTitle,
		person.customerId,
		...emails(person),
		...phones(person),
	]),
	byId<Person>('owner.id', 'users', (person) => ids([person.owner])),
	byValue<Person>('emailAddresses.email', emails),
	byId<Person>('tags.id', 'tags', (person) => ids(person.tags)),
	byId<Person>('segments.uuid', 'segments', (person) => ids(person.segments)),
	byValue<Person>('identifiers', (person) => [
		person.networkId,
		...emails(person),
		...phones(person),
	]),
	byExistence<Person>('archivedAt'),
	...byDate<Person>('createdAt'),
];

/** The endpoints of interface section 4.1. */
export const people = endpointsOf<Person>({
	schema: 'Person',
	plural: 'People',
	iri: ({ id }) => iriOf('people', id),
	show: (person) => ({ ...person, _organizations: person.organizations }),
	all: (call) => {
		const matching = filtered([...call.store.people.values()], PEOPLE_FILTERS, call);
		return ordered(matching, ['familyName', 'createdAt'], call.query);
	},
	find: ({ store, params }) => store.people.get(params.id),
	blank: ({ now }, input) => without({ ...startOf(input, '', now) }, 'id'),
	kept: ['createdAt', 'updatedAt', 'importedAt', 'networkEnrichment'],
	writable: (input, { store }) => without(withAvatar(store, input), 'id', '@id'),
	filled: ['familyName'],
	entries: ['emailAddresses', 'phoneNumbers'],
	put: (person, { store }) => store.people.set(person.id, person),
});
