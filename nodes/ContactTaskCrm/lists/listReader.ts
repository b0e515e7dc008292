import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { systemClock, within } from '../http/clock';
import { isNoSuchList, RateLimited, ServiceError } from '../http/errors';
import type { Place } from '../http/paging';
import { pageOf, QUICK, START } from '../http/paging';
import type { Query, ServiceResponse } from '../http/request';
import { asRecord } from '../run/output';
import type { RequestOptions } from '../tenant/client';
import { Client, openAccount } from '../tenant/client';
import type { Directory } from '../tenant/directory';
import type { NameTable } from '../util/credential';
import { isAbsent, noteAbsent, noteWholeRead } from '../tenant/titles';
import { asExplained, ExplainedError, noneIf } from '../util/errors';

/** Somebody sits before the screen: better a clear message than a list that never opens. */
const LONGEST_LOOKUP_MS = 15_000;
const MAX_RETRIES = 1;

/** Opening several lists, or the same one again, costs what opening one does. */
const PAGE_FRESH_MS = 60_000;
/** What is read one by one is kept longer, since it costs more. */
const RECORD_FRESH_MS = 10 * 60_000;
/** The interface does not show these endpoints: whether they answer is asked once in a while. */
const UNDOCUMENTED_FRESH_MS = 60 * 60_000;
/** So long somebody who could have an old copy at once waits for a new one. */
const REFRESH_WAIT_MS = 1_000;

/** Pages that are read of a list that is wanted whole: 300 records, for half of a minute's requests. */
const MOST_PAGES_OF_WHOLE = 10;

/** Lane of all lists of the editor in the limiter's queue. */
const LISTS = {};

/** One page of records. */
export interface ListPage {
	records: IDataObject[];
	/** Where the next page begins; absent behind the last. */
	next?: Place;
}

/** A list as far as it could be read. */
export interface ListedRecords {
	records: readonly IDataObject[];
	/** Whether there are records that were not read. */
	isCut: boolean;
}

/** Reads what a list in the editor is made of, before all other requests; the tenant keeps it. */
export class ListReader {
	private constructor(
		private readonly client: Client,
		/** When all has to be over, in ms of the clock's `now`. */
		private readonly deadline: number,
	) {}

	/**
	 * Begins to read for a list that was opened. All has to be read within fifteen seconds.
	 *
	 * @throws ExplainedError where base URL or key cannot be used
	 */
	static async open(context: ILoadOptionsFunctions): Promise<ListReader> {
		const deadline = systemClock.now() + LONGEST_LOOKUP_MS;
		const account = await openAccount(context);
		account.tenant.limiter.listOpened();
		const options = { lane: LISTS, isUrgent: true, maxRetries: MAX_RETRIES, deadline };
		return new ListReader(new Client(context, account, options), deadline);
	}

	/** What is remembered of records, those that lists have shown among them. */
	get directory(): Directory {
		return this.client.tenant.directory;
	}

	/** The names that the credential gives to users and tags. */
	get names(): NameTable {
		return this.client.names;
	}

	/**
	 * One page of a collection.
	 *
	 * @throws ServiceError or RateLimited, in fifteen seconds at most
	 */
	async page(path: string, place = START, query: Query = []): Promise<ListPage> {
		const read = async () => await this.requestPage(path, place, query);
		return await this.kept(JSON.stringify([path, place, query]), PAGE_FRESH_MS, read);
	}

	/**
	 * A collection from its beginning as far as it can be read now, and to its end where that is near.
	 *
	 * @throws ServiceError or RateLimited where not even its first page can be read
	 */
	async list(path: string): Promise<ListedRecords> {
		const known = this.directory.wholeList(path);
		const canDoWithout = (error: unknown) => known !== undefined && isLimited(error);
		const first = await this.page(path).catch(noneIf(canDoWithout));
		// What a run has read to its end serves where there is no room.
		if (!first) return { records: known ?? [], isCut: false };
		const records = [...first.records];
		let { next } = first;
		while (next && next.page <= MOST_PAGES_OF_WHOLE) {
			const page = await this.page(path, next).catch(noneIf(isLimited));
			if (!page) break;
			records.push(...page.records);
			({ next } = page);
		}
		if (!next) this.keepWhole(path, records);
		return { records, isCut: next !== undefined };
	}

