import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { Cancelled, isNoSuchList } from '../http/errors';
import type { RecordContract } from '../schema/record';
import { ExplainedError } from '../util/errors';
import type { Resolved } from '../util/iri';
import { comparableId, iriOf, lastSegment, valueOf } from '../util/iri';
import { comparableTitle, isBlank, isObject, listOf, quoted } from '../util/values';
import type { Client } from './client';
import type { Collection, TitleSource } from './directory';
import { COLUMNS, columnIri, sourceOf, titleIn } from './directory';
import type { NameTable } from '../util/credential';
import { readList } from './readList';
import { isAbsent, noteAbsent, noteWholeRead, readNamesSeen } from './titles';

/*
 * A title decides what is written, so it is looked up in lists that were read completely, no longer than a
 * minute before the run began: half a list may lack the second record of a title, an old one the first.
 */

/** How long before a run a list may have been read that decides for it, in ms. */
const FRESH_MS = 60_000;

/** Titles that a message lists at most: who does not see the list, such as a model, chooses from these. */
const MOST_LISTED = 30;

/** Workspaces and columns that are read one by one for a title: a minute's requests. */
const MOST_READ_ALONE = 20;

/** A title to be looked up. */
interface Sought {
	text: string;
	collection: Collection;
	/** When the run began that it is for, in ms of the clock's `now`. */
	runBegan: number;
	/** Whether something is written by it. */
	isForWrite: boolean;
}

/** A record that a title may stand for. */
interface Candidate {
	iri: string;
	title: string;
	/** "Workspace / Column" of a column, else the title. */
	whole: string;
	/** Whether it is archived, or stands in what is. */
	isArchived: boolean;
}

/**
 * The IRI of the one record of a title, of upper or lower case; of a column "Workspace / Column", or its
 * own title where it is the only one.
 *
 * @throws Cancelled when the run was stopped
 */
export async function byTitle(client: Client, sought: Sought): Promise<Resolved> {
	const { collection, text } = sought;
	const source = sourceOf(collection);
	const records = await wholeList(client, source, sought);
	const given = byGivenName(client.names, text, collection);
	if ('expected' in records) return given ?? records;
	const { list } = records;
	if (!list) return given ?? (await bySeenName(client, sought));
	if (collection === COLUMNS) return await byColumnTitle(client, list, sought);
	const candidates = list.flatMap((record) => candidateOf(record, collection));
	const ids = new Set(candidates.map(({ iri }) => comparableId(iri)));
	const isListed = ({ iri }: Candidate) => ids.has(comparableId(iri));
	const named = namedIn(client.names, collection).filter(isListed);
	return theOne(text, [candidates, named], source);
}

/**
 * The record that has a name in the credential, or what was expected; undefined where none has. The credential
 * counts as complete and fresh for the names that it holds: something may be written by one.
 */
export function byGivenName(
	names: NameTable,
	text: string,
	collection: Collection,
): Resolved | undefined {
	const named = namedIn(names, collection);
	return named.some(fits(text)) ? theOne(text, [named], sourceOf(collection)) : undefined;
}

function namedIn(names: NameTable, collection: Collection): Candidate[] {
	return names
		.entries(collection)
		.map(({ iri, name }) => ({ iri, title: name, whole: name, isArchived: false }));
}

/** A list that was read completely; `list` is absent where the service has none. */
type WholeList = { list?: readonly IDataObject[] } | { expected: string };

async function wholeList(
	client: Client,
	{ list: path, plural, isShown }: TitleSource,
	{ runBegan }: Sought,
): Promise<WholeList> {
	const { titleReads, directory } = client.tenant;
	const name = `whole ${path}`;
	let page = 1;
	const read = async (): Promise<{ list?: readonly IDataObject[] }> => {
		try {
			const contract = contractOf(path, plural);
			const check = () => void page++;
			const { records } = await readList(client, { path, limit: Infinity, contract, check });
			const list = records.filter(isObject) as IDataObject[];
			directory.keepWhole(path, list);
			noteWholeRead(client.tenant, path);
			return { list };
		} catch (error) {
			if (isShown || page > 1 || !isNoSuchList(error)) return await Promise.reject(error);
			noteAbsent(client.tenant, path);
			return {};
		}
	};
	if (isAbsent(client.tenant, path)) return {};
	const maxAgeMs = systemClock.now() - runBegan + FRESH_MS;
	try {
		return await titleReads.get(name, { maxAgeMs, isStrict: true, read });
	} catch (error) {
		if (!(error instanceof ExplainedError) || error instanceof Cancelled)
			return await Promise.reject(error);
		return { expected: `page ${page} of the ${plural} could not be read: ${error.text}` };
	}
}

function contractOf(collection: string, plural: string): RecordContract {
	return { noun: 'record', plural, collection, locator: '', fields: {}, filters: {}, orders: {} };
}

function candidateOf(record: IDataObject, collection: Collection): Candidate[] {
	const iri = valueOf(iriOf(record, collection));
	const title = titleIn(record, collection);
	return iri === undefined
		? []
		: [{ iri, title, whole: title, isArchived: !isBlank(record.archivedAt) }];
}

/**
 * The one candidate of a title: of several, the one that is not archived. The first of the groups in which any
 * has it decides.
 *
 * @param source what messages call a candidate, and what it is known by
 */
