import type { IPollFunctions } from 'n8n-workflow';
import { asNodeError } from '../operation/nodeErrors';
import type { Clock } from '../transport/clock';
import { systemClock } from '../transport/clock';
import { Connection } from '../transport/connection';
import type { ServiceRequest, ServiceResponse } from '../transport/http';
import { pageOf } from '../transport/paging';
import { headerTime } from '../transport/retryAfter';
import type { Subject } from '../transport/serviceErrors';
import { explain, ServiceError } from '../transport/serviceErrors';
import type { Patience } from '../transport/tenantGate';
import { RateLimited } from '../transport/tenantGate';
import { DEFAULT_MAX_REQUESTS, DEFAULT_MAX_WAIT_MINUTES } from './options';
import type { QueryPair, ServedPage, Watch } from './watch';

const MINUTE_MS = 60_000;
/** What is kept of the time that n8n gives a poll, to hand over what was read. */
const HANDOVER_MS = 2_000;
/** A poll does not hold up others for long, and the next one tries again anyway. */
const MAX_RETRIES = 2;

/** The requests of one poll: no more than its share, and no longer than it may take. */
export class PollRequests {
	private sent = 0;

	private constructor(
		private readonly connection: Connection,
		private readonly patience: Patience,
		private readonly limits: { requests: number; endsAt: number; failsAtOnce: boolean },
		private readonly clock: Clock,
	) {}

	/**
	 * Opens a connection for one poll, in a lane of its own.
	 *
	 * @throws UnusableBaseUrl, or ServiceError where the key is empty
	 */
	static async open(context: IPollFunctions): Promise<PollRequests> {
		const { maxRequestsPerPoll, maxWaitMinutes, whenRateLimited } = context.getNodeParameter(
			'options',
			{},
		) as { maxRequestsPerPoll?: unknown; maxWaitMinutes?: unknown; whenRateLimited?: unknown };
		const waitMs = numberOr(maxWaitMinutes, DEFAULT_MAX_WAIT_MINUTES, 0) * MINUTE_MS;
		const patience: Patience = { limitMs: 0, refusalMs: 0 };
		const connection = await Connection.open(context, {
			lane: {},
			item: 0,
			urgent: false,
			patience,
			connection: {},
			maxRetries: MAX_RETRIES,
		});
		return new PollRequests(
			connection,
			patience,
			{
				requests: Math.floor(numberOr(maxRequestsPerPoll, DEFAULT_MAX_REQUESTS, 1)),
				endsAt: systemClock.now() + Math.min(waitMs, hostBudgetMs(context)),
				failsAtOnce: whenRateLimited === 'fail',
			},
			systemClock,
		);
	}

	/** What tells the tenant from others. */
	get tenant(): string {
		return this.connection.tenant;
	}

	/** ms since 1970 as this machine believes. */
	get wallTime(): number {
		return this.clock.wallTime();
	}

	/**
	 * Reads one page of the list that is watched.
	 *
	 * @returns undefined when this poll may send nothing more
	 * @throws ServiceError when the service says no, or answers with something else
	 */
	async page(
		{ path, subject }: Watch,
		query: readonly QueryPair[],
	): Promise<ServedPage | undefined> {
		const request = { method: 'GET' as const, path, query };
		const response = await this.send(request, subject);
		if (!response) return undefined;
		const page = pageOf(response.body);
		if (page) return { ...page, servedAt: headerTime(response.headers.date) };
		throw new ServiceError(
			explain({ kind: 'response', ...response }, request, subject, this.connection.baseUrl, 1),
		);
	}

	/**
	 * Makes sure that what the event depends on exists.
	 *
	 * @returns whether it was asked; not when this poll may send nothing more
	 * @throws ServiceError when it does not exist (404)
	 */
	async assertExists({ anchor }: Watch): Promise<boolean> {
		if (!anchor) return true;
		const { path, subject } = anchor;
		return (await this.send({ method: 'GET', path }, subject)) !== undefined;
	}

	private async send(
		request: ServiceRequest,
		subject: Subject,
	): Promise<ServiceResponse | undefined> {
		const { requests, endsAt, failsAtOnce } = this.limits;
		const leftMs = endsAt - this.clock.now();
		if (this.sent >= requests || (leftMs <= 0 && this.sent > 0)) return undefined;
		this.patience.limitMs = failsAtOnce ? 0 : Math.max(0, leftMs);
		this.patience.refusalMs = this.patience.limitMs;
		this.sent++;
		return await this.connection
			.request(request, subject)
			.catch(async (error: unknown) =>
				this.mayGoOnLater(error) ? undefined : await Promise.reject(error),
			);
	}

	/** Where others use the budget, the next poll goes on; a service that refuses all is worth a word. */
	private mayGoOnLater(error: unknown): boolean {
		if (!(error instanceof RateLimited) || this.limits.failsAtOnce) return false;
		return error.reason === 'limit' || this.sent > 1;
	}
}

function numberOr(value: unknown, preset: number, least: number): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && number >= least ? number : preset;
}

/** Hosts before 2026 do not say how long a poll may take. */
function hostBudgetMs(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	const budget = context.getPollBudgetMs?.() ?? 5 * MINUTE_MS;
	return Math.max(HANDOVER_MS, budget - HANDOVER_MS);
}

/** Runs what a poll does, and puts what is thrown into words for the person in the editor. */
export async function explained<T>(context: IPollFunctions, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw asNodeError(context.getNode(), error, 0);
	}
}
