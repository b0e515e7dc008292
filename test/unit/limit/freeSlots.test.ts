import fc from 'fast-check';
import { itInCi, runsOf } from '../../support/drawn';
import { SimulatedTenant } from '../../support/simulatedTenant';
import { RateLimited } from '../../../nodes/ContactTaskCrm/util/failures';

/** Simulates hours of many runs or triggers. */
jest.setTimeout(600_000);

const MINUTE_MS = 60_000;

/** Starts a run with a number of requests, and returns the time of its last answer. */
async function run(tenant: SimulatedTenant, requests: number, waits = {}): Promise<number> {
	const lane = {};
	const submit = async (_: unknown, item: number) =>
		await tenant.submit('run', { lane, item, ...waits });
	await Promise.all(Array.from({ length: requests }, submit));
	return tenant.clock.now();
}

/** Returns the time that another request waits for its answer. */
async function single(tenant: SimulatedTenant, waits = {}): Promise<number> {
	const from = tenant.clock.now();
	await tenant.submit('single', waits);
	return tenant.clock.now() - from;
}

describe('other requests of the process beside a run of 1,000 requests', () => {
	/** Sends requests at intervals until the run ends. Returns the time that each of them waits. */
	async function beside(tenant: SimulatedTenant, everyMs: number, waits = {}): Promise<number[]> {
		let isOver = false;
		void run(tenant, 1_000).then(() => (isOver = true));
		await tenant.clock.pass(2 * MINUTE_MS + 1_234);
		const all: number[] = [];
		for (;;) {
			await tenant.clock.pass(everyMs);
			// The last forty requests of the run go as fast as those of a short run.
			if (isOver || tenant.accepted.length > 920) return all;
			all.push(await tenant.clock.run(single(tenant, waits)));
		}
	}

	itInCi.each([
		[50, 31_700, 8_000],
		[1_000, 31_700, 9_000],
		[50, 241_700, 7_000],
	])(
		'Beside a long run (%ims round trips), requests every %ims wait %ims at most',
		async (roundTripMs, everyMs, mostMs) => {
			const latency = (): [number, number] => [roundTripMs / 2, roundTripMs / 2];
			const tenant = new SimulatedTenant({ latency });
			const waits = await beside(tenant, everyMs);
			expect(waits.length).toBeGreaterThan(5);
			expect(Math.max(...waits)).toBeLessThanOrEqual(mostMs);
			expect(tenant.rejections).toBe(0);
		},
	);

	itInCi('Beside a long run, a list of the editor waits 100 ms at most', async () => {
		const tenant = new SimulatedTenant();
		const waits = await beside(tenant, 61_700, { isUrgent: true });
		expect(waits.length).toBeGreaterThan(20);
		expect(Math.max(...waits)).toBeLessThanOrEqual(100);
	});

	itInCi('Beside a long run, a request that must not wait still gets a slot', async () => {
		const tenant = new SimulatedTenant();
		const waits = await beside(tenant, 31_700, { slotWaitMs: 0, throttledWaitMs: 0 });
		expect(waits.length).toBeGreaterThan(20);
		expect(Math.max(...waits)).toBeLessThanOrEqual(9_000);
	});

	it('Requests that must not wait use all slots, and fail immediately beyond the limit', async () => {
		const tenant = new SimulatedTenant();
		const lane = {};
		const all = Array.from({ length: 100 }, async (_, item) => {
			const waits = { lane, item, slotWaitMs: 0, throttledWaitMs: 0 };
			return await tenant.submit('one', waits).catch((error: unknown) => error);
		});
		const outcomes = await tenant.clock.run(Promise.all(all));
		expect(outcomes.filter((outcome) => outcome instanceof RateLimited)).toHaveLength(80);
		expect(tenant.clock.now()).toBeLessThan(3_000);
	});
});

