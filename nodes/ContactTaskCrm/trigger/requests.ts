import { isNotFound } from '../util/failures';
import type { ServedPage } from '../http/paging';
import { pageOf } from '../http/paging';
import type { ServiceResponse } from '../http/request';
import { headerTime } from '../http/retry';
import { hasTimes, inServiceTime, noticeRecords } from '../crm/serviceForm';
import { ExplainedError, rethrow } from '../util/errors';
import type { Anchor, QueryPair } from './lists';
import type { Spending } from './spending';
import type { Watch } from './watch';
import { asRecord } from '../values/json';
import { MAX_PAGE_SIZE } from '../schema/limits';

const FIRST_PAGE: readonly QueryPair[] = [['itemsPerPage', String(MAX_PAGE_SIZE)]];

/**
 * Reads one page of the watched list.
 *
 * @returns undefined if the poll may send nothing more
 * @throws ServiceError if the answer is no page
 */
export async function readPage(
	spending: Spending,
	watch: Watch,
	query: readonly QueryPair[],
): Promise<ServedPage | undefined> {
	const { path, subject, anchors, record } = watch;
	const { client } = spending;
	const { zone } = client.tenant.description;
	// A query with times needs the service's time zone. With a time in a wrong zone, the scan would skip people. If the
	// zone is unknown, the trigger first reads a page, whose times may show the zone.
	if (hasTimes(query) && !zone.isKnown) {
		if (!(await readPage(spending, watch, FIRST_PAGE))) return undefined;
		zone.isKnown = true;
	}
	const request = { method: 'GET' as const, path, query: inServiceTime(client, query), subject };
	const response = await spending.send(request).catch(async (error: unknown) => {
		// If the segment or task of the list was deleted, `assertAnchorsExist` throws an error that says so.
		if (isNotFound(error)) await assertAnchorsExist(spending, anchors);
		throw error;
	});
	if (!response) return undefined;
	const page = pageOf(response.body);
	if (!page) throw client.unreadable(response, request);
	noticeRecords(client.tenant, page.members, record);
	client.tenant.description.noteFields(path, page.members);
	return { ...page, servedAt: servedAt(response) };
}

/**
 * Reads one person.
 *
 * @param key encoded ID of the person
 * @returns a page with the person, empty if the service has no such person; undefined if the poll may send nothing more
 */
export async function personPage(spending: Spending, key: string): Promise<ServedPage | undefined> {
	const subject = { noun: 'person', id: decodeURIComponent(key) };
	const request = { method: 'GET' as const, path: `/people/${key}`, subject };
	try {
		const response = await spending.send(request);
		return response && { members: [response.body], servedAt: servedAt(response) };
	} catch (error) {
		if (!isNotFound(error)) return rethrow(error);
		return { members: [], servedAt: spending.answeredAt };
	}
}

/** Error for a deleted segment, task or workspace. Polls throw it only once a day, because the deletion lasts. */
export class AnchorDeleted extends ExplainedError {
	constructor(message: string, advice: string) {
		super(message, advice, { code: 'not-found' });
	}
}

/**
 * Checks that anchors (records that the trigger depends on) exist. Stops early if the poll may send nothing more.
 *
 * @returns whether the service showed all anchors; false if the poll may send nothing more
 * @throws AnchorDeleted if an anchor no longer exists. A first poll or a test throws ServiceError instead
 * @throws UnusableParameter if the workspace lacks the chosen column
 */
export async function assertAnchorsExist(
	spending: Spending,
	anchors: readonly Anchor[],
): Promise<boolean> {
	for (const { path, subject, assertSuits } of anchors) {
		const response = await spending
			.send({ method: 'GET', path, subject })
			.catch((error: unknown) => {
				if (!isNotFound(error) || !spending.hasBegun) return rethrow(error);
				const { noun, id = '' } = subject;
				throw new AnchorDeleted(
					`The ${noun} "${id}" no longer exists, or the key may no longer see it`,
					`Choose another ${noun} in the trigger, or unpublish the workflow. Its deletion does not start the workflow`,
				);
			});
		if (!response) return false;
		assertSuits?.(asRecord(response.body));
	}
	return true;
}

/**
 * Returns the time of an answer, from its header Date.
 *
 * @throws ExplainedError if the answer has no such header
 */
function servedAt({ headers: { date } }: ServiceResponse): number {
	const time = headerTime(date);
	if (time === undefined) throw missingDateError();
	return time;
}

/**
 * Returns the error for answers without the header Date. Without this header, nothing tells new records from old ones.
 */
export function missingDateError(): ExplainedError {
	return new ExplainedError(
		'No answer of the service has the header Date, so the trigger cannot tell new records from old ones',
		'Publish the workflow again when the service answers. A proxy in front of it may remove the header Date',
		{ code: 'unsupported' },
	);
}
