/* eslint-disable @n8n/community-nodes/no-restricted-globals -- time is virtual here */
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { createState, type LoggedRequest, type SwitchChanges } from '../../service';
import { answer, type ServiceState } from '../../service/answer';
import { operations } from '../../service/contract';
import { logged } from '../../service/requestLog';
import { blankPerson } from '../../service/resources/people';
import { blankTask } from '../../service/resources/tasks';
import { seedTenant } from '../../service/seed';
import { Store, uuidOf } from '../../service/store';

/** What a service is like in one overlap. */
export interface Traits {
	/** Requests a minute. */
	limit: number;
	/** Until a request takes effect, and from there until its answer. */
	latencyMs: [number, number];
	switches: SwitchChanges;
}

/** A request in the order of arrival, and the run that sent it. */
export interface Seen extends LoggedRequest {
	run: string;
}

/** People by number, of whom the first are there from the start; tasks likewise. */
export const PEOPLE = [0, 1, 2, 3, 4];
export const KNOWN = [0, 1, 2];
export const TASKS = [0, 1];
export const emailOf = (number: number) => `person${number}@crm.example`;

const seeded = new Store();
seedTenant(seeded, { people: 0, tasks: 0 });
const irisOf = (name: 'tags' | 'segments') =>
	[...seeded[name].keys()].slice(0, 3).map((id) => `/${name}/${id}`);
const [sales] = seeded.workspaces.values();
/** What is added, removed and moved to: three of each, the first of which everybody has at the start. */
export const ENTRIES = {
	tags: irisOf('tags'),
	segments: irisOf('segments'),
	columns: sales.columns.slice(0, 3).map(({ id }) => `/workspaces/${sales.id}/columns/${id}`),
};
export const COLUMN_TITLES = sales.columns.map(({ title }) => `${sales.title} / ${title}`);

const ROUTES = operations.map((operation) => ({
	operation,
	pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

const wait = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The stand-in with one company, without sockets. */
export class Company {
	readonly seen: Seen[] = [];

	private readonly state: ServiceState;

	constructor(
		private readonly name: string,
		keys: readonly string[],
		private readonly traits: Traits,
	) {
		const switches = { ...traits.switches, rateLimit: { limit: traits.limit } };
		this.state = createState({
			keys: Object.fromEntries(keys.map((key) => [key, name])),
			switches,
		});
		this.populate();
	}

	idOf(collection: 'people' | 'tasks', number: number): string {
		return uuidOf(`${this.name} ${collection} ${number}`);
	}

	/** All people who have an address. */
	peopleWith(email: string) {
		const { people } = this.state.store;
		return [...people.values()].filter(({ emailAddresses }) =>
			emailAddresses.some((entry) => entry.email?.trim().toLowerCase() === email),
		);
	}

	columnOf(task: number): string | undefined {
		return this.state.store.tasks.get(this.idOf('tasks', task))?.status;
	}

	/** Answers what a run sends; rejects where no answer comes. */
	async answer(run: string, sent: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		const [before, after] = this.traits.latencyMs;
		await wait(before);
		const { pathname, search } = new URL(sent.url);
		const { method = 'GET' } = sent;
		const isMeant = ({ operation, pattern }: (typeof ROUTES)[number]) =>
			operation.method === method && pattern.test(pathname);
		const { operation, pattern } = ROUTES.find(isMeant) ?? {};
		const text = String(sent.body ?? '');
		const named = Object.entries(sent.headers ?? {});
		const headers = Object.fromEntries(named.map(([key, value]) => [key.toLowerCase(), value]));
		const request = { at: Date.now(), method, rawUrl: pathname + search, text };
		const entry = { ...logged({ ...request, headers: headers as Record<string, string> }), run };
		this.seen.push(entry);
		const params = { ...pattern?.exec(pathname)?.groups };
		const given = answer(this.state, { entry, text, params, operation });
		await wait(after);
		if (given.fault?.kind === 'reset') {
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		}
		Object.assign(entry, { status: given.status, answeredAt: Date.now() });
		const body = (async function* () {
			yield Buffer.from(given.body ?? '');
		})();
		return { statusCode: given.status, headers: given.headers, body: body as never };
	}

	private populate(): void {
		const { store } = this.state;
		let made = 0;
		store.newId = (kind) => uuidOf(`${this.name} new ${kind} ${made++}`);
		for (const kind of ['users', 'tags', 'segments'] as const) {
			const records = store[kind] as Map<string, object>;
			for (const [id, record] of seeded[kind]) records.set(id, record);
		}
		for (const workspace of seeded.workspaces.values()) store.addWorkspace(workspace);
		const at = '2026-01-05T09:00:00+00:00';
		for (const number of KNOWN) {
			const id = this.idOf('people', number);
			store.people.set(id, {
				...blankPerson(id, at),
				familyName: `Person ${number}`,
				emailAddresses: [{ email: emailOf(number) }],
				tags: ENTRIES.tags.slice(0, 1),
				segments: ENTRIES.segments.slice(0, 1),
			});
		}
		for (const number of TASKS) {
			const task = blankTask(store, ENTRIES.columns[0], at, this.idOf('tasks', number));
			store.addTask({ ...task, title: `Task ${number}` });
		}
	}
}
