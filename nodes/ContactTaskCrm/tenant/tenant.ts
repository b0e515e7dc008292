import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import type { Clock } from '../http/clock';
import { systemClock } from '../http/clock';
import { checkedApiKey, checkedBaseUrl } from '../http/credential';
import { Limiter } from '../http/limiter';
import { instantOf } from '../util/dateTime';
import { comparableId } from '../util/iri';
import { AsyncCache, putLast } from './cache';
import { Directory } from './directory';
import { KeyedQueue } from './keyedQueue';
import { PollBudget } from './pollBudget';

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
	readonly locks = new KeyedQueue();

	readonly writes = new WriteJournal(systemClock);

	/** @param baseUrl checked, without a trailing slash */
	constructor(readonly baseUrl: string) {}
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

	/** What stands before the path of an IRI, such as "/api"; undefined while no record has shown it. */
	iriPrefix?: string;

	/** @param identity a hash of base URL and key, so that the key is kept nowhere */
	constructor(
		readonly service: Service,
		readonly identity: string,
	) {}
}

/** Tenants by their identity. */
const tenants = new Map<string, Tenant>();

/** A credential that can be used. */
export interface Account {
	tenant: Tenant;
	apiKey: string;
	/** Requests a minute. */
	limit: number;
	credential: ICredentialDataDecryptedObject;
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
	return {
		tenant: tenantOf(baseUrl, apiKey),
		apiKey,
		limit: limit >= 1 ? limit : DEFAULT_LIMIT,
		credential,
	};
}

function tenantOf(baseUrl: string, apiKey: string): Tenant {
	const identity = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
	const tenant = tenants.get(identity) ?? new Tenant(serviceAt(baseUrl), identity);
	putLast(tenants, identity, tenant, MOST_TENANTS);
	return tenant;
}

function serviceAt(baseUrl: string): Service {
	for (const { service } of tenants.values()) if (service.baseUrl === baseUrl) return service;
	return new Service(baseUrl);
}

/** As many writes as may happen between a read and the write that follows it, with room to spare. */
const MOST_KEPT = 50_000;

/**
 * So long a write of ours counts for more than what is read, in ms: a service may read from copies of its
 * data that lag behind.
 */
const COUNTS_MS = 2 * 60_000;

/** A write, by its number among all writes of the journal. */
interface Write {
	order: number;
	at: number;
	/** Absent where a create may have taken effect, and nobody knows whether it did. */
	id?: string;
}

/**
 * What this process wrote lately, so that what was read before is known to be out of date: the last write to
 * each record, the last to somebody who carries a value, and what the service answered.
 */
export class WriteJournal {
	private readonly lastWrites = new Map<string, Write>();

	/** What the service answered of what was written to each record, by noun and ID. */
	private readonly answers = new Map<string, { record: IDataObject; at: number }>();

	private order = 0;

	/** Writes up to this number may have been forgotten. */
	private forgotten = 0;

	constructor(private readonly clock: Clock) {}

	/** The number of the last write so far, to be taken before a person is read. */
	get mark(): number {
		return this.order;
	}

	/**
	 * Notes that a person was created or changed.
	 *
	 * @param keys all by which the person may be looked up from now on (`matchKey`)
	 */
	note(id: string, keys: readonly string[]): void {
		this.add([idName(id), ...keys.map(keyName)], id);
	}

	/**
	 * Notes that somebody may have been created, so that nobody knows any more who carries these values.
	 *
	 * @param keys of the values (`matchKey`)
	 */
	noteUnknown(keys: readonly string[]): void {
		this.add(keys.map(keyName));
	}

	/** Keeps what the service answered to a write. */
	noteAnswer(noun: string, id: string, record: IDataObject): void {
		const now = this.clock.now();
		const name = answerName(noun, id);
		const before = this.latest(noun, id, {});
		putLast(this.answers, name, { record: { ...before, ...record }, at: now }, MOST_KEPT);
		for (const [oldest, { at }] of this.answers) {
			if (now - at <= COUNTS_MS) break;
			this.answers.delete(oldest);
		}
	}

	/**
	 * A record as it was read, or as the service has answered to a later write of ours.
	 *
	 * @param read undefined where the service shows none
	 */
	latest(noun: string, id: string, read: IDataObject | undefined): IDataObject | undefined {
		const answer = this.answers.get(answerName(noun, id));
		if (!answer || this.clock.now() - answer.at > COUNTS_MS) return read;
		// A part of a record is none; a whole one was just created.
		if (!read && !('id' in answer.record)) return undefined;
		const [readAt, answeredAt] = [read, answer.record].map((of) => instantOf(of?.updatedAt));
		const isReadLater = readAt !== undefined && answeredAt !== undefined && readAt > answeredAt;
		return isReadLater ? read : { ...read, ...answer.record };
	}

	/** Forgets what the service answered, where the record turns out not to exist. */
	forgetAnswer(noun: string, id: string): void {
		this.answers.delete(answerName(noun, id));
	}

	private add(names: readonly string[], id?: string): void {
		this.order++;
		const write = { order: this.order, at: this.clock.now(), id };
		for (const name of names) {
			this.lastWrites.delete(name);
			this.lastWrites.set(name, write);
		}
		while (this.lastWrites.size > MOST_KEPT) {
			const [[oldest, write]] = this.lastWrites;
			this.forgotten = Math.max(this.forgotten, write.order);
			this.lastWrites.delete(oldest);
		}
	}

	/** Whether a person may have been written to since a mark was taken. */
	isWrittenSince(id: string, mark: number): boolean {
		return (this.lastWrites.get(idName(id))?.order ?? this.forgotten) > mark;
	}

	/** Who was given a value by a write since a mark was taken, or lately. */
	carrierSince(key: string, mark: number): string | undefined {
		const write = this.lastWrites.get(keyName(key));
		const counts = write && (write.order > mark || this.clock.now() - write.at <= COUNTS_MS);
		return counts ? write.id : undefined;
	}

	/** Whether somebody may have been created with a value since a mark was taken. */
	isUnknownSince(key: string, mark: number): boolean {
		const write = this.lastWrites.get(keyName(key));
		return write !== undefined && write.id === undefined && write.order > mark;
	}
}

function answerName(noun: string, id: string): string {
	return `${noun} ${comparableId(id)}`;
}

function idName(id: string): string {
	return `id ${comparableId(id)}`;
}

function keyName(key: string): string {
	return `key ${key}`;
}
