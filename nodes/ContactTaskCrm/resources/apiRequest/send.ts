import type { Page } from '../../http/paging';
import { pageOf } from '../../http/paging';
import type { Query, ServiceResponse } from '../../http/request';
import type { Item } from '../../run/item';
import { paginatorOf } from '../../run/item';
import { limitOf, noteOf } from '../../run/list';
import type { Paginator } from '../../run/specification';
import { contracts } from '../../schema';
import type { RecordContract } from '../../schema/record';
import type { Client, RequestOptions } from '../../tenant/client';
import { readPages } from '../../tenant/readList';
import { requestNoted } from '../../tenant/records';
import { UnusableParameter } from '../../util/errors';
import { keysOf } from '../../util/contacts';
import { comparableId, idOf, lastSegment, valueOf } from '../../util/iri';
import { askedFor, pathBelow } from './asked';

/** Sends the request of an item as its parameters say. */
export const runApiRequest: Paginator = async function (request) {
	// The description holds one method, since the engine knows no other way to have a parameter say it.
	const given: unknown = this.getNodeParameter('method', 'GET');
	const method = String(given).trim().toUpperCase() as RequestOptions['method'];
	return await run.call(this, { ...request, options: { ...request.options, method } });
};

const run = paginatorOf({
	run: async (item) => {
		const { path: given, ...request } = askedFor(item);
		const list = request.method === 'GET' ? listAskedFor(item, given, request.query) : undefined;
		const client = await item.begin();
		const path = pathBelow(client.tenant.service.baseUrl, given);
		const noun = list ? 'path' : 'record';
		const asked: RequestOptions = {
			...request,
			path,
			subject: { noun, named: { noun: 'path', id: path } },
		};
		return list ? await read(item, client, asked, list) : await write(item, client, asked);
	},
});

/** How far a list is read, should the answer be one. */
interface ListAskedFor {
	limit: number;
	/** Whether the query names the one page that is wanted. */
	isOnePage: boolean;
	/** Whether no other page size is asked for than the service has. */
	isInItsPages: boolean;
}

/** Parameters of lists that name a page. */
const OF_PAGES = ['page', 'itemsPerPage'];

function listAskedFor(item: Item, path: string, query: Query): ListAskedFor {
	const limit = limitOf(item);
	const [name] = query.map(([own]) => own).filter((own) => OF_PAGES.includes(own));
	const isOnePage = name !== undefined;
	if (isOnePage && limit === Infinity) {
		throw new UnusableParameter(
			`Query Parameters: "${name}" asks for one page, and Return All for every page`,
			'Remove it, or turn off Return All',
		);
	}
	// An ID has a digit: what ends with one is asked for as it is, all else as a list may be.
	return { limit, isOnePage, isInItsPages: isOnePage || /\d/.test(lastSegment(path)) };
}

/** A list page by page, or a record, which is read as a list of one. */
async function read(
	item: Item,
	client: Client,
	asked: RequestOptions,
	{ limit, isOnePage, isInItsPages }: ListAskedFor,
): Promise<readonly unknown[]> {
	const readPage = async (paging: Query): Promise<Page> => {
		const own = paging.filter(([name]) => name === 'page' || !isInItsPages);
		const response = await client.request({ ...asked, query: [...(asked.query ?? []), ...own] });
		const page = pageOf(response.body);
		if (page) return isOnePage ? { members: page.members, hasNext: false } : page;
		const isFirst = !paging.some(([name]) => name === 'page');
		if (!isFirst) throw client.unreadable(response, asked);
		return { members: [answerIn(response, client, asked)], hasNext: false };
	};
	const part = await readPages(client, { limit, plural: 'records', readPage });
	const note = item.run.isTool ? noteOf(part, 'records', false) : undefined;
	return note ? [...part.records, note.json] : part.records;
}

/** What the service answers, as it is. */
function answerIn(response: ServiceResponse, client: Client, asked: RequestOptions): unknown {
	const { body, status: statusCode } = response;
	if (body === '' || body === null || body === undefined) return { success: true, statusCode };
	if (typeof body === 'string') throw client.unreadable(response, asked);
	return body;
}

async function write(
	item: Item,
	client: Client,
	asked: RequestOptions,
): Promise<readonly unknown[]> {
	const response = await sendNoted(item, client, asked);
	return [answerIn(response, client, asked)].flat();
}

/**
 * Sends a write and notes it, so that a lookup that began before is made again.
 */
async function sendNoted(
	item: Item,
	client: Client,
	asked: RequestOptions,
): Promise<ServiceResponse> {
	const { method, path, subject, body = {} } = asked;
	const { person } = contracts;
	const plainPath = decodeURIComponent(path);
	if (method === 'POST' && plainPath === person.collection) {
		return (await requestNoted(client, asked, person)).response;
	}
	const written = recordAt(plainPath);
	if (!written) return await client.request(asked);
	const { contract, id, isItself } = written;
	return await item.lock(client, `${contract.noun} ${comparableId(id)}`, async () => {
		if (isItself && (method === 'PATCH' || method === 'PUT')) {
			const aboutIt = { ...asked, subject: { ...subject, id } };
			return (await requestNoted(client, aboutIt, contract)).response;
		}
		const note = () => client.tenant.writes.note(contract.noun, id, keysOf(body));
		return await client.request(asked).finally(note);
	});
}

/** The record that a path leads to, or that it lies below; undefined where it is none that the node remembers. */
function recordAt(
	path: string,
): { contract: RecordContract; id: string; isItself: boolean } | undefined {
	const segments = path.split('/');
	for (let length = segments.length; length > 1; length--) {
		const part = segments.slice(0, length).join('/');
		for (const contract of Object.values(contracts)) {
			const id = valueOf(idOf(part, contract.collection));
			if (id !== undefined) return { contract, id, isItself: length === segments.length };
		}
	}
	return undefined;
}
