import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { iriOf, valueOf } from '../common/iri';
import { shortened, shortId } from './labels';
import type { Seen } from './sightings';
import { RELATIONS } from './sightings';

/** As many as fit into a label. */
const MOST_NAMED = 2;

/**
 * Records that were seen, as options in the order of their labels. Each is labelled with its name or,
 * where none is known, with what shows it: "On Amber van Dijk and Eva de Vries (dd22a6)".
 *
 * @param kind what to call a record of which nothing is known: "user"
 */
export function optionsOf(seen: readonly Seen[], kind: string): INodePropertyOptions[] {
	return seen
		.map((record) => ({ name: optionLabel(record, kind), value: record.iri }))
		.sort((one, other) => one.name.localeCompare(other.name));
}

function optionLabel({ iri, name, shownBy }: Seen, kind: string): string {
	if (name !== '') return shortened(name);
	let left = MOST_NAMED;
	const said = RELATIONS.flatMap((relation) => {
		const named = [...(shownBy.get(relation) ?? [])].slice(0, left);
		left -= named.length;
		return named.length > 0 ? [`${relation} ${named.join(' and ')}`] : [];
	});
	return `${shortened(capitalized(said.join('; ') || kind))} (${shortId(iri)})`;
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The options that are chosen in a node and not among those that were found: they stay to be seen.
 *
 * @param parameters the parameters of the node as they stand in the editor
 * @param collection path of the collection that the options are from
 */
export function chosenBefore(
	parameters: IDataObject | undefined,
	collection: string,
	found: readonly INodePropertyOptions[],
): INodePropertyOptions[] {
	const known = new Set(found.map(({ value }) => value));
	const chosen = new Set(allTextsIn(parameters).filter((text) => isIriOf(text, collection)));
	return [...chosen]
		.filter((iri) => !known.has(iri))
		.map((iri) => ({ name: `Chosen before (${shortId(iri)})`, value: iri }));
}

function isIriOf(text: string, collection: string): boolean {
	return text.startsWith('/') && valueOf(iriOf(text, collection)) !== undefined;
}

function allTextsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(allTextsIn)
		: [];
}
