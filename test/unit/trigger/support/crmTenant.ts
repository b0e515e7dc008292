/* eslint-disable @n8n/community-nodes/no-restricted-globals -- an answer takes its virtual time */
import type { IDataObject } from 'n8n-workflow';
import { showCollection } from '../../../service/collection';
import { passing } from '../../../service/filters';
import { notFound, Problem, problemBody } from '../../../service/problems';
import { heededIn, parseQuery, type Query } from '../../../service/query';
import type { Person } from '../../../service/records';
import { shownIri } from '../../../service/references';
import { PEOPLE_FILTERS } from '../../../service/resources/people';
import type { Switches } from '../../../service/switches';
import { formatTimestamp } from '../../../service/timestamps';
import { seededRandom } from '../../../support/seededRandom';
import { switchesOf, USUAL, type TenantHabits } from './habits';
import { seenAt, type Kept, type Seen, type Version } from './ledger';
import { inOrder } from './order';
import { showRecord } from './showRecord';

/** An answer of the service. */
export interface Answer {
	status: number;
	body: unknown;
}

export type NoAnswer = 'reset' | 'silence';

/** A list, by its path: `/people`, `/tasks`, `/tasks/7/comments`, … */
interface List {
	records: Map<string, Kept>;
	/** IDs of the existing records. */
	present: string[];
	/** Records in the order of a query, until a change. */
	ordered: Map<string, Seen[]>;
}

/**
 * A tenant of the service (interface, sections 2 to 4) that answers within the process, in virtual time. It is also
 * the ledger: it keeps every version of each record.
 */
export class CrmTenant {
	readonly habits: TenantHabits;

	/** Switches of the stand-in for these habits. */
	readonly switches: Switches;

	/** Paths and queries of all requests, oldest first. */
	readonly requests: string[] = [];

	/** Times of requests within the limit. */
	readonly admittedAt: number[] = [];

	/** Part of each list that answers show, with matching totals, like a service that rebuilds its index. */
	shownPart = 1;

	/** Time that the clock of n8n's host is ahead of the service's clock. */
	private hostAheadMs = 0;

	/** Returns the failure of a request: a status, or no answer. Undefined means the usual answer. */
	failure: ((request: string) => number | NoAnswer | undefined) | undefined;

	private readonly lists = new Map<string, List>();

	private readonly due: Array<{ at: number; act: () => void }> = [];

	/** Time of the present change, if it is not the time of the clock. */
	private actsAt: number | undefined;

	private count = 0;

	readonly random: () => number;

	constructor(habits: Partial<TenantHabits> = {}) {
		this.habits = { ...USUAL, ...habits };
		this.switches = switchesOf(this.habits);
		this.random = seededRandom(this.habits.seed);
	}

	/** Virtual time by the service's clock, in ms since 1970. */
	get now(): number {
		return this.actsAt ?? this.clock;
	}

	private get clock(): number {
		return Date.now() - this.hostAheadMs;
	}

	/** Sets the wall clock of n8n's host. The monotonic clock and timers continue. */
	jumpHost(byMs: number): void {
		jest.setSystemTime(Date.now() + byMs);
		this.hostAheadMs += byMs;
	}

	/** Lets time pass until then, and makes scheduled changes on the way. */
	passTo(at: number): void {
		if (at > this.clock) jest.advanceTimersByTime(at - this.clock);
		this.actOnWhatIsDue();
	}

	/** Schedules a change for a later time, perhaps in the middle of a poll. */
	schedule(at: number, act: () => void): void {
		this.due.push({ at, act });
		this.due.sort((one, other) => one.at - other.at);
	}