function theOne(
	text: string,
	groups: ReadonlyArray<readonly Candidate[]>,
	{ noun, knownBy }: TitleSource,
): Resolved {
	const matches = current(groups.map((group) => group.filter(fits(text))).find(isFilled) ?? []);
	if (matches.length === 1) return { value: matches[0].iri };
	if (matches.length > 1) {
		const listed = shortList(matches.map(({ whole, iri }) => `${whole} (${iri})`));
		return {
			expected: `${quoted(text)} is the ${knownBy} of ${matches.length} ${noun}s: ${listed}`,
		};
	}
	const titled = current(groups.flat()).filter(({ title }) => title !== '');
	const known = [...new Set(titled.map(({ whole }) => whole))];
	known.sort((one, other) => one.localeCompare(other, 'en'));
	const there =
		known.length > 0
			? `; there are ${shortList(known)}`
			: `, as far as the service shows ${knownBy}s of ${noun}s`;
	return { expected: `no ${noun} has the ${knownBy} ${quoted(text)}${there}` };
}

function fits(text: string): (candidate: Candidate) => boolean {
	const wanted = comparableTitle(text);
	return ({ iri, title, whole }) =>
		[title, whole, lastSegment(iri)].some(
			(name) => name !== '' && comparableTitle(name) === wanted,
		);
}

function isFilled(list: readonly unknown[]): boolean {
	return list.length > 0;
}

/** Without what is archived, where anything else is left. */
function current(candidates: readonly Candidate[]): readonly Candidate[] {
	const left = candidates.filter(({ isArchived }) => !isArchived);
	return left.length > 0 ? left : candidates;
}

function shortList(texts: readonly string[]): string {
	const more = texts.length - MOST_LISTED;
	return texts.slice(0, MOST_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Where people can say themselves who is who. */
const NAMES_ADVICE = 'Names can be given in the credential, under Names of Users and Tags';

/**
 * A user or tag by a name that other records show, where the service has no list of them: good enough to
 * look for something, but nobody can tell whether another one has the name as well.
 */
async function bySeenName(
	client: Client,
	{ text, collection, isForWrite }: Sought,
): Promise<Resolved> {
	const source = sourceOf(collection);
	await readNamesSeen(source, client);
	const seen = client.tenant.directory
		.entries(collection)
		.map(({ iri, title }) => ({ iri, title, whole: title, isArchived: false }));
	const found = theOne(text, [seen, namedIn(client.names, collection)], source);
	if ('expected' in found) return { expected: `${found.expected}. ${NAMES_ADVICE}` };
	if (!isForWrite) return found;
	return {
		expected: `"${text}" is seen as the name of ${found.value}, and the service has no list of ${source.plural} that shows whether it is the only one: give that, if it is meant. ${NAMES_ADVICE}`,
	};
}

/** The columns of workspaces may come as objects, as IRIs alone, or with each workspace by itself. */
async function byColumnTitle(
	client: Client,
	workspaces: readonly IDataObject[],
	sought: Sought,
): Promise<Resolved> {
	const { text } = sought;
	const wanted = comparableTitle(text);
	const isNamed = (workspace: IDataObject) =>
		wanted.startsWith(`${comparableTitle(titleIn(workspace, '/workspaces'))}/`);
	const named = workspaces.filter(isNamed);
	const reader = new OneByOne(client, sought);
	const candidates: Candidate[] = [];
	for (const workspace of named.length > 0 ? named : workspaces) {
		const columns = listOf(workspace.columns) ?? (await reader.columnsOf(workspace));
		for (const column of columns) {
			const iri = columnIri(column, workspace);
			if (iri === undefined) continue;
			const title = titleIn(column, COLUMNS) || (await reader.titleOf(iri));
			const whole = `${titleIn(workspace, '/workspaces')} / ${title}`;
			candidates.push({ iri, title, whole, isArchived: !isBlank(workspace.archivedAt) });
		}
	}
	if (reader.hasGivenUp || candidates.every(({ title }) => title === '')) {
		return {
			expected: reader.hasGivenUp
				? 'the service shows titles of columns one by one, and there are too many: give "Workspace / Column"'
				: 'the service shows no titles of columns: give the IRI of the column',
		};
	}
	return theOne(text, [candidates], sourceOf(COLUMNS));
}

/** Reads workspaces and columns by their own IRIs, where lists do not show what they hold. */
class OneByOne {
	hasGivenUp = false;

	private requests = 0;

	/** Whether a column was seen to have no endpoint. */
	private isRefused = false;

	constructor(
		private readonly client: Client,
		private readonly sought: Sought,
	) {}

	async columnsOf(workspace: IDataObject): Promise<unknown[]> {
		const iri = valueOf(iriOf(workspace, '/workspaces'));
		const whole = iri === undefined ? undefined : await this.read(iri);
		return listOf(whole?.columns) ?? [];
	}

	/** Empty where it cannot be had. */
	async titleOf(iri: string): Promise<string> {
		if (this.isRefused) return '';
		const column = await this.read(iri);
		this.isRefused = column === undefined;
		this.client.tenant.directory.notice([column], COLUMNS);
		return titleIn(column, COLUMNS);
	}

	private async read(path: string): Promise<IDataObject | undefined> {
		const { client, sought } = this;
		const { titleReads } = client.tenant;
		const maxAgeMs = systemClock.now() - sought.runBegan + FRESH_MS;
		const isMore = this.requests === MOST_READ_ALONE && !titleReads.isFresh(path, maxAgeMs);
		this.hasGivenUp ||= isMore;
		if (this.hasGivenUp) return undefined;
		const read = async () => {
			this.requests++;
			const asked = { method: 'GET' as const, path, subject: { noun: 'column' } };
			const { body } = await client.request(asked);
			return isObject(body) ? body : undefined;
		};
		try {
			return (await titleReads.get(path, { maxAgeMs, read })) as IDataObject;
		} catch (error) {
			if (isNoSuchList(error)) return undefined;
			return await Promise.reject(error);
		}
	}
}
