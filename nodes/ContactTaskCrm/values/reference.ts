import type { IDataObject } from 'n8n-workflow';
import { cleanText, quoted } from './text';

/*
 * Reads references. A reference is the ID or the IRI of a record, or the record itself.
 */

/** An example of an IRI for each collection of the interface. The placeholders of the editor show these examples. */
export const EXAMPLES = {
	'/conversation_items': '/conversation_items/c02d',
	'/media_objects': '/media_objects/b8e2',
	'/messages': '/messages/e6f1',
	'/organizations': '/organizations/9d0c',
	'/people': '/people/0d5c',
	'/segments': '/segments/a41b',
	'/tags': '/tags/7c1e',
	'/tasks': '/tasks/91ce',
	'/tasks/{taskId}/comments': '/tasks/91ce/comments/44aa',
	'/tasks/{taskId}/history': '/tasks/91ce/history/e07d',
	'/users': '/users/3f2a',
	'/workspaces': '/workspaces/5c1f',
	'/workspaces/{workspaceId}/columns': '/workspaces/5c1f/columns/12ab',
} as const;

/** The path of a collection, such as `/users`. */
export type CollectionPath = keyof typeof EXAMPLES;

/** The ID or IRI of a reference. For an unusable reference, the end of an error message: "expected an ID, got …". */
export type Resolved = { value: string } | { expected: string };

/**
 * Value of a note in a list of the editor, such as the note that more records exist. This text is no ID, IRI or title.
 * The text is not blank, because a filter without a value would list all records.
 */
export const NO_CHOICE = '<not a choice>';

/**
 * Matches an ID: characters of a path segment (RFC 3986, section 3.3). "." and ".." are no IDs, because they would
 * change the path.
 */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9._~:@=+-]{1,200}$/;

/** Returns whether a text has only characters that an ID may have. */
export function isBareId(text: string): boolean {
	return ID.test(text);
}

/**
 * Returns the ID of a record, from its ID, its IRI, or the record itself.
 *
 * @param collection path of the collection, such as `/people`; `{…}` matches any one segment, as in
 *   `/workspaces/{workspaceId}/columns`
 */
export function idOf(reference: unknown, collection: string): Resolved {
	const text = referenceText(reference);
	if (text !== undefined && ID.test(text)) return { value: text };
	const iri = iriOf(reference, collection);
	return 'value' in iri ? { value: lastSegment(iri.value) } : iri;
}

export function lastSegment(iri: string): string {
	return iri.slice(iri.lastIndexOf('/') + 1);
}

/**
 * Returns the IRI of a record, a path such as `/people/1f0c`. `reference` is its ID, its IRI in any form, or the
 * record. A bare ID does not suffice for a record below another record (`/workspaces/{workspaceId}/columns`).
 *
 * Some installations of the CRM put a prefix before the path of the interface (`https://host/api/people/1f0c`). This
 * function removes the prefix, and `crm/serviceForm.ts` puts it back.
 */
export function iriOf(reference: unknown, collection: string): Resolved {
	const text = referenceText(reference);
	const isNested = collection.includes('{');
	if (text !== undefined && ID.test(text) && !isNested) return { value: `${collection}/${text}` };
	const found = text === undefined ? undefined : splitIri(text, collection);
	if (found) return { value: found.path };
	if (text === NO_CHOICE) return { expected: NOT_CHOSEN };
	const iri = `${collection.replace(/\{\w+\}/g, '{id}')}/{id}`;
	return {
		expected: `expected ${isNested ? iri : `an ID, or ${iri}`}, got ${shown(reference, text)}`,
	};
}

export function valueOf(resolved: Resolved): string | undefined {
	return 'value' in resolved ? resolved.value : undefined;
}

/**
 * First path segments of all collections. `splitIri` allows none of them in the prefix of a path. Otherwise, the node
 * could not tell where the prefix ends.
 */
const COLLECTION_ROOTS: ReadonlySet<string> = new Set(
	Object.keys(EXAMPLES).flatMap((collection) => collection.split('/').slice(1, 2)),
);

/**
 * Returns whether a text seems to be an IRI without its beginning, such as "tags/7c1e" or "crm.example/tags/7c1e". An
 * ID has a digit, and an IRI has no white space. So "tasks/deals" and "tags/Q1 2026" are no IRIs.
 */
export function isCutIri(text: string): boolean {
	const segments = text.split('/');
	const isIdAfter = (position: number) => /\d/.test(segments[position + 1] ?? '');
	return (
		!/\s/.test(text) &&
		segments.some((segment, position) => COLLECTION_ROOTS.has(segment) && isIdAfter(position))
	);
}

/**
 * Splits an IRI into the prefix that the service adds, such as "/api" or "https://host/api", and the path of the
 * interface. Returns undefined if the IRI belongs to another collection.
 */
