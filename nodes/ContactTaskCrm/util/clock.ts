import * as n8nWorkflow from 'n8n-workflow';

/** Clock for all requests and waits. Tests pass in a simulated clock, so that they need not wait for real time. */
export interface Clock {
	/** Time in ms from an arbitrary start, for slots, limits and waits. It never goes back. */
	now(): number;
	/** Wall-clock time of this machine in ms since 1970, only for comparison with dates that the service sends. */
	wallTime(): number;
	/**
	 * Resolves after `ms` milliseconds, or as soon as the signal aborts. Without an abort, the promise resolves in a new
	 * macrotask, even for 0 ms. An abort clears the timer.
	 */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** In n8n 1, only `sleepWithAbort` takes a signal. In n8n 2, `sleep` takes the signal itself. */
const { sleepWithAbort = n8nWorkflow.sleep } = n8nWorkflow as { sleepWithAbort?: Clock['sleep'] };

export const systemClock: Clock = {
	now: () => performance.now(),
	wallTime: () => Date.now(),
	sleep: async (ms, signal) => {
		if (!signal) return await n8nWorkflow.sleep(ms);
		if (signal.aborted) return;
		// `sleepWithAbort` rejects when the signal aborts. For this clock, an abort is a normal end of the wait.
		await sleepWithAbort(ms, signal).catch(() => undefined);
	},
};

/**
 * Returns the result of `work`, or `otherwise` if `work` takes longer than `ms` milliseconds.
 *
 * @throws the error of `work`, if `work` fails within that time
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

/** The only timer of a limiter. Calls `ring` at the earliest time set, in ms of the clock's `now`. */
export class Alarm {
	private set: { at: number; wait: AbortController } | undefined;

	constructor(
		private readonly clock: Clock,
		private readonly ring: () => void,
	) {}

	/** Sets the alarm to the time `at`, unless it is set to an earlier time. Infinity stops the alarm. */
	ringBy(at: number): void {
		if (at < Infinity && this.set && this.set.at <= at) return;
		this.stop();
		if (at === Infinity) return;
		const set = { at, wait: new AbortController() };
		this.set = set;
		const left = at - this.clock.now();
		// A timer may fire too early, for example by 0.3 ms. The limiter then sets the alarm again, for the last 0.3 ms.
		// Such a short timer could fire too early again and again. So a wait lasts at least 1 ms.
		const ms = left > 0 ? Math.max(1, left) : 0;
		void this.clock.sleep(ms, set.wait.signal).then(() => {
			if (this.set === set) this.ring();
		});
	}

	stop(): void {
		this.set?.wait.abort();
		this.set = undefined;
	}
}
