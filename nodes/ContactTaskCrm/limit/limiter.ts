import { memoize } from 'lodash';
import { Alarm, type Clock } from '../util/clock';
import {
	type Decision,
	type RateLimitState,
	accepted,
	decide,
	FORGOTTEN_MS,
	idle,
	ownFreeAt,
	sent,
	slotFreeAt,
	unanswered,
	unsent,
	usedSlots,
} from './rateLimit';
import { patienceOf } from './patience';
import { decidePoll, OverduePollers } from './polls';
import { FairQueue } from './queue';
import { throttled } from './throttling';
import type { LimitEffect, Job, Waiting } from './waiting';
import { Busy, RunStopped, TooLateToLeave } from '../util/failures';

/** If waiting requests need more minutes than this, they go at an even pace, and leave slots to other programs. */
const MUCH_MINUTES = 2;
/**
 * Time in ms after a user opened a list in the editor. In this time, even a run that needs the requests of a single
 * minute goes at an even pace. So slots stay free for the next lists.
 */
const LISTS_OPENED_MS = 5 * 60_000;

/**
 * Queue of jobs for one API key. A job is a request that waits for a slot, or an item that waits for the write lock.
 * `rateLimit.ts` decides when the next job goes. `queue.ts` decides which job goes next. After a 429, the limiter sends
 * the request again.
 */
export class Limiter<Outcome> {
	private state: RateLimitState = idle;

	/** Time when a user last opened a list in the editor, or tested a trigger. */
	private listOpenedAt = -Infinity;

	private readonly queue = new FairQueue<Job<Outcome>>();

	/** Lane of all polls. It keeps the place of each trigger that gave up its last poll without an answer. */
	private readonly overdue = new OverduePollers();

	private answeredAt = -Infinity;

	/** Time of the last 429 which showed that other programs use the limit, too. */
	private refusedAt = -Infinity;

	/** Whether an item has the write lock. */
	private isLocked = false;

	/** Lane and index of the item that has a slot reserved for its next request. */
	private reserved: Pick<Waiting, 'lane' | 'item'> | undefined;

	private readonly listenedTo = new WeakSet<AbortSignal>();

	private nextOrder = 0;

	/**
	 * Number of unfinished jobs with a finite `slotWaitMs`: such a job gives up if its slot takes too long. If the number
	 * is 0, jobs give up only while the service refuses all requests (`throttling`).
	 */
	private impatient = 0;

