import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { systemClock, within } from '../util/clock';
import { RateLimited, ServiceError, isNoSuchList } from '../util/failures';
import { type Cursor, QUICK, START } from '../http/paging';
import type { Query } from '../http/request';
import { Client, decryptAccount } from '../crm/client';
import type { ServiceDescription } from '../crm/description';
import type { Directory } from '../crm/directory';
import type { NameTable } from '../http/names';
import { keepWholeList } from '../crm/wholeLists';
import { asExplained, ExplainedError, noneIf, rethrow } from '../util/errors';
import { asRecord } from '../values/json';
import { DEFAULT_LIMIT } from '../schema/limits';

/** Maximum time in ms to read a list for the editor. A clear message is better than a list that never opens. */
const LONGEST_LOOKUP_MS = 15_000;

/** Time to live of a cached page. Within this time, a list that opens again costs no request. */
const PAGE_FRESH_MS = 60_000;
/** Time to live of a cached single record. Longer than for a page, because each record costs a request. */
const RECORD_FRESH_MS = 10 * 60_000;
/** Time to live of a result of `readsWhole`: whether one page shows all users, or all tags. */
const UNDOCUMENTED_FRESH_MS = 60 * 60_000;
/** Maximum wait for a newer copy of a page or record while the cache has an old copy. */
const REFRESH_WAIT_MS = 1_000;

/**
 * Maximum number of pages to read for a list: 10 with 30 records each. Together they take half of a minute's requests.
 */
export const MOST_PAGES_READ = DEFAULT_LIMIT / 2;

/** Lane of all editor lists in the limiter's queue. */
const LIST_LANE = {};

interface ListPage {
	records: IDataObject[];
	/** Cursor of the next page; undefined on the last page. */
	next: Cursor | undefined;
	/** Start of the read, by the clock's `now`. */
	readAt: number;
}

/**
 * Reads records for a list in the editor. The requests of the reader go before all others, and the tenant caches the
 * answers.
 */
export class ListReader {
	private constructor(
		private readonly client: Client,
		/** Deadline of all reads, in ms of the clock's `now`. */
		private readonly deadline: number,
	) {}

	/**
	 * Opens a reader for one list in the editor.
	 *
	 * @throws ExplainedError if the node cannot use the base URL or the key
	 */
	static async open(context: ILoadOptionsFunctions): Promise<ListReader> {
		const deadline = systemClock.now() + LONGEST_LOOKUP_MS;
		const account = await decryptAccount(context);
		account.tenant.limiter.listOpened();
		const options = { lane: LIST_LANE, isUrgent: true, maxRetries: 1, deadline };
		return new ListReader(new Client(context, account, options), deadline);
	}

	get directory(): Directory {
		return this.client.tenant.directory;
	}

	get description(): ServiceDescription {
		return this.client.tenant.description;
	}

	get names(): NameTable {
		return this.client.names;
	}

	/**
	 * Returns one page of a collection, from the cache or the service.
	 *
	 * @throws ServiceError or RateLimited, at most `LONGEST_LOOKUP_MS` after `open`
	 */
	async page(path: string, cursor = START, query: Query = []): Promise<ListPage> {
		const read = async () => await this.fetchPage(path, cursor, query);
		return await this.cached(JSON.stringify([path, cursor, query]), PAGE_FRESH_MS, read);
	}

	/**
	 * Reads a collection from its beginning, up to `MOST_PAGES_READ` pages.
	 *
	 * @returns the records, and in `isCut` whether the service has more records
	 * @throws ServiceError if a page fails, and RateLimited if the first page gets no slot
	 */
	async list(path: string): Promise<{ records: readonly IDataObject[]; isCut: boolean }> {
		const first = await this.page(path);
		const records = [...first.records];
		let { next, readAt } = first;
		while (next && next.page <= MOST_PAGES_READ) {
			const page = await this.page(path, next).catch(noneIf(isLimited));
			if (!page) break;
			records.push(...page.records);
			({ next } = page);
			readAt = Math.min(readAt, page.readAt);
		}
		if (!next) keepWholeList(this.client.tenant, path, records, readAt);
		return { records, isCut: next !== undefined };
	}

