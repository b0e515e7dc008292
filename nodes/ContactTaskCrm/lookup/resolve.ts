import { iriOf, isBareId, isCutIri, isUuid, NO_CHOICE, type Resolved } from '../values/reference';
import type { NameTable } from '../http/names';
import { cleanText, quoted } from '../values/text';
import type { Client } from '../crm/client';
import { COLUMNS, SOURCES, titledCollection } from '../schema/record';
import type { ServiceDescription } from '../crm/description';
import { learnIds } from '../crm/serviceForm';
import { systemClock } from '../util/clock';
import { MINUTE_MS } from '../values/time';
import { byTitle } from './byTitle';
import type { ResolvedByTitle } from './byName';

/*
 * Finds the record that a user's reference means. If a collection has titles, the node first looks for a title. A text
 * such as B2B or 2026 may be a title, and not an ID. The node refuses a text that is no title and does not have the
 * form of an ID. For such a text, the service would use another record, or none.
 */

/**
 * What a user's text means, as far as the node knows without a request: an ID or IRI (`reference`), a title, or
 * unclear. An unclear text may be an ID, a title, or neither.
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
 * @param options.oldestRead the function may use a cached list of titles only if the node read it at this time or
 *   later. By the clock's `now`
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

/** When a write leaves, the list of titles that it used may be at most this old, in ms. */
const OLDEST_TITLE_MS = 10 * MINUTE_MS;
/**
 * When an item looks titles up again, the list of titles may be at most this old, in ms. Items that follow each other
 * can then share one read of the list.
 */
const SHARED_MS = 5 * MINUTE_MS;
/** When the run begins, a list of titles may be at most this old, in ms. */
const AT_START_MS = MINUTE_MS;
/**
 * Maximum number of times that an item looks titles up again. After that, the item writes with old titles, so that
 * every item ends.
 */
const MOST_REPEATS = 2;

/** Limits the age of the lists of titles that an item uses. Somebody may rename a record while the item waits. */
export class TitleAge {
	private lookedUp = false;

	private repeats = 0;

	/** The item may use only lists that the node read at this time or later. By the clock's `now`. */
	private oldestRead: number;

	/** @param runBegan start of the run, by the clock's `now` */
	constructor(runBegan: number) {
		this.oldestRead = runBegan - AT_START_MS;
	}

	/** Notes that the item looks a title up. Returns `oldestRead`: the item may use a list read then or later. */
	noteLookup(): number {
		this.lookedUp = true;
		return this.oldestRead;
	}

	/**
	 * Latest time, by the clock's `now`, at which the item's write may leave. Infinity if the write uses no title, or
	 * after `MOST_REPEATS` repeats.
	 */
	get validUntil(): number {
		const isBound = this.lookedUp && this.repeats < MOST_REPEATS;
		return isBound ? this.oldestRead + OLDEST_TITLE_MS : Infinity;
	}

	/** Begins a repeat: the item looks its titles up again, in lists that are at most `SHARED_MS` old. */
	expire(): void {
		this.repeats++;
		this.lookedUp = false;
		this.oldestRead = systemClock.now() - SHARED_MS;
	}
}