	private readonly alarm: Alarm;

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
		private readonly limitEffectOf: (outcome: Outcome, wallTime: number) => LimitEffect,
	) {
		this.alarm = new Alarm(clock, () => this.dispatch());
	}

	/**
	 * Sends the request when it gets a slot, and again after each 429. Returns the first outcome that is no 429.
	 *
	 * @throws RateLimited if the wait would exceed the `slotWaitMs` or `throttledWaitMs` of the request
	 * @throws TooLateToLeave if the request gets its slot after its `leavesBy`
	 * @throws RunStopped if the signal aborts before the request is sent
	 */
	async submit(waiting: Waiting, send: () => Promise<Outcome>): Promise<Outcome> {
		return (await this.wait(waiting, send))!;
	}

	/**
	 * Waits until the item gets the write lock. One item at a time has the lock. An item gets it when a slot for its
	 * first request is free. The queue serves the lanes round robin. In a lane, the item with the lowest index goes
	 * first.
	 *
	 * @returns a function that releases the lock
	 * @throws RateLimited or RunStopped like `submit`
	 * @throws Busy if another item keeps the lock for longer than this item may wait
	 */
	async lockWrites(waiting: Waiting): Promise<() => void> {
		await this.wait(waiting);
		return () => {
			this.isLocked = false;
			this.reserved = undefined;
			this.dispatch();
		};
	}

	private async wait(
		waiting: Waiting,
		send?: () => Promise<Outcome>,
	): Promise<Outcome | undefined> {
		const now = this.clock.now();
		const { poller, waitsSince = now, signal } = waiting;
		if (signal?.aborted) throw new RunStopped();
		if (signal) this.dropOnAbort(signal);
		const isImpatient = waiting.slotWaitMs < Infinity;
		if (isImpatient) this.impatient += 1;
		return await new Promise<Outcome | undefined>((resolve, reject) => {
			const order = this.nextOrder++;
			// `item` orders the polls in their lane: the trigger that has gone longest without an answer goes first.
			const poll = poller && { lane: this.overdue, item: poller.servedAt };
			const job = { ...waiting, ...poll, waitsSince, order, send, resolve, reject };
			// If the trigger gave up its last poll without an answer, the lane of polls now goes first. Otherwise, a run
			// could take every free slot again. But after a poll that was just sent, the lane waits for its turn.
			const gaveUp = poller !== undefined && this.overdue.end(poller);
			if (gaveUp && !this.state.lastWasPoll) this.queue.putBack(job);
			else this.queue.add(job);
			// Only a request (`send`) may go at once. An item that wants the write lock waits for the alarm. By then,
			// further items of its run wait, and the item with the lowest index gets the lock.
			if (send) this.sendReady();
			// One ring of the alarm serves all jobs that were added before. So the limiter searches the queue only once.
			if (this.queue.size > 0) this.alarm.ringBy(now);
		}).finally(() => {
			if (isImpatient) this.impatient -= 1;
		});
	}

	/** Rejects all waiting jobs of a run when the run stops. Thousands of items of a run share one listener. */
	private dropOnAbort(signal: AbortSignal): void {
		if (this.listenedTo.has(signal)) return;
		this.listenedTo.add(signal);
		const reject = () => {
			for (const job of this.queue.remove((each) => each.signal === signal))
				job.reject(new RunStopped());
			if (this.queue.size === 0) this.alarm.stop();
		};
		signal.addEventListener('abort', reject, { once: true });
	}

	/** Whether a 429 in the last `FORGOTTEN_MS` showed that other programs use the limit, too. */
	get knowsOthers(): boolean {
		return this.clock.now() - this.refusedAt < FORGOTTEN_MS;
	}

	/** Whether any jobs other than polls wait. */
	get othersWait(): boolean {
		return this.queue.hasLaneBeside(this.overdue);
	}

	/** Notes that a user opened a list or tested a trigger. For `LISTS_OPENED_MS`, even short runs leave slots free. */
	listOpened(): void {
		this.listOpenedAt = this.clock.now();
	}

	/** Sends all jobs that may go now, and rejects jobs that would wait too long. */
	private dispatch(): void {
		this.alarm.stop();
		const { decision, polls, at } = this.sendReady();
		const now = this.clock.now();
		const givesUpAt = decision ? this.rejectOverdue(decision, polls, now) : Infinity;
		if (this.queue.size > 0) this.alarm.ringBy(Math.min(at, givesUpAt));
	}

	/**
	 * Sends all jobs that may go now.
	 *
	 * @returns the decisions on the next job (`decision`) and the next poll (`polls`), and the time to look again (`at`).
	 *   `dispatch` rejects jobs by the same decisions. A new decision could be "send", and nothing would then send the
	 *   job
	 */
	private sendReady(): { decision?: Decision; polls?: Decision | undefined; at: number } {
		for (;;) {
			const now = this.clock.now();
			const { job, polls, lookAt } = this.nextJob(now);
			const first = job ?? this.queue.peek();
			if (!first) return { at: Infinity };
			const decision = decide(this.state, this.asSender(first, now), now);
			if (!job || decision.kind !== 'send') {
				const until = decision.kind === 'wait' ? decision.until : Infinity;
				return { decision, polls, at: Math.min(until, lookAt) };
			}
			this.queue.take(job);
			if (now > (job.leavesBy ?? Infinity)) {
				job.reject(new TooLateToLeave());
			} else if (job.send) {
				void this.sendJob(job, job.send, now);
			} else {
				this.isLocked = true;
				job.resolve();
				// Stops here, so that the item with the lock submits its request before other requests go.
				return { at: now };
			}
		}
	}

	/** Returns the next ready job, the decision on polls, and the time when a lane that must wait may send (`lookAt`). */
	private nextJob(now: number) {
		const { reserved } = this;
		const following = reserved && this.queue.requestOf(reserved.lane, reserved.item);
		if (following) return { job: following, polls: undefined, lookAt: Infinity };
		let lookAt = Infinity;
		let polls: Decision | undefined;
		const mayGo = (first: Job<Outcome>) => {
			// Two credentials with the same API key may have different limits. If the requests of the lower limit are used
			// up, `at` is later than `now`. The limiter then serves the other lanes.
			let at = ownFreeAt(this.state, first.limit, now);
			if (first.poller) {
				const { ahead, endsAt } = this.overdue.aheadOf(first.poller, now);
				const room = { limit: first.limit, othersWait: this.othersWait, ahead };
				polls = decidePoll(this.state, room, now);
				if (polls.kind !== 'send') at = Math.max(at, polls.kind === 'wait' ? polls.until : endsAt);
			}
			if (at > now) lookAt = Math.min(lookAt, at);
			return at <= now;
		};
		return { job: this.queue.peek(!this.isLocked, mayGo), polls, lookAt };
	}

	/** Returns the facts that decide when a job may go: its limit, its pace, and its need of free slots (`spare`). */
	private asSender(job: Job<Outcome>, now: number) {
		const { limit, isUrgent } = job;
		const isReserved = job.send !== undefined && this.hasReserved(job);
		const held = this.state.inFlight.length + usedSlots(this.state, now).length;
		const areListsOpen = now - this.listOpenedAt <= LISTS_OPENED_MS;
		// `waiting` leaves out jobs with a finite `slotWaitMs`, because they give up rather than wait for minutes.
		const waiting = this.queue.size - this.impatient;
		const isMuch = areListsOpen ? waiting + held >= limit : waiting > MUCH_MINUTES * limit;
		// `spare` counts one slot reserved for another item, and one for the write that follows this read.
		const spare = (this.reserved && !isReserved ? 1 : 0) + (job.reservesNext ? 1 : 0);
		return { limit, isPaced: isMuch && !isUrgent && !isReserved, spare };
	}

	private hasReserved({ lane, item }: Job<Outcome>): boolean {
		return this.reserved?.lane === lane && this.reserved.item === item;
	}

	private async sendJob(
		job: Job<Outcome>,
		send: () => Promise<Outcome>,
		sentAt: number,
	): Promise<void> {
		const { lane, item, poller, reservesNext } = job;
		if (reservesNext) this.reserved = { lane, item };
		else if (this.hasReserved(job)) this.reserved = undefined;
		const { state, slot } = sent(this.state, job.limit, sentAt, poller !== undefined);
		this.state = state;
		const outcome = await send();
		const now = this.clock.now();
		this.answeredAt = now;
		const effect = this.limitEffectOf(outcome, this.clock.wallTime());
		if (effect.kind === 'refused') {
			this.refused(job, slot, effect.retryAfter);
		} else {
			if (poller) poller.servedAt = now;
			this.state = { accepted, unanswered, unsent }[effect.kind](this.state, slot, now);
			job.resolve(outcome);
		}
		// The next requests wait for the alarm. First, the sender of this job sees the outcome, and may stop the run.
		this.alarm.ringBy(now);
	}

	/** After a 429, updates `state` and queues the request again. Rejects the request if its run was stopped. */
	private refused(job: Job<Outcome>, slot: number, retryAfter: number | undefined): void {
		const now = this.clock.now();
		const { limit } = job;
		this.state = throttled(this.state, { slot, limit, now, retryAfter, random: this.random() });
		if (this.state.learned) this.refusedAt = now;
		const until = this.state.throttling?.until ?? now;
		job.logger?.debug(
			`The service refused a request (HTTP 429); the next one is sent in ${Math.ceil((until - now) / 1000)} s`,
			{ retryAfter, waiting: this.queue.size },
		);
		if (job.signal?.aborted) job.reject(new RunStopped());
		else this.queue.putBack(job);
	}

	/**
	 * Rejects jobs that have waited too long, and jobs that would wait too long for the next slot.
	 *
	 * @returns the time when the first of the remaining jobs gives up, by the clock's `now`
	 */
	private rejectOverdue(decision: Decision, polls: Decision | undefined, now: number): number {
		const { isLocked, answeredAt } = this;
		const { throttling, lastSentAt } = this.state;
		// While the service accepts requests, only jobs with a finite `slotWaitMs` give up. `impatient` counts them.
		if (this.impatient === 0 && !throttling) return Infinity;
		const situation = {
			decision,
			polls,
			slotFreeAt: memoize((limit: number) => slotFreeAt(this.state, limit, now)),
			throttledSince: throttling?.since,
			isInFlight: this.state.inFlight.length > 0,
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
			const isForLock = error.reason === 'unanswered' && !job.send && isLocked;
			job.reject(isForLock ? new Busy() : error);
			return true;
		});
		for (const { poller } of removed) if (poller) this.overdue.keep(poller, now);
		return firstGivesUpAt;
	}
}
