import type { INodeParameters } from 'n8n-workflow';
import { itInCi } from '../../support/drawn';
import { systemClock } from '../../../nodes/ContactTaskCrm/util/clock';
import { accountOf } from '../../../nodes/ContactTaskCrm/crm/tenant';
import { Crowd } from './support/crowd';
import { closeTenant, inVirtualTime, ORIGIN } from './support/openTenant';
import { HOUR_MS, MINUTE_MS } from './support/schedule';
import { follow, furnished, watching } from './support/script';

afterEach(closeTenant);

let keys = 0;

/** Follows a trigger on a list of 1,000 tasks that was read once. */
async function alone(requestsPerMinute = 20) {
	const on = furnished({ order: 'byTitle' });
	const tasks = on.many('/tasks', 1_000, { status: on.column('a') });
	const own = { apiKey: `pace ${++keys}`, requestsPerMinute };
	const followed = follow(on, watching('taskMoved')(on), own);
	await followed.poll(10);
	/** Returns the most requests of some polls. */
	const mostOf = async (polls: number) => {
		let most = 0;
		for (let count = 0; count < polls; count++) {
			const before = on.tenant.requests.length;
			await followed.poll();
			most = Math.max(most, on.tenant.requests.length - before);
		}
		return most;
	};
	return { on, tasks, own, mostOf, ...followed };
}

it('A trigger alone on 1,000 tasks reports 95 of 100 moves within seven polls', async () => {
	const { on, tasks, items, poll } = await alone();
	const moved = tasks.filter((_, index) => index % 10 === 0);
	for (const id of moved) on.tenant.change('/tasks', id, { status: on.column('b') });
	await poll(7);
	expect(items.length).toBeGreaterThanOrEqual(95);
	await poll();
	expect(items.map(({ id }) => id).sort()).toEqual(moved);
});

itInCi(
	'While 150 people arrive each minute, Person Created reports 90 of them a minute',
	async () => {
		const on = furnished({ order: 'byTitle' });
		on.many('/people', 30, {}, 1_000);
		const given = { options: { maxRequestsPerPoll: 5 } };
		const { ids, poll } = follow(on, watching('personCreated', given)(on));
		await poll(20);
		await poll(80, MINUTE_MS, () => on.many('/people', 150, {}, 300));
		expect(ids().length).toBeGreaterThan(80 * 90);
	},
	120_000,
);

it('With one request a poll, a trigger also reads beyond the newest page', async () => {
	const on = furnished({ order: 'newestFirst' });
	const tasks = on.many('/tasks', 100, { status: on.column('a') }, 1_000);
	const given = { options: { maxRequestsPerPoll: 1 } };
	const { ids, poll } = follow(on, watching(['taskCreated', 'taskMoved'], given)(on));
	await poll(20);
	on.tenant.change('/tasks', tasks[0], { status: on.column('b') });
	await poll(20);
	expect(ids()).toEqual([tasks[0]]);
});

it.each([
	[20, 5],
	[60, 15],
	[4, 2],
])(
	'At %d requests/min, a single trigger sends at most %d requests a poll',
	async (requestsPerMinute, expected) => {
		const { mostOf } = await alone(requestsPerMinute);
		expect(await mostOf(3)).toBe(expected);
	},
);

it.each([
	[2, 2],
	[3, 2],
])(
	'With %d triggers, each on its own list, polls average at most %d requests',
	async (count, expected) => {
		const on = furnished({ order: 'byTitle' });
		const owners = Array.from({ length: count }, (_, index) => `/users/${index}`);
		for (const owner of owners) on.many('/people', 200, { owner });
		const parameters = owners.map(
			(owner): INodeParameters => ({
				...watching('personUpdated')(on),
				filters: { ownerId: [owner] },
			}),
		);
		const crowd = new Crowd(on.tenant, parameters, Array(count).fill(0), {
			apiKey: `pace ${++keys}`,
		});
		await crowd.publish();
		await crowd.poll(3);
		const before = on.tenant.requests.length;
		await crowd.poll(4);
		expect((on.tenant.requests.length - before) / 4 / count).toBeLessThanOrEqual(expected);
	},
);

it('For half an hour after a 429, a trigger sends two requests a poll', async () => {
	const { on, mostOf } = await alone();
	on.tenant.failure = () => {
		on.tenant.failure = undefined;
		return 429;
	};
	await mostOf(1);
	expect(await mostOf(28)).toBe(2);
	await mostOf(2);
	expect(await mostOf(3)).toBe(5);
});

/** Options of a run's requests, with a lane of their own. */
const runOf = (limit: number) => ({
	lane: {},
	item: 0,
	isUrgent: false,
	limit,
	slotWaitMs: Infinity,
	throttledWaitMs: Infinity,
});

const answered = { kind: 'response' as const, status: 200, headers: {}, body: {} };

it.each([20, 30, 60])(
	'At %d requests/min, a trigger sends two requests a poll while a run waits',
	async (limit) => {
		const { own, mostOf } = await alone(limit);
		const { limiter } = accountOf({ baseUrl: ORIGIN, ...own }).tenant;
		const waiting = runOf(limit);
		const ended = Array.from({ length: 3 * limit }, async () => {
			await limiter.submit(waiting, async () => await Promise.resolve(answered));
		});
		expect(await mostOf(2)).toBe(2);
		await inVirtualTime(Promise.all(ended));
		// After a longer pause, the next poll may send more.
		await mostOf(1);
		expect(await mostOf(3)).toBe(Math.floor(limit / 4));
	},
);

it.each([2, 15, 40, 70])(
	'A ten-item run begun %d s into an hourly poll waits for no slot',
	async (seconds) => {
		const on = furnished({ order: 'byTitle' });
		on.many('/tasks', 1_000, { status: on.column('a') });
		const own = { apiKey: `pace ${++keys}`, requestsPerMinute: 20 };
		const { poll } = follow(on, watching('taskMoved')(on), own);
		await poll(3, HOUR_MS);
		const { limiter } = accountOf({ baseUrl: ORIGIN, ...own }).tenant;
		const waiting = runOf(20);
		const times: number[] = [];
		const run = async () => {
			for (let count = 0; count < 10; count++) {
				times.push(on.tenant.now);
				await limiter.submit(waiting, async () => await Promise.resolve(answered));
			}
			times.push(on.tenant.now);
		};
		const begun = systemClock.sleep(HOUR_MS + seconds * 1000).then(run);
		await poll(1, HOUR_MS);
		await inVirtualTime(begun);
		expect(times).toHaveLength(11);
		expect(Math.max(...times) - Math.min(...times)).toBeLessThan(3_000);
	},
);
