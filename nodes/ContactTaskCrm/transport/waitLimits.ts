import type { Decision } from './rateLimit';

/** How long a request may be held up before it gives up, in ms. */
export interface WaitLimits {
	/** By the limit itself: waiting for a free slot. */
	slotMs: number;
	/** By the service refusing whatever is sent. */
	throttledMs: number;
}

/** What waits, and how long it would. */
export interface Patient {
	enqueuedAt: number;
	waitLimits: WaitLimits;
}

/** Whoever would not wait for a slot does not wait much longer for answers that do not come. */
export const LEAST_UNANSWERED_WAIT_MS = 3_000;

/**
 * Whether something would have to wait longer than its wait limits.
 *
 * @param throttling present while the service refuses
 */
export function isOverdue(
	{ enqueuedAt, waitLimits }: Patient,
	{ until, reason }: Decision & { kind: 'wait' },
	throttling: { since: number } | undefined,
): boolean {
	if (reason === 'limit') return until - enqueuedAt > waitLimits.slotMs;
	return until - Math.max(throttling?.since ?? -Infinity, enqueuedAt) > waitLimits.throttledMs;
}

/** Those that do not wait for a slot however long it takes, and when the first of them gives up. */
export class LastMoments<T extends Patient> {
	private readonly waiting = new Set<T>();

	/** No later than the last moment of any of them; Infinity where there is none. */
	first = Infinity;

	/** Takes it in, unless it waits however long it takes. */
	add(one: T): void {
		if (one.waitLimits.slotMs === Infinity) return;
		this.waiting.add(one);
		this.first = Math.min(this.first, lastMomentOf(one));
	}

	delete(one: T): void {
		this.waiting.delete(one);
	}

	/** Takes those out whose last moment has come. */
	takeLate(now: number): Set<T> {
		const late = new Set([...this.waiting].filter((one) => lastMomentOf(one) <= now));
		this.first = Infinity;
		for (const one of this.waiting) {
			if (late.has(one)) this.waiting.delete(one);
			else this.first = Math.min(this.first, lastMomentOf(one));
		}
		return late;
	}
}

function lastMomentOf({ enqueuedAt, waitLimits }: Patient): number {
	return enqueuedAt + Math.max(waitLimits.slotMs, LEAST_UNANSWERED_WAIT_MS);
}
