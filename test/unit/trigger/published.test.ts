import type { INodeParameters } from 'n8n-workflow';
import { itInCi } from '../../support/drawn';
import { Crowd } from './support/crowd';
import type { TenantHabits } from './support/habits';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS } from './support/schedule';
import type { Furnished } from './support/script';
import { follow, furnished, watching } from './support/script';
import { byId } from './support/world';

afterEach(closeTenant);

/** Publishes a trigger on tasks in the column a, and counts the requests of publishing. */
async function published(
	tasks: number,
	given: (on: Furnished) => INodeParameters = () => ({}),
	habits: Partial<TenantHabits> = {},
) {
	const on = furnished({ order: 'byTitle', ...habits });
	const { tenant, column, many } = on;
	// `furnished` makes one task.
	const ids = many('/tasks', tasks - 1, { status: column('a') });
	const followed = follow(on, watching('taskMoved', given(on))(on));
	await followed.poll();
	const last = ids[ids.length - 1];
	const moveLast = () => tenant.change('/tasks', last, { status: column('b') });
	return { on, last, moveLast, publishing: [...tenant.requests], ...followed };
}

itInCi.each([
	[90, 2],
	[300, 4],
])(
	"Published on %d tasks, a trigger reports the last task's move within %d minutes",
	async (tasks, minutes) => {
		const { on, last, moveLast, found, poll } = await published(tasks);
		const movedAt = on.tenant.now;
		moveLast();
		await poll(minutes + 1);
		expect(found.map(({ item }) => item.id)).toEqual([last]);
		expect(found[0].at - movedAt).toBeLessThanOrEqual(minutes * MINUTE_MS);
	},
);

itInCi(
	'Publishing with a column filter checks its workspace, and still reads ten pages',
	async () => {
		const { publishing, moveLast, poll, items } = await published(300, ({ column }) => ({
			filters: { status: byId(column('b')) },
		}));
		expect(publishing).toHaveLength(11);
		moveLast();
		await poll(6);
		expect(items).toHaveLength(1);
	},
);

it('Publishing ends after ten pages of a longer list', async () => {
	expect((await published(900)).publishing).toHaveLength(10);
});

it('Publishing a trigger sends at most as many requests as Max Requests per Check', async () => {
	const { publishing } = await published(300, () => ({ options: { maxRequestsPerPoll: 3 } }));
	expect(publishing).toHaveLength(3);
});

it('Publishing ends after 20 seconds if the service answers slowly', async () => {
	const { longestMs, publishing } = await published(300, undefined, { latencyMs: 9_000 });
	expect(longestMs()).toBeLessThanOrEqual(20_000);
	expect(publishing.length).toBeGreaterThan(2);
});

it('After a restart with saved state, a poll sends no more requests than before', async () => {
	const { on, trigger, poll } = await published(300);
	await poll(3);
	const before = on.tenant.requests.length;
	await poll();
	const usual = on.tenant.requests.length - before;
	trigger.kill();
	await poll();
	expect(on.tenant.requests.length - before - usual).toBeLessThanOrEqual(usual);
});

it('Two triggers published together on one list of 300 tasks share its pages', async () => {
	const on = furnished({ order: 'byTitle' });
	on.many('/tasks', 299);
	const parameters = ['taskMoved', 'taskCompleted'].map((event) => watching(event)(on));
	const crowd = new Crowd(on.tenant, parameters, [0, 0], { apiKey: 'published together' });
	await crowd.poll(1);
	expect(on.tenant.requests.length).toBeLessThanOrEqual(12);
});

it('Publishing succeeds although the service cannot give the third page', async () => {
	const on = furnished({ order: 'byTitle' });
	on.many('/tasks', 299);
	on.tenant.failure = (request) => (request.includes('page=3') ? 500 : undefined);
	const { failures, poll } = follow(on, watching('taskMoved')(on));
	await poll();
	expect(failures).toEqual([]);
	await poll(2);
	expect(failures).toHaveLength(1);
});

itInCi('If a task moves before its first read, a trigger reports only an update', async () => {
	const on = furnished({ order: 'byTitle' });
	const tasks = on.many('/tasks', 999, { status: on.column('a') });
	const { items, poll } = follow(on, watching(['taskUpdated', 'taskMoved'])(on));
	await poll();
	const [read, unread, later] = [tasks[100], tasks[700], tasks[998]];
	for (const id of [read, unread]) on.tenant.change('/tasks', id, { status: on.column('b') });
	// The panel says that 1,000 tasks are read five minutes after publishing.
	await poll(5);
	on.tenant.change('/tasks', later, { status: on.column('b') });
	await poll(8);
	expect(items.map(({ id, event }) => [id, event])).toEqual([
		[unread, 'taskUpdated'],
		[read, 'taskUpdated'],
		[read, 'taskMoved'],
		[later, 'taskUpdated'],
		[later, 'taskMoved'],
	]);
});

itInCi('A trigger reports each person who joins forty members created in one second', async () => {
	const on = furnished();
	on.many('/people', 40, on.inIt);
	const joining = on.many('/people', 4);
	const { ids, poll } = follow(on, watching('personAddedToSegment')(on));
	await poll();
	await poll(4, MINUTE_MS, (count) => on.tenant.change('/people', joining[count], on.inIt));
	await poll(4);
	expect(ids()).toEqual(joining);
});

it('A trigger reports a comment in the second of publishing, despite 35 earlier ones', async () => {
	const on = furnished();
	const path = `/tasks/${on.task}/comments`;
	on.many(path, 35, {}, 1_000);
	const { trigger, ids, poll } = follow(on, watching('commentAdded')(on));
	await trigger.poll();
	const added = on.tenant.create(path);
	await poll(3);
	expect(ids()).toEqual([added]);
});
