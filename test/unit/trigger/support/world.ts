import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { CrmTenant } from './crmTenant';
import type { Deed, Schedule, Watch } from './schedule';
import { AHEAD_MS } from './schedule';

export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Time from a creation time until the record is stored. With the largest lag, it is less than two minutes. */
const LATE_MS = 80_000;

/** A tenant with the records of a schedule before the workflow is published, and functions for its changes. */
export class World {
	readonly parameters: INodeParameters;

	/** Watched list of another trigger, unrelated to this one. */
	readonly elsewhere: { path: string; parameters: INodeParameters };

	readonly segment: string;

	/** Path of the watched list. */
	readonly path: string;

	private readonly workspaces: string[];

	private readonly task: string;

	private count = 0;

	constructor(
		private readonly tenant: CrmTenant,
		private readonly schedule: Schedule,
		/** Worlds of the same tenant, including this one. Records that they need are not removed. */
		private readonly beside: readonly World[] = [],
	) {
		this.segment = tenant.create('/segments', { title: 'Newsletter', icon: 'mail' });
		this.workspaces = ['Sales', 'Support'].map((title) =>
			tenant.create('/workspaces', { title, privacy: 'public', owner: '/users/1', columns: [] }),
		);
		this.task = tenant.create('/tasks', { title: 'Call', status: this.column(0) });
		const { watch, records, atOnce, apart } = schedule;
		const paths: Record<Watch, string> = {
			people: '/people',
			segment: '/people',
			tasks: '/tasks',
			comments: `/tasks/${this.task}/comments`,
			history: `/tasks/${this.task}/history`,
		};
		this.path = paths[watch];
		if (watch === 'tasks') tenant.remove('/tasks', this.task);
		this.elsewhere =
			this.path === '/people'
				? { path: '/tasks', parameters: { watch: 'tasks', events: ['taskCreated'] } }
				: { path: '/people', parameters: { watch: 'people', events: ['personCreated'] } };
		for (let count = 0; count < records; count++) {
			if (count % atOnce === 0) tenant.passTo(tenant.now + apart * 1000);
			this.act({ after: 0, kind: 'create', who: count / records, how: tenant.random() });
			if (schedule.ahead > 0 && tenant.random() < schedule.ahead) this.putAhead();
		}
		tenant.passTo(tenant.now + 61_000 + schedule.habits.lagMs);
		this.parameters = this.parametersOf(schedule);
	}

	/**
	 * Adds a record with times a year ahead, or changes one so that only its time of change is a year ahead. If the
	 * clock reached that time during the first reading, which may take days, the record would look new.
	 */
	private putAhead(): void {
		const { random } = this.tenant;
		const aheadMs = Math.max(...AHEAD_MS);
		const kind = random() < 0.5 ? 'create' : 'change';
		this.act({ after: 0, kind, who: random(), how: random(), aheadMs });
	}

	act({ kind, who, how, aheadMs = 0 }: Deed): void {
		const { tenant, path } = this;
		const number = ++this.count;
		if (kind === 'create' || kind === 'late') {
			if (this.schedule.watch === 'history') {
				tenant.change('/tasks', this.task, { title: `${number}` }, aheadMs);
			} else {
				const agoMs = kind === 'late' ? LATE_MS : 0;
				tenant.create(path, this.fresh(how, number), aheadMs > 0 ? -aheadMs : agoMs);
			}
			return;
		}
		const present = tenant.present(path);
		const id = present[Math.floor(who * present.length)];
		if (id === undefined) return;
		if (kind === 'remove' && this.beside.some(({ task }) => task === id)) return;
		if (kind === 'remove') return tenant.remove(path, id);
		if (kind === 'place') return tenant.place(path, id);
		const was = tenant.fieldsOf(path, id)!;
		const isMember = isIn(this.segment, was);
		if (kind === 'join' && isMember) return;
		if (kind === 'leave' && !isMember) return;
		if (kind === 'archive' && was.archivedAt) return;
		if (kind === 'restore' && !was.archivedAt) return;
		const now = new Date(tenant.now).toISOString();
		const changes: Record<string, IDataObject> = {
			change: { jobTitle: `Chief ${number}`, description: `Note ${number}` },
			fit: this.fit(true),
			unfit: this.fit(false),
			archive: { archivedAt: now },
			restore: { archivedAt: null },
			join: { segments: [`/segments/${this.segment}`] },
			leave: { segments: [] },
			move: this.place(how),
			// Each time is different, because people complete a task again later.
			complete: { completedAt: new Date(tenant.now - (number % 1000)).toISOString() },
			reopen: { completedAt: null },
			date: { dueDate: new Date(tenant.now + (how - 0.3) * 60 * 60_000).toISOString() },
		};
		tenant.change(path, id, changes[kind], aheadMs);
	}

