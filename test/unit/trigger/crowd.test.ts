import { seededRandom } from '../../support/seededRandom';
import { Crowd } from './support/crowd';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS, WATCHED } from './support/schedule';
import { furnished, watching } from './support/script';

afterEach(closeTenant);

const SPREAD = 'each at its own second';
const EQUAL = 'at the same second';

let crowds = 0;

/** Triggers on one credential of so many requests a minute, which all watch the same. */
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

describe.each([SPREAD, EQUAL])('triggers on one credential, polled each minute, %s', (phases) => {
	it.each([
		[1, 1],
		[2, 1],
		[3, 1],
		[3, 2],
		[3, 3],
		[3, 4],
		[6, 10],
		[11, 20],
		[12, 20],
		[20, 20],
		[40, 20],
		[40, 60],
		[5, 1],
	])('%d at %d requests a minute: each tells every change in time', async (count, limit) => {
		const { on, crowd } = crowdOf(count, limit, phases);
		const { tenant, task } = on;
		const share = Math.max(1, Math.floor(limit / 2));
		/** Minutes until each has had its turn, and twice as many, since a change may come just after one. */
		const turn = Math.ceil(count / share);
		const every = 2 * turn + 1;
		await crowd.publish();
		const since = tenant.now + MINUTE_MS;
		const rounds = 4;
		await crowd.poll((rounds + 2) * every, (minute) => {
			const isChange = minute % every === every - 1 && minute < rounds * every;
			if (isChange) tenant.change('/tasks', task, { title: `Call ${minute}` });
		});
		for (const { failures } of crowd.members) expect(failures).toEqual([]);
		expect(crowd.members.map(({ items }) => items.length)).toEqual(Array(count).fill(rounds));
		expect(crowd.mostInMinute(since)).toBeLessThanOrEqual(share);
	});

	it.each([
		[3, 1],
		[3, 4],
		[40, 20],
	])(
		'%d at %d requests a minute, though n8n gives a poll 36 seconds: each tells every change',
		async (count, limit) => {
			const { on, crowd } = crowdOf(count, limit, phases, 36_000);
			const share = Math.max(1, Math.floor(limit / 2));
			const every = 4 * Math.ceil(count / share) + 2;
			await crowd.publish();
			await crowd.poll(5 * every, (minute) => {
				const isChange = minute % every === every - 1 && minute < 4 * every;
				if (isChange) on.tenant.change('/tasks', on.task, { title: `Call ${minute}` });
			});
			expect(crowd.members.flatMap(({ failures }) => failures)).toEqual([]);
			expect(crowd.members.map(({ items }) => items.length)).toEqual(Array(count).fill(4));
		},
	);
});

it('three triggers on a segment at two requests a minute: each tells who left, and who joined', async () => {
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
});
