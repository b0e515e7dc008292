import type { Clock } from './clock';

/** One alarm that can be set anew and taken back, so that no more than one timer waits at a time. */
export class WakeUp {
	private at = Infinity;

	private wait?: AbortController;

	constructor(
		private readonly clock: Clock,
		private readonly wake: () => void,
	) {}

	/** Sets the alarm to another time of the clock's `now`; Infinity for never. */
	set(at: number): void {
		if (this.wait && this.at === at) return;
		this.clear();
		if (at === Infinity) return;
		const wait = new AbortController();
		this.wait = wait;
		this.at = at;
		// A timer may fire a moment too early, and is then set anew.
		const ms = Math.max(1, at - this.clock.now());
		void this.clock.sleep(ms, wait.signal).then(() => {
			if (this.wait !== wait) return;
			this.wait = undefined;
			this.wake();
		});
	}

	clear(): void {
		this.wait?.abort();
		this.wait = undefined;
	}
}
