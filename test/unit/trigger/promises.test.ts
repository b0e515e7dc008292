import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../../../nodes/ContactTaskCrm/util/clock';
import { itInCi } from '../../support/drawn';
import type { Answer, CrmTenant } from './support/crmTenant';
import { closeTenant, inVirtualTime, OpenTrigger } from './support/openTenant';
import { MINUTE_MS, WATCHED } from './support/schedule';
import { follow, furnished, watching } from './support/script';

/** Simulates hours of many runs or triggers. */
jest.setTimeout(600_000);

afterEach(closeTenant);

const HOUR_MS = 60 * MINUTE_MS;
/** Longest duration of a poll, with the waits of its requests for slots. */
const POLL_MS = 20_000;
const [JOINED, LEFT] = WATCHED.segment;
type Page = { member: IDataObject[] };

/** Changes the form of each record in answers of a list. */
function rewritten(tenant: CrmTenant, rewrite: (record: IDataObject) => IDataObject) {
	const answer = tenant.answer.bind(tenant);
	tenant.answer = async (...asked) => {
		const { status, body } = (await answer(...asked)) as Answer & { body: Page };
		return { status, body: { ...body, member: body.member.map(rewrite) } };
	};
}

it("A trigger reports each person's e-mail change once, even if updatedAt stays the same", async () => {
	const on = furnished();
	let email = 'old@example.com';
	rewritten(on.tenant, (record) => ({ ...record, emailAddresses: [{ email }] }));
	const { poll, found } = follow(on, watching('personUpdated')(on));
	await poll(5);
	email = 'new@example.com';
	await poll(10);
	expect(found).toHaveLength(3);
	expect(found[0].item.emailAddresses).toEqual([{ email }]);
});

it('A trigger reports a recent member who left while n8n was down', async () => {
	const on = furnished();
	const { tenant, inIt } = on;
	const { trigger, poll, ids } = follow(on, watching(LEFT)(on));
	await poll(30, HOUR_MS);
	const joined = tenant.create('/people', inIt);
	// The trigger makes an execution without items, so that n8n saves that the member joined.
	await poll(2, HOUR_MS);
	trigger.kill();
	tenant.change('/people', joined, { segments: [] });
	await poll(20);
	expect(ids()).toEqual([joined]);
});

describe('many people created together', () => {
	itInCi.each([
		[60, ['personCreated'], 5],
		[60, WATCHED.people, 5],
		[3_000, ['personCreated'], 10],
		[3_000, WATCHED.people, 10],
	])(
		'After %d new people, a trigger on %j reports later people within %d minutes',
		async (crowd, events, minutes) => {
			const on = furnished();
			const { tenant } = on;
			on.many('/people', 100);
			const { poll, found } = follow(on, watching(events)(on));
			await poll(60);
			found.length = 0;
			const created = new Map<string, number>();
			await poll(240, MINUTE_MS, (count) => {
				if (count === 0) on.many('/people', crowd);
				const id = tenant.create('/people', {});
				if (count > (crowd > 60 ? 60 : 0)) created.set(id, tenant.now);
			});
			await poll(minutes);
			const told = found.filter(({ item }) => item.event === 'personCreated');
			for (const [id, at] of created) {
				const given = told.filter(({ item }) => item.id === id);
				expect(given).toHaveLength(1);
				expect(given[0].at - at).toBeLessThanOrEqual(minutes * MINUTE_MS + POLL_MS);
			}
			expect(new Set(told.map(({ item }) => item.id)).size).toBe(told.length);
			if (crowd === 60) expect(told).toHaveLength(crowd + 240);
		},
	);
});

itInCi.each([
	['personCreated', '/people'],
	['taskCreated', '/tasks'],
])(
	'A trigger reports 5,000 records created in a minute, within 30 minutes: %s',
	async (event, path) => {
		const on = furnished();
		on.many(path, 100);
		const { poll, found, ids } = follow(on, watching(event)(on));
		await poll(60);
		const imported = on.many(path, 5_000, {}, 12);
		const at = on.tenant.now;
		await poll(60);
		expect(ids()).toHaveLength(5_000);
		expect(new Set(ids())).toEqual(new Set(imported));
		const last = Math.max(...found.map((one) => one.at - at));
		expect(last / MINUTE_MS).toBeLessThanOrEqual(30);
	},
);

