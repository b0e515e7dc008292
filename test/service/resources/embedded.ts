import { requireFilled, without } from '../endpoint';
import type { Input } from '../input';
import { iriOf } from '../iris';
import type { NamedRecord } from '../records';
import type { Store } from '../store';
import { addPerson } from './people';

/** The id by which an embedded object names an existing record, by `@id` or `id`. */
const namedId = (embedded: Input): string | undefined => {
	const name = embedded['@id'] ?? embedded.id;
	return typeof name === 'string' && name !== '' ? name.split('/').at(-1) : undefined;
};

type Create = (embedded: Input) => { id: string };

/**
 * The IRIs of records that came embedded in a task: one that exists is linked as it is, any other
 * is made from the object.
 */
function link(resource: string, known: Map<string, unknown>, objects: Input[], create: Create) {
	return objects.map((embedded) => {
		const id = namedId(embedded);
		return iriOf(resource, id && known.has(id) ? id : create(embedded).id);
	});
}

const addTo =
	(store: Store, kind: string, records: Map<string, NamedRecord>) => (object: Input) => {
		const id = namedId(object) ?? store.newId(kind);
		const record = { ...without(object, '@id'), id };
		records.set(id, record);
		return record;
	};

/** Refuses the whole task, before anything of it is stored, where one person could not be made. */
function requireFamilyNames(store: Store, people: Input[]): void {
	for (const [index, person] of people.entries()) {
		const id = namedId(person);
		if (id && store.people.has(id)) continue;
		requireFilled(`people[${index}].familyName`, person.familyName);
	}
}

/**
 * The fields of a task that come embedded in a request (interface section 2.6), as the IRIs they
 * are shown by; only those that came.
 *
 * @throws Problem 422 for a new person without a family name
 */
export function linkEmbedded(store: Store, input: Input, now: string): Input {
	const { conversationItems, organizations, tags } = store;
	const linkers: Record<string, (objects: Input[]) => string[]> = {
		people: (objects) =>
			link('people', store.people, objects, (person) => addPerson(store, person, now)),
		tags: (objects) => link('tags', tags, objects, addTo(store, 'tags', tags)),
		organizations: (objects) =>
			link('organizations', organizations, objects, addTo(store, 'organizations', organizations)),
		conversationItems: (objects) =>
			link(
				'conversation_items',
				conversationItems,
				objects,
				addTo(store, 'conversation_items', conversationItems),
			),
	};
	requireFamilyNames(store, (input.people ?? []) as Input[]);
	const present = Object.keys(linkers).filter((name) => Array.isArray(input[name]));
	return Object.fromEntries(present.map((name) => [name, linkers[name](input[name] as Input[])]));
}
