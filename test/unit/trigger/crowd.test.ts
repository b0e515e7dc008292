/* eslint-disable @n8n/community-nodes/no-restricted-globals -- more crowds on demand */
import { memoryOf } from '../../../nodes/ContactTaskCrm/trigger/memory';
import { itInCi, sampled } from '../../support/drawn';
import { seededRandom } from '../../support/seededRandom';
import { Crowd } from './support/crowd';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS, WATCHED } from './support/schedule';
import { furnished, watching } from './support/script';

/** Simulates hours of many runs or triggers. */
jest.setTimeout(600_000);

afterEach(closeTenant);

const SPREAD = 'each at its own second';
const EQUAL = 'at the same second';

/** `CROWDS=all` plays all crowds of a grid. CI plays the listed crowds, and `npm test` a quarter of these. */
const IS_ALL = process.env.CROWDS === 'all';
const played = <T>(cases: T[], of = 4) => (IS_ALL ? cases : sampled(cases, of));

const PHASES = played([EQUAL, SPREAD], 2);

/** Numbers of triggers, and requests per minute. */
const CROWDS = IS_ALL
	? [1, 2, 5, 10, 11, 20, 40].flatMap((count) =>
			[1, 2, 3, 4, 10, 20, 60].map((limit) => [count, limit]),
		)
	: sampled(
			[
				...[1, 2, 3, 20, 5].map((count) => [count, 1]),
				[3, 3],
				[3, 4],
				[6, 4],
				[11, 3],
				[6, 10],
				...[12, 40, 20, 11].map((count) => [count, 20]),
				[40, 60],
			],
			4,
		);

let crowds = 0;

/** Numbers of triggers with a list each, and requests per minute. Such triggers share no page. */
const OWN_LISTS = played([
	[3, 1],
	[2, 2],
	[11, 20],
	[20, 4],
	[6, 10],
	[40, 20],
	[40, 60],
]);

/** Returns triggers on one credential that all watch the same list. */
function crowdOf(
	count: number,
	limit: number,
	phases: string,
	pollBudgetMs?: number,
	events: string | readonly string[] = 'taskUpdated',
) {
	const on = furnished();
	const random = seededRandom(count * 100 + limit);
	const seconds = Array.from({ length: count }, () =>
		phases === EQUAL ? 0 : Math.floor(random() * 60) * 1000,
	);
	const parameters = Array(count).fill(watching(events)(on));
	const setup = { apiKey: `crowd ${++crowds}`, requestsPerMinute: limit };
	return { on, crowd: new Crowd(on.tenant, parameters, seconds, { ...setup, pollBudgetMs }) };
}

describe.each(PHASES)('triggers on one credential, polled each minute, %s', (phases) => {
	it.each(CROWDS)(
		'%d triggers on one list each report every change once (limit: %d requests/min)',
		async (count, limit) => {
			const { on, crowd } = crowdOf(count, limit, phases);
			const { tenant, task } = on;
			const share = Math.max(1, Math.floor(limit / 2));
			/**
			 * Minutes until each trigger has had its turn. A change may come just after a turn, and reading titles may take
			 * another turn.
			 */
			const turn = Math.ceil(count / share);
			const every = 3 * turn + 1;
			await crowd.publish();
			const since = tenant.now + MINUTE_MS;
			const rounds = 2;
			await crowd.poll((rounds + 1) * every, (minute) => {
				const isChange = minute % every === every - 1 && minute < rounds * every;
				if (isChange) tenant.change('/tasks', task, { title: `Call ${minute}` });
			});
			for (const { failures } of crowd.members) expect(failures).toEqual([]);
			expect(crowd.members.map(({ items }) => items.length)).toEqual(Array(count).fill(rounds));
			expect(crowd.mostInMinute(since)).toBeLessThanOrEqual(share);
		},
	);

	it.each(OWN_LISTS)(
		'%d triggers with own lists each report a change once (limit: %d requests/min)',
		async (count, limit) => {
			const on = furnished();
			const { tenant } = on;
			const owners = Array.from({ length: count }, (_, index) => `/users/${index}`);
			const lists = owners.map((owner) => on.many('/people', 31, { owner }));
			const parameters = owners.map((owner) => ({
				...watching('personUpdated')(on),
				filters: { ownerId: [owner] },
			}));
			const seconds = owners.map((_, index) => (phases === EQUAL ? 0 : ((index * 7) % 60) * 1000));
			const setup = { apiKey: `own lists ${++crowds}`, requestsPerMinute: limit };
			const crowd = new Crowd(tenant, parameters, seconds, setup);
			const share = Math.max(1, Math.floor(limit / 2));
			// A list has two pages, and titles and the newest people take requests, too.
			const every = 6 * Math.ceil(count / share) + 2;
			await crowd.publish();
			const since = tenant.now + MINUTE_MS;
			await crowd.poll(2 * every, (minute) => {
				if (minute !== every - 1) return;
				for (const ids of lists) tenant.change('/people', ids[30], { jobTitle: `${minute}` });
			});
			for (const { failures } of crowd.members) expect(failures).toEqual([]);
			expect(crowd.members.map(({ items }) => items.map(({ item }) => item.id))).toEqual(
				lists.map((ids) => [ids[30]]),
			);
			expect(crowd.mostInMinute(since)).toBeLessThanOrEqual(share);
		},
	);

	it.each(
		played([
			[3, 1],
			[3, 4],
			[40, 20],
		]),
	)(
		'%d triggers whose polls may take 36 s report changes once (limit: %d requests/min)',
		async (count, limit) => {
			const { on, crowd } = crowdOf(count, limit, phases, 36_000);
			const share = Math.max(1, Math.floor(limit / 2));
			const every = 4 * Math.ceil(count / share) + 2;
			await crowd.publish();
			await crowd.poll(3 * every, (minute) => {
				const isChange = minute % every === every - 1 && minute < 2 * every;
				if (isChange) on.tenant.change('/tasks', on.task, { title: `Call ${minute}` });
			});
			expect(crowd.members.flatMap(({ failures }) => failures)).toEqual([]);
			expect(crowd.members.map(({ items }) => items.length)).toEqual(Array(count).fill(2));
		},
	);
});

