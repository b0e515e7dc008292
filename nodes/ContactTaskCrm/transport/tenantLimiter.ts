import type { Clock } from './clock';
import type { Queued } from './fairQueue';
import { FairQueue } from './fairQueue';
import type { Outcome, ServiceResponse } from './http';
import type { ListReserve } from './listReserve';
import {
	afterListRequest,
	afterOpening,
	hasRoomToRefresh,
	noReserve,
	withKeptSlots,
} from './listReserve';
import { isOfN8n } from './networkErrors';
import { offered } from './offer';
import type { Decision, RateLimitState } from './rateLimit';
import { accepted, decide, idle, sent, unanswered, unsent } from './rateLimit';
import { throttled } from './refusal';
import { Cancelled, RateLimited } from './requestErrors';
import { retryAfterMs } from './retryAfter';
import type { QueueKey, Submission } from './submission';
import type { Patient } from './waitLimits';
import { isOverdue, LastMoments, LEAST_UNANSWERED_WAIT_MS } from './waitLimits';
import { WakeUp } from './wakeUp';

interface Job extends Submission, Queued, Patient {
	resolve: (outcome: Outcome) => void;
	reject: (reason: RateLimited | Cancelled) => void;
}

/**
 * Where all requests to one tenant wait for their slot. Decides nothing itself: `rateLimit.ts`
 * says when, `fairQueue.ts` says which; a 429 is kept here and the same request sent again.
 */
export class TenantLimiter {
	private state: RateLimitState = idle;

	private lists: ListReserve = noReserve;

	private readonly queue = new FairQueue<QueueKey, Job>();

	/** Of the waiting requests, those that do not wait for a slot however long it takes. */
	private readonly hurried = new LastMoments<Job>();

	/** Keys of which nothing may be sent any more. */
	private readonly cancelled = new WeakSet<QueueKey>();

	private nextOrder = 0;

	/** Until when all that wait were last seen to be willing to wait. */
	private checkedUntil = -Infinity;

	private readonly wakeUp: WakeUp;

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {
		this.wakeUp = new WakeUp(clock, () => this.dispatch());
	}

	/**
	 * Sends the request when its turn has come, again after each 429, and gives the first other outcome.
	 *
	 * @throws RateLimited when it would have to wait longer than its wait limits
	 * @throws Cancelled when its key was cancelled before it was sent
	 */
	async submit(submission: Submission): Promise<Outcome> {
		return await new Promise((resolve, reject) => {
			const now = this.clock.now();
			const job = { ...submission, order: this.nextOrder++, enqueuedAt: now, resolve, reject };
			if (this.cancelled.has(job.queueKey)) {
				reject(new Cancelled());
				return;
			}
			// A newcomer is looked at alone: looking at all that wait would cost more for each of them.
			const decision = this.decideFor(job, now);
			if (decision.kind === 'wait' && isOverdue(job, decision, this.state.throttling)) {
				reject(new RateLimited(decision.until - now, decision.reason));
				return;
			}
			this.hurried.add(job);
			this.queue.add(job.queueKey, job, job.urgent);
			this.dispatch();
		});
	}

	/** Rejects all waiting requests of a key, for good; those already sent take their course. */
	cancel(queueKey: QueueKey): void {
		this.cancelled.add(queueKey);
		const reason = new Cancelled();
		for (const job of this.queue.removeKey(queueKey)) {
			this.hurried.delete(job);
			job.reject(reason);
		}
		if (this.queue.isEmpty) this.wakeUp.clear();
	}

	/** A list was opened in the editor: for some minutes, slots are kept for more of them. */
	listOpened(): void {
		this.lists = afterOpening(this.lists, this.clock.now());
	}

	/** Whether a list can be read anew without holding up anybody. */
	hasRoomToRefresh(limit: number): boolean {
		return hasRoomToRefresh(this.state, limit, this.clock.now());
	}

	private decideFor({ urgent, limit }: Submission, now: number): Decision {
		const { state, lists } = this;
		return decide(urgent ? state : withKeptSlots(state, lists, limit, now), limit, now);
	}

	private dispatch(): void {
		for (let job = this.queue.peek(); job; job = this.queue.peek()) {
			const now = this.clock.now();
			this.state = offered(this.state, job.limit, now);
			const decision = this.decideFor(job, now);
			if (decision.kind === 'send') {
				this.queue.take();
				this.hurried.delete(job);
				void this.sendJob(job, now);
			} else if (!this.rejectOverdue(decision, now)) {
				// By this decision: made anew a moment later it might be to send, with nobody there to do so.
				const until = decision.kind === 'wait' ? decision.until : Infinity;
				this.wakeUp.set(Math.min(until, this.hurried.first));
				return;
			}
		}
		this.wakeUp.clear();
	}

	private async sendJob(job: Job, sentAt: number): Promise<void> {
		const { state, slot } = sent(this.state, job.limit, sentAt);
		this.state = state;
		if (job.urgent) this.lists = afterListRequest(this.lists, slot, state);
		const outcome = await job.send();
		const now = this.clock.now();

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
		const asked = { retryAfter: headers['retry-after'], date: headers.date };
		const retryAfter = retryAfterMs(asked, this.clock.wallTime());
		const { limit } = job;
		this.state = throttled(this.state, { slot, limit, now, retryAfter, random: this.random() });
		const until = this.state.throttling?.until ?? now;
		job.logger?.debug(
			`The service refused a request (HTTP 429); the next one is sent in ${Math.ceil((until - now) / 1000)} s`,
			{ retryAfter: asked.retryAfter, waiting: this.queue.size },
		);
		// All are looked at again, since this one is no newcomer and may have waited long enough.
		this.checkedUntil = -Infinity;
		if (this.cancelled.has(job.queueKey)) {
			job.reject(new Cancelled());
			return;
		}
		this.hurried.add(job);
		this.queue.putBack(job.queueKey, job, job.urgent);
	}

	/** Rejects those that would have to wait longer than their wait limits; says whether there were any. */
	private rejectOverdue(decision: Decision, now: number): boolean {
		let rejected = 0;
		if (decision.kind === 'wait' && decision.until !== this.checkedUntil) {
			this.checkedUntil = decision.until;
			const { until, reason } = decision;
			const overdue = this.queue.remove((job) => isOverdue(job, decision, this.state.throttling));
			rejected += this.rejectAll(overdue, new RateLimited(until - now, reason));
		}
		if (now >= this.hurried.first) {
			const late = this.hurried.takeLate(now);
			const reason = new RateLimited(LEAST_UNANSWERED_WAIT_MS, 'unanswered');
			rejected += this.rejectAll(
				this.queue.remove((job) => late.has(job)),
				reason,
			);
		}
		return rejected > 0;
	}

	private rejectAll(jobs: Job[], reason: RateLimited): number {
		for (const job of jobs) {
			this.hurried.delete(job);
			job.reject(reason);
		}
		return jobs.length;
	}
}
