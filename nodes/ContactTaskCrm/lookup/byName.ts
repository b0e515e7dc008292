import type { Query } from '../http/request';
import { person } from '../schema/person';
import { ExplainedError, noneIf } from '../util/errors';
import type { NameTable } from '../http/names';
import type { Client } from '../crm/client';
import { type Collection, SOURCES, type TitleSource } from '../schema/record';
import { noticeRecords } from '../crm/serviceForm';
import { meansTitle } from '../values/list';
import { lastSegment } from '../values/reference';
import { quoted } from '../values/text';
import { RunStopped } from '../util/failures';
import type { ErrorCode } from '../util/codes';
import { cutList } from '../values/json';

/*
 * Finds a user or tag of the CRM by a name in the credential. A write may rely on the result.
 */

/**
 * Time in ms until the node again reads a person with a certain tag or owner. Such a read shows whether the CRM has
 * this tag or user.
 */
const MOST_PERSON_AGE_MS = 10 * 60_000;

const NAMES_ADVICE = 'Names can be given in the credential, under Names of Users and Tags';

/**
 * Returns the IRI of the user or tag that has this name in the credential. Returns an error text if several have the
 * name, and undefined if none has it. Sends no requests. A line of the credential may have an ID without a path, such
 * as `3f2a`. This ID counts for users and for tags, until the service has shown it as a user or a tag.
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
 * Finds a user or tag by the names in the credential alone, because the service has no list of users or tags. The
 * credential may give an ID without a path, such as `3f2a`, that the service has not shown yet. The node then first
 * reads a person with this owner or tag. The answer shows whether the ID belongs to a user or a tag.
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

/*
 * Compares the titles of candidates with a given title, and chooses the record that has this title.
 */

/**
 * Maximum number of titles in an error message. The model of an AI agent chooses from these titles, because it sees no
 * list of the editor.
 */
const MOST_LISTED = 30;

/**
 * Result of a search by title: the IRI of the record. If no record or several have the title, the end of an error
 * message, and the code of the error.
 */
export type ResolvedByTitle = { value: string } | { expected: string; code: ErrorCode };

/** A record with a title to compare with the given one. */
export interface Candidate {
	iri: string;
	title: string;
	/** Title of a column with its workspace: "Workspace / Column". Absent for other records. */
	whole?: string;
	/** Whether the record is archived. A column counts as archived if its workspace is. */
	isArchived?: boolean;
}

/**
 * Returns the only candidate with a title. Otherwise, returns an error text. Searches the groups in order, and stops at
 * the first group with a match. Archived candidates count only if all matches are archived.
 */
export function theOne(
	text: string,
	groups: ReadonlyArray<readonly Candidate[]>,
	{ noun, knownBy }: TitleSource,
): ResolvedByTitle {
	const fitting = groups.map((group) => group.filter(fits(text)));
	const matches = withoutArchived(fitting.find(({ length }) => length > 0) ?? []);
	const [match] = matches;
	if (match && matches.length === 1) return { value: match.iri };
	if (matches.length > 1) {
		const listed = cutList(
			matches.map(({ title, whole = title, iri }) => `${whole} (${iri})`),
			MOST_LISTED,
		);
		return {
			expected: `${quoted(text)} is the ${knownBy} of ${matches.length} ${noun}s: ${listed}`,
			code: 'several-match',
		};
	}
	const titled = withoutArchived(groups.flat()).filter(({ title }) => title !== '');
	const known = [...new Set(titled.map(({ title, whole = title }) => whole))];
	known.sort((one, other) => one.localeCompare(other, 'en'));
	const there =
		known.length > 0
			? `; there are ${cutList(known, MOST_LISTED)}`
			: `, as far as the service shows ${knownBy}s of ${noun}s`;
	return {
		expected: `no ${noun} has the ${knownBy} ${quoted(text)}${there}`,
		code: 'not-found',
	};
}

/** Returns a function that tells whether a candidate has `text` as its title or its ID. */
export function fits(text: string): (candidate: Candidate) => boolean {
	const isMeant = meansTitle(text);
	return ({ iri, title, whole = title }) =>
		[title, whole, lastSegment(iri)].some((name) => name !== '' && isMeant(name));
}

/** Removes archived candidates, unless all of them are archived. */
function withoutArchived(candidates: readonly Candidate[]): readonly Candidate[] {
	const left = candidates.filter(({ isArchived }) => !isArchived);
	return left.length > 0 ? left : candidates;
}
