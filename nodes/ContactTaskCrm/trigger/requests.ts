import type { IPollFunctions } from 'n8n-workflow';
import { asNodeError } from '../common/nodeErrors';
import { asRecord } from '../runtime/output';
import type { Clock } from '../transport/clock';
import { systemClock } from '../transport/clock';
import type { Sender } from '../transport/connection';
import { Connection } from '../transport/connection';
import type { ServiceRequest, ServiceResponse } from '../transport/http';
import { pageOf } from '../transport/paging';
import { headerTime } from '../transport/retryAfter';
import { DEFAULT_TIMEOUT_MS } from '../transport/send';
import type { Subject } from '../transport/serviceErrors';
import { ServiceError } from '../transport/serviceErrors';
import { RateLimited } from '../transport/requestErrors';
import { DEFAULT_MAX_REQUESTS, DEFAULT_MAX_WAIT_MINUTES } from './options';
import type { Instant } from './times';
import type { QueryPair, ServedPage, Watch } from './watch';

const MINUTE_MS = 60_000;
/** What is kept of the time that n8n gives a poll, to hand over what was read. */
const HANDOVER_MS = 2_000;
/** Whoever tests in the editor would rather read why it takes so long. */
const TEST_PATIENCE_MS = 10_000;
const LEAST_TIMEOUT_MS = 1_000;
/** A poll does not hold up others for long, and the next one tries again anyway. */
const MAX_RETRIES = 2;

/** What a poll may spend. */
interface Limits {
	requests: number;
	/** When all must be read, by the clock's `now`, since n8n gives a poll no more time. */
	endsAt: number;
	/** Until when the poll waits for its turns and for a service that stumbles. */
	patientUntil: number;
	failsAtOnce: boolean;
	/** Whether somebody waits for it in the editor. */
	isTest: boolean;
}

/** The requests of one poll: no more than its share, and no longer than it may take. */
export class PollRequests {
	private constructor(
		private readonly connection: Connection,
		private readonly sender: Sender,
		private readonly limits: Limits,
		private readonly clock: Clock,
		private readonly spent: { requests: number },
	) {}

	/**
	 * Opens a connection for one poll, queued by itself.
	 *
	 * @throws ExplainedError where base URL or key cannot be used
	 */
	static async open(context: IPollFunctions): Promise<PollRequests> {
		const { maxRequestsPerPoll, maxWaitMinutes, whenRateLimited } = context.getNodeParameter(
			'options',
			{},
		) as { maxRequestsPerPoll?: unknown; maxWaitMinutes?: unknown; whenRateLimited?: unknown };
		const waitMs = numberOr(maxWaitMinutes, DEFAULT_MAX_WAIT_MINUTES, 0) * MINUTE_MS;
		const isTest = context.getMode() === 'manual';
		const spent = { requests: 0 };
		const sender: Sender = {
			queueKey: {},
			item: 0,
			urgent: isTest,
			waitLimits: { slotMs: 0, throttledMs: 0 },
			connection: {},
			onSend: () => spent.requests++,
		};
		const connection = await Connection.open(context, sender);
		const now = systemClock.now();
		const limits = {
			requests: Math.floor(numberOr(maxRequestsPerPoll, DEFAULT_MAX_REQUESTS, 1)),
			endsAt: now + hostBudgetMs(context),
			patientUntil: now + Math.min(waitMs, isTest ? TEST_PATIENCE_MS : Infinity),
			failsAtOnce: whenRateLimited === 'fail',
			isTest,
		};
		return new PollRequests(connection, sender, limits, systemClock, spent);
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
	async page(watch: Watch, query: readonly QueryPair[]): Promise<ServedPage | undefined> {
		const { path, subject } = watch;
		const request = { method: 'GET' as const, path, query };
		const response = await this.send(request, subject).catch(async (error: unknown) => {
			// Whose list is gone says more than that there is no such list.
			if (error instanceof ServiceError && error.status === 404) await this.assertExists(watch);
			return await Promise.reject(error);
		});
		if (!response) return undefined;
		const page = pageOf(response.body);
		if (page) return { ...page, servedAt: headerTime(response.headers.date) };
		throw this.connection.unreadable(response, request, subject);
	}

	/**
	 * Makes sure that what the event depends on exists.
	 *
	 * @returns the answer; undefined when this poll may send nothing more, or nothing has to exist
	 * @throws ServiceError when it does not exist (404), UnusableParameter when it lacks the column
	 */
	async assertExists({ anchor }: Watch): Promise<{ servedAt?: Instant } | undefined> {
		if (!anchor) return undefined;
		const { path, subject, assertSuits } = anchor;
		const response = await this.send({ method: 'GET', path }, subject);
		if (!response) return undefined;
		assertSuits?.(asRecord(response.body));
		return { servedAt: headerTime(response.headers.date) };
	}

	private async send(
		request: ServiceRequest,
		subject: Subject,
	): Promise<ServiceResponse | undefined> {
		const { requests, endsAt, patientUntil, failsAtOnce } = this.limits;
		const left = requests - this.spent.requests;
		const now = this.clock.now();
		const leftMs = Math.max(0, endsAt - now);
		if (left < 1 || (leftMs === 0 && this.spent.requests > 0)) return undefined;
		const { sender } = this;
		sender.waitLimits.slotMs = failsAtOnce ? 0 : Math.max(0, Math.min(endsAt, patientUntil) - now);
		sender.waitLimits.throttledMs = sender.waitLimits.slotMs;
		// What is tried again is spent, too, and does not hold up others for long.
		sender.maxRetries = Math.min(MAX_RETRIES, left - 1);
		sender.connection.timeout = Math.max(LEAST_TIMEOUT_MS, Math.min(DEFAULT_TIMEOUT_MS, leftMs));
		sender.endsAt = Math.min(endsAt, Math.max(patientUntil, now + MINUTE_MS));
		return await this.connection
			.request(request, subject)
			.catch(async (error: unknown) =>
				this.mayGoOnLater(error) ? undefined : await Promise.reject(error),
			);
	}

	/** Where others use the budget, the next poll goes on; a service that refuses all is worth a word. */
	private mayGoOnLater(error: unknown): boolean {
		const { failsAtOnce, isTest } = this.limits;
		if (!(error instanceof RateLimited) || failsAtOnce || isTest) return false;
		return error.reason === 'limit' || this.spent.requests > 0;
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
