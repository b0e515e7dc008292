import type { Query } from '../http/request';
import { person } from '../schema/person';
import { ExplainedError, noneIf } from '../util/errors';
import type { NameTable } from '../http/names';
import { type Candidate, fits, type ResolvedByTitle, theOne } from './candidates';
import type { Client } from '../crm/client';
import { type Collection, SOURCES } from '../schema/collections';
import { noticeRecords } from '../crm/serviceForm';
import { meansTitle } from '../values/list';
import { lastSegment } from '../values/reference';
import { quoted } from '../values/text';
import { RunStopped } from '../util/failures';

/*
 * Finds a user or tag of the CRM by a name in the credential. A write may rely on the result.
 */

/** Maximum age in ms of a successful read of a person with a tag or owner. The node repeats an older read. */
const MOST_PERSON_AGE_MS = 10 * 60_000;

const NAMES_ADVICE = 'Names can be given in the credential, under Names of Users and Tags';

/**
 * Returns the user or tag with this name in the credential. Returns an error text if several have the name, and
 * undefined if none has it. Sends no requests. A line of the credential may have an ID without a path, such as `3f2a`.
 * This ID counts for users and for tags, until the service has shown it as a user or a tag.
 */
export function byGivenName(
	names: NameTable,
	text: string,
	collection: Collection,
): ResolvedByTitle | undefined {
	return (
		byPlacedName(names, text, collection) ??
		among(asCandidates(names.unplaced(collection)), text, collection)
	);
}

/** Finds a name as `byGivenName` does, but ignores an ID without a path that the service has not shown yet. */
export function byPlacedName(
	names: NameTable,
	text: string,
	collection: Collection,
): ResolvedByTitle | undefined {
	return among(namedIn(names, collection), text, collection);
}

function among(
	named: readonly Candidate[],
	text: string,
	collection: Collection,
): ResolvedByTitle | undefined {
	return named.some(fits(text)) ? theOne(text, [named], SOURCES[collection]) : undefined;
}

export function namedIn(names: NameTable, collection: Collection): Candidate[] {
	return asCandidates(names.entries(collection));
}

function asCandidates(named: ReturnType<NameTable['entries']>): Candidate[] {
	return named.map(({ iri, name }) => ({ iri, title: name }));
}

/**
 * Finds a user or tag by the names in the credential alone, because the service has no list of them. The credential may
 * give an ID without a path, such as `3f2a`, that the service has not shown yet. The node then first reads a person
 * with this owner or tag. The answer shows whether the ID belongs to a user or a tag.
 */
export async function byNameAlone(
	client: Client,
	text: string,
	collection: Collection,
): Promise<ResolvedByTitle> {
	const { names } = client;
	const { noun } = SOURCES[collection];
	const isMeant = meansTitle(text);
	const unplaced = () => names.unplaced(collection).filter(({ name }) => isMeant(name));
	const named = byPlacedName(names, text, collection);
	if (named) return named;
	for (const { iri } of unplaced()) await learnFromPersonWith(client, iri, collection);
	const placed = byPlacedName(names, text, collection);
	if (placed) return placed;
	const [unseen] = unplaced();
	if (unseen) {
		const { iri, name } = unseen;
		return {
			expected: `the CRM has shown no ${noun} with the ID of ${quoted(name)} in the credential. If it is a ${noun}, write ${iri} = ${name} there, under Names of Users and Tags`,
			code: 'not-found',
		};
	}
	const none = theOne(text, [namedIn(names, collection)], SOURCES[collection]);
	return 'value' in none ? none : { ...none, expected: `${none.expected}. ${NAMES_ADVICE}` };
}

/** Query parameters that filter people by a tag or an owner. */
const FILTERS: Partial<Record<Collection, string>> = { '/tags': 'tags.id', '/users': 'owner.id' };

/**
 * Reads one person with a tag or an owner. If there is such a person, the node then knows that the CRM has this tag or
 * user. A failed read is no error.
 */
async function learnFromPersonWith(
	client: Client,
	iri: string,
	collection: Collection,
): Promise<void> {
	const filter = FILTERS[collection];
	if (filter === undefined) return;
	const query: Query = [
		[filter, lastSegment(iri)],
		['itemsPerPage', '1'],
	];
	const read = async () => {
		const { collection: path } = person;
		const { members } = await client.page({ path, query });
		noticeRecords(client.tenant, members, person);
		return {};
	};
	const { titleReads } = client.tenant;
	await titleReads
		.get(`person with ${iri}`, { maxAgeMs: MOST_PERSON_AGE_MS, read })
		.catch(noneIf((error) => error instanceof ExplainedError && !(error instanceof RunStopped)));
}
