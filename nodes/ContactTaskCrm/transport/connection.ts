import type { IAllExecuteFunctions } from 'n8n-workflow';
import { sleepUnlessStopped } from './cancellation';
import type { Clock } from './clock';
import { systemClock } from './clock';
import type { Outcome, ServiceRequest, ServiceResponse } from './http';
import { isSuccess } from './http';
import { withLock } from './keyedMutex';
import { causeText } from './networkErrors';
import { withoutKey } from './redaction';
import { Cancelled, RateLimited } from './requestErrors';
import { isTruncated, mayHaveTakenEffect, retryDecision } from './retryPolicy';
import { sendOnce } from './send';
import type { Sender } from './sender';
import { hasTimeFor, timeoutOf } from './sender';
import type { Subject } from './serviceErrors';
import { explain, ServiceError } from './serviceErrors';
import type { Tenant } from './tenants';
import { tenantOf } from './tenants';

/** Sends requests to one tenant, each when its turn has come, and again where that can help. */
export class Connection {
	/** Checked, without a trailing slash. */
	readonly baseUrl: string;

	/** What this credential is known by, to remember things under: a hash. */
	readonly identity: string;

	/** Whether something was written already, of which a later request may be left undone. */
	private hasWritten = false;

	private constructor(
		private readonly context: IAllExecuteFunctions,
		private readonly sender: Sender,
		private readonly access: Tenant,
		private readonly clock: Clock,
	) {
		this.baseUrl = access.baseUrl;
		this.identity = access.identity;
	}

	/**
	 * Opens a connection with the credential of the node, which is decrypted once for all items of a run.
	 *
	 * @throws ExplainedError where base URL or key cannot be used, before anything is sent
	 */
	static async open(context: IAllExecuteFunctions, sender: Sender): Promise<Connection> {
		const tenant = await tenantOf(context, sender.cancellation);
		sender.cancellation?.uses(tenant.limiter);
		if (sender.urgent) tenant.limiter.listOpened();
		return new Connection(context, sender, tenant, systemClock);
	}

	/** Requests a minute of the tenant. */
	get limit(): number {
		return this.access.limit;
	}

	/** Whether a list can be read anew without holding up anybody. */
	get hasRoomToRefresh(): boolean {
		return this.access.limiter.hasRoomToRefresh(this.access.limit);
	}

	/** What tells this tenant's records from those of another, for what is locked or remembered by tenant. */
	get tenant(): string {
		return this.baseUrl;
	}

	/**
	 * Runs work that reads and then writes the same thing one after the other within the process.
	 *
	 * @param subject what is locked within the tenant, such as a person by id
	 * @throws Cancelled when the run was stopped before the work began
	 */
	async withLock<T>(subject: string, work: () => Promise<T>): Promise<T> {
		return await withLock(`${this.tenant} ${subject}`, work, this.sender.cancellation);
	}

	/**
	 * Sends a request until it is answered with success.
	 *
	 * @throws ServiceError when the service says no, or does not answer
	 * @throws RateLimited when it would have to wait longer than the sender's wait limits
	 * @throws Cancelled when the run was stopped before the request was sent, or cancelled meanwhile
	 */
	async request(request: ServiceRequest, subject: Subject): Promise<ServiceResponse> {
		const { method } = request;
		let previous: Outcome | undefined;
		for (let tries = 1; ; tries++) {
			const outcome = await this.submit(request).catch(async (reason: unknown) => {
				if (reason instanceof Cancelled) throw this.cancelled(previous, method, subject);
				// What was tried before says more than that there is no room for another try.
				if (reason instanceof RateLimited && previous) {
					throw this.failure(previous, request, subject, tries - 1);
				}
				return await Promise.reject(reason);
			});
			previous = outcome;
			if (outcome.kind === 'response' && isSuccess(outcome.status) && !isTruncated(outcome)) {
				this.hasWritten ||= method !== 'GET';
				return outcome;
			}
			if (outcome.kind === 'networkError' && outcome.code === 'ERR_CANCELED') {
				throw this.cancelled(outcome, method, subject);
			}
			const decision = retryDecision({
				outcome,
				method,
				retries: tries - 1,
				maxRetries: this.sender.maxRetries,
				random: Math.random(),
				wallTime: this.clock.wallTime(),
			});
			if (
				decision.kind === 'final' ||
				!hasTimeFor(this.sender, this.clock.now() + decision.waitMs)
			) {
				throw this.failure(outcome, request, subject, tries);
			}
			this.logRetry(outcome, request, decision.waitMs);
			await sleepUnlessStopped(this.clock, decision.waitMs, this.sender.cancellation);
		}
	}

	/** What to throw where an answer of success cannot be read. */
	unreadable(response: ServiceResponse, request: ServiceRequest, subject: Subject): ServiceError {
		return this.failure({ kind: 'response', ...response }, request, subject, 1);
	}

	private failure(
		outcome: Outcome,
		request: ServiceRequest,
		subject: Subject,
		tries: number,
	): ServiceError {
		const { baseUrl } = this;
		const { message, advice, ...rest } = explain(outcome, { request, subject, baseUrl, tries });
		const { apiKey } = this.access;
		return new ServiceError({
			...rest,
			message: withoutKey(message, apiKey),
			advice: withoutKey(advice, apiKey),
		});
	}

	private async submit(request: ServiceRequest): Promise<Outcome> {
		const { context, sender, clock } = this;
		const { queueKey, item, urgent, waitLimits, cancellation } = sender;
		const { limiter, limit, baseUrl, credential } = this.access;
		cancellation?.throwIfStopped();
		return await limiter.submit({
			queueKey,
			item,
			urgent,
			waitLimits,
			limit,
			logger: context.logger,
			send: async () => {
				sender.onSend?.();
				const options = { ...sender.connection, timeout: timeoutOf(sender, clock.now()) };
				const outcome = await sendOnce({
					context,
					baseUrl,
					request,
					options,
					credential,
					clock,
					cancellation,
				});
				if (outcome.kind === 'response') sender.onAnswer?.(outcome.headers);
				return outcome;
			},
		});
	}

	/** What ends an item whose run was stopped: what it sent before may have taken effect. */
	private cancelled(
		previous: Outcome | undefined,
		method: ServiceRequest['method'],
		{ noun }: Subject,
	): Cancelled {
		const isUncertain =
			this.hasWritten || (previous !== undefined && mayHaveTakenEffect(previous, method));
		return new Cancelled(isUncertain ? noun : undefined);
	}

	/** Writes a line into n8n's log; it may hold nothing of a record. */
	logInfo(text: string): void {
		this.context.logger?.info(withoutKey(text, this.access.apiKey));
	}

	private logRetry(outcome: Outcome, { method, path }: ServiceRequest, waitMs: number): void {
		const reason = outcome.kind === 'response' ? `HTTP ${outcome.status}` : causeText(outcome);
		const text = `${method} ${path} is sent again in ${Math.ceil(waitMs / 1000)} s: ${reason}`;
		this.context.logger?.debug(withoutKey(text, this.access.apiKey));
	}
}
