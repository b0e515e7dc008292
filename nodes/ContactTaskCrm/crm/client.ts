import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
} from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { CREDENTIAL, withoutKey } from '../http/credential';
import type { NameTable } from './names';
import {
	LostAnswer,
	RateLimited,
	RunStopped,
	ServiceError,
	TitlesTooOld,
	TooLateToLeave,
} from '../util/failures';
import { explain } from '../http/explain';
import { causeText } from '../http/networkErrors';
import { type Page, pageOf } from '../http/paging';
import type { ApiRequest, Outcome, ServiceResponse } from '../http/request';
import { headerTime, MAX_RETRIES, mayHaveTakenEffect, retryDecision } from '../http/retry';
import { isUsable, sendOnce } from '../http/send';
import type { RecordContract } from '../schema/record';
import { rethrow } from '../util/errors';
import { idOf, valueOf } from '../values/reference';
import type { Collection } from '../schema/collections';
import type { Begun, NewestReads } from './newestReads';
import { type Account, accountOf, type Tenant } from './tenant';
import { wholeListOf } from './titles';
import type { OwnWrites } from './writeLog';
import { quoted } from '../values/text';

/** A request, with options that override those of the client. `expected` is the answer of a preview to a write. */
export type RequestOptions = Pick<ApiRequest, 'method' | 'path' | 'subject'> &
	Partial<ApiRequest> & { expected?: IDataObject | undefined };

/** An answer of the service. `begun` is the time when its request left. */
export type Answer = ServiceResponse & { begun: Begun };

/** Options for all requests of an item, a list or a poll. */
export type ClientOptions = Pick<ApiRequest, 'lane'> &
	Partial<Omit<ApiRequest, 'method' | 'path' | 'query' | 'body' | 'subject'>> & {
		/** Whether the run writes, so that it keeps its newest reads. */
		keepsReads?: boolean;
		/** Latest time, by the clock's `now`, at which a write that depends on titles may leave. */
		titlesUntil?: number;
	};

/**
 * Returns the account of the credential that the node uses.
 *
 * @throws ExplainedError if the base URL or the key is unusable
 */
export async function decryptAccount(context: IAllExecuteFunctions): Promise<Account> {
	return accountOf(await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL));
}

/** Maximum time in ms for all tries together, if a request gets no answer: other requests wait behind it. */
const LONGEST_UNANSWERED_MS = 2 * 60_000;

/** Sends requests to one tenant, and retries them if a retry is safe and may succeed. */
export class Client {
	readonly tenant: Tenant;
	readonly names: NameTable;
	readonly own: OwnWrites;
	readonly newest: NewestReads;
	readonly isPreview: boolean;

	/** Requests per minute that the credential allows. */
	readonly limit: number;

	/** Whether a write took effect. If the run stops later, the error tells the user to look for the record. */
	private hasWritten = false;

	constructor(
		private readonly context: IAllExecuteFunctions,
		private readonly account: Account,
		private readonly options: ClientOptions,
	) {
		this.tenant = account.tenant;
		this.names = account.names;
		this.own = account.own;
		this.newest = account.newest;
		this.limit = account.limit;
		this.isPreview = account.preview !== undefined;
	}

	/**
	 * Returns the title of a record from the complete list of its collection, or else from the credential. Ignores titles
	 * that only other records show, because the result would depend on earlier reads.
	 */
	readonly titleOf = (reference: unknown, collection: Collection): string | undefined => {
		const { tenant, names } = this.account;
		const listed = tenant.directory.listedTitleOf(reference, collection);
		return listed ?? names.nameOf(reference, collection);
	};

	/** Returns a time with the offset that the service uses (UTC if unknown). Leaves other values unchanged. */
	readonly writtenTime = (time: unknown): unknown =>
		this.tenant.description.zone.written(time, this.context.getTimezone());

	/** Waits until a time of the clock's `now`, or until the run is stopped. */
	async waitUntil(at: number): Promise<void> {
		await systemClock.sleep(Math.max(0, at - systemClock.now()), this.options.signal);
	}