it('A poll skipped because another still runs does not count as the last poll', () => {
	const memory = memoryOf('skipping', 0);
	memory.isPolling = true;
	memoryOf('skipping', MINUTE_MS);
	expect(memory).toMatchObject({ polledAt: 0, apartMs: MINUTE_MS });
	memory.isPolling = false;
	memoryOf('skipping', 2 * MINUTE_MS);
	expect(memory).toMatchObject({ polledAt: 2 * MINUTE_MS, apartMs: MINUTE_MS });
});

itInCi(
	'At one request a minute, twelve triggers polling together each report a change',
	async () => {
		const on = furnished();
		const { tenant, task, member } = on;
		const own = { filters: { ownerId: ['/users/1'] } };
		tenant.change('/people', member, { owner: '/users/1' });
		const lists = [watching('taskUpdated')(on), watching(WATCHED.segment)(on)];
		lists.push({ ...watching('personUpdated')(on), ...own });
		// Triggers of one list are mixed with others, so that each waits for requests of both.
		const parameters = Array.from({ length: 12 }, (_, index) => lists[[0, 1, 2, 1, 1][index % 5]]);
		const setup = { apiKey: 'five minutes', requestsPerMinute: 1, pollBudgetMs: 36_000 };
		const host = 'durableCursors' as const;
		const phases = Array<number>(12).fill(0);
		const crowd = new Crowd(tenant, parameters, phases, { ...setup, host }, 5 * MINUTE_MS);
		await crowd.publish();
		await crowd.poll(12 * 60, (round) => {
			if (round !== 48) return;
			tenant.change('/tasks', task, { title: 'Changed' });
			tenant.change('/people', member, { segments: [], jobTitle: 'Cook' });
		});
		expect(crowd.members.flatMap(({ failures }) => failures)).toEqual([]);
		expect(crowd.members.map(({ items }) => items.length)).toEqual(Array(12).fill(1));
	},
);

itInCi(
	'At two requests a minute, three triggers report one leaving and one joining member',
	async () => {
		const { on, crowd } = crowdOf(3, 2, SPREAD, undefined, WATCHED.segment);
		const { tenant, person, member, inIt } = on;
		on.many('/people', 40, inIt);
		await crowd.publish();
		await crowd.poll(180, (minute) => {
			if (minute === 60) tenant.change('/people', person, inIt);
			if (minute === 70) tenant.change('/people', member, { segments: [] });
		});
		const [joined, left] = WATCHED.segment;
		for (const { items, failures } of crowd.members) {
			expect(failures).toEqual([]);
			expect(items.map(({ item }) => [item.event, item.id])).toEqual([
				[joined, person],
				[left, member],
			]);
		}
	},
);

it("After an hour of 429 answers, each trigger's error names the rate limit", async () => {
	const { on, crowd } = crowdOf(3, 4, SPREAD);
	await crowd.publish();
	on.tenant.failure = () => 429;
	await crowd.poll(80);
	for (const { failures } of crowd.members) {
		expect(failures).toEqual([
			expect.stringMatching(/^The trigger has read nothing for 60 minutes: .* of 4 a minute$/),
		]);
	}
});
