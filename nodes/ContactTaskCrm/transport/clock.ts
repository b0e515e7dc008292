import { sleep } from 'n8n-workflow';

/** Time as the transport sees it, passed in so that decisions can be tested without waiting. */
export interface Clock {
	/** Milliseconds from an arbitrary start, never set back: for slots, limiters and waits. */
	now(): number;
	/** Milliseconds since 1970 as this machine believes: only to read dates the service sends. */
	wallTime(): number;
	/** Resolves after `ms` milliseconds, as a macrotask even when `ms` is 0. */
	sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
	now: () => performance.now(),
	wallTime: () => Date.now(),
	sleep: async (ms) => await sleep(ms),
};
