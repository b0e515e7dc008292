import type { Clock } from './clock';
import { Busy, Cancelled, RateLimited } from './errors';
import type { Decision, RateLimitState } from './rateLimit';
import {
	accepted,
	decide,
	idle,
	isSpread,
	offered,
	sent,
	spreadAt,
	unanswered,
	unsent,
} from './rateLimit';
import { isOfN8n } from './networkErrors';
import { FairQueue } from './queue';
import type { ApiRequest, Outcome, ServiceResponse } from './request';
import { retryAfterMs } from './retry';
import { throttled } from './throttling';

/** How whoever waits is queued, and for how long: what a request says of it. */
export type QueueOptions = Pick<
	ApiRequest,
	| 'lane'
	| 'item'
	| 'isUrgent'
	| 'runMinutes'
	| 'limit'
	| 'slotWaitMs'
	| 'throttledWaitMs'
	| 'waitsSince'
	| 'signal'
	| 'logger'
>;

/** What waits: a request to be sent, or an item for its turn to change something. */
interface Job extends QueueOptions {
	waitsSince: number;
	/** When it was submitted: among those of one item, the earlier one goes first. */
	order: number;
	/** Present for a request: sends it once, and does not reject. */
	send?: () => Promise<Outcome>;
	resolve: (outcome?: Outcome) => void;
	reject: (reason: RateLimited | Busy | Cancelled) => void;
}

/** Even what may not wait for a slot waits while the service answers, and this long after its last answer. */
const LEAST_UNANSWERED_WAIT_MS = 3_000;

const TURN_TAKEN = 'Another item is changing a record with this credential';

/**
 * Where all requests of one credential wait for their slot, and items that change something for their turn.
 * Decides nothing itself: `rateLimit.ts` says when, `queue.ts` says which; a 429 is kept here and the same
 * request sent again.
 */
export class Limiter {
	private state: RateLimitState = idle;

	/** When a list of the editor was opened last. */
	private listOpenedAt = -Infinity;

	private readonly queue = new FairQueue<Job>();

	private answeredAt = -Infinity;

	/** Since when an item has the turn to change something; undefined where none has. */
	private turnSince?: number;

	private readonly watched = new WeakSet<AbortSignal>();

	private nextOrder = 0;

	/** The one alarm that is set, and for when. */
	private alarm?: { at: number; wait: AbortController };

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	/**
	 * Sends the request when its turn has come, again after each 429, and gives the first other outcome.
	 *
	 * @throws RateLimited when it would have to wait longer than it may
	 * @throws Cancelled when its signal aborts before it is sent
	 */
	async submit(waiting: QueueOptions, send: () => Promise<Outcome>): Promise<Outcome> {
		return (await this.wait(waiting, send))!;
	}

	/**
	 * Waits until an item may change something: one at a time, when a slot is there for its first request.
	 * Lanes take turns, and the items of a lane go in their order.
	 *
	 * @returns what ends the turn
	 * @throws RateLimited or Cancelled like a request
	 * @throws Busy where another item has the turn for longer than it may wait
	 */
	async turn(waiting: QueueOptions): Promise<() => void> {
		await this.wait(waiting);
		return () => {
			this.turnSince = undefined;
			this.dispatch();
		};
	}

	private async wait(
		waiting: QueueOptions,
		send?: () => Promise<Outcome>,
	): Promise<Outcome | undefined> {
		const now = this.clock.now();
		const { waitsSince = now, signal } = waiting;
		if (signal?.aborted) throw new Cancelled();
		// One listener a run, since thousands of its items may wait.
		if (signal && !this.watched.has(signal)) {
			this.watched.add(signal);
			const reject = () => {
				for (const job of this.queue.remove((each) => each.signal === signal)) {
					job.reject(new Cancelled());
				}
				if (this.queue.size === 0) this.wakeAt(Infinity);
			};
			signal.addEventListener('abort', reject, { once: true });
		}
		return await new Promise((resolve, reject) => {
			this.queue.add({ ...waiting, waitsSince, order: this.nextOrder++, send, resolve, reject });
			// The items of a run come one after another: the first of them has its turn first.
			if (send) this.letGo();
			// One look at all that wait serves many newcomers.
			if (this.queue.size > 0) this.wakeAt(now);
		});
	}

	/** A list was opened in the editor: for some minutes, runs spread, so that more of them can be read. */
	listOpened(): void {
		this.listOpenedAt = this.clock.now();
	}

	/** Lets go whoever may go now, and rejects whoever of the others would wait longer than they may. */
	private dispatch(): void {
		this.wakeAt(Infinity);
		const { decision, at } = this.letGo();
		const givesUpAt = decision ? this.rejectOverdue(decision, this.clock.now()) : Infinity;
		if (this.queue.size > 0) this.wakeAt(Math.min(at, givesUpAt));
	}

