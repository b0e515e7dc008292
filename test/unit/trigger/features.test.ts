import type { IDataObject } from 'n8n-workflow';
import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import { watchableFields } from '../../../nodes/ContactTaskCrm/trigger/remembered';
import { itInCi, sampled } from '../../support/drawn';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS, WATCHED } from './support/schedule';
import type { Furnished } from './support/script';
import { follow, furnished, watching } from './support/script';

afterEach(closeTenant);

const HOUR_MS = 60 * MINUTE_MS;

describe('watched fields', () => {
	const owner = (watchedFields: string[]) => watching('personUpdated', { watchedFields });

	it('A trigger reports old and new values of watched fields, even after n8n crashes', async () => {
		const on = furnished();
		const { tenant, task } = on;
		const long = 'x'.repeat(5_000);
		tenant.change('/tasks', task, { description: long });
		const watched = { watchedFields: ['title', 'description'] };
		const { trigger, items, poll } = follow(on, watching('taskUpdated', watched)(on), {
			host: 'durableCursors',
		});
		await poll(3);
		expect(trigger.size).toBeLessThan(1_000);
		trigger.kill();
		tenant.change('/tasks', task, { description: `${long}y` });
		await poll(3);
		tenant.change('/tasks', task, { description: 'https://example.com/a', title: 'Mail' });
		await poll(3);
		tenant.change('/tasks', task, { description: 'https://example.com/b' });
		await poll(3);
		const title = { from: 'Call', to: 'Mail' };
		expect(items.map(({ changes }) => changes)).toEqual([
			{ description: { from: null, to: null } },
			{ description: { from: null, to: 'https://example.com/a' }, title },
			{ description: { from: 'https://example.com/a', to: 'https://example.com/b' } },
		]);
	});

	itInCi.each<[string, string, IDataObject, IDataObject]>([
		['owner', 'ownerId', { owner: '/users/2' }, { owner: '/users/1' }],
		['tags', 'tagsId', { tags: ['/tags/2'] }, { tags: ['/tags/1', '/tags/2'] }],
	])(
		'A trigger that watches and filters by %s reports each person entering its list',
		async (field, filter, out, into) => {
			const on = furnished();
			const { tenant, person } = on;
			tenant.change('/people', person, out);
			on.many('/people', 40, into, 1_000);
			const given = { watchedFields: [field, 'jobTitle'], filters: { [filter]: ['1'] } };
			const { items, poll } = follow(on, watching('personUpdated', given)(on));
			await poll(5);
			tenant.change('/people', person, into);
			await poll(5);
			tenant.change('/people', person, { jobTitle: 'Chief' });
			await poll(5);
			tenant.change('/people', person, out);
			await poll(10);
			tenant.change('/people', person, into);
			await poll(5);
			const to = into[field];
			const come = { [field]: { from: null, to } };
			expect(items).toMatchObject([
				{ id: person, changes: come },
				{ id: person, changes: { jobTitle: { to: 'Chief' } } },
				{ id: person, changes: come },
			]);
			expect(items.map(({ changes }) => Object.keys(changes as IDataObject).length)).toEqual([
				1, 1, 1,
			]);
		},
	);

	it('Watching and filtering by owner, a trigger reports nobody whom lists hid for minutes', async () => {
		const on = furnished();
		const ids = on.many('/people', 20, { owner: '/users/1' }, 1_000);
		const given = { watchedFields: ['owner'], filters: { ownerId: ['1'] } };
		const { items, poll } = follow(on, watching('personUpdated', given)(on));
		await poll(5);
		on.tenant.shownPart = 0.5;
		await poll(4);
		for (const id of ids) on.tenant.change('/people', id, { jobTitle: 'Chief' });
		on.tenant.shownPart = 1;
		await poll(5);
		expect(items).toEqual([]);
	});

	it('A trigger filtered by owner that watches job titles reports nobody entering its list', async () => {
		const on = furnished();
		const given = { watchedFields: ['jobTitle'], filters: { ownerId: ['1'] } };
		const { items, poll } = follow(on, watching('personUpdated', given)(on));
		await poll(5);
		on.tenant.change('/people', on.person, { owner: '/users/1' });
		await poll(5);
		on.tenant.change('/people', on.person, { jobTitle: 'Chief' });
		await poll(5);
		expect(items).toMatchObject([{ changes: { jobTitle: { from: null, to: 'Chief' } } }]);
	});

	it('With watched fields, a trigger still reports Task Moved, in an item without changes', async () => {
		const on = furnished();
		const { tenant } = on;
		const given = watching(['taskUpdated', 'taskMoved'], { watchedFields: ['title'] })(on);
		const { items, poll } = follow(on, given);
		await poll(3);
		tenant.change('/tasks', on.task, { status: on.column('b') });
		await poll(3);
		expect(items).toMatchObject([{ event: 'taskMoved', changes: null }]);
	});

	itInCi.each(['people', 'tasks'] as const)(
		'A trigger that watches all fields of %s ignores another form of a value',
		async (list) => {
			const on = furnished({ rewrites: true, lagMs: 5_000 });
			on.many(`/${list}`, 20, { status: on.column('a'), tags: ['/tags/1'] });
			const watchedFields = watchableFields(
				contracts[list === 'people' ? 'person' : 'task'].fields,
			);
			const { items, failures, poll } = follow(on, watching(WATCHED[list], { watchedFields })(on));
			await poll(60);
			expect([items, failures]).toEqual([[], []]);
		},
	);

	it('On publishing, a trigger refuses a watched field that does not exist', async () => {
		const on = furnished();
		const { failures, poll } = follow(on, owner(['shoeSize'])(on));
		await poll();
		expect(failures).toEqual([
			'Watched Fields: "shoeSize" is not a field of a person that can be watched',
		]);
	});

	it.each([
		['ten people', 7, [expect.stringMatching(/^Watched Fields: the service shows no "Deal/)]],
		['nine people', 6, []],
	])(
		'The first poll fails if ten people, not fewer, lack the watched field: %s',
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

describe('a service that leaves out empty fields', () => {
	it.each([
		['owner', 'ownerId', '/users/1'],
		['tags', 'tagsId', ['/tags/1']],
	])(
		'A segment trigger filtered by %s reports only joining people who have it',
		async (field, filter, value) => {
			const on = furnished();
			const [joined] = WATCHED.segment;
			const { ids, poll } = follow(on, watching(joined!, { filters: { [filter]: ['1'] } })(on));
			await poll(10);
			on.many('/people', 1, on.inIt);
			const [fitting] = on.many('/people', 1, { ...on.inIt, [field]: value });
			await poll(10);
			expect(ids()).toEqual([fitting]);
		},
	);
});

describe('the lists of titles', () => {
	itInCi('In two hours, a trigger reads the list of workspaces at most three times', async () => {
		const on = furnished();
		const { tenant, task, column } = on;
		const columns = ['a', 'c0', 'c1'].map((id) => ({
			'@id': column(id),
			id,
			title: `Column ${id}`,
		}));
		tenant.change('/workspaces', column('a').split('/')[2]!, { columns });
		const { items, poll } = follow(on, watching('taskMoved', { output: 'simplified' })(on));
		const moved = (count: number) =>
			count % 3 === 2 && tenant.change('/tasks', task, { status: column(`c${count % 2}`) });
		await poll(120, MINUTE_MS, moved);
		expect(items.length).toBeGreaterThan(20);
		const reads = tenant.requests.filter((request) => /^\/workspaces\b/.test(request));
		expect(reads.length).toBeLessThanOrEqual(3);
	});
});

describe('Task Due', () => {
	const isoIn = (on: Furnished, ms: number) => new Date(on.tenant.now + ms).toISOString();

	it.each(
		sampled(
			[
				[0, 'days', 0],
				[45, 'minutes', 45 * MINUTE_MS],
				[2, 'hours', 2 * HOUR_MS],
				[1, 'days', 24 * HOUR_MS],
			],
			4,
		),
	)(
		'Set to %d %s before, Task Due reports a task once, within two minutes',
		async (time, unit, beforeMs) => {
			const on = furnished({ rewrites: true });
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
		},
	);

	itInCi.each(['a new task', 'a rescheduled task'])(
		'Set to three days before, Task Due reports %s that is due tomorrow',
		async (which) => {
			const on = furnished();
			const { tenant, task } = on;
			const dueDate = (days: number) =>
				new Date(tenant.now + days * 1_440 * MINUTE_MS).toISOString();
			tenant.change('/tasks', task, { dueDate: dueDate(30) });
			const given = { timeBeforeDue: 3, timeBeforeDueUnit: 'days' };
			const { items, poll } = follow(on, watching('taskDue', given)(on));
			await poll(5);
			const tomorrow = { title: 'New', status: on.column('a'), dueDate: dueDate(1) };
			const id = which === 'a new task' ? tenant.create('/tasks', tomorrow) : task;
			if (id === task) tenant.change('/tasks', task, tomorrow);
			await poll(200, 10 * MINUTE_MS);
			expect(items.map((item) => item.id)).toEqual([id]);
		},
	);

	itInCi('Task Due takes a date without a time as the beginning of that day', async () => {
		const on = furnished();
		on.tenant.change('/tasks', on.task, { dueDate: '2026-01-06' });
		const { items, poll } = follow(on, watching('taskDue')(on));
		await poll(24, 30 * MINUTE_MS);
		expect(items).toEqual([]);
		await poll(24, 30 * MINUTE_MS);
		expect(items).toMatchObject([{ dueDate: '2026-01-06' }]);
	});

	it('Task Due compares a date without a time in the zone of the workflow', async () => {
		const on = furnished();
		// In New York, the zone of the workflow, 6 January begins at 5:00 UTC.
		on.tenant.passTo(Date.parse('2026-01-06T02:00:00Z'));
		const given = { timeBeforeDue: 3, timeBeforeDueUnit: 'days' };
		const { items, poll } = follow(on, watching('taskDue', given)(on));
		await poll(3);
		on.tenant.change('/tasks', on.task, { dueDate: '2026-01-06' });
		await poll(3);
		expect(items).toMatchObject([{ dueDate: '2026-01-06' }]);
	});
});

describe('the requests of polls far apart', () => {
	itInCi('A trigger that polls every hour reads all of 1,000 tasks in one poll', async () => {
		const on = furnished({ order: 'byTitle' });
		const ids = on.many('/tasks', 1_000, { status: on.column('a') });
		const { items, failures, poll } = follow(on, watching('taskMoved')(on));
		await poll(3, HOUR_MS);
		const moved = [3, 500, 999].map((place) => ids[place]);
		for (const id of moved) on.tenant.change('/tasks', id, { status: on.column('b') });
		const before = on.tenant.requests.length;
		await poll(1, HOUR_MS);
		expect(items.map(({ id }) => id).sort()).toEqual(moved.sort());
		expect(failures).toEqual([]);
		expect(on.tenant.requests.length - before).toBeLessThanOrEqual(40);
	});

	itInCi.each([
		[36_000, 300],
		[5 * MINUTE_MS, 1_500],
	])('An hourly poll that may take %d ms reads about %d records', async (pollBudgetMs, records) => {
		const on = furnished({ order: 'byTitle' });
		const ids = on.many('/tasks', 1_999, { status: on.column('a') });
		const { items, poll } = follow(on, watching('taskUpdated')(on), { pollBudgetMs });
		await poll();
		for (const id of ids) on.tenant.change('/tasks', id, { status: on.column('b') });
		await poll(1, HOUR_MS);
		// One of its requests may read titles.
		expect(items.length).toBeGreaterThanOrEqual(records - 30);
		expect(items.length).toBeLessThanOrEqual(records);
	});

	it('An hourly trigger sends at most ten requests a minute for about two minutes', async () => {
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
});

it.each(['taskUpdated', 'taskMoved', 'taskCompleted'])(
	'A trigger on %s ignores changes before publishing, even after a stale first read',
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

itInCi.each(['completedAt', 'archivedAt'])(
	'Task Due reports a due task once, after its %s becomes empty',
	async (field) => {
		const on = furnished();
		const { tenant } = on;
		const [id] = on.many('/tasks', 5, { dueDate: '2026-01-05T09:30:00Z' });
		const { poll, items } = follow(on, watching('taskDue')(on));
		await poll(10);
		tenant.change('/tasks', id, { [field]: '2026-01-05T09:11:00Z' });
		await poll(50);
		expect(items.map((item) => item.id)).not.toContain(id);
		items.length = 0;
		for (const time of [null, '2026-01-05T10:30:00Z', null]) {
			tenant.change('/tasks', id, { [field]: time });
			await poll(10);
		}
		expect(items.map((item) => item.id)).toEqual([id]);
	},
);
