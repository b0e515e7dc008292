import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { CrmTenant } from '../support/crmTenant';
import { Ledger } from './ledger';
import type { Deed, Plan } from './plan';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A tenant with what a plan has in it before the workflow is published, and ways to do what it says. */
export class World {
	readonly ledger: Ledger;

	readonly parameters: INodeParameters;

	readonly segment: string;

	private readonly workspaces: string[];

	private readonly task: string;

	private readonly path: string;

	private count = 0;

	constructor(
		private readonly tenant: CrmTenant,
		private readonly plan: Plan,
	) {
		this.segment = tenant.create('/segments', { title: 'Newsletter', icon: 'mail' });
		this.workspaces = ['Sales', 'Support'].map((title) =>
			tenant.create('/workspaces', { title, privacy: 'public', owner: '/users/1', columns: [] }),
		);
		this.task = tenant.create('/tasks', { title: 'Call', status: this.column(0) });
		const { watch, records, atOnce } = plan;
		const isPerson = watch === 'people' || watch === 'segment';
		const ofTask = watch === 'tasks' ? '' : `/${this.task}/${watch}`;
		this.path = isPerson ? '/people' : `/tasks${ofTask}`;
		this.ledger = new Ledger(tenant, this.path);
		if (watch === 'tasks') tenant.remove('/tasks', this.task);
		for (let count = 0; count < records; count++) {
			if (count % atOnce === 0) tenant.passTo(tenant.now + 1000);
			this.act({ after: 0, kind: 'create', who: count / records, how: tenant.random() });
		}
		tenant.passTo(tenant.now + 61_000);
		this.parameters = this.parametersOf(plan);
	}

	act({ kind, who, how }: Deed): void {
		const { ledger, tenant } = this;
		const number = ++this.count;
		if (kind === 'create') {
			if (this.plan.watch === 'history') tenant.change('/tasks', this.task, { title: `${number}` });
			else ledger.create(this.fresh(how, number));
			return ledger.noteNew();
		}
		const id = ledger.pick(who);
		if (id === undefined) return;
		if (kind === 'remove') return ledger.remove(id);
		const was = ledger.last(id);
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
			// Each time is another, as people who complete something again do it later.
			complete: { completedAt: new Date(tenant.now - (number % 1000)).toISOString() },
			reopen: { completedAt: null },
		};
		ledger.change(id, changes[kind]);
	}

	/** Whether a record is what the trigger is filtered by. */
	fits(fields: IDataObject): boolean {
		const { filter } = this.plan;
		if (filter === 'owner') return fields.owner === '/users/1';
		if (filter === 'tag') return (fields.tags as string[]).includes('/tags/1');
		if (filter === 'segment') return isIn(this.segment, fields);
		if (filter === 'workspace') return fields.workspace === `/workspaces/${this.workspaces[0]}`;
		if (filter === 'column') return fields.status === this.column(0);
		return true;
	}

	private fresh(how: number, number: number): IDataObject {
		if (this.plan.watch === 'comments') return { description: `Comment ${number}` };
		if (this.plan.watch === 'tasks')
			return { title: `${how}`, completedAt: null, ...this.place(how) };
		// Of a segment, most are members, so that there is something to read.
		const isMember = how * 100 - Math.floor(how * 100) < 0.8;
		const others = { familyName: `${how}`, jobTitle: null, archivedAt: null, segments: [] };
		const person = { ...others, ...this.fit(how < 0.7) };
		if (this.plan.watch !== 'segment') return person;
		return { ...person, segments: isMember ? [`/segments/${this.segment}`] : [] };
	}

	private fit(isFit: boolean): IDataObject {
		const { filter } = this.plan;
		return {
			owner: isFit ? '/users/1' : '/users/2',
			tags: isFit ? ['/tags/2', '/tags/1'] : ['/tags/2'],
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

	private parametersOf({ watch, events, filter, maxRequests }: Plan): INodeParameters {
		const filters: Record<Plan['filter'], INodeParameters> = {
			none: {},
			owner: { ownerId: ['1'] },
			tag: { tagsId: ['1'] },
			segment: { segmentsUuid: [this.segment] },
			workspace: { workspaceId: byId(this.workspaces[0]) },
			column: { workspaceId: byId(this.workspaces[0]), status: this.column(0) },
		};
		return {
			watch,
			events,
			filters: filters[filter],
			output: 'raw',
			...(watch === 'segment' ? { segmentId: byId(this.segment) } : {}),
			...(watch === 'comments' || watch === 'history' ? { taskId: byId(this.task) } : {}),
			options: { maxRequestsPerPoll: maxRequests },
		};
	}
}

/** Whether somebody is in a segment. */
export function isIn(segment: string, { segments }: IDataObject): boolean {
	return ((segments ?? []) as string[]).includes(`/segments/${segment}`);
}
