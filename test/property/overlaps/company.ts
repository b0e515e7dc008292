import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { createState, type LoggedRequest, type SwitchChanges } from '../../service';
import type { ServiceState } from '../../service/answer';
import { blankPerson } from '../../service/resources/people';
import { blankTask } from '../../service/resources/tasks';
import { seedTenant } from '../../service/seed';
import { Store, uuidOf } from '../../service/store';
import { formatTimestamp } from '../../service/timestamps';
import { answerFrom } from '../../engine/support/transport';

/** Properties of a service in one overlap. */
export interface Traits {
	/** Requests per minute. */
	limit: number;
	/** Time until a request takes effect, and from then until its answer. */
	latencyMs: [number, number];
	switches: SwitchChanges;
	timeOfChange: TimeOfChange;
}

/** State of a person that items and colleagues change. */
export interface PersonState {
	jobTitle: string | null;
	tags: string[];
}

/** A request in the order of arrival, and the run that sent it. */
export interface Seen extends LoggedRequest {
	run: string;
	/** State of the people that the request names, at the time when it took effect, by number. */
	people: Map<number, PersonState>;
}

/** Ways that a colleague's change shows in `updatedAt`. */
export type TimeOfChange = 'whole seconds' | 'not moved' | 'absent';

/** Numbers of people and tasks. The people in KNOWN and all tasks exist from the start. */
export const PEOPLE = [0, 1, 2, 3, 4];
export const KNOWN = [0, 1, 2];
export const TASKS = [0, 1];
/** Job title of the people who exist at the start. */
export const JOB_AT_START = 'as at the start';
export const emailOf = (number: number) => `person${number}@crm.example`;

const seeded = new Store();
seedTenant(seeded, { people: 0, tasks: 0 });
const [sales] = seeded.workspaces.values();
/** Tags and segments to add or remove, and columns to move to. Known people and all tasks start with the first. */
export const ENTRIES = {
	tags: [...seeded.tags.keys()].slice(0, 3).map((id) => `/tags/${id}`),
	segments: [...seeded.segments.keys()].slice(0, 3).map((id) => `/segments/${id}`),
	columns: sales.columns.slice(0, 3).map(({ id }) => `/workspaces/${sales.id}/columns/${id}`),
};
/** Tags that colleagues add and remove: those of the items, and two others. */
export const COLLEAGUES_TAGS = [...seeded.tags.keys()].slice(0, 5).map((id) => `/tags/${id}`);
export const COLUMN_TITLES = sales.columns.map(({ title }) => `${sales.title} / ${title}`);

/** A stand-in for one company, without sockets. */
export class Company {
	readonly seen: Seen[] = [];

	protected readonly state: ServiceState;

	constructor(
		private readonly name: string,
		keys: readonly string[],
		protected readonly traits: Traits,
		known: readonly number[] = KNOWN,
	) {
		const omitFields = traits.timeOfChange === 'absent' ? ['updatedAt'] : [];
		const switches = { ...traits.switches, omitFields, rateLimit: { limit: traits.limit } };
		this.state = createState({
			keys: Object.fromEntries(keys.map((key) => [key, name])),
			switches,
		});
		this.populate(known);
	}

	/** Lets every later request succeed. */
	endFaults(): void {
		this.state.switches.faults = [];
	}

	/** Data of the service. */
	get store(): Store {
		return this.state.store;
	}

	idOf(collection: 'people' | 'tasks', number: number): string {
		return uuidOf(`${this.name} ${collection} ${number}`);
	}

	/** Returns all people with an address. */
	peopleWith(email: string) {
		const { people } = this.state.store;
		return [...people.values()].filter(({ emailAddresses }) =>
			emailAddresses.some((entry) => entry.email?.trim().toLowerCase() === email),
		);
	}

	columnOf(task: number): string | undefined {
		return this.state.store.tasks.get(this.idOf('tasks', task))?.status;
	}

	/** Returns the answer to a request of a run. Rejects if no answer comes. */
	async answer(run: string, sent: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		const { latencyMs } = this.traits;
		const arrived = (entry: LoggedRequest) =>
			this.seen.push(Object.assign(entry, { run, people: this.peopleOf(entry) }));
		return await answerFrom(this.state, sent, latencyMs, arrived);
	}

	/** Changes a person in the CRM itself, as a colleague. Returns whether the person exists. */
	changeByColleague(who: number, change: (person: PersonState) => Partial<PersonState>): boolean {
		const [person] = this.peopleWith(emailOf(who));
		if (!person) return false;
		const isTimed = this.traits.timeOfChange === 'whole seconds';
		const updatedAt = isTimed ? formatTimestamp(Date.now()) : person.updatedAt;
		this.store.people.set(person.id, { ...person, ...change(person), updatedAt });
		return true;
	}

	/** Returns the people that a request names by ID or e-mail address. */
	private peopleOf({ path, query }: LoggedRequest): Map<number, PersonState> {
		const values = Object.values(query)
			.flat()
			.map((value) => value.trim().toLowerCase());
		const named = PEOPLE.flatMap((who): Array<[number, PersonState]> => {
			const [person] = this.peopleWith(emailOf(who));
			const isNamed = path === `/people/${person?.id}` || values.includes(emailOf(who));
			return person && isNamed ? [[who, { jobTitle: person.jobTitle, tags: person.tags }]] : [];
		});
		return new Map(named);
	}

	private populate(known: readonly number[]): void {
		const { store } = this.state;
		let made = 0;
		store.newId = (kind) => uuidOf(`${this.name} new ${kind} ${made++}`);
		for (const kind of ['users', 'tags', 'segments'] as const) {
			const records = store[kind] as Map<string, object>;
			for (const [id, record] of seeded[kind]) records.set(id, record);
		}
		for (const workspace of seeded.workspaces.values()) store.addWorkspace(workspace);
		const at = '2026-01-05T09:00:00+00:00';
		for (const number of known) {
			const id = this.idOf('people', number);
			store.people.set(id, {
				...blankPerson(id, at),
				familyName: `Person ${number}`,
				jobTitle: JOB_AT_START,
				emailAddresses: [{ email: emailOf(number) }],
				tags: ENTRIES.tags.slice(0, 1),
			});
		}
		for (const number of TASKS) {
			const task = blankTask(store, ENTRIES.columns[0], at, this.idOf('tasks', number));
			store.addTask({ ...task, title: `Task ${number}` });
		}
	}
}
