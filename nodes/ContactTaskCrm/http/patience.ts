import { RateLimited } from './errors';
import type { Decision } from './rateLimit';
import type { ApiRequest } from './request';

/** State of the limiter that determines how long a job waits. Times are in ms of the clock's `now`. */
interface Situation {
	decision: Decision;
	/** Decision on the next poll. Polls may use only part of the rate limit. Absent if the limiter checked no poll. */
	polls: Decision | undefined;
	/** Time of the first 429 in a row. Absent while the limiter is open. */
	throttledSince: number | undefined;
	answeredAt: number;
	lastSentAt: number;
}

type Waiting = Pick<ApiRequest, 'place' | 'slotWaitMs' | 'throttledWaitMs'> & {
	waitsSince: number;
};

/** Least wait in ms for the answers to earlier requests, even for a job that may not wait for a slot. */
const LEAST_UNANSWERED_WAIT_MS = 3_000;

/** Returns the time when a job gives up, and the error if it gives up now. */
export function patienceOf(
	{ place, waitsSince, slotWaitMs, throttledWaitMs }: Waiting,
	{ decision, polls, throttledSince = -Infinity, answeredAt, lastSentAt }: Situation,
	now: number,
): { givesUpAt: number; error?: RateLimited } {
	const isThrottled = decision.kind === 'wait' && decision.reason === 'throttled';
	// Returns early, because the limiter checks all jobs after each answer, and thousands may wait without limit.
	if (slotWaitMs === Infinity && !isThrottled) return { givesUpAt: Infinity };
	const isHeldUp = place !== undefined && polls !== undefined && polls.kind !== 'send';
	const its = isHeldUp && !isThrottled ? polls : decision;
	if (its.kind === 'wait') {
		const { until, reason } = its;
		const isTooLong =
			reason === 'throttled'
				? until - Math.max(throttledSince, waitsSince) > throttledWaitMs
				: until - waitsSince > slotWaitMs;
		if (isTooLong) return { givesUpAt: now, error: new RateLimited(until - now, reason) };
	}
	const least = LEAST_UNANSWERED_WAIT_MS;
	const waitsUntil = waitsSince + Math.max(slotWaitMs, least);
	// A poll gives up when its wait is over. Any other job waits on while the service answers.
	const givesUpAt = place ? waitsUntil : Math.max(waitsUntil, answeredAt + least);
	if (givesUpAt > now) return { givesUpAt };
	const isAnswering = Math.max(answeredAt, lastSentAt) + least > now;
	const ofPoll =
		throttledSince > -Infinity ? 'throttled' : isHeldUp || isAnswering ? 'polls' : 'unanswered';
	return { givesUpAt, error: new RateLimited(least, place ? ofPoll : 'unanswered') };
}
