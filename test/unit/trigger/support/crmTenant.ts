/* eslint-disable @n8n/community-nodes/no-restricted-globals -- what happens later is a timer of virtual time */
import type { IDataObject } from 'n8n-workflow';
import { formatTimestamp } from '../../../service/timestamps';
import { randomFrom } from './modelList';

/** How lists come, where the interface leaves it open, and how long an answer takes. */
export interface TenantHabits {
	/** The order of lists for which none is asked, and of tasks, comments and history always. */
	order: 'oldestFirst' | 'newestFirst' | 'changedFirst' | 'changedLast' | 'byTitle' | 'none';
	/** Whether equals come in another order on each page. */
	shufflesTies: boolean;
	hasTotals: boolean;
	hasView: boolean;
	/** Whether people who are archived stay in lists that are not filtered by `exists[archivedAt]`. */
	showsArchived: boolean;
	/** Most milliseconds from a request to its answer; things may happen in between. */
	latencyMs: number;
	/** What is drawn comes the same each time. */
	seed: number;
}

const USUAL: TenantHabits = {
	order: 'oldestFirst',
	shufflesTies: false,
	hasTotals: true,
	hasView: true,
	showsArchived: true,
	latencyMs: 500,
	seed: 1,
};

/** A record as the tenant keeps it: times in ms since 1970, and the fields of the interface. */
export interface Kept {
	id: string;
	createdAt: number;
	updatedAt: number;
	fields: IDataObject;
}

/** An answer of the service. */
export interface Answer {
	status: number;
	body: unknown;
}

export type NoAnswer = 'reset' | 'silence';

/** The lists that can be kept, by their paths: `/people`, `/tasks`, `/tasks/7/comments`, … */
type Path = string;

/**
 * A tenant of the service (interface, sections 2 to 4) that answers within the process, in virtual
 * time: whoever tests writes records at will, also while a poll is under way.
 */
export class CrmTenant {
	readonly habits: TenantHabits;

	/** Paths and queries of the requests that came, oldest first. */
	readonly requests: string[] = [];

	/** What comes of a request instead of the usual answer: a status, a lost connection, or nothing at all. */
	failure: ((request: string) => number | NoAnswer | undefined) | undefined;

	private readonly lists = new Map<Path, Map<string, Kept>>();

	private count = 0;

	readonly random: () => number;

	constructor(habits: Partial<TenantHabits> = {}) {
		this.habits = { ...USUAL, ...habits };
		this.random = randomFrom(this.habits.seed);
	}

	/** Virtual time, in ms since 1970. */
	get now(): number {
		return Date.now();
	}

	/** Lets time pass until then, with what is due on the way. */
	passTo(at: number): void {
		if (at > this.now) jest.advanceTimersByTime(at - this.now);
	}

	/** Has something happen at a time to come, also in the middle of a poll. */
	schedule(at: number, action: () => void): void {
		setTimeout(action, at - this.now);
	}

	/**
	 * Creates a record: `/people`, `/segments`, `/workspaces`, `/tasks`, or `/tasks/<id>/comments`.
	 *
	 * @param fields those of the interface; times as ISO 8601 text, references as IRIs
	 * @returns its ID
	 */
	create(path: Path, fields: IDataObject = {}): string {
		const count = (++this.count).toString(16).padStart(12, '0');
		const id = `0f8b1c2d-0000-4000-8000-${count}`;
		const kept = { id, createdAt: this.now, updatedAt: this.now, fields: { ...fields } };
		this.list(path).set(id, kept);
		return id;
	}

	/** Changes fields of a record; the history of a task gets an entry. */
	change(path: Path, id: string, fields: IDataObject): void {
		const kept = this.kept(path, id);
		if (!kept) throw new Error(`There is no ${path}/${id}`);
		Object.assign(kept.fields, fields);
		kept.updatedAt = this.now;
		if (path === '/tasks') this.create(`/tasks/${id}/history`, { changes: [fields] });
	}

	/** Deletes a record: its list shows it no more, and asking for it gives 404. */
	remove(path: Path, id: string): void {
		this.list(path).delete(id);
	}

	/** A record as it is kept now. */
	kept(path: Path, id: string): Kept | undefined {
		return this.list(path).get(id);
	}

	/** All records of a list. */
	all(path: Path): Kept[] {
		return [...this.list(path).values()];
	}

	/** The answer to a GET, after a while in which other things may happen. */
	async answer(path: string, query: URLSearchParams): Promise<Answer | NoAnswer> {
		const request = query.size > 0 ? `${path}?${query.toString()}` : path;
		this.requests.push(request);
		const waitMs = Math.ceil(this.random() * this.habits.latencyMs);
		await new Promise((resolve) => setTimeout(resolve, waitMs));
		const failure = this.failure?.(request);
		if (failure === 'reset' || failure === 'silence') return failure;
		if (failure !== undefined) {
			return { status: failure, body: { title: 'An error occurred', status: failure } };
		}
		return this.found(path, query);
	}

