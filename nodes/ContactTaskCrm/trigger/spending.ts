import { sumBy } from 'lodash';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { RateLimited, ServiceError } from '../util/failures';
import type { Poller } from '../limit/polls';
import { pollShare } from '../limit/polls';
import type { ApiRequest, ServiceResponse } from '../http/request';
import { headerTime } from '../http/retry';
import { Client, decryptAccount } from '../crm/client';
import { assertChoices } from '../run/options';
import { rethrow } from '../util/errors';
import { DEFAULT_POLL_WAIT_MINUTES, REQUESTS_A_MINUTE } from './parameters';
import { MINUTE_MS } from '../values/time';

/** Maximum number of retries of a request. A poll must not delay other polls for long. The next poll tries again. */
const MAX_POLL_RETRIES = 2;
/** If a poll ends less than this time after sending a request, a missing answer does not count as a failure. */
const MIN_ANSWER_WAIT_MS = 10_000;
/**
 * Polls at least this far apart also wait for slots that become free minutes later. Closer polls leave the remaining
 * requests to the next poll.
 */
const FAR_APART_MS = 5 * MINUTE_MS;
/** The wait for the first slot ends this long before the next poll. The trigger skips a poll while another one runs. */
const BEFORE_NEXT_MS = 500;
/**
 * Maximum wait for a slot, once the poll has sent a request or found an event. Polls `FAR_APART_MS` apart may wait
 * longer.
 */
const NEXT_SLOT_MS = 10_000;
/** Time kept for the answer to the last request of a poll. */
const ANSWER_MS = 5_000;
/** Part of the time that n8n allows for a poll, reserved to hand over the items. */
const HANDOVER_MS = 2_000;
/** Maximum number of pages that a poll reads when a user publishes the workflow. The user waits for this poll. */
const PUBLISHING_PAGES = 10;
/** Maximum duration of the poll that publishes a workflow. Its first `REQUESTS_A_MINUTE` requests may take longer. */
const PUBLISHING_MS = 20_000;
/** Assumed maximum duration of a poll, if n8n does not tell the maximum. */
const POLL_MS = 5 * MINUTE_MS;
/** Maximum wait of a test in the editor for a slot. After this wait, the editor shows the user the reason. */
const TEST_WAIT_MS = 10_000;
/**
 * Maximum number of requests of a test in the editor. They suffice for checks of anchors, two pages of the list, and
 * titles.
 */
const TEST_REQUESTS = 6;

/** Limits of a poll. Times are in ms by the clock's `now`. */
interface PollLimits {
	/** Number of requests that may wait for a slot. The poll sends further requests only if a slot is free at once. */
	requests: number;
	/**
	 * Maximum number of requests of a poll that is not behind (`Spending.isBehind`), to leave slots for other triggers.
	 */
	requestsAtPace: number;
	/** Maximum number of requests of a poll that is behind (`Spending.isBehind`), if other triggers leave slots free. */
	requestsWhenBehind: number;
	/** Maximum number of requests that the user chose; Infinity if the user chose none. */
	chosen: number;
	openedAt: number;
	/** Deadline of the poll: `HANDOVER_MS` before the end of the time that n8n allows for a poll. */
	endsAt: number;
	/** Time until which polls `FAR_APART_MS` apart or more may wait for slots; `openedAt` for closer polls. */
	continuesUntil: number;
	/** End of the wait for the first slot, if the poll has no events yet. `slotWaitEndsAt` may extend it. */
	firstSlotUntil: number;
	/**
	 * Latest end of waits for slots, and of waits while the service refuses requests, by the option Max Wait. If
	 * `continuesUntil` is later, these waits end at `continuesUntil`.
	 */
	waitsUntil: number;
	/** Whether the poll fails instead of waiting for a slot, by the option When Rate Limited. */
	failsAtOnce: boolean;
	/** Whether the poll is a test in the editor, so that a user waits for its end. */
	isTest: boolean;
	/** Whether this process has not polled this trigger before. */
	isFirstOfProcess: boolean;
}