	/**
	 * Lets go whoever may go now.
	 *
	 * @returns what is decided of the next one, if that has to wait, and when to look again by this decision: made
	 *   anew a moment later it might be to send, with nobody there to do so
	 */
	private letGo(): { decision?: Decision; at: number } {
		for (;;) {
			const now = this.clock.now();
			const { job, spreadsUntil } = this.next(now);
			const first = job ?? this.queue.peek();
			if (!first) return { at: Infinity };
			if (job) {
				const spreads = isSpread(job, now - this.listOpenedAt);
				this.state = offered(this.state, { limit: job.limit, spreads }, now);
			}
			const decision = decide(this.state, first.limit, now);
			if (!job || decision.kind !== 'send') {
				const until = decision.kind === 'wait' ? decision.until : Infinity;
				return { decision, at: Math.min(until, spreadsUntil) };
			}
			this.queue.take(job);
			if (job.send) {
				void this.sendJob(job, job.send, now);
			} else {
				this.turnSince = now;
				job.resolve();
				// Whoever has the turn now sends first.
				return { at: now };
			}
		}
	}

	/** The job that goes next, if one is ready, and when the first comes that only spreads. */
	private next(now: number): { job?: Job; spreadsUntil: number } {
		let spreadsUntil = Infinity;
		const isReady = ({ send }: Job) => send !== undefined || this.turnSince === undefined;
		const mayGo = (first: Job) => {
			if (!isSpread(first, now - this.listOpenedAt)) return true;
			const at = spreadAt(this.state, first.limit);
			if (at > now) spreadsUntil = Math.min(spreadsUntil, at);
			return at <= now;
		};
		return { job: this.queue.peek(isReady, mayGo), spreadsUntil };
	}

	private async sendJob(job: Job, send: () => Promise<Outcome>, sentAt: number): Promise<void> {
		const { state, slot } = sent(this.state, job.limit, sentAt);
		this.state = state;
		const outcome = await send();
		const now = this.clock.now();
		this.answeredAt = now;

		if (outcome.kind === 'networkError') {
			this.state = isOfN8n(outcome.code)
				? unsent(this.state, slot)
				: unanswered(this.state, slot, now);
			job.resolve(outcome);
		} else if (outcome.status === 429) {
			this.refused(job, slot, outcome);
		} else {
			this.state = accepted(this.state, slot, job.limit, now);
			job.resolve(outcome);
		}
		// Whoever asked may want to stop a run because of this outcome: nothing is sent before that.
		this.wakeAt(now);
	}

	/** Closes the limiter, and keeps the request to send it again, unless its run was stopped meanwhile. */
	private refused(job: Job, slot: number, { headers }: ServiceResponse): void {
		const now = this.clock.now();
		const retryAfter = retryAfterMs(headers, this.clock.wallTime());
		const { limit } = job;
		this.state = throttled(this.state, { slot, limit, now, retryAfter, random: this.random() });
		const until = this.state.throttling?.until ?? now;
		job.logger?.debug(
			`The service refused a request (HTTP 429); the next one is sent in ${Math.ceil((until - now) / 1000)} s`,
			{ retryAfter: headers['retry-after'], waiting: this.queue.size },
		);
		if (job.signal?.aborted) job.reject(new Cancelled());
		else this.queue.putBack(job);
	}

	/**
	 * Rejects jobs that would have to wait longer than they may, or have done so.
	 *
	 * @returns when the first of the other jobs gives up, by the clock's `now`
	 */
	private rejectOverdue(decision: Decision, now: number): number {
		const { turnSince } = this;
		const throttledSince = this.state.throttling?.since ?? -Infinity;
		let firstGivesUpAt = Infinity;
		const isThrottled = decision.kind === 'wait' && decision.reason === 'throttled';
		const reasonOf = (job: Job) => {
			const { waitsSince, slotWaitMs, throttledWaitMs, send } = job;
			// Thousands of items wait without an end, and are looked at after each answer.
			if (slotWaitMs === Infinity && !isThrottled) return undefined;
			if (decision.kind === 'wait') {
				const { until, reason } = decision;
				const isTooLong =
					reason === 'limit'
						? until - waitsSince > slotWaitMs
						: until - Math.max(throttledSince, waitsSince) > throttledWaitMs;
				if (isTooLong) return new RateLimited(until - now, reason);
			}
			const least = LEAST_UNANSWERED_WAIT_MS;
			const waitsUntil = waitsSince + Math.max(slotWaitMs, least);
			const givesUpAt = Math.max(waitsUntil, this.answeredAt + least);
			if (givesUpAt > now) {
				firstGivesUpAt = Math.min(firstGivesUpAt, givesUpAt);
				return undefined;
			}
			return send || turnSince === undefined
				? new RateLimited(least, 'unanswered')
				: new Busy(TURN_TAKEN, now - turnSince);
		};
		this.queue.remove((job) => {
			const reason = reasonOf(job);
			if (reason) job.reject(reason);
			return reason !== undefined;
		});
		return firstGivesUpAt;
	}

	/** Looks again at a time of the clock's `now`, unless it does so before; at Infinity, not any more. */
	private wakeAt(at: number): void {
		if (at < Infinity && this.alarm && this.alarm.at <= at) return;
		this.alarm?.wait.abort();
		this.alarm = undefined;
		if (at === Infinity) return;
		const alarm = { at, wait: new AbortController() };
		this.alarm = alarm;
		const left = at - this.clock.now();
		// A timer may fire a moment too early, and is then set anew.
		const ms = left > 0 ? Math.max(1, left) : 0;
		void this.clock.sleep(ms, alarm.wait.signal).then(() => {
			if (this.alarm === alarm) this.dispatch();
		});
	}
}
