import { type Page, pageOf } from '../http/paging';
import type { ApiRequest, Query, ServiceResponse } from '../http/request';
import type { Item } from './item';
import { paginatorOf, type Paginator } from './paginator';
import { limitOf, noteOf } from './list';
import { contracts } from '../schema';
import type { Client } from '../crm/client';
import { readPages } from '../crm/readList';
import { requestNoted } from '../crm/records';
import { UnusableParameter } from '../util/errors';
import { pathBelow, requestFrom } from './givenRequest';
import { idOf, lastSegment, valueOf } from '../values/reference';

/** Operation of API Request: sends the request that the user gave, with the method from the parameter Method. */
export const runApiRequest: Paginator = async function (request) {
	// n8n's engine builds each request with GET, a placeholder. The real method is in the parameter Method.
	const given: unknown = this.getNodeParameter('method', 'GET');
	const method = String(given).trim().toUpperCase() as ApiRequest['method'];
	return await run.call(this, { ...request, options: { ...request.options, method } });
};

const run = paginatorOf({
	run: async (item) => {
		const { path: given, ...own } = requestFrom(item);
		const list = own.method === 'GET' ? listOptionsOf(item, given, own.query) : undefined;
		const client = await item.begin();
		const path = pathBelow(client.tenant.baseUrl, given);
		const subject = { noun: list ? 'path' : 'record', named: { noun: 'path', id: path } };
		const request: ApiRequest = { ...own, path, subject };
		if (list) return await readListAt(item, client, request, list);
		return [answerIn(await sendNoted(client, request), client, request)].flat();
	},
});

/** Settings for the answer to a GET, in case the answer is a list. */
interface ListOptions {
	/** Maximum number of records; Infinity for all. */
	limit: number;
	/** Whether the query of the user asks for one page, by `page` or `itemsPerPage`. */
	isOnePage: boolean;
	/** Whether the node leaves out `itemsPerPage`. The user's query or the service then decides the page size. */
	addsNoPageSize: boolean;
}

function listOptionsOf(item: Item, path: string, query: Query): ListOptions {
	const limit = limitOf(item);
	const name = query.map(([own]) => own).find((own) => ['page', 'itemsPerPage'].includes(own));
	const isOnePage = name !== undefined;
	if (isOnePage && limit === Infinity) {
		throw new UnusableParameter(
			`Query Parameters: "${name}" asks for one page, and Return All for every page`,
			'Remove it, or turn off Return All',
		);
	}
	// A last segment with a digit, as in /people/1f0c, counts as the ID of a record. The request for one record needs no
	// page size.
	return { limit, isOnePage, addsNoPageSize: isOnePage || /\d/.test(lastSegment(path)) };
}

/** Reads a list page by page. If the path leads to a single record, the record counts as a list with one entry. */
async function readListAt(
	item: Item,
	client: Client,
	request: ApiRequest,
	{ limit, isOnePage, addsNoPageSize }: ListOptions,
): Promise<readonly unknown[]> {
	const readPage = async (paging: Query): Promise<Page> => {
		const own = paging.filter(([name]) => name === 'page' || !addsNoPageSize);
		const response = await client.request({
			...request,
			query: [...(request.query ?? []), ...own],
		});
		const page = pageOf(response.body);
		if (page) return isOnePage ? { members: page.members, hasNext: false } : page;
		const isFirst = !paging.some(([name]) => name === 'page');
		if (!isFirst) throw client.unreadable(response, request);
		return { members: [answerIn(response, client, request)], hasNext: false };
	};
	const part = await readPages(client, { limit, plural: 'records', readPage });
	const note = item.run.isTool ? noteOf(part, 'records') : undefined;
	return note ? [...part.records, note.json] : part.records;
}

function answerIn(response: ServiceResponse, client: Client, request: ApiRequest): unknown {
	const { body, status: statusCode } = response;
	if (body === '' || body === null || body === undefined) return { success: true, statusCode };
	if (typeof body === 'string') throw client.unreadable(response, request);
	return body;
}

/**
 * Sends a write. Notes in the write log the person that it creates, or the record that its path names. The node then
 * repeats lookups and reads of this record that began before the write.
 */
async function sendNoted(client: Client, request: ApiRequest): Promise<ServiceResponse> {
	const { method, path, subject } = request;
	const { person } = contracts;
	const plainPath = decodeURIComponent(path);
	if (method === 'POST' && plainPath === person.collection) {
		return (await requestNoted(client, request, person)).response;
	}
	const written = recordAt(plainPath);
	if (!written) return await client.request(request);
	const { contract, id } = written;
	if (method === 'PATCH' || method === 'PUT') {
		const aboutIt = { ...request, subject: { ...subject, id } };
		return (await requestNoted(client, aboutIt, contract)).response;
	}
	const note = () => client.tenant.writes.add(contract.noun, id, []);
	return await client.request(request).finally(note);
}

/**
 * Returns the record that a path names by ID: the task 1f0c for /tasks/1f0c, and also for /tasks/1f0c/export. Returns
 * undefined if the path has no ID.
 */
function recordAt(path: string) {
	const segments = path.split('/');
	for (let length = segments.length; length > 1; length--) {
		const part = segments.slice(0, length).join('/');
		for (const contract of Object.values(contracts)) {
			const id = valueOf(idOf(part, contract.collection));
			if (id !== undefined) return { contract, id };
		}
	}
	return undefined;
}