/** Requests of one poll: their number and their deadlines. */
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
	 * Whether the trigger has just found new records, changes or missing members, so that more may follow. A poll may
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

	/** Whether the poll has sent the necessary requests, so that it may end without its next request. */
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
		const { endsAt, isExtra, isPublishing } = this;
		const { continuesUntil, firstSlotUntil, waitsUntil } = this.limits;
		const now = systemClock.now();
		if ((isExtra && !isPublishing) || this.isRestart) return now;
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
		const { endsAt, isExtra, isPublishing } = this;
		const { failsAtOnce, waitsUntil, continuesUntil } = this.limits;
		const left = this.limit - this.sent;
		const now = systemClock.now();
		const mayWait = isPublishing || !isExtra;
		if (left < 1 || (endsAt <= now && this.sent > 0)) return undefined;
		if (!mayWait && this.client.tenant.limiter.othersWait) return undefined;
		const until = Math.min(endsAt, Math.max(waitsUntil, continuesUntil, now));
		const mustNotWait = failsAtOnce || !mayWait;
		let isAnswered = true;
		try {
			return await this.client.request(request, {
				...(isPublishing ? { poller: undefined } : {}),
				slotWaitMs: mustNotWait ? 0 : this.slotWaitEndsAt - now,
				throttledWaitMs: mustNotWait ? 0 : until - now,
				// Each retry counts as a request of this poll. So the poll may retry only as often as it has requests
				// left.
				maxRetries: Math.min(MAX_POLL_RETRIES, left - 1),
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
			});
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

	/**
	 * Returns whether the poll may end without an error, although a request failed. The next poll then continues. The
	 * poll may end if other requests use up the limit, or if the service answers 429. It may also end if `endsAt` cuts
	 * the wait for an answer short. A first poll without any answer fails, because the trigger begins at the time of
	 * its first answer. In a test in the editor, each failure is an error.
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

/**
 * Returns the limits of a poll, from its options and the time that n8n allows for a poll.
 *
 * @param now present time, by the clock's `now`
 * @param apartMs time since the last poll; 0 for the first poll of this process
 * @param pace requests per minute of a trigger that is not behind; without effect below `REQUESTS_A_MINUTE`
 * @param share requests per minute that all polls of the credential may send together. A trigger that is behind may
 *   send all of them
 * @throws UnusableParameter for an unknown choice
 */
function limitsOf(
	context: IPollFunctions,
	{ now, apartMs, pace, share }: Record<'now' | 'apartMs' | 'pace' | 'share', number>,
): PollLimits {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	assertChoices(options);
	const waitMs = numberOr(options.maxWaitMinutes, DEFAULT_POLL_WAIT_MINUTES, 0) * MINUTE_MS;
	const isTest = context.getMode() === 'manual';
	const minutes = Math.max(1, Math.round(apartMs / MINUTE_MS));
	const chosen = Math.floor(numberOr(options.maxRequestsPerPoll, 0, 1));
	const requests = isTest ? TEST_REQUESTS : chosen || minutes * REQUESTS_A_MINUTE;
	const endsAt = now + hostBudgetMs(context);
	const waitsUntil = now + Math.min(waitMs, isTest ? TEST_WAIT_MS : Infinity);
	const atMost = (perMinute: number) =>
		isTest || chosen ? requests : Math.max(requests, minutes * perMinute);
	return {
		requests,
		requestsAtPace: atMost(pace),
		requestsWhenBehind: atMost(share),
		chosen: chosen || Infinity,
		openedAt: now,
		endsAt,
		continuesUntil: apartMs < FAR_APART_MS ? now : Math.min(endsAt, now + apartMs / 2),
		firstSlotUntil: Math.min(waitsUntil, now + (apartMs || MINUTE_MS) - BEFORE_NEXT_MS),
		waitsUntil,
		failsAtOnce: options.whenRateLimited === 'fail',
		isTest,
		isFirstOfProcess: apartMs === 0,
	};
}

/** Returns the number in a parameter. Returns `preset` if the parameter gives no number, or a number below `least`. */
function numberOr(value: unknown, preset: number, least: number): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && number >= least ? number : preset;
}

/**
 * Returns the time in ms that n8n allows for a poll, less `HANDOVER_MS`. n8n before 2026 does not state this time, so
 * `POLL_MS` replaces it.
 */
function hostBudgetMs(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	const budget = context.getPollBudgetMs?.() ?? POLL_MS;
	return Math.max(HANDOVER_MS, budget - HANDOVER_MS);
}
