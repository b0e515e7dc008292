import type { IDataObject } from 'n8n-workflow';
import type { QueryPair } from '../../../../nodes/ContactTaskCrm/trigger/watch';
import { comments } from '../../../service/resources/comments';
import { history } from '../../../service/resources/history';
import { people } from '../../../service/resources/people';
import { tasks } from '../../../service/resources/tasks';
import type { Endpoint } from '../../../service/endpoint';
import { parseQuery } from '../../../service/query';
import type { Person, Task } from '../../../service/records';
import { showResult } from '../../../service/representation';
import { Store } from '../../../service/store';
import type { Switches } from '../../../service/switches';
import { createSwitches } from '../../../service/switches';
import { formatTimestamp } from '../../../service/timestamps';

/** How the lists of a service may come, where the interface leaves it open. */
export interface ListHabits {
	/** Of tasks, comments and history. */
	order: 'oldestFirst' | 'newestFirst' | 'byPosition';
	hidesArchived: boolean;
	/** Whether answers carry the time of the service (`Date`); else the clock is not known. */
	isTimed: boolean;
	switches: Partial<Switches>;
}

/**
 * A tenant of the stand-in service without its HTTP server: its own endpoints over its own store, so
 * that thousands of schedules can be played through.
 */
export class Tenant {
	readonly store = new Store();

	now = Date.UTC(2026, 0, 5, 9);

	readonly segment: string;

	readonly columns: string[];

	readonly task: string;

	private readonly switches: Switches;

	constructor(private readonly habits: ListHabits) {
		this.switches = createSwitches(habits.switches as never);
		const { store } = this;
		this.segment = store.newId('segments');
		store.segments.set(this.segment, {
			id: this.segment,
			title: 'Newsletter',
			icon: 'mail',
			sequence: 0,
		});
		store.users.set('owner', { id: 'owner' });
		const workspace = store.newId('workspaces');
		const columns = ['Lead', 'Won', 'Lost'].map((title, sequence) => ({
			id: store.newId('columns'),
			title,
			sequence,
		}));
		store.addWorkspace({ id: workspace, title: 'Sales', columns } as never);
		this.columns = columns.map(({ id }) => `/workspaces/${workspace}/columns/${id}`);
		this.task = this.createTask();
		store.tasks.delete(this.task);
	}

	/** The body of a GET of a list. */
	answer(path: string, query: readonly QueryPair[]): unknown {
		const text = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
		const asked = parseQuery(text);
		const [, taskId] = /^\/tasks\/([^/]+)\//.exec(path) ?? [];
		const kept = Object.entries(asked).filter(([name]) =>
			name.startsWith('order[')
				? !this.switches.ignoreOrder
				: !this.switches.ignoreFilters || ['page', 'itemsPerPage'].includes(name),
		);
		const result = this.endpointOf(path)({
			store: this.shown(),
			switches: this.switches,
			params: { taskId },
			query: Object.fromEntries(kept),
			readInput: () => ({}),
			now: this.timestamp,
		});
		const request = {
			operation: { queryParameters: [] },
			representation: 'application/ld+json' as const,
			path,
			query: asked,
			switches: this.switches,
		};
		return showResult(result, request);
	}

	/** The `Date` of an answer, which knows whole seconds. */
	get servedAt(): number | undefined {
		return this.habits.isTimed ? Math.floor(this.now / 1000) * 1000 : undefined;
	}

	get hidesArchived(): boolean {
		return this.habits.hidesArchived;
	}

	get timestamp(): string {
		return formatTimestamp(this.now);
	}

	/** Adds as many people, tasks, comments and history entries, a minute apart, the people to the segment. */
	populate(size: number): void {
		const [person, task] = [this.person(this.createPerson()), this.taskOf(this.createTask())];
		this.store.people.clear();
		this.store.tasks.clear();
		for (let index = 0; index < size; index++) {
			this.now += 60_000;
			const times = { createdAt: this.timestamp, updatedAt: this.timestamp };
			const [personId, taskId] = [this.store.newId('people'), this.store.newId('tasks')];
			const segments = [`/segments/${this.segment}`];
			this.store.people.set(personId, { ...person, ...times, segments, id: personId });
			const status = this.columns[index % this.columns.length];
			const completedAt = index % 2 === 0 ? this.timestamp : null;
			this.store.tasks.set(taskId, { ...task, ...times, status, completedAt, id: taskId });
			this.store.addComment({
				id: this.store.newId('comments'),
				taskId: this.task,
				createdAt: this.timestamp,
			} as never);
			this.addHistory();
		}
	}

