import fc from 'fast-check';
import { runsOf, sampled } from '../../support/drawn';
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

describe('300 items in three processes that know nothing of each other', () => {
	it.each(
		sampled([
			['log', 'exact', 30, LOG_OPTIMUM_S],
			['log', 'floored', 30, LOG_OPTIMUM_S],
			['two-windows', 'exact', 60, TWO_WINDOWS_OPTIMUM_S],
		] as const),
	)(
		'If the service counts by the rule %s (Retry-After: %s), three processes send 300 items with at most %d refusals, near the optimum of %d s',
		async (mode, retryAfter, refusedAtMost, optimum) => {
			const scenario = { runs: bulk(300, 3), rule: { mode }, retryAfter };
			const reports = await eachSeed(scenario, SEEDS.length);
			expect(reports.every(({ wrong }) => wrong === 0)).toBe(true);
			expect(mean(reports, ({ refused }) => refused)).toBeLessThanOrEqual(refusedAtMost);
			expect(mean(reports, ({ seconds }) => seconds)).toBeLessThanOrEqual(1.12 * optimum);
		},
	);
});

it.each(
	sampled([
		[false, 'exact'],
		[false, 'floored'],
		[true, 'exact'],
		[true, 'floored'],
	] as const),
)(
	'One item beside a bulk run of another process waits at most a minute (refused requests count: %s, Retry-After: %s)',
	async (countRejected, retryAfter) => {
		const single = { items: 1, process: 'single', at: 137_000 };
		const runs = [{ items: 200, process: 'bulk' }, single];
		for (const report of await eachSeed({ runs, rule: { countRejected }, retryAfter })) {
			expect(report.longestWaits[1]).toBeLessThanOrEqual(60);
		}
	},
);

it('Another program that uses half of the budget evenly beside a bulk run gets at most 10 % refusals', async () => {
	const other = { requests: 560, everyMs: 6_000 };
	const reports = await eachSeed({ runs: [{ items: 600, process: 'bulk' }], other });
	expect(mean(reports, ({ othersRefused }) => othersRefused)).toBeLessThanOrEqual(56);
});

it('Runs in several processes lose no item and send none twice, however the service counts requests', async () => {
	const run = fc.record({
		items: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 120 })),
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
		{ numRuns: runsOf(25) },
	);
});
