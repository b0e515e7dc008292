/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads CROWDS from the environment of the process */
import type { INodeParameters } from 'n8n-workflow';
import { accountOf } from '../../../nodes/ContactTaskCrm/crm/tenant';
import { itInCi } from '../../support/drawn';
import { Crowd, Member } from './support/crowd';
import { closeTenant, OpenTrigger, ORIGIN } from './support/openTenant';
import { MINUTE_MS, WATCHED } from './support/schedule';
import { follow, furnished, watching } from './support/script';

/** Simulates hours of many runs or triggers. */
jest.setTimeout(600_000);

afterEach(closeTenant);

let crowds = 0;

/**
 * Returns the delays in minutes of changes to a list of tasks. One change happens per minute, and the triggers poll
 * each minute.
 */
async function delaysOf(count: number, phases: 'equal' | 'spread', records: number) {
	const on = furnished({ order: 'byTitle' });
	const { tenant } = on;
	const ids = on.many('/tasks', records);
	const parameters = Array<INodeParameters>(count).fill(watching('taskUpdated')(on));
	const seconds = parameters.map((_, index) => (phases === 'equal' ? 0 : index * (60_000 / count)));
	const crowd = new Crowd(tenant, parameters, seconds, { apiKey: `sharing ${++crowds}` });
	await crowd.publish();
	await crowd.poll(Math.ceil(records / 60) * 2 + 5);
	const changedAt = new Map<string, number>();
	const changes = Math.min(30, records);
	const [sent, since] = [tenant.requests.length, tenant.now];
	await crowd.poll(changes, (minute) => {
		const id = ids[(minute * 7) % ids.length];
		tenant.schedule(tenant.now + 1 + Math.floor(tenant.random() * 59_000), () => {
			tenant.change('/tasks', id, { title: 'Changed' });
			changedAt.set(id, tenant.now);
		});
	});
	const requestsAMinute = (tenant.requests.length - sent) / changes;
	expect(crowd.mostInMinute(since)).toBeLessThanOrEqual(10);
	await crowd.poll(Math.ceil(records / 30) + 5);
	for (const { items, failures } of crowd.members) {
		expect(failures).toEqual([]);
		expect(items.map(({ item }) => item.id).sort()).toEqual([...changedAt.keys()].sort());
	}
	const delays = crowd.members
		.flatMap(({ items }) => items)
		.map(({ at, item }) => (at - changedAt.get(String(item.id))!) / MINUTE_MS)
		.sort((one, other) => one - other);
	closeTenant();
	return { p95: delays[Math.floor(0.95 * delays.length)], requestsAMinute };
}

type Case = [count: number, phases: 'equal' | 'spread', most: number];

const IS_ALL = process.env.CROWDS === 'all';

/** Numbers of triggers, and how many times as late as one trigger they may be. `CROWDS=all` draws the longer list. */
const CASES: Case[] = [
	[10, 'spread', 1.3],
	[20, 'equal', 2],
];
const MORE_CASES: Case[] = [
	[10, 'equal', 1.3],
	[20, 'spread', 2],
];
const RECORDS = IS_ALL ? 600 : 300;
const itOfMany = IS_ALL ? it : itInCi;

itOfMany.each(IS_ALL ? [...CASES, ...MORE_CASES] : CASES)(
	'%d triggers (poll times %s) report at most %d times as late as one',
	async (count, phases, most) => {
		const alone = await delaysOf(1, phases, RECORDS);
		const { p95 } = await delaysOf(count, phases, RECORDS);
		expect(p95).toBeLessThanOrEqual(most * alone.p95);
	},
);

itOfMany(
	'Twenty triggers on a one-page list together send at most four requests a minute',
	async () => {
		const { requestsAMinute } = await delaysOf(20, 'spread', 25);
		expect(requestsAMinute).toBeLessThanOrEqual(4);
	},
);

itInCi(
	'Four triggers with different events of one list each report only their own events',
	async () => {
		const on = furnished();
		const { tenant, column } = on;
		const ids = on.many('/tasks', 70, { status: column('a') });
		const events = ['taskCreated', 'taskMoved', 'taskCompleted', 'taskUpdated'];
		const parameters = events.map((event) => watching(event)(on));
		const crowd = new Crowd(tenant, parameters, [0, 0, 30_000, 30_000], { apiKey: 'four events' });
		await crowd.publish();
		await crowd.poll(30, (minute) => {
			if (minute === 10) tenant.change('/tasks', ids[10], { status: column('b') });
			if (minute === 11) tenant.change('/tasks', ids[60], { completedAt: '2026-01-05T09:30:00Z' });
			if (minute === 12) ids.push(tenant.create('/tasks', { title: 'New' }));
		});
		const told = crowd.members.map(({ items }) => items.map(({ item }) => item.id));
		expect(told).toEqual([[ids[70]], [ids[10]], [ids[60]], [ids[10], ids[60]]]);
	},
);

