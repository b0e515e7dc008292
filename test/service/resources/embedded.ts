import { without } from '../endpoint';
import type { Input } from '../input';
import { iriOf, irisOf } from '../iris';
import { CONSTRAINTS, Problem, violated } from '../problems';
import type { NamedRecord } from '../records';
import type { Store } from '../store';
import { addPerson, changePerson } from './people';

/** Functions to write the records of a collection from inside a task. */
interface Embedding {
	resource: string;
	/** Creates a record from an object without an `@id`. An `id` in it has no effect. */
	create: (object: Input) => { id: string };
	/** Writes the values beside an `@id` into the record with that `@id`. */
	change: (id: string, object: Input) => void;
}

/**
 * Returns the ID of the record that an object names by its `@id`.
 * @throws Problem 400
 */
function namedId(store: Store, resource: string, object: Input): string | undefined {
	const iri = object['@id'];
	if (typeof iri !== 'string') return undefined;
	if (!irisOf(resource).test(iri)) throw new Problem(400, `Invalid IRI "${iri}".`);
	if (!store.has(iri)) throw new Problem(400, `Item not found for "${iri}".`);
	return iri.split('/').at(-1);
}

/** Returns the IRIs of records embedded in a task, named or new. */
function link(store: Store, { resource, create, change }: Embedding, objects: Input[]): string[] {
	const ids = objects.map((object) => namedId(store, resource, object));
	const iris = objects.map((object, index) => {
		const id = ids[index] ?? create(object).id;
		if (ids[index]) change(id, object);
		return iriOf(resource, id);
	});
	return [...new Set(iris)];
}

const embeddingOf = (
	store: Store,
	resource: string,
	records: Map<string, NamedRecord>,
): Embedding => ({
	resource,
	create: (object) => {
		const record = { ...without(object, '@id'), id: store.newId(resource) };
		records.set(record.id, record);
		return record;
	},
	change: (id, object) => {
		records.set(id, { ...records.get(id), ...without(object, '@id', 'id'), id });
	},
});

/** Refuses the whole task before storing any of it, if a person would have no family name. */
function requireFamilyNames(store: Store, people: Input[]): void {
	for (const [index, person] of people.entries()) {
		const isNamed = namedId(store, 'people', person) !== undefined;
		const { familyName = isNamed ? 'as it is' : null } = person;
		if (familyName !== null && familyName !== '') continue;
		throw violated([{ propertyPath: `people[${index}].familyName`, ...CONSTRAINTS.blank }]);
	}
}

/**
 * Returns the embedded fields in a request for a task (interface section 2.6) as IRIs. Absent fields stay absent.
 *
 * @throws Problem 400, or 422 for a person without a family name
 */
export function linkEmbedded(store: Store, input: Input, now: string): Input {
	const { conversationItems, organizations, tags } = store;
	const embeddings: Record<string, Embedding> = {
		people: {
			resource: 'people',
			create: (object) => addPerson(store, object, now),
			change: (id, object) => changePerson(store, store.people.get(id)!, object, now),
		},
		tags: embeddingOf(store, 'tags', tags),
		organizations: embeddingOf(store, 'organizations', organizations),
		conversationItems: embeddingOf(store, 'conversation_items', conversationItems),
	};
	requireFamilyNames(store, (input.people ?? []) as Input[]);
	const present = Object.keys(embeddings).filter((name) => Array.isArray(input[name]));
	return Object.fromEntries(
		present.map((name) => [name, link(store, embeddings[name], input[name] as Input[])]),
	);
}