itInCi.each([true, false])(
	'A trigger reports joining members although the service ignores filters (time filters too: %s)',
	async (ignoresTime) => {
		const on = furnished({ ignoresFilters: true, ignoresTime });
		const { tenant, inIt } = on;
		const ids = on.many('/people', 100);
		const { poll, ids: told } = follow(on, watching(JOINED)(on));
		await poll(30);
		await poll(60, MINUTE_MS, (count) => {
			if (count % 2 === 0) tenant.change('/people', ids[count], inIt);
		});
		await poll(20);
		expect(told().sort()).toEqual(ids.filter((_, index) => index < 60 && index % 2 === 0).sort());
	},
);

itInCi.each([
	['taskMoved', 5_000],
	['taskMoved', 150_000],
	['taskCompleted', 5_000],
	['taskCompleted', 150_000],
])('A trigger on %s reports each change once although answers lag %d ms', async (event, lagMs) => {
	const on = furnished({ lagMs, latencyMs: 2_000 });
	const { tenant } = on;
	const ids = on.many('/tasks', 20, { status: on.column('a') });
	const parameters = { ...watching(event)(on), options: { maxRequestsPerPoll: 5 } };
	const { poll, found } = follow(on, parameters);
	await poll(10);
	await poll(200, MINUTE_MS, (count) => {
		const at = tenant.now + MINUTE_MS - 1_000;
		const fields =
			event === 'taskMoved'
				? { status: on.column(count % 40 < 20 ? 'b' : 'a') }
				: { completedAt: new Date(at).toISOString() };
		tenant.schedule(at, () => tenant.change('/tasks', ids[count % 20], fields));
	});
	await poll(5);
	expect(found).toHaveLength(200);
});

itInCi(
	'A trigger reports no change between a failed publishing and the next publishing',
	async () => {
		const on = furnished();
		const { tenant } = on;
		on.many('/people', 100);
		const { trigger, poll, found, failures } = follow(on, watching('personUpdated')(on));
		tenant.failure = () => (tenant.requests.length > 1 ? 500 : undefined);
		await poll();
		expect(failures).toHaveLength(1);
		tenant.failure = undefined;
		const ids = on.many('/people', 250);
		tenant.passTo(tenant.now + 72 * HOUR_MS);
		for (const id of ids) tenant.change('/people', id, { jobTitle: 'Chief' });
		trigger.publish();
		tenant.passTo(tenant.now + MINUTE_MS);
		await poll(60);
		expect(found).toEqual([]);
	},
);

it.each(['the same', 'other'])(
	'Publishing a trigger again after two hours with %s settings takes under a minute',
	async (which) => {
		const on = furnished({ order: 'byTitle' });
		const { tenant } = on;
		on.many('/tasks', 1_000, { status: on.column('a') });
		const { trigger, poll } = follow(on, watching('taskMoved')(on));
		await poll(3);
		tenant.passTo(tenant.now + 2 * HOUR_MS);
		trigger.publish(which === 'other' ? watching('taskCompleted')(on) : undefined);
		const from = tenant.now;
		await trigger.poll();
		expect(tenant.now - from).toBeLessThan(MINUTE_MS);
	},
);

itInCi(
	'A trigger reports no old member although 300 people join during its first scan',
	async () => {
		const on = furnished();
		const { tenant, inIt } = on;
		const members = on.many('/people', 35, inIt, 2_000);
		const others = on.many('/people', 300, {}, 1_000);
		members.push(...on.many('/people', 30, inIt, 2_000));
		const { poll, ids } = follow(on, watching('personAddedToSegment')(on));
		await poll(1);
		for (const id of others) tenant.change('/people', id, inIt);
		await poll(40);
		expect(ids().filter((id) => members.includes(String(id)))).toEqual([]);
	},
);

it("A trigger with another company's key forgets its state, and reports only later people", async () => {
	const on = furnished();
	const { tenant } = on;
	const first = follow(on, watching('personCreated')(on), { apiKey: 'key of one company' });
	await first.poll(5);
	on.many('/people', 20);
	tenant.passTo(tenant.now + HOUR_MS);
	const setup = { apiKey: 'key of another company', memory: first.trigger.database };
	const other = follow(on, watching('personCreated')(on), setup);
	await other.poll(5);
	expect(other.found).toEqual([]);
	const id = tenant.create('/people', {});
	await other.poll(5);
	expect(other.ids()).toEqual([id]);
});

