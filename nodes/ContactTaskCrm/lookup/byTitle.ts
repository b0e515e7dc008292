import { partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { isNoSuchList } from '../util/failures';
import { noneIf } from '../util/errors';
import {
	byNameAlone,
	byPlacedName,
	type Candidate,
	fits,
	namedIn,
	type ResolvedByTitle,
	theOne,
} from './byName';
import type { Client } from '../crm/client';
import { type Collection, COLUMNS, SOURCES, titleIn } from '../schema/record';
import { columnIri } from '../crm/directory';
import { readWholeList } from '../crm/wholeLists';
import { isObject, listOf } from '../values/json';
import { comparableTitle } from '../values/list';
import { comparableId, holderOf, iriOf, isSameReference, valueOf } from '../values/reference';
import { isBlank } from '../values/text';
import { DEFAULT_LIMIT } from '../schema/limits';

/*
 * Finds records by title. A write may depend on the result, and an old list may lack a new record. So `TitleAge`
 * limits the age of the list.
 */

/** Maximum number of requests for single workspaces and columns in one lookup: the default rate limit per minute. */
const MOST_RECORDS_FOR_TITLE = DEFAULT_LIMIT;

/** A title that the node looks up. */
interface Sought {
	text: string;
	collection: Collection;
	/** The lookup may use a cached list only if the node read it at this time or later. By the clock's `now`. */
	oldestRead: number;
	/** IRIs of workspaces. Their columns go before other columns with the same title. Only for a column. */
	within: readonly string[];
}

/**
 * Returns the IRI of the only record with a title. Returns an error text if no record or several records have the
 * title. Ignores case. Finds a column by "Workspace / Column", or by its own title if no other column has the title.
 *
 * @throws RunStopped when the run was stopped
 */
export async function byTitle(client: Client, sought: Sought): Promise<ResolvedByTitle> {
	const { collection, text } = sought;
	const source = SOURCES[collection];
	const records = await readWholeList(client, source, maxAgeFor(sought));
	if ('expected' in records) return byPlacedName(client.names, text, collection) ?? records;
	const { list } = records;
	if (!list) return await byNameAlone(client, text, collection);
	if (collection === COLUMNS) return await byColumnTitle(client, list, sought);
	const candidates = list.flatMap((record): Candidate[] => {
		const iri = valueOf(iriOf(record, collection));
		const title = titleIn(record, collection);
		return iri === undefined ? [] : [{ iri, title, isArchived: !isBlank(record.archivedAt) }];
	});
	const ids = new Set(candidates.map(({ iri }) => comparableId(iri)));
	const named = namedIn(client.names, collection).filter(({ iri }) => ids.has(comparableId(iri)));
	return theOne(text, [candidates, named], source);
}

function maxAgeFor({ oldestRead }: Sought): number {
	return systemClock.now() - oldestRead;
}

/** Looks up a column by title. If the list of workspaces shows no titles of columns, sends further requests. */
async function byColumnTitle(
	client: Client,
	workspaces: readonly IDataObject[],
	sought: Sought,
): Promise<ResolvedByTitle> {
	const wanted = comparableTitle(sought.text);
	const isNamed = (workspace: IDataObject) =>
		wanted.startsWith(`${comparableTitle(titleIn(workspace, '/workspaces'))}/`);
	const [named, others] = partition(workspaces, isNamed);
	const reader = new OneByOne(client, sought);
	const candidates: Candidate[] = [];
	for (const workspace of named.length > 0 ? named : others) {
		for (const column of await reader.readColumns(workspace)) {
			const iri = columnIri(column, workspace);
			if (iri === undefined) continue;
			const title = titleIn(column, COLUMNS) || (await reader.readTitle(iri));
			candidates.push(columnCandidate(iri, title, workspace));
		}
	}
	// A column of another workspace may itself have the title "EU / Won". If the list of workspaces shows this column,
	// the search finds it without a request.
	const elsewhere = named.length > 0 ? others.flatMap(shownColumns).filter(fits(sought.text)) : [];
	if (reader.hasGivenUp) {
		return {
			expected:
				'the service shows titles of columns one by one, and there are too many: give "Workspace / Column"',
			code: 'unsupported',
		};
	}
	if ([...candidates, ...elsewhere].every(({ title }) => title === '')) {
		return {
			expected:
				'the service shows no titles of columns: give its whole ID, such as /workspaces/5c1f/columns/12ab',
			code: 'unsupported',
		};
	}
	const isWithin = ({ iri }: Candidate) =>
		sought.within.some((workspace) => isSameReference(workspace, holderOf(iri), '/workspaces'));
	const groups = [candidates.filter(isWithin), candidates, elsewhere];
	return theOne(sought.text, groups, SOURCES[COLUMNS]);
}

function columnCandidate(iri: string, title: string, workspace: IDataObject): Candidate {
	const whole = `${titleIn(workspace, '/workspaces')} / ${title}`;
	return { iri, title, whole, isArchived: !isBlank(workspace.archivedAt) };
}

/** Returns those columns of a workspace that the list of workspaces shows with a title. */
function shownColumns(workspace: IDataObject): Candidate[] {
	return (listOf(workspace.columns) ?? []).flatMap((column) => {
		const iri = columnIri(column, workspace);
		const title = titleIn(column, COLUMNS);
		return iri === undefined || title === '' ? [] : [columnCandidate(iri, title, workspace)];
	});
}

/** Reads single workspaces and columns, if the list of workspaces shows no titles of columns. */
class OneByOne {
	hasGivenUp = false;

	private requests = 0;

	/**
	 * Whether the service has answered a request for a single column. If so, a later refusal concerns one column, and not
	 * all.
	 */
	private hasShown = false;

	constructor(
		private readonly client: Client,
		private readonly sought: Sought,
	) {}

	async readColumns(workspace: IDataObject): Promise<unknown[]> {
		const listed = listOf(workspace.columns);
		const iri = valueOf(iriOf(workspace, '/workspaces'));
		if (listed || iri === undefined) return listed ?? [];
		return listOf((await this.readAlone(iri))?.columns) ?? [];
	}

	/** Returns the title of a column; empty if the service does not show it. */
	async readTitle(iri: string): Promise<string> {
		const { description } = this.client.tenant;
		if (description.isMissing(COLUMNS)) return '';
		const column = await this.readAlone(iri);
		if (!column && !this.hasShown) description.noteMissing(COLUMNS);
		this.hasShown ||= column !== undefined;
		this.client.tenant.directory.notice([column], COLUMNS);
		return titleIn(column, COLUMNS);
	}

	private async readAlone(path: string): Promise<IDataObject | undefined> {
		const { titleReads } = this.client.tenant;
		const maxAgeMs = maxAgeFor(this.sought);
		this.hasGivenUp ||=
			this.requests === MOST_RECORDS_FOR_TITLE && !titleReads.isFresh(path, maxAgeMs);
		if (this.hasGivenUp) return undefined;
		const read = async () => {
			this.requests++;
			const request = { method: 'GET' as const, path, subject: { noun: 'column' } };
			const { body } = await this.client.request(request);
			return isObject(body) ? (body as IDataObject) : undefined;
		};
		return await titleReads.get(path, { maxAgeMs, read }).catch(noneIf(isNoSuchList));
	}
}
