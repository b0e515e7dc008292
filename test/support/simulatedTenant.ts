import { limitEffectOf } from '../../nodes/ContactTaskCrm/http/retry';
import type { Waiting } from '../../nodes/ContactTaskCrm/limit/waiting';
import { Limiter } from '../../nodes/ContactTaskCrm/limit/limiter';
import type { Outcome } from '../../nodes/ContactTaskCrm/http/request';
import type { LimiterState, RateLimitRule, RetryAfterForm } from '../service/limiter';
import { decide, EMPTY_STATE, retryAfter } from '../service/limiter';
import { VirtualClock } from './virtualClock';

export interface SimulationOptions {
	rule?: Partial<RateLimitRule>;
	/** Form of Retry-After: a form of the stand-in, or whole seconds rounded up (`exact`) or down (`floored`). */
	retryAfter?: RetryAfterForm | 'exact' | 'floored';
	/** Returns, for each request, the ms until it arrives, and the ms from its arrival until the answer. */
	latency?: () => [number, number];
	random?: () => number;
	clock?: VirtualClock;
	/** Requests per minute that the node assumes. By default, the real limit of the service (`rule.limit`). */
	limit?: number;
}

interface Entry {
	name: string;
	sentAt: number;
	stampedAt: number;
	respondedAt: number;
	status: number;
}

/** Settings of a waiting request. By default, it has its own lane, is not urgent, and waits without a limit. */
type Waits = Partial<Waiting> & { limiter?: Limiter<Outcome> };

/**
 * The node's limiter in front of the stand-in's own rate limiter, without a network, in virtual time. `entries` shows
 * what became of each request.
 */
export class SimulatedTenant {
	readonly clock: VirtualClock;

	readonly limiter: Limiter<Outcome>;

	readonly entries: Entry[] = [];

	private state: LimiterState = EMPTY_STATE;

	private readonly rule: RateLimitRule;

	constructor(private readonly options: SimulationOptions = {}) {
		this.clock = options.clock ?? new VirtualClock();
		this.rule = { mode: 'log', limit: 20, windowMs: 60_000, countRejected: true, ...options.rule };
		this.limiter = this.anotherLimiter();
	}

	/** Returns the limiter of another process. It knows nothing of the requests of the first limiter. */
	anotherLimiter(): Limiter<Outcome> {
		return new Limiter(this.clock, this.options.random ?? (() => 0.5), limitEffectOf);
	}

	/** Submits a request, which waits for its slot. */
	async submit(name: string, waits: Waits = {}): Promise<Outcome> {
		const { limiter = this.limiter } = waits;
		return await limiter.submit(this.waiting(waits), async () => await this.answer(name));
	}

	/** Waits for the write lock. Returns a function that gives it back. */
	async lockWrites(waits: Waits = {}): Promise<() => void> {
		return await this.limiter.lockWrites(this.waiting(waits));
	}

	/** Names of the accepted requests, in the order of their answers. */
	get accepted(): string[] {
		return this.entries.filter(({ status }) => status === 200).map(({ name }) => name);
	}

	get rejections(): number {
		return this.entries.filter(({ status }) => status === 429).length;
	}

	get lastResponseAt(): number {
		return Math.max(...this.entries.map(({ respondedAt }) => respondedAt));
	}

	private waiting(waits: Waits): Waiting {
		const limit = this.options.limit ?? this.rule.limit;
		const forEver = { slotWaitMs: Infinity, throttledWaitMs: Infinity };
		const plain = { isUrgent: false, limit };
		return { lane: {}, item: 0, ...plain, ...forEver, ...waits };
	}

	/** Sends a request at once, without the node's limiter, as another program would. */
	async answer(name: string): Promise<Outcome> {
		const [there, back] = this.options.latency?.() ?? [25, 25];
		const sentAt = this.clock.now();
		await this.clock.sleep(there);
		const stampedAt = this.clock.now();
		const decision = decide(this.state, stampedAt, this.rule);
		this.state = decision.state;
		await this.clock.sleep(back);
		const status = decision.admitted ? 200 : 429;
		this.entries.push({ name, sentAt, stampedAt, respondedAt: this.clock.now(), status });
		const headers = this.headersOf(stampedAt, decision.retryAt);
		return { kind: 'response', status, headers, body: {} };
	}

	/** Returns `Date` and Retry-After of an answer. The virtual clock counts from 0, but headers count from 1970. */
	private headersOf(stampedAt: number, retryAt = stampedAt): Record<string, string> {
		const { retryAfter: form = 'seconds' } = this.options;
		const epoch = this.clock.wallTime() - this.clock.now();
		const [now, then] = [epoch + stampedAt, epoch + retryAt];
		const seconds = (then - now) / 1000;
		const date = new Date(now).toUTCString();
		if (seconds === 0) return { date };
		if (form === 'exact') return { date, 'retry-after': String(Math.ceil(seconds)) };
		if (form === 'floored') return { date, 'retry-after': String(Math.floor(seconds)) };
		const value = retryAfter(form, this.rule.mode, now, then);
		return value === undefined ? { date } : { date, 'retry-after': value };
	}
}

/** Returns the largest number of requests in any sliding window of this length, in ms. */
export function mostInWindow(stamps: number[], windowMs: number): number {
	const sorted = [...stamps].sort((one, other) => one - other);
	return Math.max(
		0,
		...sorted.map(
			(start, index) => sorted.slice(index).filter((at) => at < start + windowMs).length,
		),
	);
}
