import type { Decision, RateLimitState } from './rateLimit';
import { held, nextFreeAt } from './rateLimit';

/*
 * All polls of a credential wait in one lane, the trigger that has waited longest first. A trigger that gives up with
 * nothing keeps its place until it polls again, so that a trigger with luck in its timing never overtakes it.
 */

/** A trigger that gave up keeps its place from a minute before its next poll, so that a slot is free, to a minute after. */
const AROUND_POLL_MS = 60_000;

/** Place of a trigger among the polls of its credential. Times are of the clock's `now`. */
export interface PollPlace {
	/** Time of the last answer to a request of the trigger; -Infinity where there was none. */
	servedAt: number;
	/** Beginning of the poll under way, and time from one poll to the next. */
	since: number;
	apartMs: number;
}

/** Part of each minute that polls may use; of a minute in which other requests wait, too. */
const SHARE = 1 / 2;
const SHARE_BESIDE_OTHERS = 1 / 10;

/** Returns the number of requests that all polls may use of a minute. */
export function pollShare(limit: number, othersWait = false): number {
	return Math.max(1, Math.floor(limit * (othersWait ? SHARE_BESIDE_OTHERS : SHARE)));
}

/**
 * Decides whether the poll that has waited longest may be sent now.
 *
 * @param room.limit requests a minute
 * @param room.othersWait whether other requests than those of polls wait
 * @param room.ahead number of triggers that have waited longer, and keep a place
 */
export function decidePoll(
	state: RateLimitState,
	{ limit, othersWait, ahead }: { limit: number; othersWait: boolean; ahead: number },
	now: number,
): Decision {
	const slots = held(state, now).filter(({ isPoll }) => isPoll);
	const free = pollShare(limit, othersWait) - slots.length;
	if (free > ahead) return { kind: 'send' };
	const until = free > 0 ? Infinity : nextFreeAt(slots);
	return until === Infinity
		? { kind: 'waitForResponse' }
		: { kind: 'wait', until, reason: 'polls' };
}

/** Places of triggers that gave up with nothing, until they poll again. */
export class PollPlaces {
	/** Times of the next polls of these triggers. */
	private readonly nextPolls = new Map<PollPlace, number>();

	/** Keeps the place of a trigger that gave up, if its poll got nothing. */
	keep(place: PollPlace, now: number): void {
		const { servedAt, since, apartMs } = place;
		if (servedAt < since) this.nextPolls.set(place, Math.max(now, since + apartMs));
	}

	/** Ends a place, since its trigger waits again itself; returns whether there was one. */
	end(place: PollPlace): boolean {
		return this.nextPolls.delete(place);
	}

	/**
	 * Returns the number of places whose triggers have waited longer than another, and when the first of all ends. A trigger
	 * that polls again, and waits for the answer to another one, is in nobody's way.
	 */
	aheadOf({ servedAt }: PollPlace, now: number): { ahead: number; endsAt: number } {
		const { nextPolls } = this;
		for (const [place, at] of nextPolls) {
			const isOver = at + AROUND_POLL_MS <= now || place.since >= at;
			if (isOver) nextPolls.delete(place);
		}
		const due = [...nextPolls].filter(
			([place, at]) => place.servedAt < servedAt && at - AROUND_POLL_MS <= now,
		);
		return { ahead: due.length, endsAt: Math.min(...due.map(([, at]) => at + AROUND_POLL_MS)) };
	}
}
