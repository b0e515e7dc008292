/** The window of the service's limit (interface, section 8). */
const MINUTE_MS = 60_000;

/** How all polls of a tenant use their half of its budget. */
export class PollBudget {
	/** When each request of the last minute was sent, by the clock's `now`. */
	private sent: number[] = [];

	/** When each trigger polled last. */
	private readonly polled = new Map<string, number>();

	/** Triggers that got less than one request in their last poll. */
	private readonly waiting = new Set<string>();

	/**
	 * What one poll may send: the half is divided among the triggers that polled within the last minute, so
	 * that none of them goes without, and the rest of the budget is left to other workflows.
	 *
	 * @param limit requests a minute of the tenant
	 * @param now ms of the clock's `now`
	 * @param isFirst whether it is the first poll of the trigger, which has to send one request at least
	 */
	requestsFor(
		trigger: string,
		{ limit, now, isFirst }: { limit: number; now: number; isFirst: boolean },
	): number {
		this.sent = this.sent.filter((at) => at > now - MINUTE_MS);
		for (const [other, at] of this.polled) {
			// Polls begin a little earlier or later than a minute after each other.
			if (at < now - 1.5 * MINUTE_MS) {
				this.polled.delete(other);
				this.waiting.delete(other);
			}
		}
		this.polled.set(trigger, now);
		this.waiting.delete(trigger);
		const half = Math.max(1, Math.floor(limit / 2));
		const fair = Math.max(1, Math.floor(half / this.polled.size));
		const free = half - this.sent.length - this.waiting.size;
		const requests = Math.max(isFirst ? 1 : 0, Math.min(fair, free));
		if (requests < 1) this.waiting.add(trigger);
		return requests;
	}

	/** Notes that a request was sent. */
	spend(now: number): void {
		this.sent.push(now);
	}
}
