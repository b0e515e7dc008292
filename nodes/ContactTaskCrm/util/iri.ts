import type { IDataObject } from 'n8n-workflow';
import { EXAMPLES } from '../schema/field';
import { cleanText, quoted } from './values';

/** The id or IRI that a reference stands for, or what was expected in its place. */
export type Resolved = { value: string } | { expected: string };

/**
 * What an entry of a list stands for that only tells something, such as that more exist. It can be no ID,
 * IRI or title; nor is it blank, since a filter without a value would list everybody.
 */
export const NO_CHOICE = '<not a choice>';

/**
 * What an id may hold: characters that RFC 3986, section 3.3 allows in a path segment as they are. One or two dots
 * would leave the segment.
 */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9._~:@=+-]{1,200}$/;

/**
 * The id of a record, from its id, its IRI, or the record itself. What would leave its path segment
 * is refused.
 *
 * @param collection path of the collection, such as `/people`; `{…}` stands for any one segment, as
 *   in `/workspaces/{workspaceId}/columns`
 */
export function idOf(reference: unknown, collection: string): Resolved {
	const text = referenceText(reference);
	if (text !== undefined && ID.test(text)) return { value: text };
	const iri = iriOf(reference, collection);
	return 'value' in iri ? { value: lastSegment(iri.value) } : iri;
}

/** What follows the last slash of an IRI or URL: the id of the record. */
export function lastSegment(iri: string): string {
	return iri.slice(iri.lastIndexOf('/') + 1);
}

/**
 * The IRI of a record (a path such as `/people/1f0c`), from its id, its IRI in any form, or the record
 * itself. An id alone cannot name a record below another one (`/workspaces/{workspaceId}/columns`).
 *
 * A service below a path, or one that shows absolute IRIs, puts something before the path of the
 * interface (`https://host/api/people/1f0c`): that is left out here, and put back by `tenant/records.ts`.
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

/**
 * The id or IRI without the reason why there is none, for references that the service sent; undefined
 * where one cannot be read.
 */
export function valueOf(resolved: Resolved): string | undefined {
	return 'value' in resolved ? resolved.value : undefined;
}

/** The first segments of all collections: none of them belongs to what a service puts before its paths. */
const COLLECTIONS: ReadonlySet<string> = new Set(
	Object.keys(EXAMPLES).map((collection) => collection.split('/')[1]),
);

/**
 * An IRI in two: what a service puts before the path of the interface, and that path.
 *
 * @returns undefined where it is no IRI of the collection
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
		if (!isAsExpected || (position < ahead && COLLECTIONS.has(segment))) return undefined;
	}
	const before = segments.slice(0, ahead).map((segment) => `/${segment}`);
	return { before: origin + before.join(''), path: `/${segments.slice(ahead).join('/')}` };
}

/**
 * The IRI that API Platform gives an object without an endpoint of its own; it leads nowhere, so the
 * id beside it counts.
 */
const GENERATED = /\/\.well-known\/genid\//;

/** The IRI that a record shows of itself; undefined where it shows none that leads to it. */
export function ownIri(record: object): string | undefined {
	const { '@id': iri } = record as { '@id'?: unknown };
	// A path or an address, and not an ID.
	const isIri = typeof iri === 'string' && /^(\/|https?:)/.test(iri);
	return isIri && !GENERATED.test(iri) ? iri : undefined;
}

/**
 * The ID that a record shows beside its IRI; undefined for none, and for a number that has lost digits while
 * the answer was read.
 */
export function ownId(record: object): string | undefined {
	const { id, uuid } = record as { id?: unknown; uuid?: unknown };
	for (const own of [id, uuid]) {
		if (typeof own === 'string' && own.trim() !== '') return own;
		if (Number.isSafeInteger(own)) return String(own);
	}
	return undefined;
}

const UUID_AT_END = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** An ID or IRI in the form in which two of them are compared: of a UUID, small and capital letters are one. */
export function comparableId(idOrIri: string): string {
	return idOrIri.replace(UUID_AT_END, (uuid) => uuid.toLowerCase());
}

/**
 * A reference as text: text and numbers themselves, of a record its IRI or else its id. Of a reference with a title,
 * as messages list them, the IRI: "Sales / Won (/workspaces/5c1f/columns/12ab)".
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
 * A path template with its parameters filled in: `/people/{personId}` and `{ personId: '1f0c' }`
 * give `/people/1f0c`. Ids are checked by `idOf` before, so nothing needs encoding.
 */
export function filledPath(template: string, ids: Readonly<Record<string, string>>): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]);
}

/** The names of the parameters that a path template holds, in order. */
export function pathParameters(template: string): string[] {
	return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

/** The id of a record: its own, or the end of its IRI where it shows no other that can be used. */
export function idIn(record: IDataObject): IDataObject[string] {
	const { id } = record;
	if (ownId({ id }) !== undefined) return id;
	const iri = ownIri(record);
	return iri === undefined ? (ownId(record) ?? null) : lastSegment(iri);
}

/** A reference to another record as one text, though the record may come embedded. */
export function referenceIn(value: IDataObject[string]): IDataObject[string] {
	if (typeof value !== 'object' || value === null) return value ?? null;
	return ownIri(value) ?? ownId(value) ?? (value as IDataObject)['@id'] ?? null;
}
