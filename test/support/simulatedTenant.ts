import { TenantLimiter } from '../../nodes/ContactTaskCrm/transport/tenantLimiter';
import type { QueueKey } from '../../nodes/ContactTaskCrm/transport/submission';
import type { WaitLimits } from '../../nodes/ContactTaskCrm/transport/waitLimits';
import type { Outcome } from '../../nodes/ContactTaskCrm/transport/http';
import type { LimiterState, RateLimitRule, RetryAfterForm } from '../service/limiter';
import { decide, EMPTY_STATE, retryAfter } from '../service/limiter';
import { VirtualClock } from './virtualClock';

export const FOREVER: WaitLimits = { slotMs: Infinity, throttledMs: Infinity };

export interface SimulationOptions {
	rule?: Partial<RateLimitRule>;
	retryAfter?: RetryAfterForm;
	/** Milliseconds on the way there and back; drawn anew for each request. */
	latency?: () => [number, number];
	random?: () => number;
	clock?: VirtualClock;
	/** What the client takes the limit for, where it is another one. */
	limit?: number;
}

interface Entry {
	name: string;
	sentAt: number;
	stampedAt: number;
	respondedAt: number;
	status: number;
}

/**
 * A tenant behind the stand-in's own rate limiter, in virtual time: what the limiter does to it can be
 * seen request by request without a network.
 */
export class SimulatedTenant {
	readonly clock: VirtualClock;

	readonly limiter: TenantLimiter;

	readonly entries: Entry[] = [];

	private state: LimiterState = EMPTY_STATE;

	private readonly rule: RateLimitRule;

	constructor(private readonly options: SimulationOptions = {}) {
		this.clock = options.clock ?? new VirtualClock();
		this.rule = { mode: 'log', limit: 20, windowMs: 60_000, countRejected: true, ...options.rule };
		this.limiter = this.anotherLimiter();
	}

	/** A limiter of another process that knows nothing of the first. */
	anotherLimiter(): TenantLimiter {
		return new TenantLimiter(this.clock, this.options.random ?? (() => 0.5));
	}

	/** A request of somebody who does not ask the limiter. */
	async byOthers(name: string): Promise<Outcome> {
		return await this.answer(name);
	}

	async submit(
		name: string,
		queueKey: QueueKey,
		{ waitLimits = FOREVER, urgent = false, limiter = this.limiter, item = 0 } = {},
	): Promise<Outcome> {
		return await limiter.submit({
			queueKey,
			item,
			urgent,
			waitLimits,
			limit: this.options.limit ?? this.rule.limit,
			send: async () => await this.answer(name),
		});
	}

	get rejections(): number {
		return this.entries.filter(({ status }) => status === 429).length;
	}

	get lastResponseAt(): number {
		return Math.max(...this.entries.map(({ respondedAt }) => respondedAt));
	}

	private async answer(name: string): Promise<Outcome> {
		const [there, back] = this.options.latency?.() ?? [25, 25];
		const sentAt = this.clock.now();
		await this.clock.sleep(there);
		const stampedAt = this.clock.now();
		const decision = decide(this.state, stampedAt, this.rule);
		this.state = decision.state;
		await this.clock.sleep(back);
		const status = decision.admitted ? 200 : 429;
		this.entries.push({ name, sentAt, stampedAt, respondedAt: this.clock.now(), status });
		return {
			kind: 'response',
			status,
			headers: this.headersOf(stampedAt, decision.retryAt),
			body: {},
		};
	}

	/** The limiter counts from 0, the headers from 1970. */
	private headersOf(stampedAt: number, retryAt: number | undefined): Record<string, string> {
		const epoch = this.clock.wallTime() - this.clock.now();
		const headers: Record<string, string> = { date: new Date(epoch + stampedAt).toUTCString() };
		if (retryAt === undefined) return headers;
		const form = this.options.retryAfter ?? 'seconds';
		const value = retryAfter(form, this.rule.mode, epoch + stampedAt, epoch + retryAt);
		return value === undefined ? headers : { ...headers, 'retry-after': value };
	}
}

/** Most requests that were stamped within any window of this length, in ms. */
export function mostInWindow(stamps: number[], windowMs: number): number {
	const sorted = [...stamps].sort((one, other) => one - other);
	return Math.max(
		0,
		...sorted.map(
			(start, index) => sorted.slice(index).filter((at) => at < start + windowMs).length,
		),
	);
}
