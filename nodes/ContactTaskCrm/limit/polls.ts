import { type Decision, nextFreeAt, type RateLimitState, usedSlots } from './rateLimit';

/*
 * Rules for polls. All polls with one API key wait in one lane of the queue. The trigger that has gone longest without
 * an answer goes first. A trigger that gives up without an answer keeps its place until it polls again. Without this
 * rule, triggers that poll at better moments would always overtake this trigger.
 */

/**
 * A trigger that gave up a poll keeps its place for the next poll. For this time in ms before and after the expected
 * start of the next poll, later triggers leave one slot free.
 */
const AROUND_POLL_MS = 60_000;

/**
 * Assumed maximum time in ms from the start of a poll until the poll asks for a slot. Meanwhile, the poll decrypts the
 * credential.
 */
const BEGINNING_MS = 3_000;

/** A trigger, with the times that decide its place among all polls. Times are in ms of the clock's `now`. */
export interface Poller {
	/**
	 * Time when the trigger last got an answer: its own request ended, or it used a page that another trigger had read.
	 * -Infinity before the first answer.
	 */
	servedAt: number;
	/** Start of the trigger's latest poll. */
	polledAt: number;
	/** Probable time in ms from the latest poll to the next, by the times of earlier polls; 0 for the first poll. */
	apartMs: number;
}

/** Maximum part of the rate limit for all polls together, while only polls wait. */
const SHARE = 1 / 2;
/** Maximum part of the rate limit for all polls together, while other jobs wait, too. */
const SHARE_BESIDE_OTHERS = 1 / 10;

/** Returns the maximum number of requests per minute for all polls together. */
export function pollShare(limit: number, othersWait = false): number {
	return Math.max(1, Math.floor(limit * (othersWait ? SHARE_BESIDE_OTHERS : SHARE)));
}

/**
 * Decides whether the first poll in the lane may be sent now.
 *
 * @param situation.limit requests per minute that the credential allows
 * @param situation.othersWait whether any jobs other than polls wait
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

	/** Forgets the place of a trigger that polls again. Returns whether the trigger had kept a place. */
	end(poller: Poller): boolean {
		return this.nextPolls.delete(poller);
	}

	/**
	 * Forgets places that have ended, and counts the triggers that go before this trigger (`ahead`). Such a trigger keeps
	 * a place, should poll about now, and has gone longer without an answer. `endsAt` is the time when the first of the
	 * counted places ends; Infinity if there is none. A place ends `BEGINNING_MS` after the start of the expected poll.
	 * If that poll does not start, the place ends `AROUND_POLL_MS` after the expected time.
	 */
	aheadOf({ servedAt }: Poller, now: number): { ahead: number; endsAt: number } {
		const { nextPolls } = this;
		const ends: number[] = [];
		for (const [poller, expectedAt] of nextPolls) {
			const hasStarted = poller.polledAt >= expectedAt;
			const endsAt = hasStarted ? poller.polledAt + BEGINNING_MS : expectedAt + AROUND_POLL_MS;
			if (endsAt <= now) nextPolls.delete(poller);
			else if (poller.servedAt < servedAt && expectedAt - AROUND_POLL_MS <= now) ends.push(endsAt);
		}
		return { ahead: ends.length, endsAt: Math.min(...ends) };
	}
}
