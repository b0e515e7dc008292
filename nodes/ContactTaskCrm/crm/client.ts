import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
} from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { CREDENTIAL, withoutKey } from '../http/credential';
import type { NameTable } from '../http/names';
import { ServiceError } from '../util/failures';
import { type Page, pageOf } from '../http/paging';
import type { ApiRequest, Sending, ServiceResponse } from '../http/request';
import { MAX_RETRIES } from '../http/retry';
import type { Collection, RecordContract } from '../schema/record';
import { idOf, valueOf } from '../values/reference';
import type { Begun, NewestReads } from './newestReads';
import { type Account, accountOf, type Tenant } from './tenant';
import type { OwnWrites } from './writeLog';
import { type Answer, Exchange, failureOf } from './exchange';

/** Options of one request. They override the options of the client. */
export interface RequestOptions extends Partial<Sending> {
	/** Record that a preview returns as the answer to this write; absent if the node cannot predict the record. */
	expected?: IDataObject | undefined;
}

/** Options for all requests of an item, a list or a poll. */
export type ClientOptions = Pick<Sending, 'lane'> &
	Partial<Sending> &
	Pick<ApiRequest, 'labelAt'> & {
		/**
		 * Whether the client keeps the newest read of each record. A run that writes needs these reads, because a change
		 * sends only the differences from the newest read.
		 */
		keepsReads?: boolean;
	};

/**
 * Options for reading a page. `isMember` returns whether an entry of the page can be a record of the list. If an entry
 * cannot, reading the page throws.
 */
interface PageOptions extends Partial<Sending> {
	isMember?: (entry: unknown) => boolean;
}

/**
 * Returns the account of the credential that the node uses.
 *
 * @throws ExplainedError if the base URL or the key is unusable
 */
export async function decryptAccount(context: IAllExecuteFunctions): Promise<Account> {
	return accountOf(await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL));
}

/** Sends requests with one account, and retries them if a retry is safe and may succeed. */
export class Client {
	readonly tenant: Tenant;
	readonly names: NameTable;
	readonly own: OwnWrites;
	readonly newest: NewestReads;
	readonly isPreview: boolean;

	/** Requests per minute that the credential allows. */
	readonly limit: number;

	/** Options of each request, with a default for each option that the constructor did not get. */
	private readonly options: ClientOptions & Sending;

	/**
	 * Whether a write of this client took effect. If the run is then stopped, the error tells the user to look for the
	 * record.
	 */
	private hasWritten = false;

	constructor(
		private readonly context: IAllExecuteFunctions,
		private readonly account: Account,
		options: ClientOptions,
	) {
		this.tenant = account.tenant;
		this.names = account.names;
		this.own = account.own;
		this.newest = account.newest;
		this.limit = account.limit;
		this.isPreview = account.preview !== undefined;
		this.options = {
			item: 0,
			isUrgent: false,
			limit: account.limit,
			slotWaitMs: Infinity,
			throttledWaitMs: Infinity,
			maxRetries: MAX_RETRIES,
			logger: context.logger,
			...options,
		};
	}

	/**
	 * Returns the title of a record from the complete list of its collection, or else from the credential. Ignores
	 * titles that answers showed only inside other records. Otherwise, the result would depend on earlier reads.
	 */
	readonly titleOf = (reference: unknown, collection: Collection): string | undefined => {
		const { tenant, names } = this.account;
		const listed = tenant.directory.listedTitleOf(reference, collection);
		return listed ?? names.nameOf(reference, collection);
	};

	/**
	 * Returns a time with the UTC offset that the service uses, such as +01:00. If the offset is unknown, returns the
	 * time in UTC. Returns any other value unchanged.
	 */
	readonly writtenTime = (time: unknown): unknown =>
		this.tenant.description.zone.written(time, this.context.getTimezone());

	/** Waits until the time `at`, in ms of the clock's `now`, or until the run is stopped. */
	async waitUntil(at: number): Promise<void> {
		await systemClock.sleep(Math.max(0, at - systemClock.now()), this.options.signal);
	}

