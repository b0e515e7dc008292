import type { IAllExecuteFunctions } from 'n8n-workflow';
import { checkedApiKey } from './apiKey';
import { checkedBaseUrl } from './baseUrl';
import type { Clock } from './clock';
import { systemClock } from './clock';
import type { Outcome, ServiceRequest, ServiceResponse } from './http';
import { isTruncated, retryDecision } from './retryPolicy';
import type { ConnectionOptions } from './send';
import { CREDENTIAL, sendOnce } from './send';
import type { Explanation, Subject } from './serviceErrors';
import { explain, ServiceError } from './serviceErrors';
import type { QueueKey, TenantLimiter, WaitLimits } from './tenantLimiter';
import { limiterOf, identityOf } from './tenants';

/** Requests a minute where the credential says nothing (interface, section 8). */
export const DEFAULT_LIMIT = 20;

/** Whoever sends requests: an item of a run, a lookup, a poll. */
export interface Sender {
	queueKey: QueueKey;
	item: number;
	urgent: boolean;
	waitLimits: WaitLimits;
	connection: ConnectionOptions;
	/** Times a request is sent again at most; five where absent. */
	maxRetries?: number;
	/** No wait before another try goes beyond it, in ms of the clock's `now`. */
	endsAt?: number;
	/** Called each time something is sent. */
	onSend?: () => void;
	/** What may stop the sender; a poll or a lookup runs to its end. */
	cancellation?: Cancellation;
}

/** What may be stopped or cancelled while requests wait: a run of the node. */
export interface Cancellation {
	/** @throws Cancelled when nothing more may be sent */
	throwIfCancelled(): void;
	/** Resolves when nothing more may be sent. */
	readonly cancelled: Promise<void>;
	/** Called with the limiter that requests will wait in, to take them out of it. */
	uses(limiter: TenantLimiter): void;
}

/** What a connection is made of. */
interface ConnectionParts {
	context: IAllExecuteFunctions;
	sender: Sender;
	baseUrl: string;
	identity: string;
	apiKey: string;
	limit: number;
	limiter: TenantLimiter;
	clock: Clock;
}

/** Sends requests to one tenant, each when its turn has come, and again where that can help. */
export class Connection {
	/** Checked, without a trailing slash. */
	readonly baseUrl: string;

	/** What this credential is known by, to remember things under: a hash. */
	readonly identity: string;

	private constructor(private readonly parts: ConnectionParts) {
		this.baseUrl = parts.baseUrl;
		this.identity = parts.identity;
	}

	/**
	 * Opens a connection with the credential of the node.
	 *
	 * @throws ExplainedError where base URL or key cannot be used, before anything is sent
	 */
	static async open(context: IAllExecuteFunctions, sender: Sender): Promise<Connection> {
		const credentials = await context.getCredentials<{
			baseUrl?: unknown;
			apiKey?: unknown;
			requestsPerMinute?: unknown;
		}>(CREDENTIAL);
		const baseUrl = checkedBaseUrl(credentials.baseUrl);
		const apiKey = checkedApiKey(credentials.apiKey);
		const limit = Math.floor(Number(credentials.requestsPerMinute));
		const identity = identityOf(baseUrl, apiKey);
		const limiter = limiterOf(identity);
		sender.cancellation?.uses(limiter);
		return new Connection({
			context,
			sender,
			baseUrl,
			identity,
			apiKey,
			limit: limit >= 1 ? limit : DEFAULT_LIMIT,
			limiter,
			clock: systemClock,
		});
	}

	/** What tells this tenant's records from those of another, for what is locked or remembered by tenant. */
	get tenant(): string {
		return this.baseUrl;
	}

	/**
	 * Sends a request until it is answered with success.
	 *
	 * @throws ServiceError when the service says no, or does not answer
	 * @throws RateLimited when it would have to wait longer than the sender's wait limits
	 * @throws Cancelled when the sender was stopped before the request was sent
	 */
	async request(request: ServiceRequest, subject: Subject): Promise<ServiceResponse> {
		const { sender, clock } = this.parts;
		sender.cancellation?.throwIfCancelled();
		let before: Outcome | undefined;
		for (let tries = 1; ; tries++) {
			const outcome: Outcome = await this.submit(request).catch(
				// Cancelled before another try, it ended as the try before did.
				async (reason) => before ?? (await Promise.reject(reason)),
			);
			before = outcome;
			if (outcome.kind === 'response' && isSuccess(outcome.status) && !isTruncated(outcome)) {
				return outcome;
			}
			const failure = () => this.failure(outcome, request, subject, tries);
			const decision = retryDecision({
				outcome,
				method: request.method,
				retries: tries - 1,
				maxRetries: sender.maxRetries,
				random: Math.random(),
				wallTime: clock.wallTime(),
			});
			if (decision.kind === 'final') throw failure();
			// Not as Cancelled, which says that nothing was sent: it may have taken effect.
			if (await this.isCancelledWithin(decision.waitMs)) throw failure();
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
		return new ServiceError(
			this.withoutKey(explain(outcome, { request, subject, baseUrl, tries })),
		);
	}

	private async submit(request: ServiceRequest): Promise<Outcome> {
		const { context, sender, limiter, limit, baseUrl } = this.parts;
		const { queueKey, item, urgent, waitLimits, connection, onSend } = sender;
		return await limiter.submit({
			queueKey,
			item,
			urgent,
			waitLimits,
			limit,
			send: async () => {
				onSend?.();
				return await sendOnce(context, baseUrl, request, connection);
			},
		});
	}

	/** Waits, unless the sender is cancelled, or at its end, before the time is over. */
	private async isCancelledWithin(ms: number): Promise<boolean> {
		const { sender, clock } = this.parts;
		const { cancellation, endsAt = Infinity } = sender;
		if (clock.now() + ms > endsAt) return true;
		const over = clock.sleep(ms).then(() => false);
		return await (cancellation
			? Promise.race([over, cancellation.cancelled.then(() => true)])
			: over);
	}

	/** A service or a proxy may repeat the key in what it says. */
	private withoutKey(explanation: Explanation): Explanation {
		const cleared = (text: string) => text.split(this.parts.apiKey).join('…');
		return {
			...explanation,
			message: cleared(explanation.message),
			advice: cleared(explanation.advice),
		};
	}
}

function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}