	/**
	 * Sends a request. Retries the request if a retry is safe and may succeed. A preview sends only reads.
	 *
	 * @throws ServiceError if the service refuses the request, or does not answer
	 * @throws RateLimited if the wait for a slot would be too long
	 * @throws RunStopped if the signal aborts before the answer
	 * @throws TooLateToLeave if the slot of a write comes after its `leavesBy`
	 * @throws TitlesTooOld if the slot of a write comes after `titlesUntil`
	 */
	async request({ expected, ...own }: RequestOptions): Promise<Answer> {
		const request: ApiRequest = { ...this.defaults(), ...own };
		const { preview } = this.account;
		const isRead = request.method === 'GET';
		const previewed = isRead ? preview?.read(request) : preview?.write(request, expected);
		let begun = this.begunNow();
		if (previewed) return { ...previewed, begun };
		const { context } = this;
		const { tenant, credential } = this.account;
		const { method, path, maxRetries, signal, triesBefore = 0 } = request;
		const route = { context, baseUrl: tenant.service.baseUrl, credential, clock: systemClock };
		let { deadline = Infinity } = request;
		let firstSentAt: number | undefined;
		let last: Outcome | undefined;
		let isUncertain = triesBefore > 0;
		// A write that may have taken effect is repeated with the same titles.
		const titlesUntil = isRead || isUncertain ? Infinity : (this.options.titlesUntil ?? Infinity);
		const leavesBy = Math.min(request.leavesBy ?? Infinity, titlesUntil);
		const send = async () => {
			firstSentAt ??= systemClock.now();
			begun = this.begunNow();
			request.onSent?.();
			const outcome = await sendOnce({ ...request, deadline }, route);
			if (outcome.kind === 'response') {
				request.onAnswer?.(outcome.headers);
				const date = headerTime(outcome.headers.date);
				if (date !== undefined) tenant.description.clockAheadMs = date - systemClock.wallTime();
			}
			return outcome;
		};
		const job = { ...request, leavesBy };
		for (let retries = triesBefore; ; retries++) {
			const outcome = await tenant.limiter.submit(job, send).catch((error: unknown) => {
				if (error instanceof RunStopped) throw this.stopped(request, isUncertain);
				const isTooLate = error instanceof TooLateToLeave;
				if (isTooLate && systemClock.now() > titlesUntil) throw new TitlesTooOld();
				if (!(error instanceof RateLimited && last)) return rethrow(error);
				// The outcome of the last try tells the user more than the lack of a slot for another try.
				throw this.failure(last, request, { tries: retries, isUncertain });
			});
			// The next lookup by title reads the list again, because this write may have changed it.
			if (!isRead) tenant.titleReads.delete(wholeListOf(path));
			if (outcome.kind === 'response' && isUsable(outcome)) {
				this.hasWritten ||= !isRead;
				return { ...outcome, begun };
			}
			last = outcome;
			isUncertain = mayHaveTakenEffect(outcome, method, isUncertain);
			if (outcome.kind === 'networkError') {
				if (outcome.code === 'ERR_CANCELED') throw this.stopped(request, isUncertain);
				const longest = Math.max(LONGEST_UNANSWERED_MS, request.timeout ?? 0);
				deadline = Math.min(deadline, (firstSentAt ?? Infinity) + longest);
			}
			const now = { random: Math.random(), wallTime: systemClock.wallTime() };
			const decision = retryDecision({ outcome, method, retries, maxRetries, ...now });
			if (decision.kind === 'final' || systemClock.now() + decision.waitMs > deadline) {
				throw this.failure(outcome, request, { tries: retries + 1, isUncertain });
			}
			const { waitMs } = decision;
			const reason = outcome.kind === 'response' ? `HTTP ${outcome.status}` : causeText(outcome);
			const text = `${method} ${path} is sent again in ${Math.ceil(waitMs / 1000)} s: ${reason}`;
			context.logger?.debug(withoutKey(text, this.account.apiKey));
			await systemClock.sleep(waitMs, signal);
			if (isUncertain && request.decidesAgain) {
				const failure = this.failure(outcome, request, { tries: retries + 1, isUncertain });
				throw new LostAnswer(failure, { sentAt: begun.at, deadline });
			}
		}
	}