	private found(path: string, query: URLSearchParams): Answer {
		const [, parent, id, child] = /^(\/[a-z]+)(?:\/([^/]+)(?:\/([a-z]+))?)?$/.exec(path) ?? [];
		if (parent === undefined || !KNOWN.includes(parent)) return NOT_FOUND;
		if (id === undefined) return { status: 200, body: this.page(path, query) };
		const kept = this.kept(parent, id);
		if (!kept) return NOT_FOUND;
		if (child === undefined) return { status: 200, body: shown(parent, kept) };
		return { status: 200, body: this.page(path, query) };
	}

	private list(path: Path): Map<string, Kept> {
		const list = this.lists.get(path) ?? new Map<string, Kept>();
		this.lists.set(path, list);
		return list;
	}

	private page(path: Path, query: URLSearchParams): unknown {
		const { hasTotals, hasView } = this.habits;
		const size = Math.min(30, Number(query.get('itemsPerPage') ?? 15));
		const number = Number(query.get('page') ?? 1);
		const members = this.ordered(path, this.filtered(path, query), query);
		const start = (number - 1) * size;
		const page = members.slice(start, start + size).map((kept) => shown(path, kept));
		if (!hasTotals && !hasView) return page;
		const next = `${path}?page=${number + 1}`;
		return {
			'@id': path,
			member: page,
			...(hasTotals ? { totalItems: members.length } : {}),
			...(hasView ? { view: start + size < members.length ? { next } : {} } : {}),
		};
	}

	private filtered(path: Path, query: URLSearchParams): Kept[] {
		const all = this.all(path);
		if (path !== '/people') return all;
		const tests = [...query].flatMap(([name, value]): Array<(kept: Kept) => boolean> => {
			const time = Math.floor(Date.parse(value) / 1000);
			const second = ({ createdAt }: Kept) => Math.floor(createdAt / 1000);
			if (name === 'createdAt[after]') return [(kept) => second(kept) >= time];
			if (name === 'createdAt[strictly_after]') return [(kept) => second(kept) > time];
			if (name === 'createdAt[before]') return [(kept) => second(kept) <= time];
			if (name === 'createdAt[strictly_before]') return [(kept) => second(kept) < time];
			if (name === 'exists[archivedAt]') {
				return [({ fields }) => Boolean(fields.archivedAt) === (value === 'true')];
			}
			return [];
		});
		for (const [name, field, of] of REFERENCES) {
			const wanted = [...query.getAll(name), ...query.getAll(`${name}[]`)];
			if (wanted.length === 0) continue;
			const iris = wanted.map((id) => `${of}/${id}`);
			tests.push(({ fields }) => [fields[field]].flat().some((iri) => iris.includes(String(iri))));
		}
		const isHidden = ({ fields }: Kept) =>
			!this.habits.showsArchived && Boolean(fields.archivedAt) && !query.has('exists[archivedAt]');
		return all.filter((kept) => !isHidden(kept) && tests.every((test) => test(kept)));
	}

	private ordered(path: Path, list: Kept[], query: URLSearchParams): Kept[] {
		const { order, shufflesTies } = this.habits;
		const direction = path === '/people' ? query.get('order[createdAt]') : null;
		const compare =
			direction === null
				? ORDERS[order]
				: ORDERS[direction === 'desc' ? 'newestFirst' : 'oldestFirst'];
		if (order === 'none' || shufflesTies) {
			const drawn = list.map((kept) => [this.random(), kept] as const);
			list = drawn.sort(([one], [other]) => one - other).map(([, kept]) => kept);
		}
		return list.sort(compare);
	}
}

const KNOWN = ['/people', '/segments', '/tasks', '/workspaces'];
const NOT_FOUND: Answer = { status: 404, body: { title: 'Not Found', status: 404 } };
/** Filter, the field that it is about, and where the records are that it names. */
const REFERENCES = [
	['segments.uuid', 'segments', '/segments'],
	['tags.id', 'tags', '/tags'],
	['owner.id', 'owner', '/users'],
] as const;

const title = ({ fields, id }: Kept) => String(fields.title ?? fields.familyName ?? id);
const second = (time: number) => Math.floor(time / 1000);

const ORDERS: Record<TenantHabits['order'], (one: Kept, other: Kept) => number> = {
	oldestFirst: (one, other) => second(one.createdAt) - second(other.createdAt),
	newestFirst: (one, other) => second(other.createdAt) - second(one.createdAt),
	changedFirst: (one, other) => second(other.updatedAt) - second(one.updatedAt),
	changedLast: (one, other) => second(one.updatedAt) - second(other.updatedAt),
	byTitle: (one, other) => (title(one) < title(other) ? -1 : Number(title(one) > title(other))),
	none: () => 0,
};

/** A record as the service shows it. */
function shown(path: Path, { id, createdAt, updatedAt, fields }: Kept): IDataObject {
	const hasChange = path === '/people' || path === '/tasks';
	return {
		'@id': `${path}/${id}`,
		id,
		createdAt: formatTimestamp(createdAt),
		...(hasChange ? { updatedAt: formatTimestamp(updatedAt) } : {}),
		...(path === '/people' ? { segments: [], tags: [], organizations: [] } : {}),
		...fields,
	};
}