export function splitIri(
	iri: string,
	collection: string,
): { before: string; path: string } | undefined {
	const [, origin = '', path] = /^(https?:\/\/[^/?#\s]+)?(\/[^?#]*)$/i.exec(iri) ?? [];
	if (path === undefined) return undefined;
	const stem = collection.split('/').slice(1);
	const segments = path.split('/').slice(1);
	const ahead = segments.length - stem.length - 1;
	if (ahead < 0) return undefined;
	for (const [position, segment] of segments.entries()) {
		const expected = stem[position - ahead] ?? '{id}';
		const isAsExpected = expected.startsWith('{') ? ID.test(segment) : segment === expected;
		if (!isAsExpected || (position < ahead && COLLECTION_ROOTS.has(segment))) return undefined;
	}
	const before = segments.slice(0, ahead).map((segment) => `/${segment}`);
	return { before: origin + before.join(''), path: `/${segments.slice(ahead).join('/')}` };
}

/** Returns the `@id` of a record; undefined if the `@id` is no path or URL of the record. */
export function ownIri(record: object): string | undefined {
	const { '@id': iri } = record as { '@id'?: unknown };
	if (typeof iri !== 'string' || !/^(\/|https?:)/.test(iri)) return undefined;
	// The service probably uses the framework API Platform. For an object without an endpoint, API Platform makes up an
	// IRI with "genid".
	return iri.includes('/.well-known/genid/') ? undefined : iri;
}

/**
 * Returns the `id` of a record, or else its `uuid`; undefined without them, or if the ID is a number that is too large
 * to be exact.
 */
export function ownId(record: object): string | undefined {
	const { id, uuid } = record as { id?: unknown; uuid?: unknown };
	for (const own of [id, uuid]) {
		if (typeof own === 'string' && own.trim() !== '') return own;
		if (Number.isSafeInteger(own)) return String(own);
	}
	return undefined;
}

/** Matches a UUID, with or without hyphens. */
const UUID = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i;

export function isUuid(text: string): boolean {
	return UUID.test(text);
}

/** Returns whether an ID is a UUID with capitals. Some installations of the CRM know UUIDs only in small letters. */
export function isUuidInCapitals(id = ''): boolean {
	return isUuid(id) && id !== id.toLowerCase();
}

/** Returns an ID or IRI in a form for comparison: a UUID at its end becomes lower case. */
export function comparableId(idOrIri: string): string {
	const uuidAtEnd = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
	return idOrIri.replace(uuidAtEnd, (uuid) => uuid.toLowerCase());
}

/** Returns the IRI of the record that holds another record: /workspaces/5c1f for /workspaces/5c1f/columns/12ab. */
export function holderOf(path: string): string {
	return path.split('/').slice(0, -2).join('/');
}

/**
 * Returns a key that all references to one record share, whatever their form: the ID, with a UUID in lower case.
 * Returns undefined if the value names no record.
 */
export function referenceKey(reference: unknown, collection: string): string | undefined {
	const id = valueOf(idOf(reference, collection));
	return id === undefined ? undefined : comparableId(id);
}

/** Returns whether two references name the same record, be they IDs, IRIs or records. */
export function isSameReference(one: unknown, other: unknown, collection: string): boolean {
	const key = referenceKey(one, collection);
	return key !== undefined && key === referenceKey(other, collection);
}

/**
 * Returns a reference as text. For a record, this is its IRI, or else its ID. Users may copy a title with an IRI from a
 * message: "Sales / Won (/workspaces/5c1f/columns/12ab)". From such a text, the function returns only the IRI.
 */
function referenceText(reference: unknown): string | undefined {
	if (typeof reference === 'number' && Number.isSafeInteger(reference)) return String(reference);
	const isRecord = typeof reference === 'object' && reference !== null && !Array.isArray(reference);
	const text = isRecord ? (ownIri(reference) ?? ownId(reference)) : reference;
	if (typeof text !== 'string') return undefined;
	const cleaned = cleanText(text);
	const [, iri = cleaned] = /^[^/].*\(((?:\/|https?:)[^\s()]+)\)$/.exec(cleaned) ?? [];
	return iri;
}

const NOT_CHOSEN =
	'the entry chosen from the list is a note and no record. Choose another one, or give an ID, name or title';

function shown(reference: unknown, text: string | undefined): string {
	if (text === '' || reference === undefined || reference === null) return 'nothing';
	if (text !== undefined) return quoted(text);
	if (typeof reference === 'object') {
		return Array.isArray(reference) ? 'a list' : 'a record without an ID';
	}
	return `a ${typeof reference}`;
}

/**
 * Fills IDs into a path template: `/people/{personId}` and `{ personId: '1f0c' }` give `/people/1f0c`. The IDs must
 * come from `idOf`.
 */
export function filledPath(template: string, ids: Readonly<Record<string, string>>): string {
	return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => ids[name] ?? placeholder);
}

export function pathParameters(template: string): string[] {
	return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Returns the `id` of a record, or else the last segment of its IRI, or else its `uuid`, or else null. */
export function idIn(record: IDataObject): IDataObject[string] {
	const { id } = record;
	if (ownId({ id }) !== undefined) return id;
	const iri = ownIri(record);
	return iri === undefined ? (ownId(record) ?? null) : lastSegment(iri);
}

/** Returns the IRI or ID of an embedded record; null if it has none. Returns any other reference unchanged. */
export function referenceIn(value: IDataObject[string]): IDataObject[string] {
	if (typeof value !== 'object' || value === null) return value ?? null;
	return ownIri(value) ?? ownId(value) ?? (value as IDataObject)['@id'] ?? null;
}
