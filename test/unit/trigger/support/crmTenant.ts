/* eslint-disable @n8n/community-nodes/no-restricted-globals -- an answer takes its virtual time */
import type { IDataObject } from 'n8n-workflow';
import { formatTimestamp, normalizeTimestamp, showTimes } from '../../../service/timestamps';
import { seededRandom } from '../../../support/seededRandom';

/** Behaviour of a service where the interface leaves a choice, and its deviations from the interface. */
export interface TenantHabits {
	/** Order of lists without a requested order, and always of tasks, comments and history. */
	order: (typeof LIST_ORDERS)[number];
	/** Whether equal records change places on each page. */
	shufflesTies: boolean;
	hasTotals: boolean;
	hasView: boolean;
	/** Most records on a page. A service may give fewer than requested. */
	mostPerPage: number;
	/** Whether archived people stay in lists without the filter `exists[archivedAt]`. */
	showsArchived: boolean;
	/** Whether lists of people ignore time filters and the requested order, or only the filters. */
	ignoresTime: boolean | 'filters';
	/** Part of the people without a creation time. Time filters leave them out; sorted lists begin with them. */
	undated: number;
	/** Whether lists of people ignore filters by owner, segment and tag. */
	ignoresFilters: boolean;
	/** Time zone of the service, visible in the offsets of times. It drops the offset of times in filters. */
	timezone: string;
	/** Path before those of the interface, in the base URL and in IRIs: empty or `/api`. */
	prefix: string;
	/** Whether references are records with their own IRI. */
	embeds: boolean;
	/** Whether each answer writes records in another equivalent form. References then alternate between both forms. */
	rewrites: boolean;
	/** Greatest age of an answer in ms, like that of a replica that lags. */
	lagMs: number;
	/** Longest time from a request to its answer, in ms. Other changes may happen in between. */
	latencyMs: number;
	/** Seed of the random values. */
	seed: number;
}

export const LIST_ORDERS = [
	'oldestFirst',
	'newestFirst',
	'changedFirst',
	'changedLast',
	'byTitle',
	'byPlace',
	'byColumn',
	'none',
] as const;

export const USUAL: TenantHabits = {
	order: 'oldestFirst',
	shufflesTies: false,
	hasTotals: true,
	hasView: true,
	mostPerPage: 30,
	showsArchived: true,
	ignoresTime: false,
	undated: 0,
	ignoresFilters: false,
	timezone: 'UTC',
	prefix: '',
	embeds: false,
	rewrites: false,
	lagMs: 0,
	latencyMs: 500,
	seed: 1,
};

/** A version of a record since some time. It has no fields after a deletion. Times are in ms since 1970. */
export interface Version {
	at: number;
	updatedAt: number;
	fields: IDataObject | null;
}

/** A stored record with all its versions, oldest first. */
export interface Kept {
	id: string;
	createdAt: number;
	/** Whether answers do not show the creation time. */
	isUndated: boolean;
	/** Place in lists that people arrange. It is unrelated to the time of changes. */
	place: number;
	versions: Version[];
}

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
	ordered: Map<string, Kept[]>;
}

/** A record in the form of an answer. */
interface Seen {
	kept: Kept;
	version: Version;
}

/**
 * A tenant of the service (interface, sections 2 to 4) that answers within the process, in virtual time. It is also
 * the ledger: it keeps every version of each record.
 */
