import { merge, changesBetween } from '../changes';
import { componentSchemas, requiredOf } from '../contract';
import { found, requireFilled, takeId, without, type Endpoint } from '../endpoint';
import { byDate, byExistence, byId, bySearch, byValue, filtered, ordered } from '../filters';
import type { Input } from '../input';
import { iriOf } from '../iris';
import type { Address, Person } from '../records';
import { list, type Result, type Shown } from '../representation';
import type { Store } from '../store';

const NO_ADDRESS: Address = { city: null, postalCode: null, street: null, country: 'NL' };

/** A person with nothing but an identity. */
export function blankPerson(id: string, now: string): Person {
	return {
		id,
		familyName: null,
		givenName: null,
		additionalName: null,
		initials: null,
		customerId: null,
		honorificPrefix: null,
		jobTitle: null,
		externalSource: null,
		networkId: null,
		isTracked: null,
		createdAt: now,
		updatedAt: now,
		importedAt: null,
		archivedAt: null,
		owner: null,
		tags: [],
		segments: [],
		organizations: [],
		emailAddresses: [],
		phoneNumbers: [],
		address: { ...NO_ADDRESS },
		avatarUrl: null,
		dealSize: null,
		totalDeals: null,
		totalLostDeals: null,
		totalWonDeals: null,
		networkEnrichment: null,
	};
}

const required = requiredOf(componentSchemas.Person);

const show = (person: Person): Shown => ({
	iri: iriOf('people', person.id),
	type: 'Person',
	fields: { ...person, _organizations: person.organizations },
	required,
});

const item = (person: Person, stored: boolean): Result => ({
	kind: 'item',
	item: show(person),
	stored,
});

/** `avatar` is write-only and shows as `avatarUrl`. */
function withAvatar(store: Store, input: Input): Input {
	if (!('avatar' in input)) return input;
	const avatar = String(input.avatar).split('/').at(-1) ?? '';
	return {
		...without(input, 'avatar'),
		avatarUrl: store.mediaObjects.get(avatar)?.publicUrl ?? null,
	};
}

/** Stores a new person. @throws Problem 422 */
export function addPerson(store: Store, input: Input, now: string): Person {
	requireFilled('familyName', input.familyName);
	const id = takeId(store, 'people', input, (taken) => store.people.has(taken));
	const fields = without(withAvatar(store, input), 'id', '@id');
	const person = merge(blankPerson(id, now), fields);
	store.people.set(id, person);
	return person;
}

function save(store: Store, before: Person, after: Person, now: string): Result {
	requireFilled('familyName', after.familyName);
	const hasChanged = changesBetween(before, after).length > 0;
	if (hasChanged) store.people.set(before.id, { ...after, updatedAt: now });
	return item(found(store.people.get(before.id)), hasChanged);
}

const emails = (person: Person) => person.emailAddresses.map(({ email }) => email);
const phones = (person: Person) => person.phoneNumbers.map(({ phoneNumber }) => phoneNumber);
const ids = (iris: Array<string | null>) => iris.map((iri) => iri?.split('/').at(-1) ?? null);

const FILTERS = [
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
export const people: Record<string, Endpoint> = {
	listPeople: (call) => {
		const matching = filtered([...call.store.people.values()], FILTERS, call);
		return list('Person', ordered(matching, ['familyName', 'createdAt'], call.query), show);
	},
	createPerson: ({ store, readInput, now }) => item(addPerson(store, readInput(), now), true),
	getPerson: ({ store, params }) => item(found(store.people.get(params.id)), false),
	replacePerson: ({ store, params, readInput, now }) => {
		const before = found(store.people.get(params.id));
		const { createdAt, updatedAt, importedAt, networkEnrichment } = before;
		const reset = {
			...blankPerson(before.id, createdAt),
			updatedAt,
			importedAt,
			networkEnrichment,
		};
		return save(store, before, merge(reset, without(withAvatar(store, readInput()), 'id')), now);
	},
	updatePerson: ({ store, params, readInput, now }) => {
		const before = found(store.people.get(params.id));
		return save(store, before, merge(before, without(withAvatar(store, readInput()), 'id')), now);
	},
};
