import { mapValues } from 'lodash';
import { createHash } from 'crypto';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import type { Clock } from '../http/clock';
import { systemClock } from '../http/clock';
import { checkedApiKey, checkedBaseUrl, NameTable } from '../util/credential';
import { Limiter } from '../http/limiter';
import { instantOf } from '../util/dateTime';
import { matchKey } from '../util/contacts';
import { comparableId } from '../util/iri';
import { partsWhere } from '../util/values';
import { AsyncCache, putLast, KeyedQueue } from './keyed';
import { Directory } from './directory';
import { Preview } from './preview';
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
	readonly locks = new KeyedQueue(systemClock);

	/** @param baseUrl checked, without a trailing slash */
	constructor(
		readonly baseUrl: string,
		readonly written = new SharedWrites(),
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

	readonly writes: WriteJournal;

	/** What stands before the path of an IRI, such as "/api"; undefined while no record has shown it. */
	iriPrefix?: string;

	/** @param identity a hash of base URL and key, so that the key is kept nowhere */
	constructor(
		readonly service: Service,
		readonly identity: string,
	) {
		this.writes = new WriteJournal(systemClock, identity, service.written);
	}

	/** The same tenant for a run that writes nothing: what it locks, and what it notes of writes, is its own. */
	forPreview(): Tenant {
		const { baseUrl, written } = this.service;
		const preview = new Tenant(new Service(baseUrl, written.forPreview()), this.identity);
		const { service, writes } = preview;
		return Object.assign(preview, this, { service, writes });
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
	};
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

/** People to whom one value was given, as many as are looked up together. */
const MOST_CARRIERS = 30;

/** A write that gave somebody a value, by its number among all writes. */
interface Write {
	order: number;
	at: number;
	/** Absent where a create may have taken effect, and nobody knows whether it did. */
	id?: string;
	/** Then the value as it was sent, which a service may compare to the letter. */
	value?: string;
}

/** What the service answered to a write, or that the record does not exist. */
interface Answered {
	record?: IDataObject;
	/** The `updatedAt` of the answer that each field is from: others may have changed the rest since. */
	updatedAt: Readonly<Record<string, number | undefined>>;
	at: number;
}

/** What each credential, by its identity, has to say of something. */
type ByWriter<T> = ReadonlyMap<string, T>;

/** What all credentials of one base URL wrote lately, of which two may be of one company. */
export class SharedWrites {
	/** The number of the last write to each person, in the order of these writes. */
	readonly last: Map<string, number>;

	/** The last writes to people who carry a value, the last first. */
	readonly carriers: Map<string, ByWriter<readonly Write[]>>;

	/** What the service answered to writes of each record. */
	readonly answers: Map<string, ByWriter<Answered>>;

	order = 0;

	/** The last write that the service can show; absent where it can show all. */
	private lastShown?: number;

	/** @param before what was written before */
	constructor(before?: SharedWrites) {
		this.last = new Map(before?.last);
		this.carriers = new Map(before?.carriers);
		this.answers = new Map(before?.answers);
	}

	/** The number of the last write that whoever reads now is shown. */
	get shown(): number {
		return this.lastShown ?? this.order;
	}

	/** What was written so far, for a run whose own writes the service is never going to show. */
	forPreview(): SharedWrites {
		const { order } = this;
		return Object.assign(new SharedWrites(this), { order, lastShown: order });
	}
}

/**
 * What this process wrote lately, so that what was read before is known to be out of date. What another
 * credential wrote counts, too, but never in the place of the own: two companies may know the same people.
 */
export class WriteJournal {
	/** @param own the writer's name among those of the base URL */
	constructor(
		private readonly clock: Clock,
		private readonly own: string,
		private readonly written: SharedWrites,
	) {}

	/** The number of the last write so far, to be taken before a person is read. */
	get mark(): number {
		return this.written.shown;
	}

	/**
	 * Notes that a person was created or changed.
	 *
	 * @param keys all by which the person may be looked up from now on (`matchKey`)
	 */
	note(id: string, keys: readonly string[]): void {
		const order = ++this.written.order;
		putLast(this.written.last, comparableId(id), order, MOST_KEPT);
		for (const key of keys) this.noteCarrier(key, { order, at: this.clock.now(), id });
	}

	/**
	 * Notes that somebody may have been created, so that nobody knows any more who carries these values.
	 *
	 * @param values as they were sent
	 */
	noteUnknown(values: readonly string[]): void {
		for (const value of values) {
			const order = ++this.written.order;
			this.noteCarrier(matchKey(value), { order, at: this.clock.now(), value });
		}
	}

	private noteCarrier(key: string, write: Write): void {
		const { carriers } = this.written;
		const by = new Map(carriers.get(key));
		const others = (by.get(this.own) ?? []).filter(({ id }) => id !== write.id);
		by.set(this.own, [write, ...others].slice(0, MOST_CARRIERS));
		putLast(carriers, key, by, MOST_KEPT);
	}

	/** Keeps what the service answered to a write. */
	noteAnswer(noun: string, id: string, record: IDataObject): void {
		const before = this.answered(noun, id);
		const at = instantOf(record.updatedAt);
		this.keepAnswer(noun, id, {
			record: { ...before?.record, ...record },
			updatedAt: { ...before?.updatedAt, ...mapValues(record, () => at) },
		});
	}

	/**
	 * A record as it was read; each field as the service has answered to a write of ours that is not older.
	 *
	 * @param read undefined where the service shows none
	 */
	latest(noun: string, id: string, read: IDataObject | undefined): IDataObject | undefined {
		const { record, updatedAt = {} } = this.answered(noun, id) ?? {};
		// A part of a record is none; a whole one was just created.
		if (!record || (!read && !('id' in record))) return read;
		const readAt = instantOf(read?.updatedAt);
		const isReadLater = (name: string) =>
			readAt !== undefined && readAt > (updatedAt[name] ?? Infinity);
		return { ...read, ...partsWhere(record, (_, name) => !isReadLater(name)) };
	}

	/** Whether the service answered to a write of ours, lately, that a record exists. */
	isAnswered(noun: string, id: string): boolean {
		const answer = this.written.answers.get(nameOf(noun, id))?.get(this.own);
		return answer?.record !== undefined && this.clock.now() - answer.at <= COUNTS_MS;
	}

	/** Forgets what was answered of fields that a write has set, or may have set without an answer. */
	forgetFields(noun: string, id: string, names: readonly string[]): void {
		const { answers } = this.written;
		const by = new Map(answers.get(nameOf(noun, id)));
		for (const [writer, { record, ...answer }] of by) {
			const left = record && partsWhere(record, (_, name) => !names.includes(name));
			by.set(writer, { ...answer, record: left });
		}
		if (by.size > 0) answers.set(nameOf(noun, id), by);
	}

	/** Forgets what the service answered to anybody, where the record turns out not to exist. */
	forgetAnswer(noun: string, id: string): void {
		this.keepAnswer(noun, id, { updatedAt: {} });
	}

	private keepAnswer(noun: string, id: string, answered: Omit<Answered, 'at'>): void {
		const { answers } = this.written;
		const now = this.clock.now();
		const by = new Map(answers.get(nameOf(noun, id)));
		// The last one is the latest.
		by.delete(this.own);
		by.set(this.own, { ...answered, at: now });
		putLast(answers, nameOf(noun, id), by, MOST_KEPT);
		for (const [oldest, given] of answers) {
			if ([...given.values()].some(({ at }) => now - at <= COUNTS_MS)) break;
			answers.delete(oldest);
		}
	}

	/** What counts of what the service answered: the last of all, unless the record does not exist for us. */
	private answered(noun: string, id: string): Answered | undefined {
		const by = this.written.answers.get(nameOf(noun, id));
		const own = by?.get(this.own);
		if (!by || (own && !own.record)) return undefined;
		const since = this.clock.now() - COUNTS_MS;
		return [...by.values()].filter(({ record, at }) => record && at >= since).at(-1);
	}

	/** Whether a person may have been written to since a mark was taken. */
	isWrittenSince(id: string, mark: number): boolean {
		const { last } = this.written;
		const [oldest = 0] = last.values();
		const forgotten = last.size < MOST_KEPT ? 0 : oldest - 1;
		return (last.get(comparableId(id)) ?? forgotten) > mark;
	}

	/**
	 * Who was given a value by a write since a mark was taken, or lately: by our own first, then by others,
	 * who may be of the same company.
	 */
	carriersSince(key: string, mark: number): string[] {
		const since = this.clock.now() - COUNTS_MS;
		const isLate = ({ order, at }: Write) => order > mark || at >= since;
		return idsOf(this.lastWrites(key).flat().filter(isLate));
	}

	/** Whom we gave a value by a write since a mark was taken. */
	ownCarriersSince(key: string, mark: number): string[] {
		const own = this.written.carriers.get(key)?.get(this.own) ?? [];
		return idsOf(own.filter(({ order }) => order > mark));
	}

	/**
	 * A value as it was sent, where somebody may have been created with it since a mark was taken; or lately,
	 * in a spelling that was not asked for.
	 */
	unknownSince(key: string, mark: number, asked: readonly string[] = []): string[] {
		const since = this.clock.now() - COUNTS_MS;
		return this.lastWrites(key).flatMap(([{ value, order, at }]) =>
			value !== undefined && (order > mark || (at >= since && !asked.includes(value)))
				? [value]
				: [],
		);
	}

	/** The last writes of each writer to people who carry a value, our own first. */
	private lastWrites(key: string): Array<readonly Write[]> {
		const { [this.own]: own, ...others } = Object.fromEntries(this.written.carriers.get(key) ?? []);
		return [...(own ? [own] : []), ...Object.values(others)];
	}
}

function idsOf(writes: readonly Write[]): string[] {
	return [...new Set(writes.flatMap(({ id }) => id ?? []))];
}

function nameOf(noun: string, id: string): string {
	return `${noun} ${comparableId(id)}`;
}
