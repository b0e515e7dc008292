/** The window of the service's limit (interface, section 8). */
const MINUTE_MS = 60_000;

/** How all polls of a tenant have used their half of its budget. */
interface Usage {
	/** When each request of the last minute was sent, by the clock's `now`. */
	sent: number[];
	/** When each trigger polled last. */
	polled: Map<string, number>;
	/** Triggers that got less than one request in their last poll. */
	waiting: Set<string>;
}

const usages = new Map<string, Usage>();

/** What a poll may send of the half of the budget that all polls of a tenant share. */
export class TenantShare {
	private constructor(
		private readonly usage: Usage,
		/** Requests that this poll may send. */
		readonly requests: number,
	) {}

	/**
	 * The share of one poll: the half is divided among the triggers that polled within the last minute, so
	 * that none of them goes without, and the rest of the budget is left to other workflows.
	 *
	 * @param limit requests a minute of the tenant
	 * @param now ms of the clock's `now`
	 * @param isFirst whether it is the first poll of the trigger, which has to send one request at least
	 */
	static of(
		tenant: string,
		trigger: string,
		{ limit, now, isFirst }: { limit: number; now: number; isFirst: boolean },
	): TenantShare {
		const usage = usages.get(tenant) ?? { sent: [], polled: new Map(), waiting: new Set() };
		usages.set(tenant, usage);
		usage.sent = usage.sent.filter((at) => at > now - MINUTE_MS);
		for (const [other, at] of usage.polled) {
			// Polls begin a little earlier or later than a minute after each other.
			if (at < now - 1.5 * MINUTE_MS) {
				usage.polled.delete(other);
				usage.waiting.delete(other);
			}
		}
		usage.polled.set(trigger, now);
		usage.waiting.delete(trigger);
		const half = Math.max(1, Math.floor(limit / 2));
		const fair = Math.max(1, Math.floor(half / usage.polled.size));
		const free = half - usage.sent.length - usage.waiting.size;
		const requests = Math.max(isFirst ? 1 : 0, Math.min(fair, free));
		if (requests < 1) usage.waiting.add(trigger);
		return new TenantShare(usage, requests);
	}

	/** Notes that a request was sent. */
	spend(now: number): void {
		this.usage.sent.push(now);
	}
}