export class CrmTenant {
	readonly habits: TenantHabits;

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
		const { undated, prefix } = this.habits;
		const isUndated = path === '/people' && undated > 0 && this.random() < undated;
		const list = this.changed(path);
		const first = this.shownFrom(path, createdAt, {
			'@id': `${prefix}${path}/${id}`,
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
		if (failure !== undefined) {
			return { status: failure, body: { title: 'An error occurred', status: failure } };
		}
		const isLate = this.habits.lagMs > 0 && this.random() < 0.5;
		const asOf = isLate ? this.now - this.random() * this.habits.lagMs : this.now;
		return this.found(path, query, asOf);
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

	private found(path: string, query: URLSearchParams, asOf: number): Answer {
		const [, parent, id, child] = /^(\/[a-z]+)(?:\/([^/]+)(?:\/([a-z]+))?)?$/.exec(path) ?? [];
		if (parent === undefined || !KNOWN.includes(parent)) return NOT_FOUND;
		if (id === undefined) return { status: 200, body: this.page(path, query, asOf) };
		const seen = seenAt(this.list(parent).records.get(id), asOf);
		if (!seen) return NOT_FOUND;
		if (child !== undefined) return { status: 200, body: this.page(path, query, asOf) };
		return { status: 200, body: this.shown(parent, seen) };
	}

	private page(path: string, query: URLSearchParams, asOf: number): unknown {
		const { hasTotals, hasView, mostPerPage, prefix } = this.habits;
		const size = Math.min(mostPerPage, Number(query.get('itemsPerPage') ?? 15));
		const number = Number(query.get('page') ?? 1);
		const listed = this.listed(path, query, asOf);
		const records = this.shownPart === 1 ? listed : listed.filter(({ id }) => this.isShown(id));
		const start = (number - 1) * size;
		const member = records
			.slice(start, start + size)
			.map((kept) => this.shown(path, seenAt(kept, asOf)!));
		if (!hasTotals && !hasView) return member;
		const next = `${prefix}${path}?page=${number + 1}`;
		return {
			'@id': `${prefix}${path}`,
			member,
			...(hasTotals ? { totalItems: records.length } : {}),
			...(hasView ? { view: start + size < records.length ? { next } : {} } : {}),
		};
	}

	private isShown(id: string): boolean {
		return parseInt(id.slice(-1), 16) % 2 < 2 * this.shownPart;
	}

	private listed(path: string, query: URLSearchParams, asOf: number): Kept[] {
		const { order, shufflesTies } = this.habits;
		const { records, ordered } = this.list(path);
		const asked = [...query].filter(([name]) => !/^(itemsPerPage|page)$/.test(name)).join('&');
		const isStable = asOf === this.now && order !== 'none' && !shufflesTies;
		const known = isStable ? ordered.get(asked) : undefined;
		if (known) return known;
		const passes = path === '/people' ? this.filterOf(query) : () => true;
		const seen = [...records.values()]
			.map((kept) => seenAt(kept, asOf))
			.filter((one): one is Seen => one !== undefined && passes(one));
		const listed = this.inOrder(path, seen, query).map(({ kept }) => kept);
		if (isStable) ordered.set(asked, listed);
		return listed;
	}

	private filterOf(query: URLSearchParams): (seen: Seen) => boolean {
		const { ignoresTime, ignoresFilters, showsArchived, timezone } = this.habits;
		const tests = [...query].flatMap(([name, value]): Array<(seen: Seen) => boolean> => {
			if (name === 'exists[archivedAt]') return [(seen) => isArchived(seen) === (value === 'true')];
			const isWithin = ignoresTime ? undefined : TIME_FILTERS[name];
			if (!isWithin) return [];
			const than = Date.parse(normalizeTimestamp(value, { timezone, offsets: 'dropped' }));
			return [({ kept }) => !kept.isUndated && isWithin(second(kept.createdAt), second(than))];
		});
		for (const [name, field, of] of ignoresFilters ? [] : REFERENCES) {
			const wanted = [...query.getAll(name), ...query.getAll(`${name}[]`)];
			if (wanted.length === 0) continue;
			const iris = wanted.map((id) => `${of}/${id}`);
			tests.push(({ version }) =>
				[version.fields?.[field]].flat().some((iri) => iris.includes(String(iri))),
			);
		}
		const hides = !showsArchived && !query.has('exists[archivedAt]');
		return (seen) => !(hides && isArchived(seen)) && tests.every((test) => test(seen));
	}

	private inOrder(path: string, list: Seen[], query: URLSearchParams): Seen[] {
		const { order, shufflesTies, ignoresTime } = this.habits;
		const isAsked = path === '/people' && ignoresTime !== true;
		const direction = isAsked ? query.get('order[createdAt]') : null;
		const byTime = direction === 'desc' ? 'newestFirst' : 'oldestFirst';
		if (order === 'none' || shufflesTies) {
			const drawn = list.map((seen) => [this.random(), seen] as const);
			list = drawn.sort(([one], [other]) => one - other).map(([, seen]) => seen);
		}
		return list.sort(COMPARISONS[direction === null ? order : byTime]);
	}

	/** Returns a record in the form of an answer. */
	private shown(path: string, { kept, version }: Seen): IDataObject {
		const { prefix, embeds, rewrites, timezone } = this.habits;
		const place = path === '/tasks' ? { position: kept.place } : {};
		const fields = showTimes({ ...version.fields, ...place }, timezone) as IDataObject;
		if (prefix === '' && !embeds && !rewrites) return fields;
		const referring = Object.entries(fields).map(([name, value]) => [
			name,
			REFERRING.includes(name) ? this.reference(value) : value,
		]);
		const shown = Object.fromEntries(referring) as IDataObject;
		return rewrites ? this.rewritten(shown) : shown;
	}

	/**
	 * Writes a record in another equivalent form. Differences are the order of names, null or absent, Z or +00:00,
	 * `@context`, the `@id` of embedded objects, addresses of files, and empty values.
	 */
	private rewritten(fields: IDataObject): IDataObject {
		const isOther = () => this.random() < 0.5;
		const { random } = this;
		const embedded = {
			address: { '@id': `/.well-known/genid/${random()}`, '@type': 'Address', city: 'Utrecht' },
			emailAddresses: [{ '@id': `/.well-known/genid/${random()}`, email: 'a@example.com' }],
			files: [{ name: 'Offer', publicUrl: `https://files.test/a?signature=${random()}` }],
			phoneNumbers: [[], {}, [[]]][Math.floor(random() * 3)],
			...(isOther() ? { '@context': '/contexts/X', '@type': 'X' } : {}),
		};
		const entries = Object.entries({ ...fields, ...embedded })
			.filter(([, value]) => value !== null || isOther())
			.map(([name, value]): [string, unknown] => [
				name,
				typeof value === 'string'
					? value.replace(/(:\d\d(?:\.\d+)?)(?:Z|\+00:00)$/, isOther() ? '$1Z' : '$1+00:00')
					: value,
			]);
		if (isOther()) entries.reverse();
		return Object.fromEntries(entries) as IDataObject;
	}

	private reference(value: unknown): unknown {
		const { prefix, embeds, rewrites } = this.habits;
		if (Array.isArray(value)) {
			const all = value.map((one) => this.reference(one));
			return rewrites && this.random() < 0.5 ? all.reverse() : all;
		}
		if (typeof value !== 'string') return value;
		const isEmbedded = rewrites ? this.random() < 0.5 : embeds;
		const title = `A title ${rewrites ? this.random() : ''}`;
		return isEmbedded ? { '@id': prefix + value, '@type': 'Thing', title } : prefix + value;
	}
}

const KNOWN = ['/people', '/segments', '/tasks', '/workspaces'];
const NOT_FOUND: Answer = { status: 404, body: { title: 'Not Found', status: 404 } };
const TIME_FILTERS: Record<string, (time: number, than: number) => boolean> = {
	'createdAt[after]': (time, than) => time >= than,
	'createdAt[strictly_after]': (time, than) => time > than,
	'createdAt[before]': (time, than) => time <= than,
	'createdAt[strictly_before]': (time, than) => time < than,
};
/** Filters with their field, and the collection of the records that they name. */
const REFERENCES = [
	['segments.uuid', 'segments', '/segments'],
	['tags.id', 'tags', '/tags'],
	['owner.id', 'owner', '/users'],
] as const;
const REFERRING = ['owner', 'tags', 'segments', 'status', 'workspace', 'assignees'];

function seenAt(kept: Kept | undefined, asOf: number): Seen | undefined {
	const last = kept?.versions.at(-1);
	const version =
		last && last.at <= asOf ? last : kept?.versions.filter(({ at }) => at <= asOf).at(-1);
	return kept && version?.fields ? { kept, version } : undefined;
}

const second = (time: number) => Math.floor(time / 1000);
const isArchived = ({ version }: Seen) => Boolean(version.fields?.archivedAt);

type Comparison = (one: Seen, other: Seen) => number;
const creationOf = ({ kept }: Seen) => (kept.isUndated ? 0 : second(kept.createdAt));
const byCreation: Comparison = (one, other) => creationOf(one) - creationOf(other);
const byChange: Comparison = (one, other) =>
	second(one.version.updatedAt) - second(other.version.updatedAt);
const byText =
	(textOf: (fields: IDataObject) => unknown): Comparison =>
	(...both) => {
		const [one, other] = both.map(({ version }) => String(textOf(version.fields ?? {})));
		return Number(one > other) - Number(one < other);
	};
const COMPARISONS: Record<TenantHabits['order'], Comparison> = {
	oldestFirst: byCreation,
	newestFirst: (one, other) => byCreation(other, one),
	changedFirst: (one, other) => byChange(other, one),
	changedLast: byChange,
	byTitle: byText(({ title, familyName }) => title ?? familyName),
	byPlace: (one, other) => one.kept.place - other.kept.place,
	byColumn: byText(({ status }) => status),
	none: () => 0,
};
