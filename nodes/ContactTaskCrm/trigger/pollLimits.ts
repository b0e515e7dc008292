import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { assertChoices, MAX_WAIT, numberFrom } from '../run/options';
import { DEFAULT_POLL_WAIT_MINUTES, REQUESTS_A_MINUTE } from './parameters';
import { MINUTE_MS } from '../values/time';

/**
 * Polls at least this far apart also wait for slots that become free minutes later. Polls closer to each other leave
 * the remaining requests to the next poll.
 */
const FAR_APART_MS = 5 * MINUTE_MS;
/**
 * The wait for the first slot ends this long before the next poll. The trigger would skip that poll while this poll
 * runs.
 */
const BEFORE_NEXT_MS = 500;
/** Part of the time that n8n allows for a poll, reserved to hand over the items. */
const HANDOVER_MS = 2_000;
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
export interface PollLimits {
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
	/**
	 * Time until which polls `FAR_APART_MS` apart or more may wait for slots; `openedAt` for polls closer to each other.
	 */
	continuesUntil: number;
	/**
	 * End of the wait for the first slot, if the poll has no events yet. If `continuesUntil` is later, the wait ends at
	 * `continuesUntil`.
	 */
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

/**
 * Returns the limits of a poll, from its options and the time that n8n allows for a poll.
 *
 * @param now present time, by the clock's `now`
 * @param apartMs time since the last poll; 0 for the first poll of this process
 * @param pace requests per minute of a trigger that is not behind. A pace below `REQUESTS_A_MINUTE` has no effect
 * @param share requests per minute that all polls of the credential may send together. A trigger that is behind may
 *   send all of them
 * @throws UnusableParameter for an unknown choice, or a number that is too low
 */
export function limitsOf(
	context: IPollFunctions,
	{ now, apartMs, pace, share }: Record<'now' | 'apartMs' | 'pace' | 'share', number>,
): PollLimits {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	assertChoices(options);
	const wait = numberFrom(0, MAX_WAIT, options.maxWaitMinutes);
	const waitMs = (wait ?? DEFAULT_POLL_WAIT_MINUTES) * MINUTE_MS;
	const isTest = context.getMode() === 'manual';
	const minutes = Math.max(1, Math.round(apartMs / MINUTE_MS));
	const most = numberFrom(1, 'Max Requests per Check', options.maxRequestsPerPoll);
	const chosen = Math.floor(most ?? 0);
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

/**
 * Returns the time in ms that n8n allows for a poll, less `HANDOVER_MS`. n8n before 2026 does not state this time, so
 * `POLL_MS` replaces it.
 */
function hostBudgetMs(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	const budget = context.getPollBudgetMs?.() ?? POLL_MS;
	return Math.max(HANDOVER_MS, budget - HANDOVER_MS);
}