	/** Returns whether a record matches the trigger's filter. */
	fits(fields: IDataObject): boolean {
		const { filter } = this.schedule;
		if (filter === 'owner') return fields.owner === '/users/1';
		const refersTo = (field: string, iri: string) =>
			((fields[field] ?? []) as string[]).includes(iri);
		if (filter === 'tag') return refersTo('tags', '/tags/1');
		if (filter === 'assignee') return refersTo('assignees', '/users/1');
		if (filter === 'open') return !fields.completedAt;
		if (filter === 'segment') return isIn(this.segment, fields);
		if (filter === 'workspace') return fields.workspace === `/workspaces/${this.workspaces[0]}`;
		if (filter === 'column') return fields.status === this.column(0);
		return true;
	}

	private fresh(how: number, number: number): IDataObject {
		const { watch } = this.schedule;
		if (watch === 'comments') return { description: `Comment ${number}` };
		if (watch === 'tasks') {
			const completedAt = number % 3 === 0 ? new Date(this.tenant.now).toISOString() : null;
			const task = { title: `${how}`, completedAt, description: null, dueDate: null };
			return { ...task, ...this.fit(how < 0.7), ...this.place(how) };
		}
		// Most people are members of the segment, so that there is something to read.
		const isMember = how * 100 - Math.floor(how * 100) < 0.8;
		const others = { familyName: `${how}`, jobTitle: null, archivedAt: null, segments: [] };
		const person = { ...others, ...this.fit(how < 0.7) };
		if (watch !== 'segment') return person;
		return { ...person, segments: isMember ? [`/segments/${this.segment}`] : [] };
	}

	private fit(isFit: boolean): IDataObject {
		const { filter, watch } = this.schedule;
		return {
			tags: isFit ? ['/tags/2', '/tags/1'] : ['/tags/2'],
			...(watch === 'tasks'
				? { assignees: isFit ? ['/users/1', '/users/2'] : ['/users/2'] }
				: { owner: isFit ? '/users/1' : '/users/2' }),
			...(filter === 'segment' ? { segments: isFit ? [`/segments/${this.segment}`] : [] } : {}),
		};
	}

	private place(how: number): IDataObject {
		const number = Math.floor(how * 6);
		const workspace = `/workspaces/${this.workspaces[Math.floor(number / 3)]}`;
		return { workspace, status: this.column(number) };
	}

	private column(number: number): string {
		const workspace = this.workspaces[Math.floor(number / 3)];
		return `/workspaces/${workspace}/columns/${'abc'[number % 3]}`;
	}

	private parametersOf(schedule: Schedule): INodeParameters {
		const { watch, events, filter, maxRequests, isByInterval, watchedField, beforeDue } = schedule;
		const filters: Record<Schedule['filter'], INodeParameters> = {
			none: {},
			owner: { ownerId: ['1'] },
			tag: watch === 'tasks' ? { tags: ['1'] } : { tagsId: ['1'] },
			assignee: { assignees: ['1'] },
			open: { existsCompletedAt: false },
			segment: { segmentsUuid: [this.segment] },
			workspace: { workspaceId: byId(this.workspaces[0]) },
			column: { workspaceId: byId(this.workspaces[0]), status: this.column(0) },
		};
		return {
			watch,
			events: [...events],
			filters: filters[filter],
			output: 'raw',
			...(watch === 'segment' ? { segmentId: byId(this.segment) } : {}),
			...(watch === 'comments' || watch === 'history' ? { taskId: byId(this.task) } : {}),
			...(watchedField === undefined ? {} : { watchedFields: [watchedField] }),
			timeBeforeDue: beforeDue,
			timeBeforeDueUnit: 'minutes',
			options: isByInterval ? {} : { maxRequestsPerPoll: maxRequests },
		};
	}
}

/** Returns whether a person is in a segment. */
export function isIn(segment: string, { segments }: IDataObject): boolean {
	return ((segments ?? []) as string[]).includes(`/segments/${segment}`);
}