	/**
	 * Sends a request. After a failure, sends it again if this is safe and may succeed. A preview sends only reads.
	 *
	 * @throws ServiceError if the service refuses the request, or does not answer
	 * @throws RateLimited if the wait for a slot would be too long
	 * @throws RunStopped if the run is stopped before the answer
	 * @throws TooLateToLeave if the request gets its slot after `leavesBy` of the options
	 * @throws TitlesTooOld if a write gets its slot after `titlesUntil` of the options
	 */
	async request(request: ApiRequest, options: RequestOptions = {}): Promise<Answer> {
		const { expected, ...own } = options;
		const { preview } = this.account;
		const sending: Sending = { ...this.options, ...own };
		const isRead = request.method === 'GET';
		const previewed = isRead
			? preview?.read(request)
			: preview?.write(request, { item: sending.item, expected });
		if (previewed) return { ...previewed, begun: this.tenant.writes.begunNow() };
		const named = { labelAt: this.options.labelAt, ...request };
		const { context, account, hasWritten } = this;
		const answer = await new Exchange({ context, account, hasWritten }, named, sending).run();
		this.hasWritten ||= !isRead;
		return answer;
	}

	/**
	 * Reads one page of a list.
	 *
	 * @param asked.subject name of the list in messages; by default "list"
	 * @throws what `request` throws, or ServiceError if the answer is no page of the list
	 */
	async page(
		asked: Pick<ApiRequest, 'path' | 'query'> & Partial<Pick<ApiRequest, 'subject'>>,
		{ isMember = () => true, ...options }: PageOptions = {},
	): Promise<Page & { begun: Begun }> {
		const request = { method: 'GET' as const, subject: { noun: 'list' }, ...asked };
		const response = await this.request(request, options);
		const page = pageOf(response.body);
		if (page?.members.every(isMember)) return { ...page, begun: response.begun };
		throw this.unreadable(response, request);
	}

	/** Returns the error to throw for an answer with a success status that the node cannot read. */
	unreadable(response: ServiceResponse, request: ApiRequest): ServiceError {
		return failureOf(this.account, { kind: 'response', ...response }, request);
	}

	/** Returns the error to throw for an answer with a success status that reports a failure. */
	refused(response: ServiceResponse, request: ApiRequest): ServiceError {
		return failureOf(this.account, { kind: 'response', ...response }, request, { isFailure: true });
	}

	/** Writes a line into n8n's log. The text must not contain data of a record. */
	logInfo(text: string): void {
		this.context.logger?.info(withoutKey(text, this.account.apiKey));
	}

	/**
	 * Waits until the item may write. Items with the same API key write one at a time.
	 *
	 * @returns a function that lets the next item write
	 * @throws RateLimited or RunStopped, as `request` does
	 */
	async lockWrites(): Promise<() => void> {
		return await (this.account.preview ?? this.tenant.limiter).lockWrites(this.options);
	}

	/**
	 * Returns a client for reads that a write follows at once. The limiter keeps a slot free for this write. A preview
	 * needs no such slot, because it sends no write.
	 */
	beforeWrite(): Client {
		if (this.isPreview) return this;
		return new Client(this.context, this.account, { ...this.options, reservesNext: true });
	}

	/**
	 * Returns a client with other labels of fields for its messages about refused values. `labelAt` returns the label for
	 * a path in a body, such as `emailAddresses[0].email`.
	 */
	labelledBy(labelAt: ApiRequest['labelAt']): Client {
		return new Client(this.context, this.account, { ...this.options, labelAt });
	}

	/**
	 * Keeps records of an answer as the newest reads of the run. Does nothing unless the client keeps reads
	 * (`keepsReads`).
	 */
	noteReads(records: readonly unknown[], contract: RecordContract, begun: Begun): void {
		if (!this.options.keepsReads) return;
		for (const record of records) {
			const id = valueOf(idOf(record, contract.collection));
			if (id === undefined) continue;
			this.account.newest.note(contract, { ...begun, id, record: record as IDataObject });
		}
	}
}
