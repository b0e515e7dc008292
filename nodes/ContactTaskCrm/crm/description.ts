import { headerTime } from '../http/retry';
import type { Clock } from '../util/clock';
import type { RecordContract } from '../schema/record';
import { isObject, listOf } from '../values/json';
import { idOf, isUuid, lastSegment, ownId, ownIri, splitIri, valueOf } from '../values/reference';
import { ServiceZone } from './serviceZone';

/**
 * Time in ms until the node again tries a path that the service refused, or an order that the service ignored. An
 * administrator may have changed the service by then.
 */
const RECENT_MS = 60 * 60_000;

/** Form of the IDs of a collection. "any": answers have shown two forms, so any text may be an ID. */
type IdForm = 'uuid' | 'number' | 'other' | 'any';

/**
 * The node's knowledge about the service of one tenant. Every answer with records adds to this knowledge
 * (`noticeRecords` in `serviceForm.ts`). No other object remembers such facts. If they are lost, the node learns them
 * again.
 */
export class ServiceDescription {
	/**
	 * Time zone of the times in answers. `inServiceForm` and `inServiceTime` use it for times in bodies and filters.
	 * Until an answer shows an offset, the node sends times in UTC.
	 */
	readonly zone = new ServiceZone();

	/**
	 * Path before each IRI of the service, such as "/api" in /api/people/1f0c. `inServiceForm` and the filters of a list
	 * add it to IRIs. Undefined until a record shows the prefix. Until then, the node sends IRIs without one.
	 */
	iriPrefix?: string;

	/**
	 * Lead of the service's clock over the clock of this machine, in ms. Known from the header Date of answers; 0 until
	 * an answer has this header. After a lost answer, the node compares `updatedAt` of the record with the time of the
	 * write by the service's clock.
	 */
	clockAheadMs = 0;

	/**
	 * For each query parameter of a filter: what answers have proved about several values in one request. If several
	 * values mean "any of these values", `findTogether` looks up people for several items in one request. To prove this
	 * meaning, such a request may also ask for two people who exist. An answer with both people is the proof.
	 */
	readonly severalValues = new Map<string, ManyValues>();

	/** Form of each collection's IDs, as records or references showed it. Without a form, any text may be an ID. */
	private readonly ids = new Map<string, { form: IdForm; example: string }>();

	/** Collections where the node has looked for IDs, so that it does not look again. */
	private readonly soughtIds = new Set<string>();

	/**
	 * Time when the service last refused each path that the interface does not document, such as `/tags`. By the clock's
	 * `now`.
	 */
	private readonly missing = new Map<string, number>();

	/** Time of each list's last page in a wrong order, by the clock's `now`. */
	private readonly unordered = new Map<string, number>();

	/** Fields that pages of a list have shown, by the path of the list. */
	private readonly listed = new Map<string, Set<string>>();

	/** Reads under way that only serve to learn about the service, by path. Callers share them. */
	readonly lessons = new Map<string, Promise<unknown>>();

	constructor(private readonly clock: Clock) {}

	/** Learns the time zone, the prefix of IRIs and the forms of IDs from records in an answer. */
	learn(
		records: readonly unknown[],
		{ collection, fields }: Pick<RecordContract, 'collection' | 'fields'>,
	): void {
		for (const record of records) {
			if (!isObject(record)) continue;
			const iri = ownIri(record);
			for (const id of [ownId(record), iri && lastSegment(iri)]) this.learnId(id, collection);
			for (const [name, value] of Object.entries(record)) {
				const { kind, refersTo } = fields[name] ?? {};
				if (kind === 'dateTime') this.zone.note(value);
				if (refersTo === undefined) continue;
				for (const reference of listOf(value) ?? [value]) {
					this.learnId(valueOf(idOf(reference, refersTo)), refersTo);
				}
			}
		}
		const [first] = records;
		const iri = isObject(first) ? first['@id'] : undefined;
		const found = typeof iri === 'string' ? splitIri(iri, collection) : undefined;
		// The prefix leaves out the host, because some installations of the CRM show absolute IRIs, but do not accept them.
		if (found) this.iriPrefix = found.before.replace(/^https?:\/\/[^/]+/i, '');
	}

