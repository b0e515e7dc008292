import { createHash } from 'crypto';
import { systemClock } from './clock';
import { TenantLimiter } from './tenantLimiter';

/** One limiter for each base URL and key, shared by all executions, lookups and triggers of the process. */
const limiters = new Map<string, TenantLimiter>();

/**
 * What a tenant is known by within the process: a hash, so that the key is kept nowhere.
 *
 * @param baseUrl checked base URL without a trailing slash
 */
export function identityOf(baseUrl: string, apiKey: string): string {
	return createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
}

/** The limiter of a tenant, by its identity. */
export function limiterOf(identity: string): TenantLimiter {
	let limiter = limiters.get(identity);
	if (!limiter) {
		limiter = new TenantLimiter(systemClock, Math.random);
		limiters.set(identity, limiter);
	}
	return limiter;
}
