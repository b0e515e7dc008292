import { createHash } from 'node:crypto';
import { columnIri, iriOf } from './iris';
import type {
	Column,
	Comment,
	HistoryEntry,
	NamedRecord,
	Person,
	Segment,
	Task,
	Workspace,
} from './records';

/**
 * Returns a version 5 UUID. The same name always gives the same ID.
 *
 * @param name unique within a tenant, e.g. `people/17`
 */
export function uuidOf(name: string): string {
	const hash = createHash('sha1').update(name).digest('hex');
	const variant = ((parseInt(hash[16], 16) & 0x3) | 0x8).toString(16);
	return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** All records of a tenant, in the order of creation. */
export class Store {
	readonly people = new Map<string, Person>();

	readonly workspaces = new Map<string, Workspace>();

	readonly segments = new Map<string, Segment>();

	readonly tasks = new Map<string, Task>();

	/** Comments by task ID. A task without comments may be missing. */
	readonly comments = new Map<string, Comment[]>();

	/** History by task ID, oldest first. A task without history may be missing. */
	readonly history = new Map<string, HistoryEntry[]>();

	/** IDs of the subtasks by the ID of their parent. */
	readonly subTasks = new Map<string, string[]>();

	readonly users = new Map<string, NamedRecord>();

	readonly tags = new Map<string, NamedRecord>();

	readonly organizations = new Map<string, NamedRecord>();

	readonly mediaObjects = new Map<string, NamedRecord>();

	readonly conversationItems = new Map<string, NamedRecord>();

	private readonly columns = new Map<string, { column: Column; workspace: Workspace }>();

	private readonly lastIndexNumber = new Map<string, number>();

	private made = 0;

	/** Returns the user behind the API keys. The interface does not say who that is. */
	get keyUser(): string {
		const [first] = this.users.keys();
		return iriOf('users', first);
	}

	newId(kind: string): string {
		this.made += 1;
		return uuidOf(`${kind}/${this.made}`);
	}

	addWorkspace(workspace: Workspace): void {
		this.workspaces.set(workspace.id, workspace);
		for (const column of workspace.columns) {
			this.columns.set(columnIri(workspace.id, column.id), { column, workspace });
		}
	}

	/** Returns the workspace of a task, from its column. */
	workspaceOf(task: Task): Workspace | undefined {
		return this.columns.get(task.status)?.workspace;
	}

	/** Returns the next task number in the workspace of a column. */
	nextIndexNumber(status: string): number {
		const workspaceId = this.columns.get(status)?.workspace.id ?? '';
		const next = (this.lastIndexNumber.get(workspaceId) ?? 0) + 1;
		this.lastIndexNumber.set(workspaceId, next);
		return next;
	}

	addTask(task: Task): void {
		this.tasks.set(task.id, task);
		if (!task.parent) return;
		const parentId = task.parent.slice('/tasks/'.length);
		const siblings = this.subTasks.get(parentId);
		if (siblings) siblings.push(task.id);
		else this.subTasks.set(parentId, [task.id]);
	}

	addComment(comment: Comment): void {
		const comments = this.comments.get(comment.taskId);
		if (comments) comments.push(comment);
		else this.comments.set(comment.taskId, [comment]);
	}

	addHistory(taskId: string, entry: HistoryEntry): void {
		const entries = this.history.get(taskId);
		if (entries) entries.push(entry);
		else this.history.set(taskId, [entry]);
	}

	/** Returns whether an IRI names a record of this tenant. */
	has(iri: string): boolean {
		return this.columns.has(iri) || this.record(iri) !== undefined;
	}

	/** Returns the column of an IRI. */
	column(iri: string): Column | undefined {
		return this.columns.get(iri)?.column;
	}

	/** Returns the record of an IRI, unless it is a column. */
	record(iri: string): object | undefined {
		const [, resource, id, ...rest] = iri.split('/');
		if (rest.length > 0) return undefined;
		const records: Record<string, Map<string, object>> = {
			conversation_items: this.conversationItems,
			media_objects: this.mediaObjects,
			organizations: this.organizations,
			people: this.people,
			segments: this.segments,
			tags: this.tags,
			tasks: this.tasks,
			users: this.users,
			workspaces: this.workspaces,
		};
		return records[resource]?.get(id);
	}

	/** Adds copies of all records of another store. */
	copyFrom(other: Store): void {
		// Clones everything at once, because `columns` and `workspaces` share objects.
		const copies = structuredClone({ ...other });
		for (const [name, copied] of Object.entries(copies)) {
			if (!(this[name as keyof Store] instanceof Map)) continue;
			for (const [id, record] of copied) this[name as 'people'].set(id, record as Person);
		}
		this.made = other.made;
	}

	/** Removes all records. */
	clear(): void {
		const collections = Object.values(this).filter((value) => value instanceof Map);
		for (const collection of collections) collection.clear();
		this.made = 0;
	}
}
