import { iriOf, isBareId, isCutIri, isUuid, NO_CHOICE, type Resolved } from '../values/reference';
import type { NameTable } from '../http/names';
import { cleanText, quoted } from '../values/text';
import { byTitle } from './byTitle';
import type { ResolvedByTitle } from './candidates';
import type { Client } from '../crm/client';
import { COLUMNS, SOURCES, titledCollection } from '../schema/collections';
import type { ServiceDescription } from '../crm/description';
import { learnIds } from '../crm/serviceForm';

/*
 * Finds the record that a user's reference means. If a collection has titles, the node first looks for a title, because
 * B2B and 2026 may be titles. The node refuses a text that is no title and does not have the form of an ID. For such a
 * text, the service would use another record, or none.
 */

/**
 * Meaning of a reference, as far as the node knows without a request: an ID or IRI (`reference`), a title, or unclear.
 * An unclear text may be an ID, a title, or neither.
 */
export type Meaning = 'reference' | 'title' | 'unclear';

/**
 * Returns the `Meaning` of a reference. Sends no request.
 *
 * @param path path of the collection, such as `/tags`
 */
export function meaningOf(
	reference: unknown,
	path: string,
	{ description, names }: { description: ServiceDescription; names: NameTable },
): Meaning {
	const text = textOf(reference);
	if (text === undefined) return 'reference';
	const collection = titledCollection(path);
	const hasTitles = collection !== undefined;
	if (hasTitles && (isSurelyTitle(text, path) || names.holds(text, collection))) return 'title';
	if (!isBareId(text)) return 'reference';
	if (!description.mayBeId(text, path)) return hasTitles ? 'title' : 'unclear';
	if (isUuid(text)) return 'reference';
	if (hasTitles) return 'unclear';
	return description.hasLookedForIds(path) ? 'reference' : 'unclear';
}

/** Returns the text of an ID, IRI or title; undefined for any other reference. */
function textOf(reference: unknown): string | undefined {
	if (Number.isSafeInteger(reference)) return String(reference);
	return typeof reference === 'string' ? cleanText(reference) : undefined;
}

/**
 * Returns whether a text can only be a title, such as "A/B" or "100%". An IRI begins with a slash or "https:", or
 * stands in brackets behind a title. An ID has a digit, and only characters of a path segment. The ID of a column
 * counts as a title, because its IRI also needs the workspace.
 */
function isSurelyTitle(text: string, path: string): boolean {
	if (text === '' || text === NO_CHOICE || /^(\/|\.{1,2}(\/|$)|https?:)/i.test(text)) return false;
	if (text.endsWith(')') && 'value' in iriOf(text, path)) return false;
	if (path === COLUMNS) return true;
	if (isBareId(text)) return !/\d/.test(text);
	return !/[\n\r\t]/.test(text) && !isCutIri(text);
}

/**
 * Returns the IRI of the record with this title, or else with this ID. Returns an error text if no record fits, or if
 * several records have the title.
 *
 * @param meaning result of `meaningOf`: a title, or unclear
 * @param options.within IRIs of workspaces. If several columns have the title, a column of these workspaces goes first
 * @param options.oldestRead earliest allowed read of a cached list of titles, by the clock's `now`
 * @throws RunStopped when the run was stopped
 */
export async function resolve(
	client: Client,
	reference: unknown,
	path: string,
	{ meaning, ...how }: { meaning: Meaning; oldestRead: number; within: readonly string[] },
): Promise<Resolved | ResolvedByTitle> {
	const text = textOf(reference) ?? '';
	const collection = titledCollection(path);
	const found = collection && (await byTitle(client, { text, collection, ...how }));
	if (found && ('value' in found || found.code === 'several-match' || meaning === 'title'))
		return found;
	const { description } = client.tenant;
	// The node has to know the form of the collection's IDs. `byTitle` has read the list of titles, which also shows
	// IDs. If the service may lack this list, `learnIds` has to read another list.
	if (collection && !SOURCES[collection].isUndocumented) description.noteLookedForIds(path);
	if (!description.hasLookedForIds(path)) await learnIds(client, path);
	if (description.mayBeId(text, path)) return iriOf(text, path);
	const example = description.exampleOf(path) ?? '';
	const iri = `${path.replace(/\{\w+\}/g, '{id}')}/{id}`;
	return found ?? { expected: `expected an ID such as ${example}, or ${iri}, got ${quoted(text)}` };
}
