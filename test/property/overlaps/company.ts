/* eslint-disable @n8n/community-nodes/no-restricted-globals -- time is virtual here */
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { Fault, LoggedRequest, Person, Task } from '../../service';
import type { ServiceState } from '../../service/answer';
import { answer } from '../../service/answer';
import { operations } from '../../service/contract';
import { FaultFinder } from '../../service/faults';
import { logged } from '../../service/requestLog';
import { blankPerson } from '../../service/resources/people';
import { blankTask } from '../../service/resources/tasks';
import { seedTenant } from '../../service/seed';
import { Store, uuidOf } from '../../service/store';
import { createSwitches } from '../../service/switches';
import { Tenants } from '../../service/tenants';

/** What a service is like in one overlap. */
export interface ServiceTraits {
	/** Requests a minute. */
	limit: number;
	/** Until a request takes effect, and from there until its answer. */
	latencyMs: [number, number];
	/** By how much what is read is older than what is written. */
	lagMs: number;
	severalValues: 'any' | 'refused';
	faults: Fault[];
}

/** A request in the order of its effect, and who sent it. */
export interface Seen {
	run: string;
	request: LoggedRequest;
}

/** People by number, of whom the first are there from the start. */
export const PEOPLE = [0, 1, 2, 3, 4];
export const KNOWN = [0, 1, 2];
export const TASKS = [0, 1];
export const emailOf = (who: number) => `person${who}@crm.example`;
export const COLUMNS = ['Lead', 'Won', 'Lost'];

const seeded = new Store();
seedTenant(seeded, { people: 0, tasks: 0 });
export const TAGS = [...seeded.tags.keys()].slice(0, 3);
export const SEGMENTS = [...seeded.segments.keys()].slice(0, 3);
const [SALES] = seeded.workspaces.values();
/** IRIs of columns by the titles that runs give. */
export const COLUMN_IRIS = Object.fromEntries(
	SALES.columns.map(({ id, title }) => [title, `/workspaces/${SALES.id}/columns/${id}`]),
);

const ROUTES = operations.map((operation) => ({
	operation,
	pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

const delay = async (ms: number) =>
	await (ms > 0 ? new Promise<void>((resolve) => setTimeout(resolve, ms)) : undefined);

/** The stand-in with one company, reached without sockets. */
export class Company {
	readonly store = new Store();

	/** All requests so far. */
	readonly seen: Seen[] = [];

	private readonly state: ServiceState;

	/** What people and tasks were after each change. */
	private readonly past: Array<{
		at: number;
		people: Map<string, Person>;
		tasks: Map<string, Task>;
	}>;

	constructor(
		private readonly name: string,
		keys: readonly string[],
		private readonly traits: ServiceTraits,
	) {
		this.populate();
		this.past = [this.now()];
		const { limit, severalValues, faults } = traits;
		this.state = {
			store: this.store,
			switches: createSwitches({ rateLimit: { limit }, severalValues, faults }),
			requests: [],
			tenants: new Tenants(Object.fromEntries(keys.map((key) => [key, name]))),
			faults: new FaultFinder(),
			clock: Date.now,
			limiterClock: Date.now,
		};
	}

	idOf(collection: 'people' | 'tasks', index: number): string {
		return uuidOf(`${this.name} ${collection} ${index}`);
	}

	/** Answers what a run sends. */
	async answer(run: string, sent: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		const [before, after] = this.traits.latencyMs;
		await delay(before);
		const { pathname, search } = new URL(sent.url);
		const { method = 'GET' } = sent;
		const route = ROUTES.find(
			(one) => one.operation.method === method && one.pattern.test(pathname),
		);
		const text = String(sent.body ?? '');
		const named = Object.entries(sent.headers ?? {}).map(([header, value]) => [
			header.toLowerCase(),
			String(value),
		]);
		const headers = Object.fromEntries(named) as Record<string, string>;
		const entry = logged({ at: Date.now(), method, rawUrl: pathname + search, headers, text });
		this.seen.push({ run, request: entry });
		const params = { ...route?.pattern.exec(pathname)?.groups };
		const state = method === 'GET' ? { ...this.state, store: this.storeAsRead() } : this.state;
		const given = answer(state, { entry, text, params, operation: route?.operation });
		if (entry.stored) this.past.push(this.now());
		await delay(after);
		if (given.fault?.kind === 'reset') {
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		}
		entry.status = given.status;
		const body = (async function* () {
			yield Buffer.from(given.body ?? '');
		})();
		return { statusCode: given.status, headers: given.headers, body: body as never };
	}

	/** People and tasks as they are now: records are replaced, never changed. */
	private now() {
		const { people, tasks } = this.store;
		return { at: Date.now(), people: new Map(people), tasks: new Map(tasks) };
	}

	/** What reads show, which may be older than what was written. */
	private storeAsRead(): Store {
		const until = Date.now() - this.traits.lagMs;
		const shown = this.past.filter(({ at }) => at <= until).at(-1) ?? this.past[0];
		const { people, tasks } = shown;
		return Object.assign(Object.create(this.store) as Store, { people, tasks });
	}

	private populate(): void {
		const { store, name } = this;
		let made = 0;
		store.newId = (kind) => uuidOf(`${name} ${kind} new ${made++}`);
		for (const kind of ['users', 'tags', 'segments'] as const) {
			for (const [id, record] of seeded[kind]) (store[kind] as Map<string, object>).set(id, record);
		}
		for (const workspace of seeded.workspaces.values()) store.addWorkspace(workspace);
		const at = '2026-01-05T09:00:00+00:00';
		for (const who of KNOWN) {
			const id = this.idOf('people', who);
			const emailAddresses = [{ email: emailOf(who) }];
			const lists = { tags: [`/tags/${TAGS[0]}`], segments: [`/segments/${SEGMENTS[0]}`] };
			const person = { ...blankPerson(id, at), familyName: `Person ${who}`, emailAddresses };
			store.people.set(id, { ...person, ...lists });
		}
		for (const index of TASKS) {
			const task = blankTask(store, COLUMN_IRIS.Lead, at, this.idOf('tasks', index));
			store.addTask({ ...task, title: `Task ${index}` });
		}
	}
}
