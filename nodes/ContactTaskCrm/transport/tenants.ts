import { createHash } from 'crypto';
import { systemClock } from './clock';
import { TenantGate } from './tenantGate';

/** One gate for each base URL and key, shared by all executions, lookups and triggers of the process. */
const gates = new Map<string, TenantGate>();

/**
 * What a tenant is known by within the process: a hash, so that the key is kept nowhere.
 *
 * @param baseUrl checked base URL without a trailing slash
 */
export function identityOf(baseUrl: string, apiKey: string): string {
	return createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
}

/** The gate of a tenant, by its identity. */
export function gateOf(identity: string): TenantGate {
	let gate = gates.get(identity);
	if (!gate) {
		gate = new TenantGate(systemClock, Math.random);
		gates.set(identity, gate);
	}
	return gate;
}
