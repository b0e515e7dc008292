import type { IAllExecuteFunctions } from 'n8n-workflow';
import { checkedApiKey } from './apiKey';
import { checkedBaseUrl } from './baseUrl';
import type { Outcome, ServiceRequest, ServiceResponse } from './http';
import type { Clock } from './clock';
import { systemClock } from './clock';
import { afterOutcome, isTruncated } from './retryPolicy';
import type { ConnectionOptions } from './send';
import { CREDENTIAL, send } from './send';
import type { Explanation, Subject } from './serviceErrors';
import { explain, ServiceError } from './serviceErrors';
import type { Lane, Patience, TenantGate } from './tenantGate';
import { gateOf, identityOf } from './tenants';

/** Requests a minute where the credential says nothing (interface, section 8). */
export const DEFAULT_LIMIT = 20;

/** Whoever sends requests: an item of a run, a lookup, a poll. */
export interface Sender {
	lane: Lane;
	item: number;
	urgent: boolean;
	patience: Patience;
	connection: ConnectionOptions;
	/** Times a request is sent again at most; five where absent. */
	maxRetries?: number;
	/** No wait before another try goes beyond it, in ms of the clock's `now`. */
	endsAt?: number;
	/** Told each time something is sent. */
	onSend?: () => void;
	/** Told once the gate is known, so that waiting requests can be withdrawn from it. */
	onGate?: (gate: TenantGate) => void;
	/** @throws Withdrawn when nothing more may be sent */
	goOn?: () => void;
	/** Resolves when nothing more may be sent. */
	stopped?: Promise<void>;
}

/** Sends requests to one tenant, each when its turn has come, and again where that can help. */
export class Connection {
	private constructor(
		private readonly context: IAllExecuteFunctions,
		private readonly sender: Sender,
		readonly baseUrl: string,
		/** What this credential is known by, to remember things under: a hash. */
		readonly identity: string,
		private readonly apiKey: string,
		private readonly limit: number,
		private readonly gate: TenantGate,
		private readonly clock: Clock,
	) {}

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
		const gate = gateOf(identity);
		sender.onGate?.(gate);
		return new Connection(
			context,
			sender,
			baseUrl,
			identity,
			apiKey,
			limit >= 1 ? limit : DEFAULT_LIMIT,
			gate,
			systemClock,
		);
	}

	/** What tells this tenant's records from those of another, to take turns on. */
	get tenant(): string {
		return this.baseUrl;
	}

	/**
	 * Sends a request until it is answered with success.
	 *
	 * @throws ServiceError when the service says no, or does not answer
	 * @throws RateLimited when the patience of the sender is at an end
	 * @throws Withdrawn when the sender was stopped before the request was sent
	 */
	async request(request: ServiceRequest, subject: Subject): Promise<ServiceResponse> {
		const { sender } = this;
		sender.goOn?.();
		let before: Outcome | undefined;
		for (let tries = 1; ; tries++) {
			const outcome: Outcome = await this.submit(request).catch(
				// Withdrawn before another try, it ended as the try before did.
				async (reason) => before ?? (await Promise.reject(reason)),
			);
			before = outcome;
			if (outcome.kind === 'response' && isSuccess(outcome.status) && !isTruncated(outcome)) {
				return outcome;
			}
			const failure = () =>
				new ServiceError(this.withoutKey(explain(outcome, request, subject, this.baseUrl, tries)));
			const verdict = afterOutcome(
				outcome,
				request.method,
				tries - 1,
				Math.random(),
				this.clock.wallTime(),
				sender.maxRetries,
			);
			if (verdict.kind === 'accept') throw failure();
			// Stopped meanwhile, the request is not one that was never sent: it may have taken effect.
			if (await this.isStoppedWithin(verdict.waitMs)) throw failure();
		}
	}

	/** What to throw where an answer of success cannot be read. */
	unreadable(response: ServiceResponse, request: ServiceRequest, subject: Subject): ServiceError {
		const outcome = { kind: 'response' as const, ...response };
		return new ServiceError(this.withoutKey(explain(outcome, request, subject, this.baseUrl, 1)));
	}

	private async submit(request: ServiceRequest): Promise<Outcome> {
		const { lane, item, urgent, patience, connection, onSend } = this.sender;
		return await this.gate.submit({
			lane,
			item,
			urgent,
			patience,
			limit: this.limit,
			send: async () => {
				onSend?.();
				return await send(this.context, this.baseUrl, request, connection);
			},
		});
	}

	/** Waits, unless the sender is stopped, or at its end, before the time is over. */
	private async isStoppedWithin(ms: number): Promise<boolean> {
		const { stopped, endsAt = Infinity } = this.sender;
		if (this.clock.now() + ms > endsAt) return true;
		const over = this.clock.sleep(ms).then(() => false);
		return await (stopped ? Promise.race([over, stopped.then(() => true)]) : over);
	}

	/** A service or a proxy may repeat the key in what it says. */
	private withoutKey(explanation: Explanation): Explanation {
		const cleared = (text: string) => text.split(this.apiKey).join('…');
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
