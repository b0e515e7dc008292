import type { IDataObject } from 'n8n-workflow';
import type { TenantHabits } from './support/crmTenant';
import type { TriggerSetup } from './support/openTenant';
import { closeTenant, openTenant, OpenTrigger } from './support/openTenant';

const MINUTE_MS = 60_000;
/** What n8n 2.41 gives a poll with durable cursors. */
const BUDGET_MS = 36_000;

afterEach(closeTenant);

/** Ten pages of tasks, by title, and a trigger that has read them. */
async function tenPages(habits: Partial<TenantHabits>, setup: TriggerSetup = {}) {
	const tenant = openTenant({ order: 'byTitle', ...habits });
	const ids = Array.from({ length: 300 }, (_, count) =>
		tenant.create('/tasks', { title: `Task ${String(count).padStart(3, '0')}` }),
	);
	tenant.passTo(tenant.now + MINUTE_MS);
	const trigger = new OpenTrigger(
		tenant,
		{ watch: 'tasks', events: ['taskUpdated'], options: { maxRequestsPerPoll: 10 } },
		setup,
	);
	for (let count = 0; count < 12; count++) await trigger.poll(tenant.now + MINUTE_MS);
	const change = (...places: number[]) => {
		for (const place of places) tenant.change('/tasks', ids[place], { isFlagged: true });
	};
	const placesOf = (items: IDataObject[] | null) =>
		items?.map(({ id }) => ids.indexOf(String(id))) ?? null;
	return { tenant, trigger, change, placesOf };
}

describe('a poll that n8n gives 36 seconds', () => {
	it('ends in time with what it has read, and the next ones read the rest', async () => {
		const host = 'durableCursors';
		const { tenant, trigger, change, placesOf } = await tenPages(
			{ latencyMs: 9_000, seed: 4 },
			{ host, pollBudgetMs: BUDGET_MS },
		);
		const longest: number[] = [];
		const found: number[] = [];
		for (let count = 0; count < 4; count++) {
			const before = tenant.requests.length;
			change(5 + count, 285 + count);
			for (let polls = 0; polls < 4; polls++) {
				const start = tenant.now + MINUTE_MS;
				const { items, failure } = await trigger.poll(start);
				expect(failure).toBeUndefined();
				longest.push(tenant.now - start);
				found.push(...(placesOf(items) ?? []));
			}
			expect(tenant.requests.length - before).toBeGreaterThanOrEqual(10);
		}
		expect(Math.max(...longest)).toBeLessThan(BUDGET_MS);
		expect(found.sort((one, other) => one - other)).toEqual([5, 6, 7, 8, 285, 286, 287, 288]);
	});

	it('ends in time where an answer never comes, with what came before, and says so in the next', async () => {
		const { tenant, trigger, change, placesOf } = await tenPages({}, { pollBudgetMs: BUDGET_MS });
		change(5, 285);
		tenant.failure = (request) => (request.includes('page=4') ? 'silence' : undefined);
		const start = tenant.now + MINUTE_MS;
		const { items, failure } = await trigger.poll(start);
		expect(tenant.now - start).toBeLessThan(BUDGET_MS);
		expect([placesOf(items), failure]).toEqual([[5], undefined]);
		const next = await trigger.poll(tenant.now + MINUTE_MS);
		expect(next.failure?.message).toMatch(/list of tasks|answer|time/);
		tenant.failure = undefined;
		const last = await trigger.poll(tenant.now + MINUTE_MS);
		expect(placesOf(last.items)).toEqual([285]);
	});
});

describe('a page that fails for good', () => {
	it('is named, once an hour, and what is on the others starts the workflow', async () => {
		const { tenant, trigger, change, placesOf } = await tenPages({});
		change(5, 95, 285);
		tenant.failure = (request) => (request.includes('page=4') ? 500 : undefined);
		const found: number[] = [];
		const failures: string[] = [];
		for (let minute = 0; minute < 90; minute++) {
			const { items, failure } = await trigger.poll(tenant.now + MINUTE_MS);
			found.push(...(placesOf(items) ?? []));
			if (failure) failures.push(failure.message);
		}
		expect(found).toEqual([5, 285]);
		const [first, ...again] = failures;
		expect(first).toMatch(/^The service could not read the list of tasks \(HTTP 500\)/);
		expect(again.filter((message) => message.startsWith('Page 4 of the list'))).toHaveLength(2);
		expect(again).toHaveLength(3);
		tenant.failure = undefined;
		const ends = [];
		for (let minute = 0; minute < 15; minute++) {
			ends.push(await trigger.poll(tenant.now + MINUTE_MS));
		}
		expect(ends.flatMap(({ items }) => placesOf(items) ?? [])).toEqual([95]);
		const [end, ...others] = ends.flatMap(({ failure }) => failure?.message ?? []);
		expect(end).toMatch(/^The trigger reads again, after \d+ polls since /);
		expect(others).toEqual([]);
	});
});

/** Polls each minute for some hours, and gives when polls failed, in minutes, and with which words. */
async function failuresOf(
	{ tenant, trigger }: Awaited<ReturnType<typeof tenPages>>,
	hours: number,
	failureAt: (minute: number, poll: number) => number | undefined,
) {
	const start = tenant.now;
	const minuteOf = () => (tenant.now - start) / MINUTE_MS;
	const minutes: number[] = [];
	const messages: string[] = [];
	for (let poll = 0; minuteOf() < hours * 60; poll++) {
		tenant.failure = () => failureAt(minuteOf(), poll);
		const { failure } = await trigger.poll(tenant.now + MINUTE_MS);
		if (!failure) continue;
		minutes.push(minuteOf());
		messages.push(failure.message);
	}
	return { minutes, messages };
}

describe('a service that fails in every second poll', () => {
	it('is a failed execution once an hour, and has not ended in between', async () => {
		const { minutes, messages } = await failuresOf(await tenPages({}), 1.5, (minute, poll) =>
			minute < 70 && poll % 2 === 0 ? 500 : undefined,
		);
		expect(messages).toEqual([
			expect.stringContaining('HTTP 500'),
			expect.stringContaining('HTTP 500'),
			expect.stringMatching(/^The trigger reads again, after /),
		]);
		expect(minutes[1] - minutes[0]).toBeGreaterThanOrEqual(60);
		expect(minutes[2]).toBeGreaterThanOrEqual(79);
	});
});

describe('a service that refuses everything', () => {
	it('is a failed execution after half an hour, once an hour, and when it has ended', async () => {
		const { messages } = await failuresOf(await tenPages({}), 2.5, (minute) =>
			minute < 120 ? 429 : undefined,
		);
		expect(messages).toEqual([
			expect.stringMatching(/^The trigger has read nothing for 3\d minutes/),
			expect.stringMatching(/^The trigger has read nothing for 9\d minutes/),
			expect.stringMatching(/^The trigger reads again, after /),
		]);
	});
});
