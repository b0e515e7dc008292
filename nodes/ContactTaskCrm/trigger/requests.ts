import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { directoryOf } from '../directory/directory';
import { asRecord } from '../runtime/output';
import type { Clock } from '../transport/clock';
import { systemClock } from '../transport/clock';
import type { Sender } from '../transport/connection';
import { Connection } from '../transport/connection';
import type { ServiceRequest, ServiceResponse } from '../transport/http';
import { pageOf } from '../transport/paging';
import { headerTime } from '../transport/retryAfter';
import { CREDENTIAL, DEFAULT_TIMEOUT_MS } from '../transport/send';
import type { Subject } from '../transport/serviceErrors';
import { ServiceError } from '../transport/serviceErrors';
import { RateLimited } from '../transport/requestErrors';
import { UnusableParameter } from '../common/errors';
import type { PollLimits } from './pollLimits';
import { limitsOf } from './pollLimits';
import { sharedAnswer } from './sharedPages';
import { TenantShare } from './tenantShare';
import type { Instant } from './times';
import type { Anchor, QueryPair, ServedPage, Watch } from './watch';

export { CREDENTIAL };

const MINUTE_MS = 60_000;
const LEAST_TIMEOUT_MS = 1_000;
/** A poll does not hold up others for long, and the next one tries again anyway. */
const MAX_RETRIES = 2;

/** What a poll knows of the trigger it belongs to. */
export interface Poller {
	/** What the trigger is known by in this process. */
	trigger: string;
	/** Whether it has read nothing before. */
	isFirst: boolean;
}

/** The page number or the record of a request that the service answered in a way that cannot be used. */
export class UnreadablePage extends Error {
	constructor(readonly reason: ServiceError) {
		super(reason.message);
	}
}

/** When each trigger asked for what it read last, by the clock's `now`. */
const readAt = new Map<string, number>();

/** The requests of one poll: no more than its share, and no longer than it may take. */
export class PollRequests {
	/** Requests sent, those that were tried again among them. */
	sent = 0;

	/** The first time that an answer gave, by the service's clock: that of a refusal, too. */
	firstAnsweredAt: Instant | undefined;

	private share: TenantShare | undefined;

	private poller: Poller = { trigger: '', isFirst: true };

	private constructor(
		private readonly connection: Connection,
		private readonly sender: Sender,
		private readonly limits: PollLimits,
		private readonly clock: Clock,
	) {
		sender.onSend = () => {
			this.sent++;
			this.share?.spend(clock.now());
		};
		sender.onAnswer = ({ date }) => (this.firstAnsweredAt ??= headerTime(date));
	}

	/**
	 * Opens a connection for one poll, queued by itself.
	 *
	 * @throws ExplainedError where base URL or key cannot be used
	 */
	static async open(context: IPollFunctions): Promise<PollRequests> {
		const limits = limitsOf(context, systemClock.now());
		const sender: Sender = {
			queueKey: {},
			item: 0,
			urgent: limits.isTest,
			waitLimits: { slotMs: 0, throttledMs: 0 },
			connection: {},
		};
		const connection = await Connection.open(context, sender);
		return new PollRequests(connection, sender, limits, systemClock);
	}

	/** ms of the clock's `now`. */
	get now(): number {
		return this.clock.now();
	}

	/** What tells the tenant from others: the base URL. */
	get tenant(): string {
		return this.connection.tenant;
	}

	/** What the credential is known by, to keep things under: a hash. */
	get identity(): string {
		return this.connection.identity;
	}

	/** Keeps the poll to its part of what all polls of the tenant may send. */
	shareAs(poller: Poller): void {
		const { limit, identity } = this.connection;
		const now = this.clock.now();
		const { isFirst, trigger } = poller;
		this.poller = poller;
		this.share = TenantShare.of(identity, trigger, { limit, now, isFirst });
		this.limits.requests = Math.min(this.limits.requests, this.share.requests);
	}

	/** Requests that this poll may send in all. */
	get limit(): number {
		return this.limits.requests;
	}

	/**
	 * Reads one page of the list that is watched, or takes what another trigger read since this one did.
	 *
	 * @returns undefined when this poll may send nothing more
	 * @throws UnreadablePage where the service answers with something else than a page
	 * @throws ServiceError where it does not answer, or refuses the key or the list
	 */
	async page(watch: Watch, query: readonly QueryPair[]): Promise<ServedPage | undefined> {
		const question = JSON.stringify([this.connection.identity, watch.path, query]);
		const now = this.clock.now();
		const { trigger, isFirst } = this.poller;
		const after = isFirst ? Infinity : (readAt.get(trigger) ?? now);
		const { answer, askedAt } = await sharedAnswer(
			question,
			{ trigger, after, now },
			async () => await this.freshPage(watch, query),
		);
		if (answer) readAt.set(trigger, askedAt);
		return answer;
	}

