import fc from 'fast-check';
import type { Report, Scenario } from '../../support/sharedBudget';
import { shareBudget } from '../../support/sharedBudget';

const SEEDS = Array.from({ length: 10 }, (_, index) => 7_919 * (index + 1));
const LOG_OPTIMUM_S = 840;
const TWO_WINDOWS_OPTIMUM_S = 60 + 3 * (300 - 21);

const bulk = (items: number, processes: number) =>
	Array.from({ length: processes }, (_, index) => ({
		items: items / processes,
		process: `process ${index}`,
	}));

async function eachSeed(scenario: Omit<Scenario, 'seed'>, count = 3): Promise<Report[]> {
	return await Promise.all(
		SEEDS.slice(0, count).map(async (seed) => await shareBudget({ ...scenario, seed })),
	);
}

const mean = (reports: Report[], of: (report: Report) => number) =>
	reports.reduce((sum, report) => sum + of(report), 0) / reports.length;

describe('items in one process', () => {
	it.each([100, 300, 1_000])(
		'provoke no refusal, and take a hundredth longer than the optimum at most: %d',
		async (items) => {
			const optimum = 60 * (items / 20 - 1);
			for (const report of await eachSeed({ runs: bulk(items, 1) })) {
				expect(report).toMatchObject({ refused: 0, wrong: 0 });
				expect(report.seconds).toBeLessThanOrEqual(1.01 * optimum);
			}
		},
	);
});

describe('300 items in three processes that know nothing of each other', () => {
	it.each(['exact', 'floored'] as const)(
		'are each done once on a sliding log, at most 30 refused, in 1.12 of the optimum (%s)',
		async (retryAfter) => {
			const reports = await eachSeed({ runs: bulk(300, 3), retryAfter }, SEEDS.length);
			expect(reports.every(({ wrong }) => wrong === 0)).toBe(true);
			expect(mean(reports, ({ refused }) => refused)).toBeLessThanOrEqual(30);
			expect(mean(reports, ({ seconds }) => seconds)).toBeLessThanOrEqual(1.12 * LOG_OPTIMUM_S);
		},
	);

	it('are each done once on two windows, at most 60 refused, in 1.12 of the optimum', async () => {
		const rule = { mode: 'two-windows' as const };
		const reports = await eachSeed({ runs: bulk(300, 3), rule }, SEEDS.length);
		expect(reports.every(({ wrong }) => wrong === 0)).toBe(true);
		expect(mean(reports, ({ refused }) => refused)).toBeLessThanOrEqual(60);
		const seconds = mean(reports, (report) => report.seconds);
		expect(seconds).toBeLessThanOrEqual(1.12 * TWO_WINDOWS_OPTIMUM_S);
	});
});

describe('one item in another process beside a bulk run', () => {
	it.each([
		[false, 'exact'],
		[false, 'floored'],
		[true, 'exact'],
		[true, 'floored'],
	] as const)(
		'waits a minute at most (refused ones counted: %s, %s)',
		async (countRejected, retryAfter) => {
			const reports = await eachSeed({
				runs: [
					{ items: 200, process: 'bulk' },
					{ items: 1, process: 'single', at: 137_000 },
				],
				rule: { countRejected },
				retryAfter,
			});
			for (const { runs } of reports) expect(runs[1].longestWait).toBeLessThanOrEqual(60);
		},
	);

	it('waits two minutes on average where the service names no wait', async () => {
		const arriving = async (at: number) =>
			await eachSeed({
				runs: [
					{ items: 200, process: 'bulk' },
					{ items: 1, process: 'single', at },
				],
				retryAfter: 'missing',
			});
		const reports = (await Promise.all([63_000, 85_000, 101_000, 137_000].map(arriving))).flat();
		expect(mean(reports, ({ runs }) => runs[1].longestWait)).toBeLessThanOrEqual(120);
	});
});

describe('another program that takes half of the budget evenly', () => {
	it('is refused at most one time in ten beside a bulk run of an hour', async () => {
		const reports = await eachSeed({
			runs: [{ items: 600, process: 'bulk' }],
			other: { requests: 560, everyMs: 6_000 },
		});
		expect(mean(reports, ({ othersRefused }) => othersRefused)).toBeLessThanOrEqual(56);
	});
});

it('nothing is lost or doubled, whoever shares the budget and however the service counts', async () => {
	const run = fc.record({
		items: fc.oneof(
			fc.constant(1),
			fc.integer({ min: 2, max: 30 }),
			fc.integer({ min: 31, max: 120 }),
		),
		process: fc.constantFrom('a', 'b', 'c', 'd'),
		at: fc.nat(200_000),
	});
	const scenario = fc.record({
		runs: fc.array(run, { minLength: 1, maxLength: 5 }),
		rule: fc.record({
			mode: fc.constantFrom('log' as const, 'two-windows' as const),
			countRejected: fc.boolean(),
			limit: fc.constantFrom(5, 20),
		}),
		retryAfter: fc.constantFrom('exact' as const, 'floored' as const, 'missing' as const),
		latencyMs: fc.constantFrom(1, 50, 1_000, 8_000),
		seed: fc.nat(),
	});
	await fc.assert(
		fc.asyncProperty(scenario, async (drawn) => {
			expect((await shareBudget(drawn)).wrong).toBe(0);
		}),
		{ numRuns: 25 },
	);
});
