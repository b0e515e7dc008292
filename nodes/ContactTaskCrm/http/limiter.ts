import type { Clock } from './clock';
import type { RateLimited } from './errors';
import { Busy, Cancelled } from './errors';
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
import { patienceOf } from './patience';
import { decidePoll, PollPlaces } from './polls';
import { FairQueue } from './queue';
import type { ApiRequest, Outcome, ServiceResponse } from './request';
import { retryAfterMs } from './retry';
import { throttled } from './throttling';

/** How whoever waits is queued, and for how long: what a request says of it. */
export type QueueOptions = Pick<
	ApiRequest,
	| 'lane'
	| 'place'
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

	/** The lane of all polls, and the places that triggers keep in it. */
	private readonly places = new PollPlaces();

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
		const { place, waitsSince = now, signal } = waiting;
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
			const order = this.nextOrder++;
			// The trigger that was served longest ago goes first.
			const poll = place && { lane: this.places, item: place.servedAt };
			const job = { ...waiting, ...poll, waitsSince, order, send, resolve, reject };
			// Else a run could take every slot that comes free while no poll waits.
			const isFirst = place && this.places.end(place) && !this.state.slots.at(-1)?.isPoll;
			if (isFirst) this.queue.putBack(job);
			else this.queue.add(job);
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
		const { decision, polls, at } = this.letGo();
		const now = this.clock.now();
		const givesUpAt = decision ? this.rejectOverdue(decision, polls, now) : Infinity;
		if (this.queue.size > 0) this.wakeAt(Math.min(at, givesUpAt));
	}

	/**
	 * Sends all jobs that may go now.
	 *
	 * @returns the decision on the next job and on the next poll, and when to look again by these decisions: a later
	 *   one may be to send, with nobody there to do so
	 */
	private letGo(): { decision?: Decision; polls?: Decision; at: number } {
		for (;;) {
			const now = this.clock.now();
			const { job, polls, lookAt } = this.next(now);
			const first = job ?? this.queue.peek();
			if (!first) return { at: Infinity };
			if (job) {
				const spreads = isSpread(job, now - this.listOpenedAt);
				this.state = offered(this.state, { limit: job.limit, spreads }, now);
			}
			const decision = decide(this.state, first.limit, now);
			if (!job || decision.kind !== 'send') {
				const until = decision.kind === 'wait' ? decision.until : Infinity;
				return { decision, polls, at: Math.min(until, lookAt) };
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

	/** The job that goes next, if one is ready; what polls wait for; and when the first comes that waits by itself. */
	private next(now: number): { job?: Job; polls?: Decision; lookAt: number } {
		let lookAt = Infinity;
		let polls: Decision | undefined;
		const isReady = ({ send }: Job) => send !== undefined || this.turnSince === undefined;
		const mayGo = (first: Job) => {
			if (first.place) {
				const { ahead, endsAt } = this.places.aheadOf(first.place, now);
				const room = { limit: first.limit, othersWait: this.queue.lanes > 1, ahead };
				polls = decidePoll(this.state, room, now);
				if (polls.kind !== 'send') {
					lookAt = Math.min(lookAt, polls.kind === 'wait' ? polls.until : endsAt);
				}
				return polls.kind === 'send';
			}
			if (!isSpread(first, now - this.listOpenedAt)) return true;
			const at = spreadAt(this.state, first.limit);
			if (at > now) lookAt = Math.min(lookAt, at);
			return at <= now;
		};
		return { job: this.queue.peek(isReady, mayGo), polls, lookAt };
	}

	private async sendJob(job: Job, send: () => Promise<Outcome>, sentAt: number): Promise<void> {
		const { place } = job;
		const { state, slot } = sent(this.state, job.limit, sentAt, place !== undefined);
		this.state = state;
		const outcome = await send();
		const now = this.clock.now();
		this.answeredAt = now;
		const isRefused = outcome.kind === 'response' && outcome.status === 429;
		if (place && !isRefused) place.servedAt = now;

		if (outcome.kind === 'networkError') {
			this.state = isOfN8n(outcome.code)
				? unsent(this.state, slot)
				: unanswered(this.state, slot, now);
			job.resolve(outcome);
		} else if (isRefused) {
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
	private rejectOverdue(decision: Decision, polls: Decision | undefined, now: number): number {
		const { turnSince, answeredAt } = this;
		const { throttling, lastSentAt } = this.state;
		const situation = {
			decision,
			polls,
			throttledSince: throttling?.since,
			answeredAt,
			lastSentAt,
		};
		let firstGivesUpAt = Infinity;
		const removed = this.queue.remove((job) => {
			const { givesUpAt, error } = patienceOf(job, situation, now);
			if (!error) {
				firstGivesUpAt = Math.min(firstGivesUpAt, givesUpAt);
				return false;
			}
			const isForTurn = error.reason === 'unanswered' && !job.send && turnSince !== undefined;
			job.reject(isForTurn ? new Busy(TURN_TAKEN, now - turnSince) : error);
			return true;
		});
		for (const { place } of removed) if (place) this.places.keep(place, now);
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
