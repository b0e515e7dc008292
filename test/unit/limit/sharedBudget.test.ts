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
		'With service rule "%s" (Retry-After: %s), three processes get ≤%d refusals within ≈%d s',
		async (mode, retryAfter, refusedAtMost, optimum) => {
			const scenario = { runs: bulk(300, 3), rule: { mode }, retryAfter };
			const reports = await eachSeed(scenario, SEEDS.length);
			expect(reports.every(({ wrong }) => wrong === 0)).toBe(true);
			expect(mean(reports, ({ refused }) => refused)).toBeLessThanOrEqual(refusedAtMost);
			expect(mean(reports, ({ seconds }) => seconds)).toBeLessThanOrEqual(1.2 * optimum);
		},
	);
});

it.each(
	sampled([
		[40, 65],
		[100, 325],
		[300, 1_000],
		[1_000, 3_350],
	]),
)('A run of %d requests alone takes at most %d s', async (items, seconds) => {
	const [report] = await eachSeed({ runs: [{ items, process: 'alone' }] }, 1);
	expect(report).toMatchObject({ refused: 0, wrong: 0 });
	expect(report.seconds).toBeLessThanOrEqual(seconds);
});

describe('another process beside a bulk run', () => {
	/** Returns the longest waits of runs that come at different times, in s, in order. */
	async function waitsOf(items: number, scenario: Partial<Scenario> = {}): Promise<number[]> {
		const arrivals = [63_000, 85_000, 101_000, 137_000, 178_500];
		const reports = arrivals.map(async (at) => {
			const late = { items, process: 'late', at };
			return await eachSeed({ runs: [{ items: 300, process: 'bulk' }, late], ...scenario });
		});
		const waits = (await Promise.all(reports)).flat().map(({ longestWaits }) => longestWaits[1]);
		return waits.sort((one, other) => one - other);
	}

	it.each(
		sampled([
			[false, 'exact'],
			[false, 'floored'],
			[true, 'exact'],
			[true, 'floored'],
		] as const),
	)(
		'Beside a run, another process waits at most 3s (refusals count: %s, Retry-After: %s)',
		async (countRejected, retryAfter) => {
			const waits = await waitsOf(1, { rule: { countRejected }, retryAfter });
			expect(waits.at(-1)).toBeLessThanOrEqual(3);
		},
	);

	it('Beside a bulk run, five items of another process take about a minute', async () => {
		const waits = await waitsOf(5);
		expect(waits[Math.floor(waits.length / 2)]).toBeLessThanOrEqual(65);
		expect(waits.at(-1)).toBeLessThanOrEqual(125);
	});
});

it.each(
	sampled([
		['once a minute', 1_000, { requests: 45, everyMs: 60_000, at: 23_000 }, 0.02, undefined],
		['ten times a minute', 80, { requests: 40, everyMs: 6_000 }, 0.1, undefined],
		['ten times a minute', 600, { requests: 560, everyMs: 6_000 }, 0.06, undefined],
		[
			'once a minute (with a trigger)',
			1_000,
			{ requests: 45, everyMs: 60_000, at: 23_000 },
			0.02,
			'bulk',
		],
		['ten times a minute (with a trigger)', 80, { requests: 40, everyMs: 6_000 }, 0.1, 'bulk'],
		['ten times a minute (with a trigger)', 600, { requests: 560, everyMs: 6_000 }, 0.06, 'bulk'],
	] as const),
)(
	'The service seldom refuses programs asking %s beside %d items (%j, refused fraction: ≤%d)',
	async (_, items, other, most, trigger) => {
		const reports = await eachSeed({ runs: [{ items, process: 'bulk' }], other, trigger }, 5);
		const refused = mean(reports, ({ othersRefused }) => othersRefused);
		expect(refused / other.requests).toBeLessThanOrEqual(most);
	},
);

it('Runs in several processes lose and double no item, however the service counts', async () => {
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