itInCi(
	'Three triggers each report 60 leavers, with at most 70 reads by ID altogether',
	async () => {
		const on = furnished({ hasTotals: false });
		const { tenant, inIt } = on;
		const ids = on.many('/people', 200, inIt);
		const parameters = Array(3).fill(watching(WATCHED.segment[1])(on)) as INodeParameters[];
		const crowd = new Crowd(tenant, parameters, [0, 20_000, 40_000], { apiKey: 'leavers' });
		await crowd.publish();
		await crowd.poll(20);
		const sent = tenant.requests.length;
		await crowd.poll(30, (minute) => {
			if (minute > 0) return;
			for (const id of ids.slice(0, 60)) tenant.change('/people', id, { segments: [] });
		});
		for (const { items } of crowd.members) {
			expect(items.map(({ item }) => item.id).sort()).toEqual(ids.slice(0, 60).sort());
		}
		const singly = tenant.requests.slice(sent).filter((request) => request.startsWith('/people/'));
		expect(singly.length).toBeLessThanOrEqual(70);
	},
);

it('A trigger reports a member who left, although a newer trigger reads all pages', async () => {
	const on = furnished();
	const { tenant, member } = on;
	const setup = { apiKey: 'missing member', requestsPerMinute: 3 };
	const parameters = watching(WATCHED.segment[1])(on);
	const crowd = new Crowd(tenant, [parameters], [1_000], setup);
	const [first] = crowd.members;
	await crowd.publish();
	await crowd.poll(10);
	tenant.change('/people', member, { segments: [] });
	// This trigger begins after the person left, so it misses nobody. The other triggers use slots for other lists.
	const begin = (other: INodeParameters, phaseMs: number) =>
		crowd.members.push(new Member(new OpenTrigger(tenant, other, setup), phaseMs));
	begin(parameters, 48_000);
	['taskCreated', 'taskMoved', 'commentAdded', 'personCreated'].forEach((event, index) =>
		begin(watching(event)(on), 38_000 + 5_000 * index),
	);
	await crowd.poll(120);
	expect(first.items.map(({ item }) => item.id)).toEqual([member]);
});

it('The node drops the shared pages of a list that no trigger polls', async () => {
	const on = furnished();
	on.many('/tasks', 100);
	const events = ['taskUpdated', 'taskMoved'];
	const setup = { apiKey: 'dropped' };
	const parameters = events.map((event) => watching(event)(on));
	const crowd = new Crowd(on.tenant, parameters, [0, 30_000], setup);
	await crowd.publish();
	await crowd.poll(10);
	const { shared } = accountOf({ baseUrl: ORIGIN, ...setup }).tenant;
	expect([...shared.keys()]).toEqual(['["/tasks",[]]']);
	const other = follow(on, watching('personUpdated')(on), setup);
	await other.poll(5);
	expect([...shared.keys()]).toEqual(['["/people",[]]']);
});

it('Polling half a minute apart, two triggers report a new person within a minute', async () => {
	const on = furnished();
	const { tenant } = on;
	on.many('/people', 1_000);
	const parameters = Array(2).fill({
		...watching(['personCreated', 'personUpdated'])(on),
		options: { maxRequestsPerPoll: 3 },
	}) as INodeParameters[];
	const crowd = new Crowd(tenant, parameters, [0, 30_000], { apiKey: 'newest' });
	await crowd.publish();
	await crowd.poll(10);
	const createdAt = [20_000, 50_000].map((ms) => tenant.now + ms);
	for (const at of createdAt)
		tenant.schedule(at, () => tenant.create('/people', { familyName: 'New' }));
	await crowd.poll(4);
	for (const { items } of crowd.members) {
		const delays = items.map(({ at }, index) => at - createdAt[index]);
		expect(delays).toHaveLength(2);
		expect(Math.max(...delays)).toBeLessThan(MINUTE_MS);
	}
});

it('After the other triggers of its list end, a trigger continues from saved state', async () => {
	const on = furnished();
	const { tenant } = on;
	const ids = on.many('/tasks', 200);
	const parameters = Array(5).fill(watching('taskUpdated')(on)) as INodeParameters[];
	const setup = { apiKey: 'restarted', host: 'durableCursors' } as const;
	const crowd = new Crowd(tenant, parameters, [0, 10_000, 20_000, 30_000, 40_000], setup);
	await crowd.publish();
	await crowd.poll(10);
	const memory = crowd.members[2].trigger.database;
	const alone = follow(on, parameters[0], { apiKey: 'restarted', memory });
	tenant.change('/tasks', ids[150], { title: 'Changed' });
	await alone.poll(10);
	expect(alone.ids()).toEqual([ids[150]]);
});
