import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import { watchableFields } from '../../../nodes/ContactTaskCrm/trigger/remembered';
import type { TenantHabits } from './support/crmTenant';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS, WATCHED } from './support/schedule';
import type { Furnished } from './support/script';
import { follow, furnished, watching } from './support/script';

afterEach(closeTenant);

const HOUR_MS = 60 * MINUTE_MS;
/** Every answer is written in another way. */
const RESTLESS: Partial<TenantHabits> = { rewrites: true };

describe('watched fields', () => {
	const owner = (watchedFields: string[], others: INodeParameters = {}) =>
		watching('personUpdated', { watchedFields, ...others });

	it('start the workflow only with what they are about, and say from what and to what', async () => {
		const on = furnished(RESTLESS);
		const { tenant, person } = on;
		const { items, poll } = follow(on, owner(['owner', 'jobTitle'])(on));
		await poll(3);
		tenant.change('/people', person, { givenName: 'Noor' });
		await poll(3);
		expect(items).toEqual([]);
		tenant.change('/people', person, { owner: '/users/1' });
		await poll(3);
		tenant.change('/people', person, { owner: '/users/2', jobTitle: 'Chief' });
		await poll(3);
		tenant.change('/people', person, { owner: null });
		await poll(3);
		expect(items.map(({ id, changes }) => [id, changes])).toEqual([
			[person, { owner: { from: null, to: '/users/1' } }],
			[
				person,
				{ jobTitle: { from: null, to: 'Chief' }, owner: { from: '/users/1', to: '/users/2' } },
			],
			[person, { owner: { from: '/users/2', to: null } }],
		]);
		expect(items[0].previousUpdatedAt).toMatch(/Z$/);
	});

	it('keep a workflow from starting itself: it writes the job title and watches the owner', async () => {
		const on = furnished();
		const { tenant, person } = on;
		const { items, poll } = follow(on, owner(['owner'])(on));
		await poll(3);
		for (let round = 1; round <= 3; round++) {
			tenant.change('/people', person, { owner: `/users/${round}` });
			await poll(2);
			tenant.change('/people', person, { jobTitle: `seen ${round}` });
			await poll(2);
		}
		expect(items).toHaveLength(3);
	});

	it('say of a list what was added and removed, in whatever order and form it is answered', async () => {
		const on = furnished({ embeds: true });
		const { tenant, person } = on;
		tenant.change('/people', person, { tags: ['/tags/1', '/tags/2'] });
		const { items, poll } = follow(on, owner(['tags'])(on));
		await poll(3);
		tenant.change('/people', person, { tags: ['/tags/2', '/tags/1'] });
		await poll(3);
		expect(items).toEqual([]);
		tenant.change('/people', person, { tags: ['/tags/3', '/tags/2'] });
		await poll(3);
		const change = {
			from: ['/tags/1', '/tags/2'],
			to: ['/tags/2', '/tags/3'],
			added: ['/tags/3'],
			removed: ['/tags/1'],
		};
		expect(items.map(({ changes }) => changes)).toEqual([{ tags: change }]);
	});

	it('are told of long texts and of addresses, too, and outlast a kill', async () => {
		const on = furnished();
		const { tenant, task } = on;
		const long = 'x'.repeat(5_000);
		tenant.change('/tasks', task, { description: long });
		const watched = { watchedFields: ['description'] };
		const { trigger, items, poll } = follow(on, watching('taskUpdated', watched)(on), {
			host: 'durableCursors',
		});
		await poll(3);
		expect(trigger.size).toBeLessThan(1_000);
		trigger.kill();
		tenant.change('/tasks', task, { description: `${long}y` });
		await poll(3);
		tenant.change('/tasks', task, { description: 'https://example.com/a' });
		await poll(3);
		tenant.change('/tasks', task, { description: 'https://example.com/b' });
		await poll(3);
		expect(items.map(({ changes }) => (changes as { description: unknown }).description)).toEqual([
			{ from: null, to: null },
			{ from: null, to: 'https://example.com/a' },
			{ from: 'https://example.com/a', to: 'https://example.com/b' },
		]);
	});

	it('leave other events as they are: their items have no changes', async () => {
		const on = furnished();
		const { tenant } = on;
		const given = watching(['taskUpdated', 'taskMoved'], { watchedFields: ['title'] })(on);
		const { items, poll } = follow(on, given);
		await poll(3);
		tenant.change('/tasks', on.task, { status: on.column('b') });
		await poll(3);
		expect(items).toMatchObject([{ event: 'taskMoved', changes: null }]);
	});

	it.each(['people', 'tasks'] as const)(
		'all of them, of %s: nothing in 60 quiet polls, however the answers are written',
		async (list) => {
			const on = furnished({ ...RESTLESS, lagMs: 5_000 });
			on.many(`/${list}`, 20, { status: on.column('a'), tags: ['/tags/1'] });
			const watchedFields = watchableFields(
				contracts[list === 'people' ? 'person' : 'task'].fields,
			);
			const { items, failures, poll } = follow(on, watching(WATCHED[list], { watchedFields })(on));
			await poll(60);
			expect([items, failures]).toEqual([[], []]);
		},
	);

	it('are told in one chain of values, whatever is written when', async () => {
		const write = fc.record({
			field: fc.constantFrom('title', 'description', 'assignees'),
			value: fc.nat(2),
			polls: fc.nat(2),
		});
		const shapeOf = (field: string, value: number) =>
			field === 'assignees'
				? [[], ['/users/1'], ['/users/2', '/users/1']][value]
				: `${field} ${value}`;
		await fc.assert(
			fc.asyncProperty(fc.array(write, { maxLength: 30 }), fc.nat(1_000), async (writes, seed) => {
				const on = furnished({ rewrites: true, latencyMs: 900, seed });
				const { tenant, task } = on;
				const start = { title: 'title 0', description: 'description 0', assignees: [] };
				tenant.change('/tasks', task, start);
				const watchedFields = ['title', 'assignees'];
				const { items, poll } = follow(on, watching('taskUpdated', { watchedFields })(on));
				await poll(2);
				for (const { field, value, polls } of writes) {
					tenant.change('/tasks', task, { [field]: shapeOf(field, value) });
					await poll(polls);
					tenant.passTo(tenant.now + 1000);
				}
				await poll(2);
				for (const field of watchedFields) {
					let last: unknown = field === 'title' ? 'title 0' : null;
					for (const { changes } of items) {
						const change = (changes as Record<string, { from: unknown; to: unknown }>)[field];
						if (change === undefined) continue;
						expect(change.from).toEqual(last);
						expect(change.to).not.toEqual(last);
						last = change.to;
					}
					const now = tenant.fieldsOf('/tasks', task)![field];
					const held = Array.isArray(now) && now.length === 0 ? null : now;
					expect(Array.isArray(held) ? [...held].sort() : held).toEqual(last);
				}
				closeTenant();
			}),
			{ numRuns: 100, seed: 3 },
		);
	});

	it('that do not exist are refused when the workflow is published', async () => {
		const on = furnished();
		const { failures, poll } = follow(on, owner(['shoeSize'])(on));
		await poll();
		expect(failures).toEqual([
			'Watched Fields: "shoeSize" is not a field of a person that can be watched',
		]);
	});

	it.each([
		[
			'none of ten shows',
			7,
			[expect.stringMatching(/^Watched Fields: the service shows no "Deal/)],
		],
		['none of nine shows', 6, []],
	])(
		'that %s are refused when the workflow is published: of few it says nothing',
		async (_, others, said) => {
			const on = furnished();
			on.tenant.change('/people', on.person, { jobTitle: null });
			for (let count = 0; count < others; count++) on.tenant.create('/people', { jobTitle: null });
			const { items, failures, poll } = follow(on, owner(['dealSize'])(on));
			await poll();
			expect(items).toEqual([]);
			expect(failures).toEqual(said);
		},
	);
});

describe('Task Due', () => {
	const isoIn = (on: Furnished, ms: number) => new Date(on.tenant.now + ms).toISOString();

	it.each([
		[0, 'days', 0],
		[45, 'minutes', 45 * MINUTE_MS],
		[2, 'hours', 2 * HOUR_MS],
		[1, 'days', 24 * HOUR_MS],
	])('comes %d %s before the date, once, within two minutes', async (time, unit, beforeMs) => {
		const on = furnished(RESTLESS);
		const { tenant, task } = on;
		const given = { timeBeforeDue: time, timeBeforeDueUnit: unit };
		const { items, poll } = follow(on, watching('taskDue', given)(on));
		await poll(2);
		tenant.change('/tasks', task, { dueDate: isoIn(on, beforeMs + 20 * MINUTE_MS) });
		await poll(18);
		expect(items).toEqual([]);
		await poll(4);
		expect(items).toMatchObject([{ event: 'taskDue', id: task }]);
		await poll(20);
		expect(items).toHaveLength(1);
	});

	it('comes anew for a date that is moved, and not of what is completed or archived', async () => {
		const on = furnished();
		const { tenant, task } = on;
		const [done, hidden] = on.many('/tasks', 2);
		const { items, poll } = follow(on, watching('taskDue')(on));
		await poll(2);
		const soon = isoIn(on, 5 * MINUTE_MS);
		for (const id of [task, done, hidden]) tenant.change('/tasks', id, { dueDate: soon });
		await poll();
		tenant.change('/tasks', done, { completedAt: isoIn(on, 0) });
		tenant.change('/tasks', hidden, { archivedAt: isoIn(on, 0) });
		await poll(10);
		expect(items.map(({ id }) => id)).toEqual([task]);
		tenant.change('/tasks', task, { title: 'Call again' });
		await poll(3);
		tenant.change('/tasks', task, { dueDate: isoIn(on, 10 * MINUTE_MS) });
		await poll(20);
		expect(items.map(({ id }) => id)).toEqual([task, task]);
	});

	it('does not come for what was due before the workflow was published', async () => {
		const on = furnished();
		on.tenant.change('/tasks', on.task, { dueDate: isoIn(on, -HOUR_MS) });
		const { items, poll } = follow(on, watching('taskDue')(on));
		await poll(5);
		expect(items).toEqual([]);
	});

	it('takes a day without a time as its beginning', async () => {
		const on = furnished();
		on.tenant.change('/tasks', on.task, { dueDate: '2026-01-06' });
		const { items, poll } = follow(on, watching('taskDue')(on));
		await poll(24, 30 * MINUTE_MS);
		expect(items).toEqual([]);
		await poll(24, 30 * MINUTE_MS);
		expect(items).toMatchObject([{ dueDate: '2026-01-06' }]);
	});

	it('costs no request of its own', async () => {
		const on = furnished();
		on.many('/tasks', 100, { dueDate: isoIn(on, 20 * MINUTE_MS) });
		const { items, poll } = follow(on, watching('taskDue')(on));
		for (let minute = 0; minute < 40; minute++) {
			const before = on.tenant.requests.length;
			await poll();
			expect(on.tenant.requests.length - before).toBeLessThanOrEqual(2);
		}
		expect(items).toHaveLength(100);
	});
});

describe.each([
	[
		'assignees',
		{ assignees: ['/users/1'] },
		{ assignees: ['/users/1', '/users/2'] },
		{ assignees: ['/users/2'] },
	],
	['tags', { tags: ['1'] }, { tags: ['/tags/2', '/tags/1'] }, { tags: [] }],
	[
		'completed',
		{ existsCompletedAt: true },
		{ completedAt: '2026-01-05T09:00:00Z' },
		{ completedAt: null },
	],
	[
		'open',
		{ existsCompletedAt: false },
		{ completedAt: null },
		{ completedAt: '2026-01-05T09:00:00Z' },
	],
] as Array<[string, INodeParameters, IDataObject, IDataObject]>)(
	'a filter of tasks by %s',
	(_, filters, fits, doesNot) => {
		it('lets only those start the workflow', async () => {
			const on = furnished({ embeds: true });
			const { items, poll } = follow(on, watching('taskCreated', { filters })(on));
			await poll(2);
			const id = on.tenant.create('/tasks', { status: on.column('a'), ...fits });
			on.tenant.create('/tasks', { status: on.column('a'), ...doesNot });
			await poll(3);
			expect(items.map((item) => item.id)).toEqual([id]);
		});
	},
);

describe('the requests of polls far apart', () => {
	const changesOf = (on: Furnished, ids: string[]) =>
		[3, 500, 999].map((place) => {
			on.tenant.change('/tasks', ids[place], { status: on.column('b') });
			return ids[place];
		});

	it.each([1, 24])('read all of 1,000 tasks in one poll, polled every %d h', async (hours) => {
		const on = furnished({ order: 'byTitle' });
		const ids = on.many('/tasks', 1_000, { status: on.column('a') });
		const { items, failures, poll } = follow(on, watching('taskMoved')(on));
		await poll(3, hours * HOUR_MS);
		const moved = changesOf(on, ids);
		const before = on.tenant.requests.length;
		await poll(1, hours * HOUR_MS);
		expect(items.map(({ id }) => id).sort()).toEqual(moved.sort());
		expect(failures).toEqual([]);
		expect(on.tenant.requests.length - before).toBeLessThanOrEqual(40);
	});

	it('take half of a minute of the service at most, within the time that n8n gives', async () => {
		const on = furnished({ order: 'byTitle' });
		on.many('/tasks', 1_000, { status: on.column('a') });
		const times: number[] = [];
		const answer = on.tenant.answer.bind(on.tenant);
		on.tenant.answer = async (...asked) => {
			times.push(on.tenant.now);
			return await answer(...asked);
		};
		const { poll } = follow(on, watching('taskMoved')(on), { pollBudgetMs: 2 * MINUTE_MS });
		await poll(1, HOUR_MS);
		const start = on.tenant.now + HOUR_MS;
		await poll(1, HOUR_MS);
		for (const at of times) {
			expect(
				times.filter((time) => time >= at && time < at + MINUTE_MS).length,
			).toBeLessThanOrEqual(10);
		}
		expect(times.length).toBeGreaterThan(12);
		expect(on.tenant.now - start).toBeLessThanOrEqual(2 * MINUTE_MS + 2000);
	});

	it('are two in a minute where polls are a minute apart, or as many as the user says', async () => {
		for (const [options, most] of [
			[{}, 2],
			[{ maxRequestsPerPoll: 5 }, 5],
		] as const) {
			const on = furnished({ order: 'byTitle' });
			on.many('/tasks', 300);
			const { poll } = follow(on, watching('taskMoved', { options })(on));
			const sent: number[] = [];
			for (let count = 0; count < 5; count++) {
				const before = on.tenant.requests.length;
				await poll();
				sent.push(on.tenant.requests.length - before);
			}
			expect(Math.max(...sent)).toBe(most);
			closeTenant();
		}
	});
});

it('a state of an earlier form is told once, and the trigger begins anew', async () => {
	const on = furnished();
	const { trigger, items, failures, poll } = follow(on, watching('taskMoved')(on));
	await poll(3);
	trigger.damage((saved) => ({ ...saved, v: 2 }));
	trigger.kill();
	on.tenant.change('/tasks', on.task, { status: on.column('b') });
	await poll(5);
	expect(failures).toEqual([
		'What this trigger remembered cannot be read: it is damaged, or was written by another version of this package',
	]);
	expect(items).toEqual([]);
	on.tenant.change('/tasks', on.task, { status: on.column('c') });
	await poll(2);
	expect(items).toMatchObject([{ previousStatus: on.column('b') }]);
});

it.each(['taskUpdated', 'taskMoved', 'taskCompleted'])(
	'%s is not told of what changed before publishing, though a copy that lagged was read first',
	async (event) => {
		const on = furnished();
		const { tenant, task } = on;
		const old = { ...tenant.fieldsOf('/tasks', task) };
		tenant.passTo(tenant.now + 5 * MINUTE_MS);
		const done = { status: on.column('b'), completedAt: '2026-01-05T09:05:00Z' };
		tenant.change('/tasks', task, done);
		const answer = tenant.answer.bind(tenant);
		tenant.answer = async (path, query) => {
			const given = await answer(path, query);
			if (
				path === '/tasks' &&
				tenant.requests.filter((one) => one.startsWith('/tasks')).length === 1
			) {
				return { status: 200, body: { member: [old], totalItems: 1, view: {} } };
			}
			return given;
		};
		const { items, failures, poll } = follow(on, watching(event)(on));
		await poll(5);
		expect([items, failures]).toEqual([[], []]);
		expect(tenant.requests.length).toBeGreaterThan(4);
		tenant.change('/tasks', task, { status: on.column('c'), completedAt: '2026-01-05T09:15:00Z' });
		await poll(2);
		expect(items).toHaveLength(1);
	},
);
