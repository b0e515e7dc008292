import { createHash } from 'crypto';
import type { IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';
import { checkedApiKey } from './apiKey';
import { checkedBaseUrl } from './baseUrl';
import type { Cancellation } from './cancellation';
import { systemClock } from './clock';
import { CREDENTIAL } from './send';
import { TenantLimiter } from './tenantLimiter';

/** Requests a minute where the credential says nothing (interface, section 8). */
const DEFAULT_LIMIT = 20;

/** What requests to a tenant are sent with. */
export interface Tenant {
	/** Checked, without a trailing slash. */
	baseUrl: string;
	/** What this credential is known by, to remember things under: a hash. */
	identity: string;
	apiKey: string;
	/** Requests a minute. */
	limit: number;
	limiter: TenantLimiter;
	credential: ICredentialDataDecryptedObject;
}

/** One limiter for each base URL and key, shared by all executions, lookups and triggers of the process. */
const limiters = new Map<string, TenantLimiter>();

/** What the credential of a run gave, so that it is decrypted once and not for each of its items. */
const tenantsOfRuns = new WeakMap<Cancellation, Promise<Tenant>>();

/**
 * The tenant that the node's credential leads to.
 *
 * @param run the run that asks; its items share one answer
 * @throws ExplainedError where base URL or key cannot be used
 */
export async function tenantOf(
	context: IAllExecuteFunctions,
	run: Cancellation | undefined,
): Promise<Tenant> {
	if (!run) return await openTenant(context);
	let tenant = tenantsOfRuns.get(run);
	if (!tenant) {
		tenant = openTenant(context);
		tenantsOfRuns.set(run, tenant);
	}
	return await tenant;
}

async function openTenant(context: IAllExecuteFunctions): Promise<Tenant> {
	return tenantWith(await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL));
}

/**
 * The tenant that a credential leads to.
 *
 * @throws ExplainedError where base URL or key cannot be used
 */
export function tenantWith(credential: ICredentialDataDecryptedObject): Tenant {
	const baseUrl = checkedBaseUrl(credential.baseUrl);
	const apiKey = checkedApiKey(credential.apiKey);
	const limit = Math.floor(Number(credential.requestsPerMinute));
	const identity = identityOf(baseUrl, apiKey);
	return {
		baseUrl,
		identity,
		apiKey,
		limit: limit >= 1 ? limit : DEFAULT_LIMIT,
		limiter: limiterOf(identity),
		credential,
	};
}

/**
 * What a tenant is known by within the process: a hash, so that the key is kept nowhere.
 *
 * @param baseUrl checked base URL without a trailing slash
 */
function identityOf(baseUrl: string, apiKey: string): string {
	return createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
}

/** The limiter of a tenant, by its identity. */
function limiterOf(identity: string): TenantLimiter {
	let limiter = limiters.get(identity);
	if (!limiter) {
		limiter = new TenantLimiter(systemClock, Math.random);
		limiters.set(identity, limiter);
	}
	return limiter;
}
