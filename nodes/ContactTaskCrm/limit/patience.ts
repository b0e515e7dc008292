import type { Decision } from './rateLimit';
import type { Waiting } from './waiting';
import { RateLimited } from '../util/failures';

/** What the limiter knows when it decides whether a waiting job gives up. Times are in ms of the clock's `now`. */
interface Situation {
	decision: Decision;
	/** Decision on the next poll. Polls may use only part of the rate limit. Absent if the limiter checked no poll. */
	polls: Decision | undefined;
	/**
	 * Returns the time when a slot is free for a request of a credential with this limit. Infinity if only an answer can
	 * free a slot.
	 */
	slotFreeAt: (limit: number) => number;
	/** Time since which the service refuses all requests (HTTP 429). Absent while the service accepts requests. */
	throttledSince: number | undefined;
	/** Whether any request was sent and is not answered yet. */
	isInFlight: boolean;
	answeredAt: number;
	lastSentAt: number;
}

type Patience = Pick<Waiting, 'poller' | 'limit' | 'slotWaitMs' | 'throttledWaitMs'> & {
	waitsSince: number;
};

/** Minimum time in ms that a job waits for the answers to earlier requests, even with a `slotWaitMs` of 0. */
const LEAST_UNANSWERED_WAIT_MS = 3_000;

/**
 * Returns the time when a job gives up, and the error if the job gives up now. A job with a `slotWaitMs` of 0 gives up
 * if all slots are used. The limiter may hold back a free slot, for an even pace or for other programs. While the
 * limiter does so, no job gives up.
 */
export function patienceOf(
	{ poller, limit, waitsSince, slotWaitMs, throttledWaitMs }: Patience,
	situation: Situation,
	now: number,
): { givesUpAt: number; error?: RateLimited } {
	const { decision, polls, throttledSince = -Infinity, answeredAt, lastSentAt } = situation;
	const isThrottled = decision.kind === 'wait' && decision.reason === 'throttled';
	// The limiter checks all jobs after each answer. Thousands of jobs may wait without a time limit. To save time, the
	// check of such a job ends here.
	if (slotWaitMs === Infinity && !isThrottled) return { givesUpAt: Infinity };
	const isHeldUp = poller !== undefined && polls !== undefined && polls.kind !== 'send';
	const givesUp = (until: number, reason: RateLimited['reason']) => ({
		givesUpAt: now,
		error: new RateLimited(until - now, reason),
	});
	if (isThrottled) {
		const { until } = decision;
		if (until - Math.max(throttledSince, waitsSince) > throttledWaitMs) {
			return givesUp(until, 'throttled');
		}
	} else {
		const pollsAt = polls?.kind === 'wait' ? polls.until : Infinity;
		const until = isHeldUp ? pollsAt : situation.slotFreeAt(limit);
		if (until > now && until < Infinity && until - waitsSince > slotWaitMs) {
			return givesUp(until, isHeldUp ? 'polls' : 'limit');
		}
	}
	const least = LEAST_UNANSWERED_WAIT_MS;
	const waitsUntil = waitsSince + Math.max(slotWaitMs, least);
	// A poll gives up when its wait is over. Any other job goes on waiting while the service answers earlier requests.
	const givesUpAt = poller ? waitsUntil : Math.max(waitsUntil, answeredAt + least);
	if (!poller && !situation.isInFlight) return { givesUpAt: Infinity };
	if (givesUpAt > now) return { givesUpAt };
	const isAnswering = Math.max(answeredAt, lastSentAt) + least > now || !situation.isInFlight;
	const ofPoll =
		throttledSince > -Infinity ? 'throttled' : isHeldUp || isAnswering ? 'polls' : 'unanswered';
	return { givesUpAt, error: new RateLimited(least, poller ? ofPoll : 'unanswered') };
}
