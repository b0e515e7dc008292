import type { IDataObject } from 'n8n-workflow';
import { referenceIn } from '../common/records';
import { COLUMNS, directoryOf } from '../directory/directory';
import { readWhole } from '../directory/readWhole';
import { taskRecord } from '../resources/task/output';
import type { TitleOf } from '../runtime/specification';
import type { PollRequests } from './requests';

/** The titles of a credential as they are known now. */
export function titlesOf(identity: string): TitleOf {
	const directory = directoryOf(identity);
	return (reference, collection) => directory.titleOf(reference, collection);
}

/**
 * Reads the titles of columns and workspaces once an hour, or sooner where one is not known, within
 * what the poll may send. Where they cannot be had, items show none.
 *
 * @param wanted IRIs of the columns that items will show
 * @param now ms of the clock's `now`
 */
export async function readTitles(
	requests: Pick<PollRequests, 'identity' | 'limit' | 'records' | 'sent'>,
	wanted: readonly string[],
	now: number,
): Promise<void> {
	if (requests.sent >= requests.limit) return;
	const titleOf = titlesOf(requests.identity);
	await readWhole(directoryOf(requests.identity), '/workspaces', {
		isComplete: wanted.every((iri) => titleOf(iri, COLUMNS) !== undefined),
		isWanted: wanted.length > 0,
		now,
		readPage: async (query) => await requests.records('/workspaces', query),
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
