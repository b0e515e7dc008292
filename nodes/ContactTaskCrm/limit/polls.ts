import { type Decision, nextFreeAt, type RateLimitState, usedSlots } from './rateLimit';

/*
 * Rules for polls. All polls of a credential wait in one lane of the queue. The trigger that has gone longest without
 * an answer goes first. A trigger that gives up without an answer keeps its place until it polls again. Without the
 * place, a trigger with lucky timing would always overtake it.
 */

/**
 * Time in ms before and after the expected poll of a trigger that keeps its place. In this time, the triggers behind
 * it leave it a slot.
 */
const AROUND_POLL_MS = 60_000;

/** Assumed longest time in ms from the start of a poll to its first request for a slot. The poll decrypts the credential. */
const BEGINNING_MS = 3_000;

/** A trigger among the polls of its credential. Times are in ms of the clock's `now`. */
export interface Poller {
	/** Time of the last answer to a request of the trigger; -Infinity if there was none. */
	servedAt: number;
	/** Start of the latest poll. */
	polledAt: number;
	/** Time in ms between the starts of the last two polls; 0 for the first poll. */
	apartMs: number;
}

/** Maximum part of the rate limit for all polls: while only polls wait, and while other requests wait, too. */
const SHARE = 1 / 2;
const SHARE_BESIDE_OTHERS = 1 / 10;

/** Returns the number of requests per minute for all polls together. */
export function pollShare(limit: number, othersWait = false): number {
	return Math.max(1, Math.floor(limit * (othersWait ? SHARE_BESIDE_OTHERS : SHARE)));
}

/**
 * Decides whether the first poll in the lane may be sent now.
 *
 * @param situation.limit requests per minute of the credential
 * @param situation.othersWait whether requests other than polls wait
 * @param situation.ahead number of other triggers with an earlier place. The poll leaves a slot for each of them
 */
export function decidePoll(
	state: RateLimitState,
	{ limit, othersWait, ahead }: { limit: number; othersWait: boolean; ahead: number },
	now: number,
): Decision {
	const used = usedSlots(state, now).filter(({ isPoll }) => isPoll);
	const inFlight = state.inFlight.filter(({ isPoll }) => isPoll);
	const free = pollShare(limit, othersWait) - used.length - inFlight.length;
	if (free > ahead) return { kind: 'send' };
	const until = free > 0 ? Infinity : nextFreeAt(used);
	return until === Infinity
		? { kind: 'waitForResponse' }
		: { kind: 'wait', until, reason: 'polls' };
}

/** Triggers that gave up a poll without an answer. Such a trigger keeps its place in the queue until its next poll. */
export class OverduePollers {
	/** Expected time of the next poll of each trigger that keeps its place. */
	private readonly nextPolls = new Map<Poller, number>();

	/** Keeps the place of a trigger that gave up its poll, unless the service answered during this poll. */
	keep(poller: Poller, now: number): void {
		const { servedAt, polledAt, apartMs } = poller;
		if (servedAt < polledAt) this.nextPolls.set(poller, Math.max(now, polledAt + apartMs));
	}

	/** Ends the place of a trigger that polls again. Returns whether the trigger had kept a place. */
	end(poller: Poller): boolean {
		return this.nextPolls.delete(poller);
	}

	/**
	 * Returns how many triggers are due about now and go before this one, because their last answer is older. `endsAt` is the
	 * time when the first of them no longer goes before. A trigger that has begun its poll does so for `BEGINNING_MS` more.
	 */
	aheadOf({ servedAt }: Poller, now: number): { ahead: number; endsAt: number } {
		const { nextPolls } = this;
		const ends: number[] = [];
		for (const [poller, at] of nextPolls) {
			const endsAt = poller.polledAt < at ? at + AROUND_POLL_MS : poller.polledAt + BEGINNING_MS;
			if (endsAt <= now) nextPolls.delete(poller);
			else if (poller.servedAt < servedAt && at - AROUND_POLL_MS <= now) ends.push(endsAt);
		}
		return { ahead: ends.length, endsAt: Math.min(...ends) };
	}
}
