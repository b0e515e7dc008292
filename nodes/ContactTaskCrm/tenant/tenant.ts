import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { checkedApiKey, checkedBaseUrl, NameTable } from '../util/credential';
import { Limiter } from '../http/limiter';
import { AsyncCache, putLast, KeyedQueue } from './keyed';
import { Directory } from './directory';
import { Preview } from './preview';
import { PollBudget } from './pollBudget';
import { ServiceZone } from './serviceZone';
import type { OwnWrites } from './writes';
import { WriteNotes } from './writes';

/** Requests a minute where the credential says nothing (interface, section 8). */
const DEFAULT_LIMIT = 20;

/** Pages of 30 records, more than a person opens in an hour. */
const MOST_PAGES = 200;

/** Four lists, pages of others in which names are seen, and columns that are read one by one. */
const MOST_TITLE_READS = 200;

/** Credentials of one process; the one that was used longest ago is forgotten first. */
const MOST_TENANTS = 200;

/** What is shared by all credentials of one base URL, since two keys may belong to one company. */
export class Service {
	/** Work on one person, or on one value that people are looked for by, goes one after the other. */
	readonly locks = new KeyedQueue(systemClock);

	/** @param baseUrl checked, without a trailing slash */
	constructor(
		readonly baseUrl: string,
		readonly writes = new WriteNotes(systemClock),
	) {}
}

/** All that is remembered of what one credential leads to; it may be lost at any time without harm. */
export class Tenant {
	readonly limiter = new Limiter(systemClock, Math.random);

	/** Titles and names of records. */
	readonly directory = new Directory();

	/** Pages of lists as they were read last. */
	readonly pages = new AsyncCache(systemClock, MOST_PAGES);

	/** What was read for titles. */
	readonly titleReads = new AsyncCache(systemClock, MOST_TITLE_READS);

	readonly polls = new PollBudget();

	/** Offsets in the times of records. */
	readonly zone = new ServiceZone();

	/** What stands before the path of an IRI, such as "/api"; undefined while no record has shown it. */
	iriPrefix?: string;

	/** @param identity a hash of base URL and key, so that the key is kept nowhere */
	constructor(
		readonly service: Service,
		readonly identity: string,
	) {}

	/** Notes of the writes to the service. */
	get writes(): WriteNotes {
		return this.service.writes;
	}

	/** Returns the same tenant for a run that writes nothing. Its locks and its notes of writes are its own. */
	forPreview(): Tenant {
		const { baseUrl, writes } = this.service;
		const service = new Service(baseUrl, writes.forPreview());
		return Object.assign(new Tenant(service, this.identity), this, { service });
	}
}

/** Tenants by their identity. */
const tenants = new Map<string, Tenant>();

/** A credential that can be used. */
export interface Account {
	tenant: Tenant;
	apiKey: string;
	/** Requests a minute. */
	limit: number;
	/** Of this credential alone: another one with the same key may have other names. */
	names: NameTable;
	credential: ICredentialDataDecryptedObject;
	/** What was written since the credential was opened: by one run. */
	own: OwnWrites;
	/** Present for a run that writes nothing. */
	preview?: Preview;
}

/** The same account for a run that writes nothing. */
export function previewAccount(account: Account): Account {
	return { ...account, tenant: account.tenant.forPreview(), preview: new Preview() };
}

/**
 * What a credential leads to.
 *
 * @throws ExplainedError where base URL or key cannot be used
 */
export function accountOf(credential: ICredentialDataDecryptedObject): Account {
	const baseUrl = checkedBaseUrl(credential.baseUrl);
	const apiKey = checkedApiKey(credential.apiKey);
	const limit = Math.floor(Number(credential.requestsPerMinute));
	const identity = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
	const tenant = tenants.get(identity) ?? new Tenant(serviceAt(baseUrl), identity);
	putLast(tenants, identity, tenant, MOST_TENANTS);
	return {
		tenant,
		apiKey,
		limit: limit >= 1 ? limit : DEFAULT_LIMIT,
		names: new NameTable(credential.names),
		credential,
		own: new Map(),
	};
}

function serviceAt(baseUrl: string): Service {
	for (const { service } of tenants.values()) if (service.baseUrl === baseUrl) return service;
	return new Service(baseUrl);
}
