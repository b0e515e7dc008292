import fc from 'fast-check';
import { runsOf, sampled } from '../../support/drawn';
import { SimulatedTenant } from '../../support/simulatedTenant';

/** Simulates hours of many runs or triggers. */
jest.setTimeout(600_000);

const MINUTE_MS = 60_000;

/** Starts a run with a number of requests, and returns the time of its last answer. */
async function run(tenant: SimulatedTenant, requests: number, spreads: boolean): Promise<number> {
	const lane = {};
	const submit = async (_: unknown, item: number) =>
		await tenant.submit('bulk', { lane, item, runMinutes: spreads ? 21 : 5 });
	await Promise.all(Array.from({ length: requests }, submit));
	return tenant.clock.now();
}

/** Returns the time that another request waits for its answer. */
async function single(tenant: SimulatedTenant, waits = {}): Promise<number> {
	const from = tenant.clock.now();
	await tenant.submit('single', waits);
	return tenant.clock.now() - from;
}

/** Repeats an action at intervals beside a run, after the run's first minute. */
async function besideRun(
	tenant: SimulatedTenant,
	{ requests, spreads }: { requests: number; spreads: boolean },
	everyMs: number,
	work: () => Promise<number>,
): Promise<{ waits: number[]; endedAt: number }> {
	let endedAt = 0;
	void run(tenant, requests, spreads).then((at) => (endedAt = at));
	await tenant.clock.pass(2 * MINUTE_MS + 1_234);
	const waits: number[] = [];
	for (;;) {
		await tenant.clock.pass(everyMs);
		if (endedAt > 0) return { waits, endedAt };
		waits.push(await tenant.clock.run(work()));
	}
}

it.each(
	sampled([
		[50, 31_700, 8_000],
		[1_000, 31_700, 9_000],
		[50, 241_700, 7_000],
	]),
)(
	'With a round trip of %i ms, a single request every %i ms waits at most %i ms beside a long run',
	async (roundTripMs, everyMs, mostMs) => {
		const latency = (): [number, number] => [roundTripMs / 2, roundTripMs / 2];
		const tenant = new SimulatedTenant({ latency });
		const long = { requests: 1_000, spreads: true };
		const { waits } = await besideRun(tenant, long, everyMs, async () => await single(tenant));
		expect(waits.length).toBeGreaterThan(10);
		expect(Math.max(...waits)).toBeLessThanOrEqual(mostMs);
		expect(tenant.rejections).toBe(0);
	},
);

it('If the limiter spreads the requests of a long run to leave slots for others, the run takes at most a minute longer', async () => {
	const took = async (spreads: boolean) => {
		const tenant = new SimulatedTenant();
		const tookMs = await tenant.clock.run(run(tenant, 1_000, spreads));
		expect(tenant.rejections).toBe(0);
		return tookMs;
	};
	expect((await took(true)) - (await took(false))).toBeLessThanOrEqual(MINUTE_MS);
});

it('A run of any size under any rate limit gets no 429, and takes little longer than the limit requires', async () => {
	const someLimit = fc.constantFrom(1, 2, 3, 5, 10, 20, 100, 1_000);
	await fc.assert(
		fc.asyncProperty(
			someLimit,
			fc.integer({ min: 1, max: 60 }),
			fc.boolean(),
			fc.boolean(),
			async (limit, factor, spreads, isListOpen) => {
				const requests = Math.min(1_500, factor * limit);
				const tenant = new SimulatedTenant({ rule: { limit }, limit });
				if (isListOpen) tenant.limiter.listOpened();
				const endedAt = await tenant.clock.run(run(tenant, requests, spreads));
				expect(endedAt).toBeLessThanOrEqual((Math.ceil(requests / limit) + 1) * 62_500);
				expect(tenant.rejections).toBe(0);
			},
		),
		{ numRuns: runsOf(40) },
	);
});
