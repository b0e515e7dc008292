import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { iriOf, valueOf } from '../common/iri';
import { nameOf, shortened, shortId } from './labels';

/**
 * Where a user or tag was seen, since the interface has no list of them: `as` is a role such as "owner
 * of Sales", `countedAs` says of what it was one among several.
 */
export type Sighting =
	| { reference: unknown; as: string }
	| { reference: unknown; countedAs: 'people' | 'tasks' };

interface Known {
	name: string;
	roles: Set<string>;
	counts: Map<string, number>;
}

/** As many roles as fit into a label. */
const MOST_ROLES = 2;

/**
 * The records that were seen, as options. Each is labelled with its name or, where none is known, with
 * what is known of it.
 *
 * @param collection path of the collection the references point into, such as `/users`
 * @param kind what to call a record of which nothing is known: "user"
 */
export function optionsOf(
	sightings: Sighting[],
	collection: string,
	kind: string,
): INodePropertyOptions[] {
	const seen = new Map<string, Known>();
	for (const sighting of sightings) {
		const iri = valueOf(iriOf(sighting.reference, collection));
		if (iri === undefined) continue;
		const known = seen.get(iri) ?? { name: '', roles: new Set(), counts: new Map() };
		seen.set(iri, known);
		known.name ||= nameOf(recordOf(sighting.reference));
		if ('as' in sighting) known.roles.add(sighting.as);
		else known.counts.set(sighting.countedAs, (known.counts.get(sighting.countedAs) ?? 0) + 1);
	}
	return [...seen]
		.map(([iri, known]) => ({ name: optionLabel(iri, known, kind), value: iri }))
		.sort((one, other) => one.name.localeCompare(other.name));
}

function optionLabel(iri: string, { name, roles, counts }: Known, kind: string): string {
	if (name !== '') return shortened(name);
	const counted = [...counts].map(([what, count]) =>
		count === 1 ? `1 ${what === 'people' ? 'person' : 'task'}` : `${count} ${what}`,
	);
	const said = [...[...roles].filter((role) => role !== '').slice(0, MOST_ROLES), ...counted];
	const description = said.length > 0 ? said.join(', ') : kind;
	const capital = description.charAt(0).toUpperCase() + description.slice(1);
	return `${shortened(capital)} (${shortId(iri)})`;
}

function recordOf(reference: unknown): IDataObject {
	return typeof reference === 'object' && reference !== null ? (reference as IDataObject) : {};
}
