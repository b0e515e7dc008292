import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { UnusableParameter } from '../common/errors';
import { asNodeError } from '../common/nodeErrors';
import { asRecord } from '../runtime/output';
import { locatedIn } from '../common/references';
import { systemClock } from '../transport/clock';
import { Connection } from '../transport/connection';
import { idOf } from '../common/iri';
import { MAX_PAGE_SIZE, pageOf } from '../transport/paging';
import { ServiceError } from '../transport/serviceErrors';
import { RateLimited } from '../transport/requestErrors';
import { remembered } from './memory';

/** Somebody sits before the screen: better a clear message than a list that never opens. */
const PATIENCE_MS = 5_000;
/** How long a lookup may take in all, a retry included. */
const LONGEST_LOOKUP_MS = 8_000;
const MAX_RETRIES = 1;

/** Opening several lists, or the same one again, costs what opening one does. */
const KEEP_PAGE_MS = 60_000;
/** What is read one by one is kept longer, since it costs more. */
const KEEP_RECORD_MS = 10 * 60_000;
/** The interface does not show these endpoints: whether they answer is asked once in a while. */
const KEEP_UNDOCUMENTED_MS = 60 * 60_000;

const queueKey = {};

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
export async function readLookupPage(
	context: ILoadOptionsFunctions,
	path: string,
	query: Array<[string, string]> = [],
	page = '1',
): Promise<LookupPage> {
	return await withNodeErrors(context, async () => {
		const connection = await openForLookup(context);
		const name = JSON.stringify([connection.identity, path, query, page]);
		return await remembered(
			name,
			KEEP_PAGE_MS,
			async () => await requestLookupPage(connection, path, query, page),
		);
	});
}

/**
 * Reads one record for a list in the editor.
 *
 * @throws NodeApiError that says what to do, in a few seconds at most
 */
export async function readLookupRecord(
	context: ILoadOptionsFunctions,
	path: string,
): Promise<IDataObject> {
	return await withNodeErrors(context, async () => {
		const connection = await openForLookup(context);
		return await remembered(
			JSON.stringify([connection.identity, path]),
			KEEP_RECORD_MS,
			async () => {
				const { body } = await connection.request({ method: 'GET', path }, { noun: 'record' });
				return asRecord(body);
			},
		);
	});
}

/**
 * Reads a collection that the interface does not show; empty where the service refuses it (403, 404
 * and 405 are normal).
 *
 * @throws NodeApiError where nothing can be asked at all
 */
export async function readUndocumented(
	context: ILoadOptionsFunctions,
	path: string,
): Promise<IDataObject[]> {
	return await withNodeErrors(context, async () => {
		const connection = await openForLookup(context);
		return await remembered(
			JSON.stringify([connection.identity, path, 'undocumented']),
			KEEP_UNDOCUMENTED_MS,
			async () => await recordsOrNothing(connection, path),
		);
	});
}

async function recordsOrNothing(connection: Connection, path: string): Promise<IDataObject[]> {
	return await requestLookupPage(connection, path, [], '1').then(
		({ records }) => records,
		async (error: unknown) => (isNoSuchEndpoint(error) ? [] : await Promise.reject(error)),
	);
}

/**
 * A 401 means that the key is wrong, for every endpoint; any other refusal, that there is no such
 * endpoint.
 */
function isNoSuchEndpoint(error: unknown): boolean {
	return error instanceof ServiceError && error.status !== undefined && error.status !== 401;
}

async function openForLookup(context: ILoadOptionsFunctions): Promise<Connection> {
	return await Connection.open(context, {
		queueKey,
		item: 0,
		urgent: true,
		waitLimits: { slotMs: PATIENCE_MS, throttledMs: PATIENCE_MS },
		connection: {},
		maxRetries: MAX_RETRIES,
		endsAt: systemClock.now() + LONGEST_LOOKUP_MS,
	});
}

async function requestLookupPage(
	connection: Connection,
	path: string,
	query: Array<[string, string]>,
	page: string,
): Promise<LookupPage> {
	const paging: Array<[string, string]> = [['itemsPerPage', String(MAX_PAGE_SIZE)]];
	if (page !== '1') paging.push(['page', page]);
	const request = { method: 'GET' as const, path, query: [...query, ...paging] };
	const subject = { noun: 'list' };
	const response = await connection.request(request, subject);
	const answered = pageOf(response.body);
	if (!answered) throw connection.unreadable(response, request, subject);
	const { members, hasNext } = answered;
	const goesOn = members.length > 0 && (hasNext ?? members.length >= MAX_PAGE_SIZE);
	return {
		records: members.map(asRecord),
		...(goesOn ? { nextPage: String(Number(page) + 1) } : {}),
	};
}

async function withNodeErrors<T>(
	context: ILoadOptionsFunctions,
	read: () => Promise<T>,
): Promise<T> {
	try {
		return await read();
	} catch (error) {
		throw asNodeError(context.getNode(), forTheEditor(error), 0);
	}
}

function forTheEditor(error: unknown): unknown {
	if (!(error instanceof RateLimited)) return error;
	const seconds = Math.ceil(error.waitMs / 1000);
	return new UnusableParameter(
		`The requests of this minute are used up. Open this list again in ${seconds} seconds`,
		'A workflow or another program uses the budget of 20 requests a minute. You can also enter an ID',
	);
}

/**
 * The id of the task that is chosen in the node, for lists of what belongs to it.
 *
 * @throws NodeApiError that asks for a task where none is chosen
 */
export function chosenTask(context: ILoadOptionsFunctions): string {
	const id = idOf(locatedIn(context.getCurrentNodeParameter('taskId')), '/tasks');
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
