import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { CrmTenant } from './support/crmTenant';
import { closeTenant, openTenant, OpenTrigger } from './support/openTenant';

const MINUTE_MS = 60_000;
const column = (workspace: string, name: number) => `/workspaces/${workspace}/columns/${name}`;

afterEach(closeTenant);

/** One trigger for each event, and what each started its workflow with, by event. */
class Watched {
	readonly items = new Map<string, IDataObject[]>();

	private readonly triggers: Array<[event: string, trigger: OpenTrigger]>;

	constructor(
		readonly tenant: CrmTenant,
		events: readonly string[],
		parameters: INodeParameters,
	) {
		this.triggers = events.map((event) => {
			this.items.set(event, []);
			const options = { maxRequestsPerPoll: 10 };
			const given = { ...parameters, events: [event], options, output: 'raw' };
			// So that each may send as many as it would alone.
			const requestsPerMinute = 20 * events.length;
			return [event, new OpenTrigger(tenant, given, { requestsPerMinute })];
		});
	}

	async poll(minutes: number): Promise<void> {
		for (let minute = 0; minute < minutes; minute++) {
			this.tenant.passTo(this.tenant.now + MINUTE_MS);
			for (const [event, trigger] of this.triggers) {
				const { items, failure } = await trigger.poll();
				expect(failure).toBeUndefined();
				this.items.get(event)!.push(...(items ?? []));
			}
		}
	}

	/** How often each thing that happened started a workflow, by what tells it from others. */
	counts(event: string, key: (item: IDataObject) => unknown): number[] {
		const counted = new Map<unknown, number>();
		for (const item of this.items.get(event)!) {
			counted.set(key(item), (counted.get(key(item)) ?? 0) + 1);
		}
		return [...counted.values()];
	}
}

function tasksOf(count: number, order: 'newestFirst' | 'changedFirst') {
	const tenant = openTenant({ order });
	const workspace = tenant.create('/workspaces', { title: 'Sales' });
	const create = () => tenant.create('/tasks', { title: 'Call', status: column(workspace, 0) });
	const ids = Array.from({ length: count }, () => {
		tenant.passTo(tenant.now + MINUTE_MS);
		return create();
	});
	tenant.passTo(tenant.now + MINUTE_MS);
	/** Spreads actions evenly over some minutes. */
	const steadily = (minutes: number, perMinute: number, act: (index: number) => void) => {
		for (let index = 0; index < minutes * perMinute; index++) {
			tenant.schedule(tenant.now + ((index + 0.5) / perMinute) * MINUTE_MS, () => act(index));
		}
	};
	return { tenant, workspace, create, ids, steadily };
}

const twice = (counts: number[]) => counts.filter((count) => count > 1).length;

describe('an import of 100 tasks a minute for 12 minutes, newest first', () => {
	it('starts Task Created once for each, on 300 tasks and 1,500 more', async () => {
		const { tenant, create, steadily } = tasksOf(300, 'newestFirst');
		const watched = new Watched(tenant, ['taskCreated'], { watch: 'tasks' });
		await watched.poll(6);
		steadily(15, 100, create);
		await watched.poll(15);
		steadily(12, 100, create);
		await watched.poll(40);
		const counts = watched.counts('taskCreated', ({ id }) => id);
		expect([counts.length, twice(counts)]).toEqual([2_700, 0]);
	});

	it('hides none of 50 moves, and starts no other event again, on 1,800 tasks', async () => {
		const { tenant, workspace, create, ids, steadily } = tasksOf(1_800, 'newestFirst');
		const events = ['taskUpdated', 'taskMoved', 'taskCompleted'];
		const watched = new Watched(tenant, events, { watch: 'tasks' });
		await watched.poll(20);
		steadily(12, 100, create);
		const moved = ids.slice(0, 50);
		moved.forEach((id, index) =>
			tenant.schedule(tenant.now + index * 14_000, () =>
				tenant.change('/tasks', id, { status: column(workspace, 1), completedAt: null }),
			),
		);
		await watched.poll(45);
		const moves = watched.counts('taskMoved', ({ id }) => id);
		const updates = watched.counts('taskUpdated', ({ id, updatedAt }) => [id, updatedAt].join());
		expect([moves.length, twice(moves)]).toEqual([50, 0]);
		expect([updates.length, twice(updates)]).toEqual([50, 0]);
		expect(watched.items.get('taskCompleted')).toEqual([]);
	});
});

describe('a bulk edit of 100 a minute for 12 minutes, last changed first', () => {
	it('starts Task Updated for each of 2,400 tasks that is edited, and once for each edit', async () => {
		const { tenant, ids, steadily } = tasksOf(2_400, 'changedFirst');
		const watched = new Watched(tenant, ['taskUpdated'], { watch: 'tasks' });
		await watched.poll(15);
		const edited = new Set<string>();
		steadily(12, 100, () => {
			const id = ids[Math.floor(tenant.random() * ids.length)];
			edited.add(id);
			tenant.change('/tasks', id, { isFlagged: true });
		});
		await watched.poll(40);
		const records = watched.counts('taskUpdated', ({ id }) => id);
		const edits = watched.counts('taskUpdated', ({ id, updatedAt }) => [id, updatedAt].join());
		expect([records.length, twice(edits)]).toEqual([edited.size, 0]);
	});
});

describe('a segment of 400 among 4,400 people, one leaves and one joins a minute', () => {
	it('starts with each of 120 who join', async () => {
		const tenant = openTenant({ seed: 5 });
		const segment = tenant.create('/segments', { title: 'Newsletter' });
		const people = Array.from({ length: 4_400 }, (_, index) => {
			tenant.passTo(tenant.now + 1_000);
			return tenant.create(
				'/people',
				index % 11 === 0 ? { segments: [`/segments/${segment}`] } : {},
			);
		});
		tenant.passTo(tenant.now + MINUTE_MS);
		const segmentId = { __rl: true, mode: 'id', value: segment };
		const watched = new Watched(tenant, ['personAddedToSegment'], { watch: 'segment', segmentId });
		await watched.poll(10);
		const outside = people.filter((_, index) => index % 11 !== 0).slice(0, 120);
		const inside = people.filter((_, index) => index % 11 === 0).slice(0, 120);
		const start = tenant.now;
		for (let minute = 0; minute < 120; minute++) {
			const at = start + (minute + tenant.random()) * MINUTE_MS;
			tenant.schedule(at, () => tenant.change('/people', inside[minute], { segments: [] }));
			tenant.schedule(at + 1, () =>
				tenant.change('/people', outside[minute], { segments: [`/segments/${segment}`] }),
			);
		}
		await watched.poll(140);
		const counts = watched.counts('personAddedToSegment', ({ id }) => id);
		expect([counts.length, twice(counts)]).toEqual([120, 0]);
	});
});
