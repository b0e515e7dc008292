import type { IDataObject } from 'n8n-workflow';
import { taskRecord } from '../resources/task/output';
import type { TitleOf } from '../run/specification';
import { COLUMNS } from '../tenant/directory';
import type { Tenant } from '../tenant/tenant';
import { readTitledList } from '../tenant/titles';
import { referenceIn } from '../util/records';
import type { PollRequests } from './requests';

/** The titles of a tenant as they are known now. */
export function titlesOf({ directory }: Tenant): TitleOf {
	return (reference, collection) => directory.titleOf(reference, collection);
}

/**
 * Reads the titles of columns and workspaces once an hour, or sooner where one is not known, within
 * what the poll may send. Where they cannot be had, items show none.
 *
 * @param wanted IRIs of the columns that items will show
 * @param spared requests of the poll that are left for the list
 */
export async function readTitles(
	requests: PollRequests,
	wanted: readonly string[],
	spared = 0,
): Promise<void> {
	const { tenant } = requests;
	const mayRead = () => requests.sent < requests.limit - spared;
	if (!mayRead()) return;
	const titleOf = titlesOf(tenant);
	await readTitledList(tenant, '/workspaces', {
		isComplete: wanted.every((iri) => titleOf(iri, COLUMNS) !== undefined),
		readPage: async (query) =>
			mayRead() ? await requests.records('/workspaces', query) : undefined,
	});
}

/** The columns that a task stands in and stood in before, of which the titles are to be shown. */
export function columnsNamedIn(task: IDataObject, before: IDataObject): string[] {
	return [task.status, before.previousStatus]
		.map(referenceIn)
		.filter((iri): iri is string => typeof iri === 'string');
}

/** The titles of the column and the workspace that a task stands in; null where they are not known. */
export function titlesFor(task: IDataObject, titleOf: TitleOf): IDataObject {
	const { statusTitle, workspaceTitle } = taskRecord.simplify(task, titleOf);
	return { statusTitle, workspaceTitle };
}
