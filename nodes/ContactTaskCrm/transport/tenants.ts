import { createHash } from 'crypto';
import { systemClock } from './clock';
import { TenantGate } from './tenantGate';

/** One gate for each base URL and key, shared by all executions, lookups and triggers of the process. */
const gates = new Map<string, TenantGate>();

/**
 * The gate of a tenant. The key is kept as a hash alone.
 *
 * @param baseUrl checked base URL without a trailing slash
 */
export function gateOf(baseUrl: string, apiKey: string): TenantGate {
	const tenant = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
	let gate = gates.get(tenant);
	if (!gate) {
		gate = new TenantGate(systemClock, Math.random);
		gates.set(tenant, gate);
	}
	return gate;
}