	/**
	 * Reads one page of a list.
	 *
	 * @param options.subject name of the list in messages; by default "list"
	 * @param isMember returns whether an entry can be a record of the list
	 * @throws what `request` throws, or ServiceError if the answer is no page of the list
	 */
	async page(
		options: Omit<RequestOptions, 'method' | 'subject'> & Partial<Pick<RequestOptions, 'subject'>>,
		isMember: (entry: unknown) => boolean = () => true,
	): Promise<Page & { begun: Begun }> {
		const request = { method: 'GET' as const, subject: { noun: 'list' }, ...options };
		const response = await this.request(request);
		const page = pageOf(response.body);
		if (page?.members.every(isMember)) return { ...page, begun: response.begun };
		throw this.unreadable(response, request);
	}

	/** Returns the error to throw for an answer that reports success but cannot be read. */
	unreadable(response: ServiceResponse, request: RequestOptions): ServiceError {
		return this.failure({ kind: 'response', ...response }, request);
	}

	/** Returns the error to throw for an answer that says that the request failed, although its status means success. */
	refused(response: ServiceResponse, request: RequestOptions): ServiceError {
		return this.failure({ kind: 'response', ...response }, request, { isFailure: true });
	}

	/** Writes a line into n8n's log. The text must not contain data of a record. */
	logInfo(text: string): void {
		this.context.logger?.info(withoutKey(text, this.account.apiKey));
	}

	/**
	 * Waits until the item may write. Items with the same credential write one at a time.
	 *
	 * @returns a function that lets the next item write
	 * @throws RateLimited or RunStopped, as `request` does
	 */
	async lockWrites(): Promise<() => void> {
		return await (this.account.preview ?? this.tenant.limiter).lockWrites(this.defaults());
	}

	/** Returns a client whose reads leave a slot free for the write that follows at once. A preview writes nothing. */
	beforeWrite(): Client {
		if (this.isPreview) return this;
		return new Client(this.context, this.account, { ...this.options, reservesNext: true });
	}

	/** Keeps records of an answer as the newest reads of the run. Does nothing in a run that writes nothing. */
	noteReads(records: readonly unknown[], contract: RecordContract, begun: Begun): void {
		if (!this.options.keepsReads) return;
		for (const record of records) {
			const id = valueOf(idOf(record, contract.collection));
			if (id === undefined) continue;
			this.account.newest.note(contract, { ...begun, id, record: record as IDataObject });
		}
	}

	/** Returns the start of a read that begins now. */
	begunNow(): Begun {
		return { afterWrite: this.tenant.writes.lastWrite, at: systemClock.now() };
	}

	private defaults() {
		return {
			item: 0,
			isUrgent: false,
			limit: this.limit,
			slotWaitMs: Infinity,
			throttledWaitMs: Infinity,
			maxRetries: MAX_RETRIES,
			logger: this.context.logger,
			...this.options,
		};
	}

	private failure(
		outcome: Outcome,
		request: RequestOptions,
		more?: { tries: number; isUncertain: boolean } | { isFailure: boolean },
	): ServiceError {
		const { tenant, apiKey } = this.account;
		const known = { baseUrl: tenant.service.baseUrl, apiKey, ...more };
		const explained = explain(outcome, request, known);
		// The user chose a name, so the message of the service about the ID of the record means nothing to the user.
		const named = this.names.namesIn(explained.message).map(quoted).join(', ');
		if (named === '') return new ServiceError(explained);
		const check = `The credential gives the ID for ${named}. Check it under Names of Users and Tags`;
		return new ServiceError({ ...explained, advice: `${check}. ${explained.advice}` });
	}

	private stopped({ subject }: ApiRequest, isUncertain: boolean): RunStopped {
		return new RunStopped(this.hasWritten || isUncertain ? subject.noun : undefined);
	}
}
