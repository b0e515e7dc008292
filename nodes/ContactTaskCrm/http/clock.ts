import * as n8nWorkflow from 'n8n-workflow';

/** Time as the transport sees it, passed in so that decisions can be tested without waiting. */
export interface Clock {
	/** Milliseconds from an arbitrary start, never set back: for slots, limits and waits. */
	now(): number;
	/** Milliseconds since 1970 as this machine believes: only to read dates the service sends. */
	wallTime(): number;
	/**
	 * Resolves after `ms` milliseconds, as a macrotask even when `ms` is 0, or as soon as the signal
	 * aborts, and leaves no timer behind.
	 */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** n8n 1 has a function of its own for a wait that can be ended; in n8n 2 `sleep` itself takes a signal. */
const { sleepWithAbort = n8nWorkflow.sleep } = n8nWorkflow as { sleepWithAbort?: Clock['sleep'] };

export const systemClock: Clock = {
	now: () => performance.now(),
	wallTime: () => Date.now(),
	sleep: async (ms, signal) => {
		if (!signal) return await n8nWorkflow.sleep(ms);
		if (signal.aborted) return;
		// The host rejects when the signal aborts; here that is one of two ways for a wait to end.
		await sleepWithAbort(ms, signal).catch(() => undefined);
	},
};

/**
 * Returns the result of some work, or another value if it takes longer than so many ms.
 *
 * @throws what the work throws within that time
 */
export async function within<T>(ms: number, work: Promise<T>, otherwise: T): Promise<T> {
	const ended = new AbortController();
	const tooLate = systemClock.sleep(ms, ended.signal).then(() => otherwise);
	try {
		return await Promise.race([work, tooLate]);
	} finally {
		ended.abort();
	}
}