	private async freshPage(
		watch: Watch,
		query: readonly QueryPair[],
	): Promise<ServedPage | undefined> {
		const { path, subject, anchors } = watch;
		const request = { method: 'GET' as const, path, query };
		const response = await this.send(request, subject).catch(async (error: unknown) => {
			if (!(error instanceof ServiceError)) return await Promise.reject(error);
			// Whose list is gone says more than that there is no such list.
			if (error.status === 404) await this.assertExist(anchors);
			return await Promise.reject(isOfThePage(error) ? new UnreadablePage(error) : error);
		});
		if (!response) return undefined;
		const page = pageOf(response.body);
		if (!page) throw new UnreadablePage(this.connection.unreadable(response, request, subject));
		directoryOf(this.identity).notice(page.members, watch.record.collection);
		const servedAt = headerTime(response.headers.date);
		if (servedAt === undefined) throw timeless();
		return { ...page, servedAt };
	}

	/**
	 * Reads one person.
	 *
	 * @returns undefined when this poll may send nothing more; `person` is absent where there is none
	 */
	async person(id: string): Promise<{ person?: IDataObject } | undefined> {
		const request = { method: 'GET' as const, path: `/people/${encodeURIComponent(id)}` };
		const response = await this.send(request, { noun: 'person', id }).catch(
			async (error: unknown) => {
				if (!(error instanceof ServiceError)) return await Promise.reject(error);
				if (error.status === 404) return 'gone' as const;
				return await Promise.reject(isOfThePage(error) ? new UnreadablePage(error) : error);
			},
		);
		if (response === 'gone') return {};
		return response && { person: asRecord(response.body) };
	}

	/** A page of a collection for its titles alone; undefined where it cannot be had. */
	async records(path: string, query: readonly QueryPair[]): Promise<unknown[] | undefined> {
		const response = await this.send({ method: 'GET', path, query }, { noun: 'list' });
		return response && pageOf(response.body)?.members;
	}

	/**
	 * Makes sure that what is watched exists.
	 *
	 * @returns whether all of it was asked for, within what this poll may send
	 * @throws ServiceError when something does not exist (404), UnusableParameter when it lacks the column
	 */
	async assertExist(anchors: readonly Anchor[]): Promise<boolean> {
		for (const { path, subject, assertSuits } of anchors) {
			const response = await this.send({ method: 'GET', path }, subject);
			if (!response) return false;
			assertSuits?.(asRecord(response.body));
		}
		return true;
	}

	private async send(
		request: ServiceRequest,
		subject: Subject,
	): Promise<ServiceResponse | undefined> {
		const { requests, endsAt, waitsUntil, failsAtOnce } = this.limits;
		const left = requests - this.sent;
		const now = this.clock.now();
		const leftMs = Math.max(0, endsAt - now);
		if (left < 1 || (leftMs === 0 && this.sent > 0)) return undefined;
		const { sender } = this;
		sender.waitLimits.slotMs = failsAtOnce ? 0 : Math.max(0, Math.min(endsAt, waitsUntil) - now);
		sender.waitLimits.throttledMs = sender.waitLimits.slotMs;
		// What is tried again is spent, too, and does not hold up others for long.
		sender.maxRetries = Math.min(MAX_RETRIES, left - 1);
		sender.connection.timeout = Math.max(LEAST_TIMEOUT_MS, Math.min(DEFAULT_TIMEOUT_MS, leftMs));
		sender.endsAt = Math.min(endsAt, Math.max(waitsUntil, now + MINUTE_MS));
		return await this.connection
			.request(request, subject)
			.catch(async (error: unknown) =>
				this.mayGoOnLater(error) ? undefined : await Promise.reject(error),
			);
	}

	/**
	 * Where others use the budget, the next poll goes on; a service that refuses all is worth a word,
	 * unless its refusal says when the trigger began.
	 */
	private mayGoOnLater(error: unknown): boolean {
		const { failsAtOnce, isTest } = this.limits;
		if (!(error instanceof RateLimited) || failsAtOnce || isTest) return false;
		if (this.poller.isFirst) return this.firstAnsweredAt !== undefined;
		return error.reason === 'limit' || this.sent > 0;
	}
}

/** Whether the service is there, and cannot give this page. */
function isOfThePage({ status }: ServiceError): boolean {
	return status !== undefined && ![401, 403, 404].includes(status);
}

/** Without the service's clock nothing old can be told from what is new. */
export function timeless(): UnusableParameter {
	return new UnusableParameter(
		'The service gave no answer that says what time it is, so that nothing new can be told from what is old',
		'Publish the workflow again when the service answers. Its answers need the header Date, which a proxy in front of it may take away',
	);
}
