import { ExplainedError } from '../common/errors';
import type { Clock } from './clock';
import type { Outcome } from './http';
import type { Queued } from './lanes';
import { Lanes } from './lanes';
import type { Decision, RateLimitState } from './rateLimit';
import { decide, idle, letThrough, refused, sent, unanswered } from './rateLimit';
import { retryAfterMs } from './retryAfter';

/** What a job waits in: an object that stands for one execution or one run of a node. */
export type Lane = object;

/** How long a request may be held up before it gives up, in ms. */
export interface Patience {
	/** By the limit itself: waiting for a free slot. */
	limitMs: number;
	/** By the service refusing whatever is sent. */
	refusalMs: number;
}

export interface Submission {
	lane: Lane;
	/** The item of the lane that the request is for: items are finished in their order. */
	item: number;
	/** Whether a person waits for it in the editor: it goes before all others. */
	urgent: boolean;
	patience: Patience;
	/** Requests a minute of the tenant. */
	limit: number;
	/** Sends the request once; must not reject. */
	send: () => Promise<Outcome>;
}

interface Job extends Submission, Queued {
	enqueuedAt: number;
	resolve: (outcome: Outcome) => void;
	reject: (reason: GateError) => void;
}

/** The request was given up because of the rate limit; nothing of it took effect. */
export class RateLimited extends ExplainedError {
	/** @param waitMs how long the caller would still have had to wait */
	constructor(
		readonly waitMs: number,
		readonly reason: 'limit' | 'refusal',
	) {
		const seconds = Math.ceil(waitMs / 1000);
		super(
			reason === 'limit'
				? `The requests of this minute are used up; the next one is possible in ${seconds} seconds`
				: `The service refuses requests for now (HTTP 429); the next try is possible in ${seconds} seconds`,
			'Set Options > When Rate Limited to Wait, or raise Options > Max Wait (Minutes), or run this again later',
			reason === 'refusal' ? '429' : undefined,
			waitMs,
		);
	}
}

/** The request was taken out of the queue before it was sent. */
export class Withdrawn extends Error {
	constructor() {
		super('The request was not sent');
	}
}

type GateError = RateLimited | Withdrawn;

/** The queue looks up at least this often, so that an idle one does not keep a timer for a minute. */
const LONGEST_NAP_MS = 1_000;

/**
 * Where all requests to one tenant wait for their slot. Decides nothing itself: `rateLimit.ts`
 * says when, `lanes.ts` says which; a 429 is kept here and the same request sent again.
 */
export class TenantGate {
	private state: RateLimitState = idle;

	private readonly lanes = new Lanes<Lane, Job>();

	private nextOrder = 0;

	/** The wait that was last announced to those waiting, and the youngest of them. */
	private announced = { until: -Infinity, order: -1 };

	private wakeAt = Infinity;

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	/**
	 * Sends the request when its turn has come, again after each 429, and gives the first other outcome.
	 *
	 * @throws RateLimited when the patience is at an end
	 * @throws Withdrawn when its lane was withdrawn before it was sent
	 */
	async submit(submission: Submission): Promise<Outcome> {
		return await new Promise((resolve, reject) => {
			const order = this.nextOrder++;
			const enqueuedAt = this.clock.now();
			this.lanes.add(
				submission.lane,
				{ ...submission, order, enqueuedAt, resolve, reject },
				submission.urgent,
			);
			this.dispatch();
		});
	}

	/** Takes all waiting requests of a lane out of the queue; those already sent take their course. */
	withdraw(lane: Lane): void {
		for (const job of this.lanes.removeLane(lane)) job.reject(new Withdrawn());
	}

	private dispatch(): void {
		for (let job = this.lanes.peek(); job; job = this.lanes.peek()) {
			const now = this.clock.now();
			const decision = decide(this.state, job.limit, now);
			if (decision.kind === 'waitForResponse') return;
			if (decision.kind === 'wait') {
				this.dismissImpatient(decision, now);
				if (!this.lanes.isEmpty) this.nap(now, decision.until);
				return;
			}
			this.lanes.take();
			void this.send(job, now);
		}
	}

	private async send(job: Job, sentAt: number): Promise<void> {
		const { state, slot } = sent(this.state, sentAt);
		this.state = state;
		const outcome = await job.send();
		const now = this.clock.now();

		if (outcome.kind === 'silence') {
			this.state = unanswered(this.state, slot, now);
			job.resolve(outcome);
		} else if (outcome.status === 429) {
			const asked = retryAfterMs(
				{ retryAfter: outcome.headers['retry-after'], date: outcome.headers.date },
				this.clock.wallTime(),
			);
			this.state = refused(this.state, slot, job.limit, now, asked, this.random());
			this.lanes.putBack(job.lane, job, job.urgent);
			// It was on its way when the others were asked, and is no newcomer: all are asked again.
			this.announced = { until: -Infinity, order: -1 };
		} else {
			this.state = letThrough(this.state, slot, now);
			job.resolve(outcome);
		}
		// Whoever asked may want to stop a run because of this outcome: nothing is sent before that.
		await this.clock.sleep(0);
		this.dispatch();
	}

	/** Lets those give up that would have to wait longer than they are willing to. */
	private dismissImpatient(decision: Decision & { kind: 'wait' }, now: number): void {
		const { until, reason } = decision;
		const refusedSince = this.state.refusal?.since ?? now;
		const givesUp = (job: Job): boolean =>
			reason === 'refusal'
				? until - Math.max(refusedSince, job.enqueuedAt) > job.patience.refusalMs
				: until - job.enqueuedAt > job.patience.limitMs;
		// The answer changes with the wait alone, so only newcomers are asked while it stays the same.
		const known = until === this.announced.until ? this.announced.order : -1;
		this.announced = { until, order: this.nextOrder - 1 };
		if (known === this.announced.order) return;
		for (const job of this.lanes.remove((waiting) => waiting.order > known && givesUp(waiting))) {
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