	/**
	 * Returns one record, from the cache or the service.
	 *
	 * @throws ServiceError or RateLimited, at most `LONGEST_LOOKUP_MS` after `open`
	 */
	async record(path: string): Promise<IDataObject> {
		return await this.cached(path, RECORD_FRESH_MS, async () => {
			const request = { method: 'GET' as const, path, subject: { noun: 'record' } };
			return asRecord((await this.client.request(request, this.waits)).body);
		});
	}

	/**
	 * Reads a collection that the interface does not document, and caches it if one page holds all of it. A refusal
	 * (403, 404 or 405) is normal, because many installations of the CRM lack the collection.
	 *
	 * @returns whether the collection was read to the end
	 * @throws ServiceError or RateLimited for any other failure
	 */
	async readsWhole(path: string): Promise<boolean> {
		const { tenant } = this.client;
		if (tenant.description.isMissing(path)) return false;
		const name = `whether all of ${path} is shown`;
		return await this.cached(name, UNDOCUMENTED_FRESH_MS, async () => {
			const page = await this.fetchPage(path).catch(noneIf(isNoSuchList));
			if (!page) tenant.description.noteMissing(path);
			if (!page || page.next) return false;
			keepWholeList(tenant, path, page.records);
			return true;
		});
	}

	/**
	 * Returns a page or record from the cache. A copy older than `maxAgeMs` is read again. If this read fails, or takes
	 * longer than `REFRESH_WAIT_MS`, the method returns the old copy.
	 *
	 * @param name key of the copy in the cache
	 * @param maxAgeMs maximum age of a copy in ms
	 * @param read reads the page or record from the service
	 * @throws the error of `read`, if there is no copy or the service refuses. A refusal also deletes the copy
	 */
	private async cached<T>(name: string, maxAgeMs: number, read: () => Promise<T>): Promise<T> {
		const { client } = this;
		const { pages } = client.tenant;
		const copy = pages.peek<T>(name);
		if (copy === undefined) return await pages.get(name, { maxAgeMs, read });
		if (pages.isFresh(name, maxAgeMs)) return copy;

		const renewed = pages.get(name, { maxAgeMs, read }).catch(async (error: unknown) => {
			const { message } = asExplained(error);
			client.logInfo(`A list of the editor could not be read anew: ${message}`);
			if (!isRefusal(error)) return copy;
			pages.delete(name);
			return rethrow(error);
		});
		// If a refusal comes after this wait, it only deletes the copy. The next user who opens the list then gets the
		// error.
		return await within(REFRESH_WAIT_MS, renewed, copy);
	}

	private async fetchPage(path: string, cursor = START, query: Query = []): Promise<ListPage> {
		const readAt = systemClock.now();
		const page = await this.client.page({ path, query: QUICK.query(cursor, query) }, this.waits);
		const records = page.members.map(asRecord);
		this.directory.notice(records, path);
		return { records, readAt, next: QUICK.after(cursor, page) as Cursor | undefined };
	}

	/** Maximum waits of the next request for its slot, in ms: the time until the deadline. */
	private get waits() {
		const left = Math.max(0, this.deadline - systemClock.now());
		return { slotWaitMs: left, throttledWaitMs: left };
	}
}

/**
 * Returns the error to show in the place of a list that could not be read.
 *
 * @param otherwise advice for a user without the list, such as "choose By Title or ID"
 */
export function explainedForList(error: unknown, otherwise: string): ExplainedError {
	if (error instanceof RateLimited) {
		return new ExplainedError(
			`The requests of this minute are used up. Open this list again in ${secondsToWait(error)} seconds`,
			`A workflow or another program uses what the service allows in a minute. You can also ${otherwise}`,
			{ code: 'rate-limited' },
		);
	}
	return asExplained(error);
}

export function secondsToWait({ waitMs }: RateLimited): number {
	return Math.max(1, Math.ceil(waitMs / 1000));
}

export function isLimited(error: unknown): boolean {
	return error instanceof RateLimited;
}

/**
 * Returns whether an error may concern one list alone, so that other lists may work. With a wrong key (401), or without
 * an answer, no list works.
 */
export function isUnreadable(error: unknown): boolean {
	const status = error instanceof ServiceError ? error.status : undefined;
	return isLimited(error) || (status !== undefined && status !== 401);
}

/** Returns whether a page or record is no longer readable with this key. The node must then show no cached copy. */
function isRefusal(error: unknown): boolean {
	return error instanceof ServiceError && [401, 403, 404].includes(error.status ?? 0);
}
