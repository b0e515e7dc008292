import { randomUUID } from 'node:crypto';
import { componentSchemas, propertiesOf, type Schema } from './contract';
import { columnIri, pathOf } from './iris';
import { uuidOf, type Store } from './store';
import type { Switches } from './switches';

/** Values that decide the forms of references in an answer. */
export interface ReferenceForms {
	store: Pick<Store, 'has' | 'record' | 'column'>;
	switches: Pick<Switches, 'iriOrigin' | 'mountPath' | 'references' | 'generatedIds'>;
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const namesIris = (schema: Schema): boolean =>
	'x-iri-of' in schema || Object.values(schema).some((part) => isObject(part) && namesIris(part));

/** Fields with IRIs of other records, or lists of IRIs, that the schema does not mark as such. */
const UNSAID = ['_organizations', 'columns'];

/** Fields of each schema that are IRIs of other records, or lists of IRIs. */
const iriFields = new Map(
	Object.entries(componentSchemas).map(([name, schema]) => {
		const fields = Object.entries(propertiesOf(schema));
		const iris = fields.filter(([key, field]) => UNSAID.includes(key) || namesIris(field));
		return [name, new Set(iris.map(([key]) => key))];
	}),
);

/** Returns an IRI or link in the form of answers. */
export function shownIri(iri: string, { iriOrigin, mountPath }: ReferenceForms['switches']) {
	return `${iriOrigin}${mountPath}${iri}`;
}

/** Returns a name without meaning, as API Platform gives it to an object without a route. */
const genid = (uuid: string) => `/.well-known/genid/${uuid.replaceAll('-', '').slice(12)}`;

const generatedId = (iri: string) => genid(uuidOf(iri));

/** Returns the `@id` of an embedded object without an identity. By default, it is new in every answer. */
export function anonymousId(
	place: string,
	switches: ReferenceForms['switches'] & Pick<Switches, 'embeddedIds'>,
): string {
	const id = switches.embeddedIds === 'random' ? genid(randomUUID()) : generatedId(place);
	return shownIri(id, switches);
}

const shownEmbeddedId = (iri: string, switches: ReferenceForms['switches']) =>
	shownIri(switches.generatedIds === 'none' ? iri : generatedId(iri), switches);

/** Returns the `@id` of a requested record. */
export function shownId(iri: string, switches: ReferenceForms['switches']): string {
	return shownIri(switches.generatedIds === 'everywhere' ? generatedId(iri) : iri, switches);
}

const TYPES: Record<string, string> = {
	people: 'Person',
	tags: 'Tag',
	segments: 'Segment',
	users: 'User',
	organizations: 'Organization',
	tasks: 'Task',
	workspaces: 'Workspace',
	media_objects: 'MediaObject',
	conversation_items: 'ConversationItem',
};

const LABELS = ['id', 'title', 'givenName', 'familyName', 'email', 'name'];

/** Returns the fields that an embedded record shows. */
function labelled(record: object | undefined): Fields {
	return Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => LABELS.includes(name)));
}

function embed(iri: string, { store, switches }: ReferenceForms): Fields {
	const [, resource, id, , columnId] = iri.split('/');
	const type = columnId ? 'Column' : TYPES[resource];
	const record = columnId ? store.column(columnIri(id, columnId)) : store.record(iri);
	return { '@id': shownEmbeddedId(iri, switches), '@type': type, ...labelled(record) };
}

/** Returns a reference, or a list of references, in the form of the switches. */
export function showReference(value: unknown, forms: ReferenceForms): unknown {
	if (Array.isArray(value)) return value.map((one) => showReference(one, forms));
	if (typeof value === 'string' && forms.store.has(value)) {
		return forms.switches.references === 'embedded'
			? embed(value, forms)
			: shownIri(value, forms.switches);
	}
	if (!isObject(value) || typeof value['@id'] !== 'string') return value;
	return { ...value, '@id': shownEmbeddedId(value['@id'], forms.switches) };
}

/** Returns the fields of a record, with references in the form of the switches. */
export function showReferences(
	schema: string | undefined,
	fields: Fields,
	forms: ReferenceForms,
): Fields {
	const names = iriFields.get(schema ?? '');
	const entries = Object.entries(fields).map(([name, value]) => [
		name,
		names?.has(name) ? showReference(value, forms) : value,
	]);
	return Object.fromEntries(entries);
}

/**
 * Returns the stored path of an IRI in a request, like API Platform's router. For an absolute IRI, only its path
 * counts.
 *
 * @returns undefined if it does not lead to the service
 */
export function readReference(
	iri: string,
	{ mountPath, acceptedIris }: Pick<Switches, 'mountPath' | 'acceptedIris'>,
): string | undefined {
	const path = acceptedIris === 'routes' ? pathOf(iri) : iri;
	if (mountPath && path.startsWith(`${mountPath}/`)) return path.slice(mountPath.length);
	return mountPath && acceptedIris === 'routes' ? undefined : path;
}
