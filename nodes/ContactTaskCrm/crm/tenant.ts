import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { checkedApiKey, checkedBaseUrl } from '../http/credential';
import { NameTable } from '../http/names';
import { Limiter } from '../limit/limiter';
import { AsyncCache, putLast } from '../util/keyed';
import { Directory } from './directory';
import { NewestReads } from './newestReads';
import { Preview } from './preview';
import { SharedPages } from './sharedPages';
import { ServiceDescription } from './description';
import { type OwnWrites, WriteLog } from './writeLog';
import type { Outcome } from '../http/request';
import { limitEffectOf } from '../http/retry';
import { DEFAULT_LIMIT } from '../schema/limits';

/** Maximum number of cached pages of the editor's lists: more than a user opens in an hour. */
const MOST_LIST_PAGES = 200;

/** Maximum number of cached reads for titles and names: of whole lists, single workspaces, columns and people. */
const MOST_TITLE_READS = 200;

/** Maximum number of tenants in one process. The least recently used is removed first. */
const MOST_TENANTS = 200;

/** State of one base URL and key. It may be lost at any time without harm. */
export class Tenant {
	readonly limiter = new Limiter<Outcome>(systemClock, Math.random, limitEffectOf);

	readonly directory = new Directory();

	/** Pages of the editor's lists. */
	readonly pages = new AsyncCache(systemClock, MOST_LIST_PAGES);

	/** Reads for titles and names: whole lists, single workspaces and columns, and people who refer to a user or tag. */
	readonly titleReads = new AsyncCache(systemClock, MOST_TITLE_READS);

	/** Pages that triggers share, by path and filters of the list. */
	readonly shared = new Map<string, SharedPages>();

	readonly description = new ServiceDescription(systemClock);

	/**
	 * @param baseUrl checked by `checkedBaseUrl`, and without a trailing slash
	 * @param identity hash of base URL and key. A tenant does not store the key itself
	 * @param writes log that all tenants of one base URL share, because two keys may belong to one company
	 */
	constructor(
		readonly baseUrl: string,
		readonly identity: string,
		readonly writes: WriteLog,
	) {}
}

/**
 * Returns the key in `titleReads` for the list that a path belongs to. For /segments/1f0c, this is the key of the whole
 * list /segments.
 */
export const completeListOf = (path: string) => `whole /${path.split('/')[1]}`;

const tenants = new Map<string, Tenant>();

export interface Account {
	tenant: Tenant;
	apiKey: string;
	/** Requests per minute that the credential allows. */
	limit: number;
	/** Names of users and tags. Another credential with the same key may give other names. */
	names: NameTable;
	credential: ICredentialDataDecryptedObject;
	/** Writes of one run. Each run decrypts the credential again, and so gets an account of its own. */
	own: OwnWrites;
	/** Newest read of each record in one run. */
	newest: NewestReads;
	/** Present only for a preview. */
	preview?: Preview;
}

/**
 * Returns a copy of the account for a preview. The copy has its own write log, which real runs do not see. The copy and
 * the account share all other memory of the tenant.
 */
export function previewAccount(account: Account): Account {
	const writes = new WriteLog(systemClock, account.tenant.writes);
	const tenant = { ...account.tenant, writes };
	return { ...account, tenant, newest: new NewestReads(), preview: new Preview() };
}

/**
 * Returns the account of a decrypted credential, with the tenant of its base URL and key.
 *
 * @throws ExplainedError if the base URL or the key is unusable
 */
export function accountOf(credential: ICredentialDataDecryptedObject): Account {
	const baseUrl = checkedBaseUrl(credential.baseUrl);
	const apiKey = checkedApiKey(credential.apiKey);
	const limit = Math.floor(Number(credential.requestsPerMinute));
	const identity = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
	const other = [...tenants.values()].find((one) => one.baseUrl === baseUrl);
	const writes = other?.writes ?? new WriteLog(systemClock);
	const tenant = tenants.get(identity) ?? new Tenant(baseUrl, identity, writes);
	putLast(tenants, identity, tenant, MOST_TENANTS);
	return {
		tenant,
		apiKey,
		limit: limit >= 1 ? limit : DEFAULT_LIMIT,
		names: new NameTable(credential.names, (iri, collection) =>
			tenant.directory.shows(iri, collection),
		),
		credential,
		own: new Map(),
		newest: new NewestReads(),
	};
}
