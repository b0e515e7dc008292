import type { Clock } from './clock';
import type { Queued } from './fairQueue';
import { FairQueue } from './fairQueue';
import type { Outcome } from './http';
import type { Decision, RateLimitState } from './rateLimit';
import { accepted, decide, idle, sent, throttled, unanswered } from './rateLimit';
import { Cancelled, RateLimited } from './requestErrors';
import { retryAfterMs } from './retryAfter';

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
}

interface Job extends Submission, Queued {
	enqueuedAt: number;
	resolve: (outcome: Outcome) => void;
	reject: (reason: RateLimited | Cancelled) => void;
}

/** The queue looks up at least this often, so that an idle one does not keep a timer for a minute. */
const LONGEST_NAP_MS = 1_000;

/**
 * Where all requests to one tenant wait for their slot. Decides nothing itself: `rateLimit.ts`
 * says when, `fairQueue.ts` says which; a 429 is kept here and the same request sent again.
 */
export class TenantLimiter {
	private state: RateLimitState = idle;

	private readonly queue = new FairQueue<QueueKey, Job>();

	private nextOrder = 0;

	/** The wait that those waiting were last checked against, and the youngest of them. */
	private checked = { until: -Infinity, order: -1 };

	private wakeAt = Infinity;

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	/**
	 * Sends the request when its turn has come, again after each 429, and gives the first other outcome.
	 *
	 * @throws RateLimited when it would have to wait longer than its wait limits
	 * @throws Cancelled when its key was cancelled before it was sent
	 */
	async submit(submission: Submission): Promise<Outcome> {
		return await new Promise((resolve, reject) => {
			const order = this.nextOrder++;
			const enqueuedAt = this.clock.now();
			this.queue.add(
				submission.queueKey,
				{ ...submission, order, enqueuedAt, resolve, reject },
				submission.urgent,
			);
			this.dispatch();
		});
	}

	/** Rejects all waiting requests of a key; those already sent take their course. */
	cancel(queueKey: QueueKey): void {
		for (const job of this.queue.removeKey(queueKey)) job.reject(new Cancelled());
	}

	private dispatch(): void {
		for (let job = this.queue.peek(); job; job = this.queue.peek()) {
			const now = this.clock.now();
			const decision = decide(this.state, job.limit, now);
			if (decision.kind === 'waitForResponse') return;
			if (decision.kind === 'wait') {
				this.rejectOverdue(decision, now);
				if (!this.queue.isEmpty) this.nap(now, decision.until);
				return;
			}
			this.queue.take();
			void this.sendJob(job, now);
		}
	}

	private async sendJob(job: Job, sentAt: number): Promise<void> {
		const { state, slot } = sent(this.state, sentAt);
		this.state = state;
		const outcome = await job.send();
		const now = this.clock.now();

		if (outcome.kind === 'networkError') {
			this.state = unanswered(this.state, slot, now);
			job.resolve(outcome);
		} else if (outcome.status === 429) {
			const asked = retryAfterMs(
				{ retryAfter: outcome.headers['retry-after'], date: outcome.headers.date },
				this.clock.wallTime(),
			);
			this.state = throttled(this.state, {
				slot,
				limit: job.limit,
				now,
				retryAfter: asked,
				random: this.random(),
			});
			this.queue.putBack(job.queueKey, job, job.urgent);
			// It is no newcomer, and its own wait limit counts as well: all are looked at again.
			this.checked = { until: -Infinity, order: -1 };
		} else {
			this.state = accepted(this.state, slot, now);
			job.resolve(outcome);
		}
		// Whoever asked may want to stop a run because of this outcome: nothing is sent before that.
		await this.clock.sleep(0);
		this.dispatch();
	}

	/** Rejects those that would have to wait longer than their wait limits. */
	private rejectOverdue(decision: Decision & { kind: 'wait' }, now: number): void {
		const { until, reason } = decision;
		const throttledSince = this.state.throttling?.since ?? now;
		const isOverdue = (job: Job): boolean =>
			reason === 'throttled'
				? until - Math.max(throttledSince, job.enqueuedAt) > job.waitLimits.throttledMs
				: until - job.enqueuedAt > job.waitLimits.slotMs;
		// The outcome depends on the wait alone, so only newcomers are checked while it stays the same.
		const known = until === this.checked.until ? this.checked.order : -1;
		this.checked = { until, order: this.nextOrder - 1 };
		if (known === this.checked.order) return;
		for (const job of this.queue.remove((waiting) => waiting.order > known && isOverdue(waiting))) {
			job.reject(new RateLimited(until - now, reason));
		}
	}

	private nap(now: number, until: number): void {
		const wakeAt = Math.max(now + 1, Math.min(now + LONGEST_NAP_MS, until));
		if (this.wakeAt <= wakeAt) return;
		this.wakeAt = wakeAt;
		void this.clock.sleep(wakeAt - now).then(() => {
			if (this.wakeAt === wakeAt) this.wakeAt = Infinity;
			this.dispatch();
		});
	}
}
