import type { Clock } from '../util/clock';

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
		// A timer may fire too early, for example by 0.3 ms. The limiter then sets the alarm again, for the last 0.3
		// ms. A timer of 0.3 ms could fire too early again and again. So a wait lasts at least 1 ms.
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
