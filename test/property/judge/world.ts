import type { Person, Store, Task } from '../../service';
import { columnIri, iriOf } from '../../service/iris';
import { blankPerson } from '../../service/resources/people';
import type { Referable } from './readings';

/** A person who exists before the node runs. */
export interface Character {
	emails: string[];
	phones: string[];
	network: string | null;
	/** Indexes of tags, segments and users. */
	tags: number[];
	segments: number[];
	owner: number | null;
	archived: boolean;
}

const NOW = '2026-01-05T09:00:00+00:00';

/** The data of a service. */
interface Holder {
	store: Store;
}

/** Adds people: first the characters of a case, then others, to make the list longer than a page. */
export function populate({ store }: Holder, characters: Character[], others: number): void {
	store.people.clear();
	const tags = irisOf(store.tags, 'tags');
	const segments = irisOf(store.segments, 'segments');
	const users = irisOf(store.users, 'users');
	const add = (character: Partial<Character>, index: number) => {
		const id = store.newId('people');
		store.people.set(id, {
			...blankPerson(id, `2025-0${1 + (index % 9)}-01T09:00:00+00:00`),
			updatedAt: NOW,
			familyName: `Person ${index}`,
			jobTitle: 'Buyer',
			dealSize: 7,
			isTracked: true,
			customerId: `C-${index}`,
			address: { city: 'Utrecht', postalCode: '1011 AB', street: null, country: 'BE' },
			emailAddresses: (character.emails ?? [`other${index}@else.example`]).map((email) => ({
				email,
			})),
			phoneNumbers: (character.phones ?? []).map((phoneNumber) => ({
				phoneNumber,
				phoneType: 'work',
			})),
			networkId: character.network ?? null,
			tags: (character.tags ?? [index % 3]).map((at) => tags[at]),
			segments: (character.segments ?? []).map((at) => segments[at]),
			owner: typeof character.owner === 'number' ? users[character.owner] : null,
			archivedAt: character.archived ? NOW : null,
		});
	};
	characters.forEach((character, index) => add(character, index));
	for (let index = 0; index < others; index += 1) add({}, characters.length + index);
}

const irisOf = (records: Map<string, unknown>, resource: string) =>
	[...records.keys()].map((id) => iriOf(resource, id));

/** Returns the ways to name records of each kind. */
export function referables({ store }: Holder): Record<string, Referable> {
	const of = (resource: string, records: Map<string, object>): Referable => {
		const titles = Object.entries(Object.fromEntries(records)).map(([id, record]) => [
			iriOf(resource, id),
			String((record as { title?: unknown }).title ?? ''),
		]);
		return {
			iris: irisOf(records, resource),
			titles: Object.fromEntries(titles) as Record<string, string>,
		};
	};
	const columns = [...store.workspaces.values()].flatMap(({ id, title, columns: all }) =>
		all.map((column) => [columnIri(id, column.id), `${title} / ${column.title}`] as const),
	);
	return {
		people: of('people', store.people),
		tags: of('tags', store.tags),
		segments: of('segments', store.segments),
		users: of('users', store.users),
		tasks: of('tasks', store.tasks),
		columns: { iris: columns.map(([iri]) => iri), titles: Object.fromEntries(columns) },
	};
}

/** A record without nesting: the parts of an address, such as `address.city`, stand beside the other fields. */
export type Flat = Record<string, unknown>;

/** Fields that change by themselves: times of changes, and board positions. The interface does not define them. */
const NOT_JUDGED = [
	'updatedAt',
	'createdAt',
	'position',
	'indexNumber',
	'previouslyScheduledOn',
	'address',
];

function flatten(record: Person | Task | object): Flat {
	const { address } = record as Partial<Person>;
	const parts = Object.entries(address ?? {}).map(([name, part]) => [`address.${name}`, part]);
	const fields = Object.entries(record).filter(([name]) => !NOT_JUDGED.includes(name));
	return { ...Object.fromEntries(fields), ...(Object.fromEntries(parts) as Flat) };
}

/** All data of the service, by the IRI of each record. */
export type Snapshot = Map<string, Flat>;

export function takeSnapshot({ store }: Holder): Snapshot {
	const snapshot: Snapshot = new Map();
	const take = (resource: string, records: Iterable<[string, object]>) => {
		for (const [id, record] of records) snapshot.set(iriOf(resource, id), flatten(record));
	};
	take('people', store.people);
	take('tasks', store.tasks);
	take('segments', store.segments);
	take('tags', store.tags);
	take('users', store.users);
	take('organizations', store.organizations);
	take('workspaces', store.workspaces);
	for (const comments of store.comments.values()) {
		for (const comment of comments) {
			snapshot.set(`/tasks/${comment.taskId}/comments/${comment.id}`, flatten(comment));
		}
	}
	return structuredClone(snapshot);
}