	/** Notes the lead of the service's clock over the clock of this machine, by the header Date of an answer. */
	noteDate(header: string | undefined): void {
		const date = headerTime(header);
		if (date !== undefined) this.clockAheadMs = date - this.clock.wallTime();
	}

	private learnId(id: string | undefined, collection: string): void {
		if (id === undefined) return;
		const form = formOf(id);
		const known = this.ids.get(collection);
		if (!known) this.ids.set(collection, { form, example: id });
		else if (known.form !== form) known.form = 'any';
	}

	/**
	 * Returns whether a text may be an ID of a collection. `resolve.ts` checks references with it. If answers have shown
	 * only UUIDs, the text must be a UUID. If they have shown only numbers, it must be a number. Otherwise, any text may
	 * be an ID.
	 */
	mayBeId(text: string, collection: string): boolean {
		const { form } = this.ids.get(collection) ?? { form: 'any' };
		return form === 'any' || form === 'other' || form === formOf(text);
	}

	/** Returns whether the node knows the form of a collection's IDs, or has looked for it in vain. */
	hasLookedForIds(collection: string): boolean {
		return this.ids.has(collection) || this.soughtIds.has(collection);
	}

	/** Returns an ID of a collection that an answer has shown, for messages. */
	exampleOf(collection: string): string | undefined {
		return this.ids.get(collection)?.example;
	}

	noteLookedForIds(collection: string): void {
		this.soughtIds.add(collection);
	}

	/**
	 * Notes that the service refused a path that the interface does not document, such as `/users`. For a collection
	 * below another one, the path is a template, such as `/workspaces/{workspaceId}/columns`.
	 */
	noteMissing(path: string): void {
		this.missing.set(path, this.clock.now());
	}

	/**
	 * Returns whether the service refused a path within the last hour. The node then requests no titles, names or lists
	 * of the editor from this path. Until the service refuses a path, the node requests it.
	 */
	isMissing(path: string): boolean {
		return this.isRecent(this.missing.get(path));
	}

	/** Notes that the service did not keep the requested order of a list. */
	noteUnordered(path: string): void {
		this.unordered.set(path, this.clock.now());
	}

	/**
	 * Returns whether the service sorts this list as requested. Returns false for an hour after a page came in the wrong
	 * order. In this hour, Return All reads the list by page number instead of by creation time.
	 */
	keepsOrder(path: string): boolean {
		return !this.isRecent(this.unordered.get(path));
	}

	/** Notes the fields on a page of a list. Callers leave out a record read by ID, because it may show more fields. */
	noteFields(path: string, records: readonly unknown[]): void {
		const known = this.listed.get(path) ?? new Set();
		this.listed.set(path, known);
		for (const name of records.filter(isObject).flatMap(Object.keys)) known.add(name);
	}

	/**
	 * Returns whether any page of a list has shown the field with this name. If so, a listed record without this field
	 * has no value in it.
	 */
	showsField(path: string, name: string): boolean {
		return this.listed.get(path)?.has(name) === true;
	}

	private isRecent(at = -Infinity): boolean {
		return this.clock.now() - at < RECENT_MS;
	}
}

function formOf(id: string): IdForm {
	if (isUuid(id)) return 'uuid';
	return /^\d+$/.test(id) ? 'number' : 'other';
}

/**
 * E-mail addresses of two existing people, to prove that a filter uses all its values. A filter by one address must not
 * find the other person. A request has one address as its first value, and the other as its last. If the answer shows
 * both people, the service has looked for every value.
 */
export type KnownPeople = readonly [string, string];

/** What the node knows about one filter with several values. */
export interface ManyValues {
	/** Largest number of values that an answer proved the service to look for in one request. */
	proved: number;
	/** A request with more values than `proved` may also ask for these people. */
	knownPeople?: KnownPeople | undefined;
}
