import {
	decide,
	EMPTY_STATE,
	type Decision,
	type LimiterState,
	type RateLimitRule,
} from './limiter';

/** The tenants by their API keys, each with its own rate limit (interface section 8). */
export class Tenants {
	private readonly byKey: Map<string, string>;

	private readonly states = new Map<string, LimiterState>();

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
		return decision;
	}

	/** Forgets every request, but no key. */
	clear(): void {
		this.states.clear();
	}
}