itInCi(
	'A trigger reports new people within five minutes although one lacks a creation time',
	async () => {
		const on = furnished();
		const { tenant } = on;
		const ids = on.many('/people', 1_000, {}, 1_000);
		const created = new Map<string, number>();
		rewritten(tenant, (record) =>
			record.id === ids[990] ? { ...record, createdAt: null } : record,
		);
		const { poll, found } = follow(on, watching('personCreated')(on));
		await poll(30);
		await poll(60, MINUTE_MS, () => created.set(tenant.create('/people', {}), tenant.now));
		await poll(5);
		expect(found).toHaveLength(created.size);
		const delays = found.map(({ at, item }) => at - created.get(String(item.id))!);
		expect(Math.max(...delays)).toBeLessThanOrEqual(5 * MINUTE_MS);
	},
);

describe('many people who leave a segment of 1,000 together', () => {
	const members = () => {
		const on = furnished({ showsArchived: false });
		const ids = on.many('/people', 1_000, on.inIt, 1_000);
		const archive = (count: number) =>
			ids
				.slice(0, count)
				.forEach((id) => on.tenant.change('/people', id, { archivedAt: '2026-01-05T10:00:00Z' }));
		return { ...on, ids, archive };
	};

	itInCi.each([
		[50, true, 120],
		[300, false, 60],
	])(
		'A trigger reports %d members who leave (archived before: %s) within %d minutes',
		async (count, isArchived, minutes) => {
			const on = members();
			const { tenant, ids } = on;
			if (isArchived) on.archive(count);
			const { poll, ids: told } = follow(on, watching(LEFT)(on));
			await poll(90);
			expect(told()).toEqual([]);
			for (const id of ids.slice(0, count)) tenant.change('/people', id, { segments: [] });
			await poll(minutes);
			expect(told().sort()).toEqual(ids.slice(0, count).sort());
		},
	);

	itInCi(
		'A trigger does not report archived members as removed, even 300 archived together',
		async () => {
			const on = members();
			const { poll, ids: told } = follow(on, watching(WATCHED.segment)(on));
			await poll(60);
			on.archive(300);
			await poll(180);
			expect(told()).toEqual([]);
		},
	);
});

itInCi(
	'A trigger reports joining people if lists ignore order and include archived members',
	async () => {
		const on = furnished({ ignoresTime: true, mostPerPage: 3 });
		const { tenant, inIt } = on;
		for (const archivedAt of Array(6).fill([null, '2026-01-05T08:00:00Z']).flat()) {
			on.many('/people', 1, { ...inIt, archivedAt }, 1_000);
		}
		const outside = tenant.create('/people', { segments: [] });
		const { poll, ids: told } = follow(on, watching(WATCHED.segment)(on));
		await poll(60);
		tenant.change('/people', outside, inIt);
		await poll(60);
		expect(told()).toEqual([outside]);
	},
);

itInCi(
	'If lists lack totals and order, a trigger reports newcomers without reads by ID',
	async () => {
		const on = furnished({ ignoresTime: true, hasTotals: false, mostPerPage: 5 });
		const { tenant, inIt } = on;
		on.many('/people', 40, inIt, 1_000);
		const outside = tenant.create('/people', { segments: [] });
		const { poll, ids: told } = follow(on, watching(WATCHED.segment)(on));
		await poll(20);
		tenant.change('/people', outside, inIt);
		await poll(20);
		expect(told()).toEqual([outside]);
		expect(tenant.requests.filter((request) => request.startsWith('/people/'))).toEqual([]);
	},
);

itInCi(
	'Forty triggers on one credential start within forty seconds after a restart of n8n',
	async () => {
		const on = furnished();
		on.many('/tasks', 200);
		const parameters = watching('taskUpdated')(on);
		const { trigger, poll } = follow(on, parameters, { apiKey: 'restarted' });
		await poll(5);
		const memory = trigger.database;
		const from = on.tenant.now;
		for (let count = 0; count < 40; count++) {
			const setup = { apiKey: 'restarted', memory };
			const { failure } = await new OpenTrigger(on.tenant, parameters, setup).poll();
			expect(failure).toBeUndefined();
		}
		expect(on.tenant.now - from).toBeLessThanOrEqual(40_000);
	},
);

