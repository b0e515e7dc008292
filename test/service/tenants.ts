import {
	decide,
	EMPTY_STATE,
	type Decision,
	type LimiterState,
	type RateLimitRule,
} from './limiter';

/** How many requests of a tenant, or of all, the rate limit let through and turned away. */
export interface LimiterStats {
	admitted: number;
	rejected: number;
	byTenant: Record<string, { admitted: number; rejected: number }>;
}

/** The tenants by their API keys, each with its own rate limit (interface section 8). */
export class Tenants {
	private readonly byKey: Map<string, string>;

	private readonly states = new Map<string, LimiterState>();

	private readonly counts = new Map<string, { admitted: number; rejected: number }>();

	/** @param keys the tenant of each API key */
	constructor(keys: Record<string, string>) {
		this.byKey = new Map(Object.entries(keys));
	}

	/** The tenant of a key; undefined where the key is none. */
	of(key: string): string | undefined {
		return this.byKey.get(key);
	}

	/** Asks a tenant's rate limit for a request stamped at `now` (milliseconds). */
	take(tenant: string, now: number, rule: RateLimitRule): Decision {
		const decision = decide(this.states.get(tenant) ?? EMPTY_STATE, now, rule);
		this.states.set(tenant, decision.state);
		const counts = this.counts.get(tenant) ?? { admitted: 0, rejected: 0 };
		counts[decision.admitted ? 'admitted' : 'rejected'] += 1;
		this.counts.set(tenant, counts);
		return decision;
	}

	stats(): LimiterStats {
		const all = [...this.counts.values()];
		return {
			admitted: all.reduce((sum, { admitted }) => sum + admitted, 0),
			rejected: all.reduce((sum, { rejected }) => sum + rejected, 0),
			byTenant: structuredClone(Object.fromEntries(this.counts)),
		};
	}

	/** Forgets every request, but no key. */
	clear(): void {
		this.states.clear();
		this.counts.clear();
	}
}
