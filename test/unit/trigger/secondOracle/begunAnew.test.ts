/* eslint-disable @n8n/community-nodes/no-restricted-globals -- more runs, or others, on demand */
import type { INodeParameters } from 'n8n-workflow';
import type { CrmTenant } from '../support/crmTenant';
import { closeTenant, openTenant, OpenTrigger } from '../support/openTenant';
import { randomFrom } from '../support/modelList';

const RUNS = Number(process.env.RUNS ?? 3);
const SEED = Number(process.env.SEED ?? 1);
const MINUTE_MS = 60_000;
const HOSTS = ['inMemory', 'scheduler', 'durableCursors'] as const;
const ORDERS = ['oldestFirst', 'newestFirst', 'changedFirst', 'byTitle'] as const;

afterEach(closeTenant);

/** What a damaged memory may look like, made of the one that was saved. */
const DAMAGES: Array<(saved: Record<string, unknown>) => unknown> = [
	() => 'what?',
	() => 7,
	() => [],
	() => ({}),
	(saved) => ({ ...saved, v: 2 }),
	(saved) => ({ ...saved, v: undefined }),
	(saved) => ({ ...saved, memory: null }),
	(saved) => ({ ...saved, scan: {} }),
	(saved) => ({ ...saved, began: 'yesterday' }),
	(saved) => ({ ...saved, absent: [7] }),
];

/** A trigger whose records come and go by a number drawn, with what started the workflow. */
function course(seed: number) {
	const random = randomFrom(seed * 6007);
	for (let skipped = 0; skipped < 5; skipped++) random();
	const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)];
	const magnitude = (to: number) => Math.round(to ** random());
	const tenant = openTenant({ order: one(ORDERS), seed, hasTotals: random() < 0.7 });
	const segment = tenant.create('/segments', { title: 'Newsletter' });
	const task = tenant.create('/tasks', { title: 'Call', status: '/workspaces/1/columns/a' });
	const locator = (value: string) => ({ __rl: true, mode: 'id', value });
	const lists: Array<[path: string, event: string, parameters: INodeParameters]> = [
		['/people', 'personCreated', { watch: 'people' }],
		['/people', 'personAddedToSegment', { watch: 'segment', segmentId: locator(segment) }],
		['/tasks', 'taskCreated', { watch: 'tasks' }],
		[`/tasks/${task}/comments`, 'commentAdded', { watch: 'comments', taskId: locator(task) }],
		[`/tasks/${task}/history`, 'historyAdded', { watch: 'history', taskId: locator(task) }],
	];
	const options = { maxRequestsPerPoll: magnitude(20) };
	const watches = lists.map(([path, event, parameters]) => ({
		path,
		event,
		parameters: { ...parameters, events: [event], options },
	}));
	const create = ({ path }: { path: string }) => {
		if (path === '/tasks') return tenant.create(path, { title: `${random()}` });
		return tenant.create(path, { familyName: 'Visser', segments: [`/segments/${segment}`] });
	};
	for (const watch of watches) for (let left = magnitude(200); left > 0; left--) create(watch);
	tenant.passTo(tenant.now + MINUTE_MS);
	const apart = one([1, 1, 5, 60]) * MINUTE_MS;
	return { random, one, magnitude, tenant, watches, create, apart, options };
}

/** Polls on, for as long as reading every list takes some times. */
async function polled(tenant: CrmTenant, trigger: OpenTrigger, polls: number, apart: number) {
	const started: unknown[] = [];
	const failures: string[] = [];
	for (let count = 0; count < polls; count++) {
		const { items, failure } = await trigger.poll(tenant.now + apart);
		started.push(...(items ?? []).map(({ id }) => id));
		if (failure) failures.push(failure.message);
	}
	return { started: started.sort(), failures };
}

const seeds = Array.from({ length: RUNS }, (_, index) => SEED + index);

describe('a trigger that begins anew', () => {
	it('says so where its memory is damaged between two polls, and doubles and misses nothing after', async () => {
		for (const seed of seeds) {
			const { tenant, watches, one, magnitude, create, apart, options } = course(seed);
			const watch = one(watches);
			const trigger = new OpenTrigger(tenant, watch.parameters, { host: one(HOSTS) });
			const enough = 15 + Math.ceil(60 / options.maxRequestsPerPoll);
			await polled(tenant, trigger, magnitude(enough), apart);
			const { state } = JSON.parse(trigger.database) as { state: Record<string, unknown> };
			trigger.damage(one(DAMAGES)(state));
			create(watch);
			const told = await polled(tenant, trigger, 1, apart);
			create(watch);
			const anew = await polled(tenant, trigger, enough, apart);
			tenant.passTo(tenant.now + 2000);
			const created = Array.from({ length: magnitude(100) }, () => create(watch)).sort();
			const after = await polled(tenant, trigger, enough, apart);
			expect({ seed, watch: watch.event, told, anew, after }).toEqual({
				seed,
				watch: watch.event,
				told: {
					started: [],
					failures: [expect.stringContaining('What this trigger remembered cannot be read')],
				},
				anew: { started: [], failures: [] },
				after: { started: created, failures: [] },
			});
			closeTenant();
		}
	});

	it('starts with nothing old where something else is watched, there and back, and misses nothing', async () => {
		for (const seed of seeds) {
			const { tenant, watches, one, magnitude, create, apart, options } = course(seed);
			const trigger = new OpenTrigger(tenant, watches[0].parameters, { host: one(HOSTS) });
			const enough = 15 + Math.ceil(60 / options.maxRequestsPerPoll);
			let watched = watches[0];
			for (let turns = 0; turns < 4; turns++) {
				if (turns > 0) {
					watched = one(watches.filter((other) => other !== watched));
					for (const any of watches) create(any);
					trigger.publish(watched.parameters);
				}
				tenant.passTo(tenant.now + 2000);
				const before = await polled(tenant, trigger, enough, apart);
				tenant.passTo(tenant.now + 2000);
				const created = Array.from({ length: magnitude(50) }, () => create(watched)).sort();
				const after = await polled(tenant, trigger, enough, apart);
				expect({ seed, turns, watch: watched.event, before, after }).toEqual({
					seed,
					turns,
					watch: watched.event,
					before: { started: [], failures: [] },
					after: { started: created, failures: [] },
				});
			}
			closeTenant();
		}
	});
});