	private keepWhole(path: string, records: IDataObject[]): void {
		this.directory.keepWhole(path, records);
		noteWholeRead(this.client.tenant, path);
	}

	/**
	 * One record, by its path.
	 *
	 * @throws ServiceError or RateLimited, in fifteen seconds at most
	 */
	async record(path: string): Promise<IDataObject> {
		return await this.kept(path, RECORD_FRESH_MS, async () => {
			const { body } = await this.request({ method: 'GET', path, subject: { noun: 'record' } });
			return asRecord(body);
		});
	}

	/**
	 * Reads a collection that the interface does not show, where the service has it: 403, 404 and 405 are
	 * normal.
	 *
	 * @returns whether all of it was read
	 * @throws ServiceError or RateLimited where nothing can be asked at all
	 */
	async readUndocumented(path: string): Promise<boolean> {
		const { tenant } = this.client;
		if (isAbsent(tenant, path)) return false;
		const name = `whether all of ${path} is shown`;
		return await this.kept(name, UNDOCUMENTED_FRESH_MS, async () => {
			const page = await this.requestPage(path).catch(noneIf(isNoSuchList));
			if (!page) noteAbsent(tenant, path);
			if (!page || page.next) return false;
			this.keepWhole(path, page.records);
			return true;
		});
	}

	/**
	 * What was read last under a name. What is old is read anew, and given all the same where that fails or
	 * takes longer than a moment.
	 *
	 * @throws what the reading throws, where nothing is kept, or where it is a refusal: that ends the copy
	 */
	private async kept<T>(name: string, maxAgeMs: number, read: () => Promise<T>): Promise<T> {
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
			return await Promise.reject(error);
		});
		// A refusal that comes later than that is told to the next who asks.
		return await within(REFRESH_WAIT_MS, renewed, copy);
	}

	private async requestPage(path: string, place = START, query: Query = []): Promise<ListPage> {
		const { client } = this;
		const asked: RequestOptions = {
			method: 'GET',
			path,
			query: QUICK.query(place, query),
			subject: { noun: 'list' },
		};
		const response = await this.request(asked);
		const page = pageOf(response.body);
		if (!page) throw client.unreadable(response, asked);
		const records = page.members.map(asRecord);
		client.tenant.directory.notice(records, path);
		return { records, next: QUICK.after(place, page) as Place | undefined };
	}

	/** Waits no longer than what is left of the time for the whole list. */
	private async request(asked: RequestOptions): Promise<ServiceResponse> {
		const left = Math.max(0, this.deadline - systemClock.now());
		return await this.client.request({ ...asked, slotWaitMs: left, throttledWaitMs: left });
	}
}

/**
 * Why a list cannot be shown, for the person in the editor.
 *
 * @param otherwise what to do without the list, such as "choose By ID"
 */
export function explainedForList(error: unknown, otherwise: string): ExplainedError {
	if (error instanceof RateLimited) {
		return new ExplainedError(
			`The requests of this minute are used up. Open this list again in ${secondsToWait(error)} seconds`,
			`A workflow or another program uses what the service allows in a minute. You can also ${otherwise}`,
		);
	}
	return asExplained(error);
}

/** In how many seconds somebody may try again. */
export function secondsToWait({ waitMs }: RateLimited): number {
	return Math.max(1, Math.ceil(waitMs / 1000));
}

/** Whether there was no room for a request. */
export function isLimited(error: unknown): boolean {
	return error instanceof RateLimited;
}

/** Whether this list alone cannot be read now: with a wrong key (401), or without an answer, none can be. */
export function isUnreadable(error: unknown): boolean {
	const status = error instanceof ServiceError ? error.status : undefined;
	return isLimited(error) || (status !== undefined && status !== 401);
}

/** Whether the service says that the key may not read this, or no more: a copy is not to be shown then. */
function isRefusal(error: unknown): boolean {
	return error instanceof ServiceError && [401, 403, 404].includes(error.status ?? 0);
}
