/* eslint-disable @n8n/community-nodes/no-restricted-globals -- longer lists on demand */
import type { CrmTenant, TenantHabits } from '../support/crmTenant';
import { closeTenant, openTenant, OpenTrigger } from '../support/openTenant';

const MINUTE_MS = 60_000;
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

afterEach(closeTenant);

interface Given {
	tenant: CrmTenant;
	segment: string;
	task: string;
	/** One of the records that were there before. */
	one: () => string;
}

type Case = [
	name: string,
	order: TenantHabits['order'],
	parameters: (given: Given) => object,
	path: (given: Given) => string,
	act: (given: Given) => unknown,
	/** Minutes that README.md gives for 100 and for 1,000 records. */
	minutes: [hundred: number, thousand: number],
];

const people = () => '/people';
const tasks = () => '/tasks';
const isNew = { title: 'new', familyName: 'new' };
const watches = (watch: string, event: string) => () => ({ watch, events: [event] });
const onSegment = (event: string) => (given: Given) => ({
	...watches('segment', event)(),
	segmentId: byId(given.segment),
});
const onTask = (watch: string, event: string) => (given: Given) => ({
	...watches(watch, event)(),
	taskId: byId(given.task),
});
const ofTask =
	(list: string) =>
	({ task }: Given) =>
		`/tasks/${task}/${list}`;
const changes = (path: string, fields: object) => (given: Given) =>
	given.tenant.change(path, given.one(), { ...fields });
const creates = (path: (given: Given) => string) => (given: Given) =>
	given.tenant.create(path(given), isNew);
const column = { status: '/workspaces/1/columns/b' };

const CASES: Case[] = [
	['personCreated', 'byTitle', watches('people', 'personCreated'), people, creates(people), [1, 1]],
	[
		'commentAdded',
		'oldestFirst',
		onTask('comments', 'commentAdded'),
		ofTask('comments'),
		creates(ofTask('comments')),
		[1, 1],
	],
	[
		'historyAdded',
		'oldestFirst',
		onTask('history', 'historyAdded'),
		ofTask('history'),
		creates(ofTask('history')),
		[1, 1],
	],
	['taskCreated', 'changedFirst', watches('tasks', 'taskCreated'), tasks, creates(tasks), [1, 1]],
	[
		'taskUpdated',
		'changedFirst',
		watches('tasks', 'taskUpdated'),
		tasks,
		changes('/tasks', { title: 'new' }),
		[1, 1],
	],
	[
		'taskMoved',
		'changedFirst',
		watches('tasks', 'taskMoved'),
		tasks,
		changes('/tasks', column),
		[1, 1],
	],
	['taskCreated', 'newestFirst', watches('tasks', 'taskCreated'), tasks, creates(tasks), [1, 1]],
	['taskCreated', 'oldestFirst', watches('tasks', 'taskCreated'), tasks, creates(tasks), [1, 1]],
	[
		'taskMoved',
		'newestFirst',
		watches('tasks', 'taskMoved'),
		tasks,
		changes('/tasks', column),
		[4, 34],
	],
	[
		'taskUpdated',
		'oldestFirst',
		watches('tasks', 'taskUpdated'),
		tasks,
		changes('/tasks', { title: 'new' }),
		[4, 34],
	],
	[
		'taskUpdated',
		'byTitle',
		watches('tasks', 'taskUpdated'),
		tasks,
		changes('/tasks', { jobTitle: 'new' }),
		[2, 18],
	],
	[
		'taskMoved',
		'byTitle',
		watches('tasks', 'taskMoved'),
		tasks,
		changes('/tasks', column),
		[2, 18],
	],
	[
		'personUpdated',
		'byTitle',
		watches('people', 'personUpdated'),
		people,
		changes('/people', { jobTitle: 'new' }),
		[2, 18],
	],
	[
		'personRemovedFromSegment',
		'byTitle',
		onSegment('personRemovedFromSegment'),
		people,
		changes('/people', { segments: [] }),
		[4, 36],
	],
	[
		'personAddedToSegment',
		'byTitle',
		onSegment('personAddedToSegment'),
		people,
		creates(people),
		[2, 18],
	],
];

/** Minutes from something that happens to its item, with two requests a poll and a poll a minute. */
async function minutesTo(
	[, order, parameters, path, act]: Case,
	records: number,
): Promise<{ waits: number[]; size: number }> {
	const tenant = openTenant({ order });
	const segment = tenant.create('/segments', { title: 'Newsletter' });
	const task = tenant.create('/tasks', { title: 'Call', status: '/workspaces/1/columns/a' });
	const segments = [`/segments/${segment}`];
	const ids: string[] = [];
	const given: Given = {
		tenant,
		segment,
		task,
		one: () => ids[Math.floor(tenant.random() * ids.length)],
	};
	if (path(given) === '/tasks') tenant.remove('/tasks', task);
	for (let count = 0; count < records; count++) {
		tenant.passTo(tenant.now + 1000);
		const name = String(tenant.random());
		const status = '/workspaces/1/columns/a';
		ids.push(tenant.create(path(given), { title: name, familyName: name, segments, status }));
	}
	tenant.passTo(tenant.now + MINUTE_MS);
	const trigger = new OpenTrigger(tenant, { ...parameters(given) } as never, {});
	let next = tenant.now;
	const poll = async () => {
		const sent = tenant.requests.length;
		const { items, failure } = await trigger.poll((next = Math.max(tenant.now, next + MINUTE_MS)));
		expect(failure).toBeUndefined();
		expect(tenant.requests.length - sent).toBeLessThanOrEqual(2);
		return items?.length ?? 0;
	};
	// To read everything, and to find out what the lists are like.
	for (let count = 0; count < 20 + records / 8; count++) await poll();
	const waits: number[] = [];
	for (let count = 0; count < 5; count++) {
		if (path(given) === '/people') Object.assign(isNew, { segments });
		act(given);
		let wait = 1;
		while ((await poll()) === 0 && wait < 400) wait++;
		waits.push(wait);
		for (let rest = tenant.random() * 7; rest > 0; rest--) await poll();
	}
	return { waits, size: trigger.size };
}

describe.each(CASES)('%s, listed %s', (...one) => {
	it('is found in the time that README.md gives', async () => {
		const records = Number(process.env.RECORDS ?? 100);
		const { waits, size } = await minutesTo(one, records);
		const most = records <= 100 ? one[5][0] : one[5][1];
		expect({ waits, size }).toEqual({ waits: waits.map((wait) => Math.min(wait, most)), size });
	});
});
