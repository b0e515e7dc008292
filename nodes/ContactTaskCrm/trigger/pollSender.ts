import type { IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../transport/clock';
import type { Sender } from '../transport/sender';
import { Connection } from '../transport/connection';
import type { ServiceRequest, ServiceResponse } from '../transport/http';
import { RateLimited } from '../transport/requestErrors';
import { headerTime } from '../transport/retryAfter';
import { DEFAULT_TIMEOUT_MS } from '../transport/send';
import type { Subject } from '../transport/serviceErrors';
import { ServiceError } from '../transport/serviceErrors';
import type { PollLimits } from './pollLimits';
import { limitsOf } from './pollLimits';
import { TenantShare } from './tenantShare';
import type { Instant } from './times';

const MINUTE_MS = 60_000;
const LEAST_TIMEOUT_MS = 1_000;
/** A poll does not hold up others for long, and the next one tries again anyway. */
const MAX_RETRIES = 2;
/** That no answer came in less than this, before the poll had to end, says nothing of the service. */
const PATIENCE_MS = 10_000;

/** What a poll knows of the trigger it belongs to. */
export interface Poller {
	/** What the trigger is known by in this process. */
	trigger: string;
	/** Whether it has read nothing before. */
	isFirst: boolean;
}

/** What a poll sends with. */
export interface SenderParts {
	connection: Connection;
	sender: Sender;
	limits: PollLimits;
}

/**
 * Opens a connection for one poll, queued by itself.
 *
 * @throws ExplainedError where base URL or key cannot be used
 */
export async function openSender(context: IPollFunctions): Promise<SenderParts> {
	const limits = limitsOf(context, systemClock.now());
	const sender: Sender = {
		queueKey: {},
		item: 0,
		urgent: limits.isTest,
		waitLimits: { slotMs: 0, throttledMs: 0 },
		connection: {},
	};
	return { connection: await Connection.open(context, sender), sender, limits };
}

/** Sends the requests of one poll: no more than its share, and no longer than it may take. */
export class PollSender {
	/** Requests sent, those that were tried again among them. */
	sent = 0;

	/** The first time that an answer gave, by the service's clock: that of a refusal, too. */
	firstAnsweredAt: Instant | undefined;

	protected poller: Poller = { trigger: '', isFirst: true };

	protected readonly connection: Connection;

	private share: TenantShare | undefined;

	/** When something was sent last, by the clock's `now`. */
	private sentAt = 0;

	constructor(private readonly parts: SenderParts) {
		const { connection, sender } = parts;
		this.connection = connection;
		sender.onSend = () => {
			this.sent++;
			this.sentAt = this.now;
			this.share?.spend(this.sentAt);
		};
		sender.onAnswer = ({ date }) => (this.firstAnsweredAt ??= headerTime(date));
	}

	/** ms of the clock's `now`. */
	get now(): number {
		return systemClock.now();
	}

	/** What tells the tenant from others: the base URL. */
	get tenant(): string {
		return this.connection.tenant;
	}

	/** What the credential is known by, to keep things under: a hash. */
	get identity(): string {
		return this.connection.identity;
	}

	/** Requests that this poll may send in all. */
	get limit(): number {
		return this.parts.limits.requests;
	}

	/** Keeps the poll to its part of what all polls of the tenant may send. */
	shareAs(poller: Poller): void {
		const { limit, identity } = this.connection;
		const { isFirst, trigger } = poller;
		const { limits } = this.parts;
		this.poller = poller;
		this.share = TenantShare.of(identity, trigger, { limit, now: this.now, isFirst });
		limits.requests = Math.min(limits.requests, this.share.requests);
	}

	/**
	 * Sends one request.
	 *
	 * @returns undefined when this poll may send nothing more, or has to end before the answer came
	 * @throws ServiceError when the service says no, or does not answer
	 */
	protected async send(
		request: ServiceRequest,
		subject: Subject,
	): Promise<ServiceResponse | undefined> {
		const { sender, limits } = this.parts;
		const { requests, endsAt, waitsUntil, failsAtOnce } = limits;
		const left = requests - this.sent;
		const { now } = this;
		const leftMs = Math.max(0, endsAt - now);
		if (left < 1 || (leftMs === 0 && this.sent > 0)) return undefined;
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
	 * Where others use the budget, or the poll has to end, the next one goes on; a service that refuses
	 * all is worth a word, unless its refusal says when the trigger began.
	 */
	private mayGoOnLater(error: unknown): boolean {
		const { failsAtOnce, isTest, endsAt } = this.parts.limits;
		if (isTest) return false;
		if (error instanceof ServiceError) {
			const isCutShort = error.status === undefined && endsAt - this.sentAt < PATIENCE_MS;
			return isCutShort && this.sent > 1;
		}
		if (!(error instanceof RateLimited) || failsAtOnce) return false;
		if (this.poller.isFirst) return this.firstAnsweredAt !== undefined;
		return error.reason === 'limit' || this.sent > 0;
	}
}
