import { RateLimited } from './errors';
import type { Decision } from './rateLimit';
import type { ApiRequest } from './request';

/** State of the limiter that a job waits for. Times are of the clock's `now`. */
interface Situation {
	/** Decision on the next job. */
	decision: Decision;
	/** Decision on the next poll, if it waits for other polls. */
	polls: Decision | undefined;
	/** Time of the first refusal of the service. */
	throttledSince: number | undefined;
	answeredAt: number;
	lastSentAt: number;
}

type Waiting = Pick<ApiRequest, 'place' | 'slotWaitMs' | 'throttledWaitMs'> & {
	waitsSince: number;
};

/** A job that may not wait for a slot gives up after this time without an answer. */
const LEAST_UNANSWERED_WAIT_MS = 3_000;

/** Returns when a job gives up, and the error if it does so now. */
export function patienceOf(
	{ place, waitsSince, slotWaitMs, throttledWaitMs }: Waiting,
	{ decision, polls, throttledSince = -Infinity, answeredAt, lastSentAt }: Situation,
	now: number,
): { givesUpAt: number; error?: RateLimited } {
	const isThrottled = decision.kind === 'wait' && decision.reason === 'throttled';
	// Thousands of items may wait without a limit, and each answer checks them all.
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
	// A poll gives up at its own time, even while others get answers.
	const givesUpAt = place ? waitsUntil : Math.max(waitsUntil, answeredAt + least);
	if (givesUpAt > now) return { givesUpAt };
	const isAnswering = Math.max(answeredAt, lastSentAt) + least > now;
	const ofPoll =
		throttledSince > -Infinity ? 'throttled' : isHeldUp || isAnswering ? 'polls' : 'unanswered';
	return { givesUpAt, error: new RateLimited(least, place ? ofPoll : 'unanswered') };
}