	/**
	 * Creates a record: `/people`, `/segments`, `/workspaces`, `/tasks`, or `/tasks/<id>/comments`.
	 *
	 * @param fields those of the interface; times as ISO 8601 text, references as IRIs
	 * @param agoMs time from its creation time until it is stored; negative for a creation time ahead
	 * @returns its ID
	 */
	create(path: string, fields: IDataObject = {}, agoMs = 0): string {
		const count = (++this.count).toString(16).padStart(12, '0');
		const id = `0f8b1c2d-0000-4000-8000-${count}`;
		const createdAt = this.now - agoMs;
		const { undated } = this.habits;
		const isUndated = path === '/people' && undated > 0 && this.random() < undated;
		const list = this.changed(path);
		const first = this.shownFrom(path, createdAt, {
			'@id': shownIri(`${path}/${id}`, this.switches),
			id,
			createdAt: isUndated ? null : formatTimestamp(createdAt),
			...(path === '/people' ? { segments: [], tags: [], organizations: [] } : {}),
			...fields,
		});
		list.records.set(id, { id, createdAt, isUndated, place: this.random(), versions: [first] });
		list.present.push(id);
		return id;
	}

	/** Changes fields of a record. The history of a task gets an entry. The time of the change may lie ahead. */
	change(path: string, id: string, fields: IDataObject, aheadMs = 0): void {
		const last = this.fieldsOf(path, id);
		if (!last) throw new Error(`There is no ${path}/${id}`);
		this.note(path, id, { ...last, ...fields }, aheadMs);
		if (path === '/tasks') this.create(`/tasks/${id}/history`, { changes: [fields] }, -aheadMs);
	}

	/** Moves a record in arranged lists. This does not count as a change of the record. */
	place(path: string, id: string): void {
		this.changed(path).records.get(id)!.place = this.random();
	}

	/** Deletes a record. Its list no longer shows it, and a request for it gets 404. */
	remove(path: string, id: string): void {
		this.note(path, id, null);
		const list = this.list(path);
		list.present = list.present.filter((other) => other !== id);
	}

	/** Returns all records that were ever in a list. */
	ledger(path: string): readonly Kept[] {
		return [...this.list(path).records.values()];
	}

	/** Returns the IDs of the records in a list now. */
	present(path: string): readonly string[] {
		return this.list(path).present;
	}

	/** Returns the present fields of a record; undefined if it does not exist. */
	fieldsOf(path: string, id: string): IDataObject | undefined {
		return this.list(path).records.get(id)?.versions.at(-1)?.fields ?? undefined;
	}

	/** Answers a GET after a while. Other changes may happen in between. */
	async answer(path: string, query: URLSearchParams): Promise<Answer | NoAnswer> {
		const request = query.size > 0 ? `${path}?${query.toString()}` : path;
		this.requests.push(request);
		const cameAt = this.now;
		const waitMs = Math.ceil(this.random() * this.habits.latencyMs);
		await new Promise((resolve) => setTimeout(resolve, waitMs));
		this.actOnWhatIsDue();
		const failure = this.failure?.(request);
		if (failure !== 429) this.admittedAt.push(cameAt);
		if (failure === 'reset' || failure === 'silence') return failure;
		if (failure !== undefined) return refused(new Problem(failure, 'An error occurred'));
		const isLate = this.habits.lagMs > 0 && this.random() < 0.5;
		const asOf = isLate ? this.now - this.random() * this.habits.lagMs : this.now;
		return this.found(path, parseQuery(query), asOf);
	}

	private actOnWhatIsDue(): void {
		const { due } = this;
		while (due.length > 0 && due[0].at <= this.clock) {
			const { at, act } = due.shift()!;
			this.actsAt = at;
			act();
			this.actsAt = undefined;
		}
	}

	private list(path: string): List {
		const list = this.lists.get(path) ?? { records: new Map(), present: [], ordered: new Map() };
		this.lists.set(path, list);
		return list;
	}

	private changed(path: string): List {
		const list = this.list(path);
		list.ordered.clear();
		return list;
	}

	private note(path: string, id: string, fields: IDataObject | null, aheadMs = 0): void {
		const { versions } = this.changed(path).records.get(id)!;
		versions.push(this.shownFrom(path, this.now + aheadMs, fields));
	}

