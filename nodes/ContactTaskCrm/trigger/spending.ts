import { sumBy } from 'lodash';
import type { IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { RateLimited, ServiceError } from '../util/failures';
import type { Poller } from '../limit/polls';
import { pollShare } from '../limit/polls';
import type { ApiRequest, ServiceResponse } from '../http/request';
import { headerTime } from '../http/retry';
import { Client, decryptAccount, type RequestOptions } from '../crm/client';
import { rethrow } from '../util/errors';
import { REQUESTS_A_MINUTE } from './parameters';
import { limitsOf, type PollLimits } from './pollLimits';
import { MINUTE_MS } from '../values/time';

/** Maximum number of retries of a request. A poll must not delay other polls for long. The next poll tries again. */
const MAX_POLL_RETRIES = 2;
/** If a poll ends less than this time after sending a request, a missing answer does not count as a failure. */
const MIN_ANSWER_WAIT_MS = 10_000;
/**
 * Maximum wait for a slot, once the poll has sent a request or found an event. Polls `FAR_APART_MS` apart may wait
 * longer.
 */
const NEXT_SLOT_MS = 10_000;
/** Time kept for the answer to the last request of a poll. */
const ANSWER_MS = 5_000;
/** Maximum number of pages that a poll reads when a user publishes the workflow. The user waits for this poll. */
const PUBLISHING_PAGES = 10;
/**
 * Maximum duration of the poll that publishes a workflow. The first `REQUESTS_A_MINUTE` requests of this poll may take
 * longer.
 */
const PUBLISHING_MS = 20_000;
/** Budget of one poll: how many requests the poll may send, how long they may wait for slots, and when the poll ends. */
export class Spending {
	/** Number of requests sent, retries included. */
	sent = 0;

	/** Time of the first answer or refusal with a header Date, by the service's clock. */
	firstAnsweredAt: number | undefined;

	/** Time of the last answer or refusal with a header Date, by the service's clock. */
	answeredAt = 0;

	/** Time of the last request, by the clock's `now`. */
	private sentAt = 0;

	/** Whether the trigger has a state from an earlier poll. If not, a user publishes or tests the trigger, and waits. */
	hasBegun = false;

	/**
	 * Number of anchors that the poll checks when a user publishes the workflow. The poll may send these requests in
	 * addition to `PUBLISHING_PAGES`.
	 */
	checks = 0;

	/**
	 * Whether n8n has just started. n8n then polls one trigger after another, so a waiting poll would delay other
	 * triggers.
	 */
	private get isRestart(): boolean {
		return this.hasBegun && this.limits.isFirstOfProcess;
	}

	/** Whether the poll has events to hand over, so that it does not wait for long. */
	hasChanges = false;

	/**
	 * Whether the trigger has just found new records, changes or missing members, so that more may follow. The poll may
	 * then send more requests.
	 */
	isBehind = false;

	/** Whether the service answered a request of this poll, or a request of another trigger of the same list. */
	hasRead = false;

	private constructor(
		readonly client: Client,
		private readonly limits: PollLimits,
	) {}

	/**
	 * Opens a client for one poll. All polls together use only part of the rate limit (`decidePoll`). A test in the
	 * editor is urgent, because a user waits for it.
	 *
	 * @param poller the trigger among all polls of the credential; absent in a test
	 * @throws ExplainedError if the base URL or the key cannot be used
	 */
	static async open(context: IPollFunctions, poller?: Poller): Promise<Spending> {
		const now = systemClock.now();
		const account = await decryptAccount(context);
		const { apartMs = 0 } = poller ?? {};
		const { limit, tenant } = account;
		const lists = [...tenant.shared.values()];
		const triggers = 1 + sumBy(lists, (list) => list.readersBeside(poller));
		const pace = tenant.limiter.knowsOthers ? 0 : Math.floor(limit / 4 / triggers);
		const limits = limitsOf(context, { now, apartMs, pace, share: pollShare(limit) });
		if (limits.isTest) tenant.limiter.listOpened();
		const options = { lane: limits, isUrgent: limits.isTest, poller };
		return new Spending(new Client(context, account, options), limits);
	}

	/** Maximum number of requests of this poll. */
	get limit(): number {
		const { requestsAtPace, requestsWhenBehind, chosen } = this.limits;
		if (this.isPublishing) return Math.min(chosen, PUBLISHING_PAGES + this.checks);
		return this.isBehind ? requestsWhenBehind : requestsAtPace;
	}

	/** Whether a user publishes the workflow by this poll, and waits for its end. */
	private get isPublishing(): boolean {
		return !this.hasBegun && !this.limits.isTest;
	}

	/** Whether the poll has sent its necessary requests. The next request is then extra: the poll may end without it. */
	private get isExtra(): boolean {
		return this.sent >= (this.isPublishing ? REQUESTS_A_MINUTE : this.limits.requests);
	}

	/** Deadline of the poll, in ms by the clock's `now`. */
	private get endsAt(): number {
		const { endsAt, openedAt } = this.limits;
		const endsSoon = this.isPublishing && this.isExtra;
		return endsSoon ? Math.min(endsAt, openedAt + PUBLISHING_MS) : endsAt;
	}

	/** End of the wait for the poll's next slot, in ms by the clock's `now`. */
	get slotWaitEndsAt(): number {
		const { endsAt } = this;
		const { continuesUntil, firstSlotUntil, waitsUntil } = this.limits;
		const now = systemClock.now();
		if (!this.mayWait || this.isRestart) return now;
		const isShort = this.sent > 0 || this.hasChanges;
		const until = isShort ? Math.min(waitsUntil, now + NEXT_SLOT_MS) : firstSlotUntil;
		// The wait ends before the poll does, because the last request needs time for its answer.
		return Math.max(now, Math.min(endsAt - ANSWER_MS, Math.max(until, continuesUntil)));
	}

	/**
	 * Sends one request of this poll.
	 *
	 * @returns the answer. Undefined if the poll may send nothing more, or ends before the answer
	 * @throws ServiceError if the service refuses, or does not answer
	 * @throws RateLimited if no slot came in time, and the poll cannot leave the request to the next poll
	 */
	async send(request: ApiRequest): Promise<ServiceResponse | undefined> {
		const { isExtra, isPublishing } = this;
		if (!this.maySend) return undefined;
		let isAnswered = true;
		try {
			return await this.client.request(request, this.sending());
		} catch (error) {
			isAnswered = error instanceof ServiceError && error.status !== undefined;
			// The poll may end without an extra request (`isExtra`). The next poll goes on, and reports a lasting
			// failure.
			if (isExtra && (isPublishing || error instanceof RateLimited)) return undefined;
			return this.canWaitForNextPoll(error) ? undefined : rethrow(error);
		} finally {
			this.hasRead ||= isAnswered;
		}
	}

	/** Whether the next request may wait for a slot. */
	private get mayWait(): boolean {
		return this.isPublishing || !this.isExtra;
	}

	/** Whether the poll may send one more request. */
	private get maySend(): boolean {
		if (this.sent >= this.limit) return false;
		if (this.endsAt <= systemClock.now() && this.sent > 0) return false;
		return this.mayWait || !this.client.tenant.limiter.othersWait;
	}

	/** Returns the options of the next request: its waits, retries and deadline. */
	private sending(): RequestOptions {
		const { endsAt, isPublishing } = this;
		const { failsAtOnce, waitsUntil, continuesUntil } = this.limits;
		const now = systemClock.now();
		const until = Math.min(endsAt, Math.max(waitsUntil, continuesUntil, now));
		const mustNotWait = failsAtOnce || !this.mayWait;
		return {
			...(isPublishing ? { poller: undefined } : {}),
			slotWaitMs: mustNotWait ? 0 : this.slotWaitEndsAt - now,
			throttledWaitMs: mustNotWait ? 0 : until - now,
			// Each retry counts as a request of this poll. So the poll may retry only as often as it has requests left.
			maxRetries: Math.min(MAX_POLL_RETRIES, this.limit - this.sent - 1),
			// A request that gets its slot late still has a minute for its answer, unless the poll ends before.
			deadline: Math.min(endsAt, until + MINUTE_MS),
			onSent: () => {
				this.sent++;
				this.sentAt = systemClock.now();
			},
			onAnswer: ({ date }) => {
				const time = headerTime(date);
				this.firstAnsweredAt ??= time;
				this.answeredAt = time ?? this.answeredAt;
			},
		};
	}

	/**
	 * Returns whether the poll may end without an error, although a request failed, because the next poll continues. That
	 * holds in three cases. Other requests use up the limit. The service answers 429. Or `endsAt` cuts the wait for an
	 * answer short. A first poll without any answer fails, because the trigger begins at the time of its first answer. In
	 * a test in the editor, each failure is an error.
	 */
	private canWaitForNextPoll(error: unknown): boolean {
		const { failsAtOnce, isTest, openedAt, endsAt } = this.limits;
		if (isTest) return false;
		if (error instanceof ServiceError) {
			const isCutShort = error.status === undefined && endsAt - this.sentAt < MIN_ANSWER_WAIT_MS;
			return isCutShort && (this.sent > 1 || this.sentAt - openedAt > MIN_ANSWER_WAIT_MS);
		}
		if (!(error instanceof RateLimited)) return false;
		if (error.reason === 'polls') return true;
		if (failsAtOnce) return false;
		if (!this.hasBegun) return this.firstAnsweredAt !== undefined;
		return error.reason !== 'unanswered' || this.sent > 0;
	}
}