	/** @param ago ms that the creation time lies before the moment at which the record is stored */
	createPerson(ago = 0): string {
		const before = new Set(this.store.people.keys());
		this.write(people.createPerson, {}, { familyName: 'Jansen' });
		const id = [...this.store.people.keys()].find((key) => !before.has(key))!;
		this.patchPerson(id, { createdAt: formatTimestamp(this.now - ago) });
		this.patchPerson(id, { updatedAt: this.person(id).createdAt });
		return id;
	}

	createTask(ago = 0): string {
		const before = new Set(this.store.tasks.keys());
		this.write(tasks.createTask, {}, { title: 'Call back', status: this.columns[0] });
		const id = [...this.store.tasks.keys()].find((key) => !before.has(key))!;
		const createdAt = formatTimestamp(this.now - ago);
		this.store.tasks.set(id, { ...this.taskOf(id), createdAt, updatedAt: createdAt });
		return id;
	}

	/** @param ago ms that the comment says it is older than it is */
	addComment(ago = 0): string {
		const createdAt = formatTimestamp(this.now - ago);
		this.store.tasks.set(this.task, { id: this.task } as Task);
		this.write(comments.createComment, { taskId: this.task }, { description: 'Done', createdAt });
		this.store.tasks.delete(this.task);
		return this.store.comments.get(this.task)!.at(-1)!.id;
	}

	addHistory(): string {
		const id = this.store.newId('history');
		this.store.addHistory(this.task, {
			id,
			createdAt: this.timestamp,
			changes: [],
			author: '/users/owner',
		});
		return id;
	}

	updatePerson(id: string, changes: IDataObject): void {
		this.write(people.updatePerson, { id }, changes);
	}

	updateTask(id: string, changes: IDataObject): void {
		this.write(tasks.updateTask, { id }, changes);
	}

	/** A change that gives no new `updatedAt`. */
	place(id: string, position: number): void {
		this.store.tasks.set(id, { ...this.taskOf(id), position });
	}

	person(id: string): Person {
		return this.store.people.get(id)!;
	}

	taskOf(id: string): Task {
		return this.store.tasks.get(id)!;
	}

	isShown(record: { archivedAt: string | null } | undefined): boolean {
		return record !== undefined && !(this.habits.hidesArchived && record.archivedAt !== null);
	}

	private patchPerson(id: string, fields: Partial<Person>): void {
		this.store.people.set(id, { ...this.person(id), ...fields });
	}

	private write(endpoint: Endpoint, params: Record<string, string>, body: IDataObject): void {
		endpoint({
			store: this.store,
			switches: this.switches,
			params,
			query: {},
			readInput: () => body,
			now: this.timestamp,
		});
	}

	private endpointOf(path: string): Endpoint {
		if (path === '/people') return people.listPeople;
		if (path === '/tasks') return tasks.listTasks;
		return path.endsWith('/comments') ? comments.listComments : history.listHistory;
	}

	/** The store as its lists show it. */
	private shown(): Store {
		const { store } = this;
		const seen = <T extends { archivedAt: string | null }>(records: Map<string, T>) =>
			[...records].filter(([, record]) => this.isShown(record));
		const listed = <T>(list: T[] | undefined) =>
			this.habits.order === 'newestFirst' ? [...(list ?? [])].reverse() : (list ?? []);
		const taskList = seen(store.tasks);
		if (this.habits.order === 'newestFirst') taskList.reverse();
		if (this.habits.order === 'byPosition') {
			taskList.sort(([, one], [, other]) => one.position - other.position);
		}
		return Object.assign(Object.create(Store.prototype) as Store, store, {
			people: new Map(seen(store.people)),
			tasks: new Map(taskList),
			comments: new Map([[this.task, listed(store.comments.get(this.task))]]),
			history: new Map([[this.task, listed(store.history.get(this.task))]]),
		});
	}
}