	/** Returns a version that begins now. For people and tasks, its fields show the time of the change. */
	private shownFrom(path: string, updatedAt: number, fields: IDataObject | null): Version {
		const tells = fields !== null && (path === '/people' || path === '/tasks');
		const time = tells ? { updatedAt: formatTimestamp(updatedAt) } : {};
		return { at: this.now, updatedAt, fields: fields && { ...fields, ...time } };
	}

	private found(path: string, query: Query, asOf: number): Answer {
		const [, parent, id, child] = /^(\/[a-z]+)(?:\/([^/]+)(?:\/([a-z]+))?)?$/.exec(path) ?? [];
		if (!(parent in TYPES)) return refused(notFound());
		const seen = seenAt(this.list(parent).records.get(id), asOf);
		if (id !== undefined && child === undefined) {
			return seen ? { status: 200, body: this.shown(parent, seen) } : refused(notFound());
		}
		// A list below a record that does not exist is empty.
		const isEmpty = id !== undefined && !seen;
		const listed = isEmpty ? [] : this.listed(path, heededIn(query, this.switches), asOf);
		return { status: 200, body: this.collection(path, query, listed) };
	}

	private collection(path: string, query: Query, listed: Seen[]): unknown {
		const type = TYPES[/\/[a-z]+$/.exec(path)?.[0] ?? ''];
		const isShown = ({ id }: Kept) => parseInt(id.slice(-1), 16) % 2 < 2 * this.shownPart;
		return showCollection(
			this.shownPart === 1 ? listed : listed.filter(({ kept }) => isShown(kept)),
			{
				show: (seen) => this.shown(path, seen),
				...{ path, query, type, queryParameters: [], switches: this.switches },
			},
		);
	}

	private listed(path: string, query: Query, asOf: number): Seen[] {
		const { order, shufflesTies } = this.habits;
		const { records, ordered } = this.list(path);
		const key = JSON.stringify({ ...query, page: undefined, itemsPerPage: undefined });
		const isStable = asOf === this.now && order !== 'none' && !shufflesTies;
		const known = isStable ? ordered.get(key) : undefined;
		if (known) return known;
		const isOfPeople = path === '/people';
		const passes = isOfPeople ? this.filterOf(query) : () => true;
		const seen = [...records.values()]
			.map((kept) => seenAt(kept, asOf))
			.filter((one): one is Seen => one !== undefined && passes(one));
		const direction = isOfPeople ? query['order[createdAt]'] : undefined;
		const listed = inOrder(seen, { habits: this.habits, random: this.random, direction });
		if (isStable) ordered.set(key, listed);
		return listed;
	}

	private filterOf(query: Query): (seen: Seen) => boolean {
		const { switches, habits } = this;
		const unasked = habits.showsArchived ? {} : { 'exists[archivedAt]': 'false' };
		const now = formatTimestamp(this.now);
		const filtering = { query: { ...unasked, ...query }, switches, store: EVERYTHING, now };
		const passes = passing(PEOPLE_FILTERS, filtering, []);
		return ({ version }) => passes(version.fields as unknown as Person);
	}

	private shown(path: string, { kept, version }: Seen): IDataObject {
		const place = path === '/tasks' ? { position: kept.place } : {};
		return showRecord({ ...version.fields, ...place }, this);
	}
}

/** JSON-LD types of the lists. */
const TYPES: Record<string, string> = {
	'/people': 'Person',
	'/segments': 'Segment',
	'/tasks': 'Task',
	'/workspaces': 'Workspace',
	'/comments': 'TaskComment',
	'/history': 'TaskHistory',
};
/** Says that every record of a filter exists. */
const EVERYTHING = { has: () => true };

const refused = (problem: Problem): Answer => ({
	status: problem.status,
	body: problemBody(problem, true),
});
