import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { asNodeError, UnusableParameter } from '../operation/nodeErrors';
import { asRecord } from '../operation/output';
import { Connection } from '../transport/connection';
import { idOf } from '../transport/iri';
import type { Page } from '../transport/paging';
import { MAX_PAGE_SIZE, pageOf } from '../transport/paging';

/** Somebody sits before the screen: better a clear message than a list that never opens. */
const PATIENCE_MS = 5_000;
const TIMEOUT_MS = 10_000;

const lane = {};

/** One page of records, and whether another follows. */
export interface LookupPage {
	records: IDataObject[];
	nextPage?: string;
}

/**
 * Reads one page of a collection for a list in the editor, before all other requests.
 *
 * @param page number of the page as the editor hands it back, or undefined for the first
 * @throws NodeApiError that says what to do, in a few seconds at most
 */
export async function readPage(
	context: ILoadOptionsFunctions,
	path: string,
	query: Array<[string, string]> = [],
	page = '1',
): Promise<LookupPage> {
	try {
		const connection = await Connection.open(context, {
			lane,
			item: 0,
			urgent: true,
			patience: { limitMs: PATIENCE_MS, refusalMs: PATIENCE_MS },
			connection: { timeout: TIMEOUT_MS },
		});
		const paging: Array<[string, string]> = [['itemsPerPage', String(MAX_PAGE_SIZE)]];
		if (page !== '1') paging.push(['page', page]);
		const response = await connection.request(
			{ method: 'GET', path, query: [...query, ...paging] },
			{ noun: 'list' },
		);
		const read: Page = pageOf(response.body) ?? { members: [] };
		const hasNext = read.hasNext ?? read.members.length >= MAX_PAGE_SIZE;
		return {
			records: read.members.map(asRecord),
			...(hasNext && read.members.length > 0 ? { nextPage: String(Number(page) + 1) } : {}),
		};
	} catch (error) {
		throw asNodeError(context.getNode(), error, 0);
	}
}

/**
 * The id of the task that is chosen in the node, for lists of what belongs to it.
 *
 * @throws NodeApiError that asks for a task where none is chosen
 */
export function chosenTask(context: ILoadOptionsFunctions): string {
	const value: unknown = context.getCurrentNodeParameter('taskId', { extractValue: true });
	const id = idOf(value, '/tasks');
	if ('value' in id) return id.value;
	throw asNodeError(
		context.getNode(),
		new UnusableParameter(
			'No task is chosen yet',
			'Choose a task first, then open this list again',
		),
		0,
	);
}
