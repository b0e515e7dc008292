/** What a reference comes to, or what was expected in its place. */
export type Resolved = { value: string } | { expected: string };

/** What an id may hold: characters that RFC 3986, section 3.3 allows in a path segment as they are. */
const ID = /^[A-Za-z0-9._~:@=+-]{1,200}$/;

function isId(text: string): boolean {
	return ID.test(text) && text !== '.' && text !== '..';
}

/**
 * The id of a record, from its id, its IRI, or the record itself. What would leave its path segment
 * is refused.
 *
 * @param collection path of the collection, such as `/people`; `{…}` stands for any one segment, as
 *   in `/workspaces/{workspaceId}/columns`
 */
export function idOf(reference: unknown, collection: string): Resolved {
	const text = textOf(reference);
	if (text !== undefined && isId(text)) return { value: text };
	const iri = iriOf(reference, collection);
	return 'value' in iri ? { value: lastSegment(iri.value) } : iri;
}

/** What stands behind the last slash of an IRI or URL: the id of the record. */
export function lastSegment(iri: string): string {
	return iri.slice(iri.lastIndexOf('/') + 1);
}

/**
 * The IRI of a record (a path such as `/people/1f0c`), from its id, its IRI, or the record itself.
 * An id alone cannot name a record below another one (`/workspaces/{workspaceId}/columns`).
 */
export function iriOf(reference: unknown, collection: string): Resolved {
	const text = textOf(reference);
	const isNested = collection.includes('{');
	if (text !== undefined && isId(text) && !isNested) return { value: `${collection}/${text}` };
	if (text !== undefined && isBelow(text, collection)) return { value: text };
	const iri = `${collection.replace(/\{\w+\}/g, '{id}')}/{id}`;
	return {
		expected: `expected ${isNested ? iri : `an ID, or ${iri}`}, got ${shown(reference, text)}`,
	};
}

/** A reference that is known to be one, since the service sent it; undefined where it cannot be read. */
export function valueOf(resolved: Resolved): string | undefined {
	return 'value' in resolved ? resolved.value : undefined;
}

function isBelow(text: string, collection: string): boolean {
	const stem = collection.split('/');
	const segments = text.split('/');
	return (
		segments.length === stem.length + 1 &&
		segments.every((segment, position) => {
			const expected = stem[position];
			return expected === undefined || expected.startsWith('{')
				? isId(segment)
				: segment === expected;
		})
	);
}

/** What a reference says in text: records are known by their IRI, or by their id. */
function textOf(reference: unknown): string | undefined {
	if (typeof reference === 'string') return reference.trim();
	if (typeof reference === 'number' && Number.isSafeInteger(reference)) return String(reference);
	if (typeof reference !== 'object' || reference === null || Array.isArray(reference)) {
		return undefined;
	}
	const { '@id': iri, id } = reference as { '@id'?: unknown; id?: unknown };
	if (typeof iri === 'string' && iri.startsWith('/')) return iri;
	return typeof id === 'string' || typeof id === 'number' ? textOf(id) : undefined;
}

function shown(reference: unknown, text: string | undefined): string {
	if (text === '' || reference === undefined || reference === null) return 'nothing';
	if (text !== undefined) return `"${text.slice(0, 100)}"`;
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
