import type { Logger } from 'n8n-workflow';
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
import type { Decision, RateLimitState } from './rateLimit';
import { accepted, decide, idle, offered, sent, throttled, unanswered } from './rateLimit';
import { Cancelled, RateLimited } from './requestErrors';
import { retryAfterMs } from './retryAfter';
import { WakeUp } from './wakeUp';

/** What requests are queued by: an object that stands for one execution or one run of a node. */
export type QueueKey = object;

/** How long a request may be held up before it gives up, in ms. */
export interface WaitLimits {
	/** By the limit itself: waiting for a free slot. */
	slotMs: number;
	/** By the service refusing whatever is sent. */
	throttledMs: number;
}

export interface Submission {
	queueKey: QueueKey;
	/** The item that the request is for: of one key, items are finished in their order. */
	item: number;
	/** Whether a person waits for it in the editor: it goes before all others. */
	urgent: boolean;
	waitLimits: WaitLimits;
	/** Requests a minute of the tenant. */
	limit: number;
	/** Sends the request once; must not reject. */
	send: () => Promise<Outcome>;
	/** Told why the limiter closes, where this request is the reason. */
	logger?: Logger;
}

interface Job extends Submission, Queued {
	enqueuedAt: number;
	resolve: (outcome: Outcome) => void;
	reject: (reason: RateLimited | Cancelled) => void;
}

/** Whoever would not wait for a slot does not wait much longer for answers that do not come. */
const LEAST_UNANSWERED_WAIT_MS = 3_000;

/**
 * Where all requests to one tenant wait for their slot. Decides nothing itself: `rateLimit.ts`
 * says when, `fairQueue.ts` says which; a 429 is kept here and the same request sent again.
 */
export class TenantLimiter {
	private state: RateLimitState = idle;

	private lists: ListReserve = noReserve;

	private readonly queue = new FairQueue<QueueKey, Job>();

	/** Of the waiting requests, those that do not wait for a slot however long it takes. */
	private readonly hurried = new Set<Job>();

	/** No later than the last moment of any of them. */
	private firstLastMoment = Infinity;

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
			if (decision.kind === 'wait' && this.isOverdue(job, decision)) {
				reject(new RateLimited(decision.until - now, decision.reason));
				return;
			}
			this.hurry(job);
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

	private hurry(job: Job): void {
		if (job.waitLimits.slotMs === Infinity) return;
		this.hurried.add(job);
		this.firstLastMoment = Math.min(this.firstLastMoment, lastMomentOf(job));
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
				this.wakeUp.set(Math.min(until, this.firstLastMoment));
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
			this.state = unanswered(this.state, slot, now);
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
		this.hurry(job);
		this.queue.putBack(job.queueKey, job, job.urgent);
	}

	/** Rejects those that would have to wait longer than their wait limits; says whether there were any. */
	private rejectOverdue(decision: Decision, now: number): boolean {
		let rejected = 0;
		if (decision.kind === 'wait' && decision.until !== this.checkedUntil) {
			this.checkedUntil = decision.until;
			const { until, reason } = decision;
			const overdue = this.queue.remove((job) => this.isOverdue(job, decision));
			rejected += this.rejectAll(overdue, new RateLimited(until - now, reason));
		}
		if (now >= this.firstLastMoment) {
			const isLate = (job: Job) => this.hurried.has(job) && lastMomentOf(job) <= now;
			const reason = new RateLimited(LEAST_UNANSWERED_WAIT_MS, 'unanswered');
			rejected += this.rejectAll(this.queue.remove(isLate), reason);
			this.firstLastMoment = Infinity;
			for (const job of this.hurried) this.hurry(job);
		}
		return rejected > 0;
	}

	private isOverdue(job: Job, { until, reason }: Decision & { kind: 'wait' }): boolean {
		if (reason === 'limit') return until - job.enqueuedAt > job.waitLimits.slotMs;
		const since = Math.max(this.state.throttling?.since ?? -Infinity, job.enqueuedAt);
		return until - since > job.waitLimits.throttledMs;
	}

	private rejectAll(jobs: Job[], reason: RateLimited): number {
		for (const job of jobs) {
			this.hurried.delete(job);
			job.reject(reason);
		}
		return jobs.length;
	}
}

function lastMomentOf({ enqueuedAt, waitLimits }: Job): number {
	return enqueuedAt + Math.max(waitLimits.slotMs, LEAST_UNANSWERED_WAIT_MS);
}
