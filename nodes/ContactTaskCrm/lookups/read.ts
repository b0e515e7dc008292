import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { directoryOf } from '../directory/directory';
import { asRecord } from '../runtime/output';
import { systemClock } from '../transport/clock';
import type { Sender } from '../transport/sender';
import { Connection } from '../transport/connection';
import type { ServiceRequest, ServiceResponse } from '../transport/http';
import { goesOn, MAX_PAGE_SIZE, pageOf } from '../transport/paging';
import { ifLimited, isNoSuchList, isRefusal } from './listErrors';
import { isRemembered, remembered } from './memory';
import { noticeRecords } from './sightings';

/** Somebody sits before the screen: better a clear message than a list that never opens. */
const LONGEST_LOOKUP_MS = 15_000;
const MAX_RETRIES = 1;

/** Opening several lists, or the same one again, costs what opening one does. */
const PAGE_FRESH_MS = 60_000;
/** What is read one by one is kept longer, since it costs more. */
const RECORD_FRESH_MS = 10 * 60_000;
/** The interface does not show these endpoints: whether they answer is asked once in a while. */
const UNDOCUMENTED_FRESH_MS = 60 * 60_000;

/** Pages that are read of a list that is wanted whole: 300 records, for half of a minute's requests. */
const MOST_PAGES_OF_WHOLE = 10;

const queueKey = {};

/** One page of records, and whether another follows. */
export interface LookupPage {
	records: IDataObject[];
	nextPage?: string;
}

/** A list as far as it could be read. */
export interface LookupList {
	records: IDataObject[];
	/** Whether there are records that were not read. */
	isCut: boolean;
}

type Query = ReadonlyArray<readonly [string, string]>;

/** What a list in the editor is made of: read before all other requests, and remembered. */
export class LookupReader {
	private constructor(
		private readonly connection: Connection,
		private readonly sender: Sender,
		private readonly endsAt: number,
	) {}

	/**
	 * Begins to read for a list that was opened. All has to be read within fifteen seconds.
	 *
	 * @throws ExplainedError where base URL or key cannot be used
	 */
	static async open(context: ILoadOptionsFunctions): Promise<LookupReader> {
		const endsAt = systemClock.now() + LONGEST_LOOKUP_MS;
		const sender: Sender = {
			queueKey,
			item: 0,
			urgent: true,
			waitLimits: { slotMs: LONGEST_LOOKUP_MS, throttledMs: LONGEST_LOOKUP_MS },
			connection: {},
			maxRetries: MAX_RETRIES,
			endsAt,
		};
		return new LookupReader(await Connection.open(context, sender), sender, endsAt);
	}

	/** What the credential is known by, to remember things under: a hash. */
	get identity(): string {
		return this.connection.identity;
	}

	/**
	 * One page of a collection.
	 *
	 * @param page number of the page as the editor hands it back
	 * @throws ServiceError or RateLimited, in fifteen seconds at most
	 */
	async page(path: string, query: Query = [], page = '1'): Promise<LookupPage> {
		return await this.recall(
			this.nameOfCopy([path, query, page]),
			PAGE_FRESH_MS,
			async () => await this.requestLookupPage(path, query, page),
		);
	}

	/**
	 * A collection from its beginning as far as it can be read now, and to its end where that is near.
	 *
	 * @throws ServiceError or RateLimited where not even its first page can be read
	 */
	async list(path: string): Promise<LookupList> {
		const directory = directoryOf(this.identity);
		const known = directory.wholeList(path)?.records;
		const first = await (known ? this.page(path).catch(ifLimited) : this.page(path));
		// What a run has read to its end serves where there is no room.
		if (!first) return { records: [...(known ?? [])], isCut: false };
		const found = [...first.records];
		let next = first.nextPage;
		for (let pages = 1; next !== undefined && pages < MOST_PAGES_OF_WHOLE; pages++) {
			const page: LookupPage | undefined = await this.page(path, [], next).catch(ifLimited);
			if (!page) break;
			found.push(...page.records);
			next = page.nextPage;
		}
		const isCut = next !== undefined;
		if (!isCut) directory.keepWhole(path, found, systemClock.now());
		return { records: found, isCut };
	}

	/**
	 * One record, by its path.
	 *
	 * @throws ServiceError or RateLimited, in fifteen seconds at most
	 */
	async record(path: string): Promise<IDataObject> {
		return await this.recall(this.nameOfCopy([path]), RECORD_FRESH_MS, async () => {
			const { body } = await this.request({ method: 'GET', path }, 'record');
			return asRecord(body);
		});
	}

	/**
	 * The first page of a collection that the interface does not show; undefined where the service has none
	 * (403, 404 and 405 are normal), and where other lists need the requests.
	 *
	 * @throws ServiceError or RateLimited where nothing can be asked at all
	 */
	async undocumented(path: string): Promise<LookupList | undefined> {
		const name = this.nameOfCopy([path, 'undocumented']);
		if (!isRemembered(name) && !this.connection.hasRoomToRefresh) return undefined;
		return await this.recall(name, UNDOCUMENTED_FRESH_MS, async () => {
			const page = await this.requestLookupPage(path, [], '1').catch(async (error: unknown) =>
				isNoSuchList(error) ? undefined : await Promise.reject(error),
			);
			return page && { records: page.records, isCut: page.nextPage !== undefined };
		});
	}

	private nameOfCopy(parts: unknown[]): string {
		return JSON.stringify([this.connection.identity, ...parts]);
	}

	private async recall<T>(name: string, freshMs: number, read: () => Promise<T>): Promise<T> {
		const { connection } = this;
		return await remembered({
			name,
			freshMs,
			read,
			mayRefresh: () => connection.hasRoomToRefresh,
			onFailedRefresh: (error) => {
				const reason = error instanceof Error ? error.message : String(error);
				connection.logInfo(`A list of the editor could not be read anew: ${reason}`);
				return isRefusal(error);
			},
		});
	}

	private async requestLookupPage(path: string, query: Query, page: string): Promise<LookupPage> {
		const { connection } = this;
		const paging = [
			['itemsPerPage', String(MAX_PAGE_SIZE)] as const,
			...(page === '1' ? [] : [['page', page] as const]),
		];
		const request = { method: 'GET' as const, path, query: [...query, ...paging] };
		const response = await this.request(request, 'list');
		const answered = pageOf(response.body);
		if (!answered) throw connection.unreadable(response, request, { noun: 'list' });
		const { members } = answered;
		const records = members.map(asRecord);
		noticeRecords(connection.identity, path, records);
		directoryOf(connection.identity).notice(records, path);
		const position = (Number(page) - 1) * MAX_PAGE_SIZE + members.length;
		const isFollowed = goesOn(answered, position, MAX_PAGE_SIZE);
		return { records, ...(isFollowed ? { nextPage: String(Number(page) + 1) } : {}) };
	}

	/** Waits no longer than what is left of the time for the whole list. */
	private async request(request: ServiceRequest, noun: string): Promise<ServiceResponse> {
		const left = Math.max(0, this.endsAt - systemClock.now());
		this.sender.waitLimits = { slotMs: left, throttledMs: left };
		return await this.connection.request(request, { noun });
	}
}
