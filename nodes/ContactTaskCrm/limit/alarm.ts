import type { Clock } from '../util/clock';

/** The only timer of a limiter. Times are in ms of the clock's `now`. */
export class Alarm {
	private set: { at: number; wait: AbortController } | undefined;

	constructor(
		private readonly clock: Clock,
		private readonly ring: () => void,
	) {}

	/** Makes the alarm ring at this time, unless it is already set to an earlier one. Infinity stops the alarm. */
	ringBy(at: number): void {
		if (at < Infinity && this.set && this.set.at <= at) return;
		this.stop();
		if (at === Infinity) return;
		const set = { at, wait: new AbortController() };
		this.set = set;
		const left = at - this.clock.now();
		// A timer may fire a moment too early. The limiter then sets the alarm again for the rest, which may be under
		// 1 ms. A wait of at least 1 ms keeps the alarm from ringing too early again and again.
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
