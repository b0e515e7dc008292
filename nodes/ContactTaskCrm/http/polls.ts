import type { Decision, RateLimitState } from './rateLimit';
import { held, nextFreeAt } from './rateLimit';

/*
 * All polls of a credential wait in one lane, the trigger that has waited longest first. A trigger that gives up with
 * nothing keeps its place until it polls again, so that a trigger with luck in its timing never overtakes it.
 */

/** Time for which a trigger that gave up keeps its place: n8n polls again within a minute or two. */
const PLACE_KEPT_MS = 2 * 60_000;

/** Place of a trigger among the polls of its credential. Times are of the clock's `now`. */
export interface PollPlace {
	/** Time of the last answer to a request of the trigger; -Infinity where there was none. */
	servedAt: number;
	/** Beginning of the poll under way. */
	since: number;
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
	/** Times at which they end. */
	private readonly ends = new Map<PollPlace, number>();

	/** Keeps the place of a trigger that gave up, if its poll got nothing. */
	keep(place: PollPlace, now: number): void {
		if (place.servedAt < place.since) this.ends.set(place, now + PLACE_KEPT_MS);
	}

	/** Ends a place, since its trigger waits again itself; returns whether there was one. */
	end(place: PollPlace): boolean {
		return this.ends.delete(place);
	}

	/**
	 * Returns the number of places whose triggers have waited longer than another, and when the first of all ends. A trigger
	 * that polls again, and waits for the answer to another one, is in nobody's way.
	 */
	aheadOf({ servedAt }: PollPlace, now: number): { ahead: number; endsAt: number } {
		for (const [place, end] of this.ends) if (end <= now) this.ends.delete(place);
		const ahead = [...this.ends].filter(
			([place, end]) => place.servedAt < servedAt && place.since <= end - PLACE_KEPT_MS,
		).length;
		return { ahead, endsAt: Math.min(...this.ends.values()) };
	}
}
