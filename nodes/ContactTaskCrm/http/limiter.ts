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
import type { Queued } from './queue';
import { FairQueue } from './queue';
import type { ApiRequest, Outcome, ServiceResponse } from './request';
import { retryAfterMs } from './retry';
import { throttled } from './throttling';

/** How whoever waits is queued, and for how long: what a request says of it. */
export type Waiting = Pick<
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
interface Job extends Waiting, Queued {
	waitsSince: number;
	/** Present for a request: sends it once, and does not reject. */
	send?: () => Promise<Outcome>;
	resolve: (outcome?: Outcome) => void;
	reject: (reason: RateLimited | Busy | Cancelled) => void;
}

/** Whoever would not wait for a slot waits as long as the service answers, and so long after its last answer. */
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

	private readonly queue = new FairQueue<object, Job>();

	/** No later than the first of what waits gives up; Infinity where all wait however long it takes. */
	private firstGivesUpAt = Infinity;

	private answeredAt = -Infinity;

	/** Since when an item has the turn to change something; undefined where none has. */
	private turnSince?: number;

	private readonly watched = new WeakSet<AbortSignal>();

	private nextOrder = 0;

	/** Until when all that wait were last seen to be willing to wait. */
	private checkedUntil = -Infinity;

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
	async submit(waiting: Waiting, send: () => Promise<Outcome>): Promise<Outcome> {
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
	async turn(waiting: Waiting): Promise<() => void> {
		await this.wait(waiting);
		return () => {
			this.turnSince = undefined;
			this.dispatch();
		};
	}

	private async wait(
		waiting: Waiting,
		send?: () => Promise<Outcome>,
	): Promise<Outcome | undefined> {
		return await new Promise((resolve, reject) => {
			const now = this.clock.now();
			const { waitsSince = now, signal } = waiting;
			const job = { ...waiting, waitsSince, order: this.nextOrder++, send, resolve, reject };
			if (signal?.aborted) {
				reject(new Cancelled());
				return;
			}
			// A newcomer is looked at alone: looking at all that wait would cost more for each of them.
			const decision = decide(this.state, job.limit, now);
			if (decision.kind === 'wait' && this.isOverdue(job, decision)) {
				reject(new RateLimited(decision.until - now, decision.reason));
				return;
			}
			if (signal) this.watch(signal);
			this.firstGivesUpAt = Math.min(this.firstGivesUpAt, this.givesUpAt(job));
			this.queue.add(job);
			// The items of a run come one after another: the first of them has its turn first.
			if (send) this.dispatch();
			else void this.clock.sleep(0).then(() => this.dispatch());
		});
	}

	/** A list was opened in the editor: for some minutes, runs spread, so that more of them can be read. */
	listOpened(): void {
		this.listOpenedAt = this.clock.now();
	}

	/** One listener a run, since thousands of its items may wait. */
	private watch(signal: AbortSignal): void {
		if (this.watched.has(signal)) return;
		this.watched.add(signal);
		const reject = () => {
			this.rejectAll(
				(job) => job.signal === signal,
				() => new Cancelled(),
			);
			if (this.queue.size === 0) this.setAlarm(Infinity);
		};
		signal.addEventListener('abort', reject, { once: true });
	}

	private dispatch(): void {
		for (let next = this.next(); next.job; next = this.next()) {
			const { job } = next;
			const now = this.clock.now();
			const spreads = this.spreads(job, now);
			this.state = offered(this.state, { limit: job.limit, spreads }, now);
			const decision = decide(this.state, job.limit, now);
			if (decision.kind === 'send') {
				this.queue.take(job);
				if (job.send) {
					void this.sendJob(job, job.send, now);
				} else {
					this.turnSince = now;
					job.resolve();
					// Whoever has the turn now sends first.
					void this.clock.sleep(0).then(() => this.dispatch());
					return;
				}
			} else if (!this.rejectOverdue(decision, now)) {
				// By this decision: made anew a moment later it might be to send, with nobody there to do so.
				const until = decision.kind === 'wait' ? decision.until : Infinity;
				this.setAlarm(Math.min(until, this.firstGivesUpAt));
				return;
			}
		}
		// What is left waits for the turn that another item has, or spreads, and may have waited long enough.
		if (this.queue.size > 0) this.rejectOverdue({ kind: 'waitForResponse' }, this.clock.now());
		const isEmpty = this.queue.size === 0;
		this.setAlarm(isEmpty ? Infinity : Math.min(this.next().spreadsUntil, this.firstGivesUpAt));
	}

	/** The job that goes next, if one is ready, and when the first comes that only spreads. */
	private next(): { job?: Job; spreadsUntil: number } {
		const now = this.clock.now();
		let spreadsUntil = Infinity;
		const isReady = ({ send }: Job) => send !== undefined || this.turnSince === undefined;
		const mayGo = (first: Job) => {
			if (!this.spreads(first, now)) return true;
			const at = spreadAt(this.state, first.limit);
			if (at > now) spreadsUntil = Math.min(spreadsUntil, at);
			return at <= now;
		};
		return { job: this.queue.peek(isReady, mayGo), spreadsUntil };
	}

	private spreads({ isUrgent, runMinutes }: Job, now: number): boolean {
		return !isUrgent && isSpread(runMinutes, now - this.listOpenedAt);
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
			this.refuse(job, slot, outcome);
		} else {
			this.state = accepted(this.state, slot, job.limit, now);
			job.resolve(outcome);
		}
		// Whoever asked may want to stop a run because of this outcome: nothing is sent before that.
		await this.clock.sleep(0);
		this.dispatch();
	}

	/** Closes the limiter, and keeps the request to send it again, unless its run was stopped meanwhile. */
	private refuse(job: Job, slot: number, { headers }: ServiceResponse): void {
		const now = this.clock.now();
		const retryAfter = retryAfterMs(headers, this.clock.wallTime());
		const { limit } = job;
		this.state = throttled(this.state, { slot, limit, now, retryAfter, random: this.random() });
		const until = this.state.throttling?.until ?? now;
		job.logger?.debug(
			`The service refused a request (HTTP 429); the next one is sent in ${Math.ceil((until - now) / 1000)} s`,
			{ retryAfter: headers['retry-after'], waiting: this.queue.size },
		);
		// All are looked at again, since this one is no newcomer and may have waited long enough.
		this.checkedUntil = -Infinity;
		if (job.signal?.aborted) {
			job.reject(new Cancelled());
			return;
		}
		this.firstGivesUpAt = Math.min(this.firstGivesUpAt, this.givesUpAt(job));
		this.queue.putBack(job);
	}

	/** Rejects those that would have to wait longer than they may; says whether there were any. */
	private rejectOverdue(decision: Decision, now: number): boolean {
		let rejected = 0;
		if (decision.kind === 'wait' && decision.until !== this.checkedUntil) {
			this.checkedUntil = decision.until;
			const reason = new RateLimited(decision.until - now, decision.reason);
			rejected += this.rejectAll(
				(job) => this.isOverdue(job, decision),
				() => reason,
			);
		}
		if (now >= this.firstGivesUpAt) {
			const unanswered = new RateLimited(LEAST_UNANSWERED_WAIT_MS, 'unanswered');
			const busy = new Busy(TURN_TAKEN, now - (this.turnSince ?? now));
			const reason = ({ send }: Job) => (send || this.turnSince === undefined ? unanswered : busy);
			this.firstGivesUpAt = Infinity;
			rejected += this.rejectAll((job) => {
				const givesUpAt = this.givesUpAt(job);
				if (givesUpAt > now) this.firstGivesUpAt = Math.min(this.firstGivesUpAt, givesUpAt);
				return givesUpAt <= now;
			}, reason);
		}
		return rejected > 0;
	}

	private isOverdue(job: Job, { until, reason }: Decision & { kind: 'wait' }): boolean {
		if (reason === 'limit') return until - job.waitsSince > job.slotWaitMs;
		const since = this.state.throttling?.since ?? -Infinity;
		return until - Math.max(since, job.waitsSince) > job.throttledWaitMs;
	}

	private rejectAll(
		leaves: (job: Job) => boolean,
		reason: (job: Job) => RateLimited | Busy | Cancelled,
	): number {
		const jobs = this.queue.remove(leaves);
		for (const job of jobs) job.reject(reason(job));
		return jobs.length;
	}

	private givesUpAt({ waitsSince, slotWaitMs }: Job): number {
		const least = LEAST_UNANSWERED_WAIT_MS;
		return Math.max(waitsSince + Math.max(slotWaitMs, least), this.answeredAt + least);
	}

	/** Looks again at a time of the clock's `now`, and not at the one that was set before; Infinity for never. */
	private setAlarm(at: number): void {
		if (this.alarm?.at === at) return;
		this.alarm?.wait.abort();
		this.alarm = undefined;
		if (at === Infinity) return;
		const alarm = { at, wait: new AbortController() };
		this.alarm = alarm;
		// A timer may fire a moment too early, and is then set anew.
		const ms = Math.max(1, at - this.clock.now());
		void this.clock.sleep(ms, alarm.wait.signal).then(() => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.dispatch();
		});
	}
}