itInCi(
	'A trigger reports a long import completely, and then sends two requests a minute',
	async () => {
		const on = furnished({ order: 'byTitle' });
		const { tenant } = on;
		on.many('/people', 100, {}, 1_000);
		const { poll, items } = follow(on, watching('personCreated')(on));
		await poll(20);
		const ids: string[] = [];
		await poll(20, MINUTE_MS, () => ids.push(...on.many('/people', 300, {}, 5)));
		// Ten requests a minute read 300 people.
		await poll(30);
		expect(items.map(({ id }) => id).sort()).toEqual(ids.sort());
		// Afterwards, a quiet scan costs two requests a minute again.
		await poll(60);
		const requests = tenant.requests.length;
		await poll(20);
		expect(tenant.requests.length - requests).toBeLessThanOrEqual(41);
	},
);

itInCi(
	'If the service is down, a trigger fails immediately and hourly, despite clock changes',
	async () => {
		const on = furnished();
		const { poll, failures } = follow(on, watching('taskUpdated')(on));
		await poll(5);
		on.tenant.failure = () => 500;
		await poll();
		expect(failures).toHaveLength(1);
		const { wallTime } = systemClock;
		jest.spyOn(systemClock, 'wallTime').mockImplementation(() => wallTime() - 4 * HOUR_MS);
		await poll(125);
		expect(failures).toHaveLength(3);
	},
);

itInCi(
	'Ten minutes after its second poll, a segment trigger makes one execution without items',
	async () => {
		const on = furnished();
		on.many('/people', 100, on.inIt);
		const { trigger, poll } = follow(on, watching(LEFT)(on));
		await poll(1);
		const [begun, saved] = [on.tenant.now, [] as number[]];
		for (let minute = 1; minute <= 60; minute++) {
			const at = begun + minute * MINUTE_MS;
			on.tenant.passTo(at);
			if ((await trigger.poll(at)).items) saved.push(minute);
		}
		expect(saved).toEqual([11]);
	},
);

itInCi(
	'Two triggers of one workflow, polled simultaneously, neither repeat nor lose an event',
	async () => {
		const on = furnished();
		const { tenant } = on;
		tenant.passTo(tenant.now + MINUTE_MS);
		const triggers = ['taskCreated', 'taskUpdated'].map((event) => {
			const parameters = { output: 'raw', ...watching(event)(on) };
			return new OpenTrigger(tenant, parameters, { host: 'scheduler' });
		});
		const told: unknown[][] = [[], []];
		let empty = 0;
		for (let count = 0; count < 40; count++) {
			tenant.passTo(tenant.now + MINUTE_MS);
			if (count === 5) on.many('/tasks', 2);
			if (count === 10 || count === 15) {
				on.many('/tasks', 1);
				tenant.change('/tasks', on.task, { title: `Mail ${count}` });
			}
			const loaded = triggers.map(({ database }) => database);
			const ends = await inVirtualTime(
				Promise.all(triggers.map(async (trigger) => await trigger.begin())),
			);
			ends.forEach(({ items }, index) => {
				told[index].push(...(items ?? []).map(({ id }) => id));
				if (items?.length === 0) empty++;
			});
			// The second execution also saves the data of the first node, as loaded for the poll.
			if (count > 0 && ends[1].items) triggers[0].database = loaded[0];
		}
		expect(told[0]).toEqual([...new Set(told[0])]);
		expect(told[0]).toHaveLength(4);
		expect(told[1]).toEqual([on.task, on.task]);
		// An execution without items saves the state again that the other node has overwritten.
		expect(empty).toBe(1);
	},
);

it('A two-hourly trigger checks in every fourth poll that its segment exists', async () => {
	const on = furnished();
	const { poll } = follow(on, watching(WATCHED.segment)(on));
	await poll(5, 2 * HOUR_MS);
	const before = on.tenant.requests.length;
	await poll(20, 2 * HOUR_MS);
	const after = on.tenant.requests.slice(before);
	const checks = after.filter((request) => request.startsWith(`/segments/${on.segment}`));
	expect(checks).toHaveLength(5);
});