it('A read that must not wait still waits until its write has a slot', async () => {
	const tenant = new SimulatedTenant();
	await tenant.clock.run(run(tenant, 19));
	const waits = { lane: {}, slotWaitMs: 0, throttledWaitMs: 0 };
	const change = async () => {
		await tenant.submit('read', { ...waits, reservesNext: true });
		await tenant.submit('write', waits);
	};
	await tenant.clock.run(change());
	expect(tenant.accepted.slice(-2)).toEqual(['read', 'write']);
	const [read, write] = tenant.entries.slice(-2);
	expect(write.sentAt - read.respondedAt).toBeLessThanOrEqual(1);
	expect(tenant.rejections).toBe(0);
});

it('Beside a long run, a write leaves directly after its read', async () => {
	const tenant = new SimulatedTenant();
	const long = run(tenant, 200);
	await tenant.clock.pass(100_000);
	const lane = {};
	const change = async () => {
		await tenant.submit('read', { lane, reservesNext: true });
		await tenant.submit('write', { lane });
	};
	await tenant.clock.run(change());
	const [read, write] = ['read', 'write'].map((name) =>
		tenant.entries.findIndex((entry) => entry.name === name),
	);
	expect(write).toBe(read + 1);
	expect(tenant.entries[write].sentAt - tenant.entries[read].respondedAt).toBeLessThanOrEqual(1);
	await tenant.clock.run(long);
	expect(tenant.rejections).toBe(0);
});

it('Two credentials with one key and different limits each wait for their own limit', async () => {
	const tenant = new SimulatedTenant({ rule: { limit: 20 } });
	const ends = { slow: 0, fast: 0 };
	const slow = run(tenant, 100, { limit: 2 }).then((at) => (ends.slow = at));
	const fast = run(tenant, 100, { limit: 20 }).then((at) => (ends.fast = at));
	await tenant.clock.run(Promise.all([slow, fast]));
	expect(ends.fast).toBeLessThanOrEqual(7 * MINUTE_MS);
	expect(ends.slow).toBeLessThanOrEqual(51 * MINUTE_MS);
	expect(tenant.rejections).toBe(0);
});

it('Half an hour after another program stops, a run has full speed', async () => {
	const tenant = new SimulatedTenant({ rule: { countRejected: false } });
	const { clock } = tenant;
	const place = { servedAt: -Infinity, polledAt: 0, apartMs: MINUTE_MS };
	let isOver = false;
	const polls = async () => {
		for (let minute = 0; !isOver; minute++) {
			place.polledAt = clock.now();
			const waits = { place, slotWaitMs: 25_000, throttledWaitMs: 25_000 };
			for (let nth = 0; nth < 2; nth++) {
				await tenant.submit('poll', waits).catch(() => undefined);
			}
			await clock.sleep((minute + 1) * MINUTE_MS + 5_000 - clock.now());
		}
	};
	const polling = clock.sleep(5_000).then(polls);
	for (let nth = 0; nth < 600; nth++) {
		void tenant.answer('other');
		await clock.pass(200);
	}
	expect(tenant.entries.some(({ name, status }) => name === 'poll' && status === 429)).toBe(true);
	await clock.pass(30 * MINUTE_MS);
	const from = clock.now();
	expect((await clock.run(run(tenant, 15))) - from).toBeLessThanOrEqual(4_000);
	isOver = true;
	await clock.run(polling);
});

itInCi('Any run under any limit gets no 429, and lasts little longer than necessary', async () => {
	const someLimit = fc.constantFrom(1, 2, 3, 5, 10, 20, 100, 1_000);
	await fc.assert(
		fc.asyncProperty(
			someLimit,
			fc.integer({ min: 1, max: 60 }),
			fc.boolean(),
			async (limit, factor, isListOpen) => {
				const requests = Math.min(1_500, factor * limit);
				const tenant = new SimulatedTenant({ rule: { limit }, limit });
				if (isListOpen) tenant.limiter.listOpened();
				const endedAt = await tenant.clock.run(run(tenant, requests));
				const free = Math.min(2, Math.floor(limit / 10));
				const windows = Math.ceil(requests / (limit - free));
				expect(endedAt).toBeLessThanOrEqual((windows + 1) * 62_500);
				expect(tenant.rejections).toBe(0);
			},
		),
		{ numRuns: runsOf(40) },
	);
});
