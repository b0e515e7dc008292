import fc from 'fast-check';
import { Cancelled, RateLimited } from '../../../nodes/ContactTaskCrm/transport/requestErrors';
import { seededRandom } from '../../support/seededRandom';
import { mostInWindow, SimulatedTenant } from '../../support/simulatedTenant';
import { VirtualClock } from '../../support/virtualClock';

const names = (count: number) => Array.from({ length: count }, (_, index) => `request ${index}`);

async function submitAll(tenant: SimulatedTenant, count: number): Promise<void> {
	const queueKey = {};
	await tenant.clock.run(
		Promise.all(names(count).map(async (name) => await tenant.submit(name, queueKey))),
	);
}

describe('a sliding log of 20 requests in 60 s', () => {
	it('never refuses one of 100 requests, and answers the last within 1 % of the optimum', async () => {
		const tenant = new SimulatedTenant();
		await submitAll(tenant, 100);
		expect(tenant.rejections).toBe(0);
		expect(tenant.entries).toHaveLength(100);
		expect(tenant.lastResponseAt).toBeLessThanOrEqual(1.01 * 240_000);
	});

	it('sends a handful of requests at once instead of spacing them', async () => {
		const tenant = new SimulatedTenant();
		await submitAll(tenant, 5);
		expect(tenant.lastResponseAt).toBeLessThan(200);
	});

	it('never holds more than four requests in flight', async () => {
		const tenant = new SimulatedTenant();
		await submitAll(tenant, 20);
		for (const { sentAt } of tenant.entries) {
			const inFlight = tenant.entries.filter(
				(other) => other.sentAt <= sentAt && sentAt < other.respondedAt,
			);
			expect(inFlight.length).toBeLessThanOrEqual(4);
		}
	});

	it('is never passed, whatever the latency and whenever requests come', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.record({ pause: fc.nat(90_000), count: fc.integer({ min: 1, max: 40 }) }), {
					minLength: 1,
					maxLength: 4,
				}),
				fc.array(fc.tuple(fc.nat(3_000), fc.nat(3_000)), { minLength: 1 }),
				async (bursts, latencies) => {
					let draws = 0;
					const tenant = new SimulatedTenant({
						latency: () => latencies[draws++ % latencies.length],
					});
					const queueKey = {};
					const all: Array<Promise<unknown>> = [];
					for (const { pause, count } of bursts) {
						await tenant.clock.pass(pause);
						all.push(...names(count).map(async (name) => await tenant.submit(name, queueKey)));
					}
					await tenant.clock.run(Promise.all(all));
					expect(tenant.rejections).toBe(0);
					const stamps = tenant.entries.map(({ stampedAt }) => stampedAt);
					expect(mostInWindow(stamps, 60_000)).toBeLessThanOrEqual(20);
				},
			),
			{ numRuns: 60 },
		);
	});
});

describe('a limiter that counts in two windows', () => {
	it.each(['seconds', 'missing', 'date', 'epoch-seconds', 'epoch-milliseconds'] as const)(
		'refuses at most 20 of 100 requests with Retry-After as %s, loses none, and is done within 1.1 of the optimum',
		async (retryAfter) => {
			const tenant = new SimulatedTenant({
				rule: { mode: 'two-windows', countRejected: false },
				retryAfter,
			});
			await submitAll(tenant, 100);
			expect(tenant.entries.filter(({ status }) => status === 200)).toHaveLength(100);
			expect(tenant.rejections).toBeLessThanOrEqual(20);
			expect(tenant.lastResponseAt).toBeLessThanOrEqual(1.1 * 297_000);
		},
	);
});

describe('a budget that others use too', () => {
	it('sends nothing before Retry-After is over, then one probe alone', async () => {
		const tenant = new SimulatedTenant();
		await tenant.clock.run(
			Promise.all(names(20).map(async (name) => await tenant.byOthers(`other ${name}`))),
		);
		tenant.entries.length = 0;
		await submitAll(tenant, 8);
		const throttledAt = Math.min(
			...tenant.entries
				.filter(({ status }) => status === 429)
				.map(({ respondedAt }) => respondedAt),
		);
		const later = tenant.entries
			.filter(({ sentAt }) => sentAt > throttledAt)
			.sort((one, other) => one.sentAt - other.sentAt);
		const [probe, next] = later;
		expect(probe.sentAt).toBeGreaterThanOrEqual(60_000);
		expect(next.sentAt).toBeGreaterThanOrEqual(probe.respondedAt);
		expect(tenant.rejections).toBeLessThanOrEqual(4);
		expect(tenant.entries.filter(({ status }) => status === 200)).toHaveLength(8);
	});

	it('sends each request again until it is accepted, in the order they came', async () => {
		const tenant = new SimulatedTenant();
		await tenant.clock.run(Promise.all(names(19).map(async (name) => await tenant.byOthers(name))));
		tenant.entries.length = 0;
		await submitAll(tenant, 12);
		const accepted = tenant.entries.filter(({ status }) => status === 200).map(({ name }) => name);
		expect(accepted).toEqual(names(12));
	});

	it('loses nothing when three processes share a tenant without knowing of each other', async () => {
		const tenant = new SimulatedTenant({ random: seededRandom(7) });
		const limiters = [tenant.limiter, tenant.anotherLimiter(), tenant.anotherLimiter()];
		const all = names(60).map(
			async (name, index) =>
				await tenant.submit(name, limiters[index % 3], { limiter: limiters[index % 3] }),
		);
		await tenant.clock.run(Promise.all(all));
		const accepted = tenant.entries.filter(({ status }) => status === 200).map(({ name }) => name);
		expect(new Set(accepted).size).toBe(60);
		expect(accepted).toHaveLength(60);
	});
});

describe('queue', () => {
	it('let a request of a small execution go next or next but one beside one of a thousand', async () => {
		const tenant = new SimulatedTenant();
		const bulk = {};
		const all = names(200).map(async (name) => await tenant.submit(name, bulk));
		await tenant.clock.pass(61_000);
		const before = tenant.entries.length;
		const small = tenant.submit('small', {});
		await tenant.clock.run(small);
		const following = tenant.entries
			.slice(before)
			.sort((one, other) => one.sentAt - other.sentAt)
			.filter(({ sentAt }) => sentAt >= 61_000);
		expect(following.findIndex(({ name }) => name === 'small')).toBeLessThanOrEqual(1);
		await tenant.clock.run(Promise.all(all));
	});

	it('finish an item that was begun before they begin the next', async () => {
		const tenant = new SimulatedTenant();
		const queueKey = {};
		const all = names(30).map(async (name, item) => {
			await tenant.submit(`read ${name}`, queueKey, { item });
			await tenant.submit(`write ${name}`, queueKey, { item });
		});
		await tenant.clock.run(Promise.all(all));
		const sent = tenant.entries.map(({ name }) => name);
		for (const name of names(30)) {
			expect(sent.indexOf(`write ${name}`) - sent.indexOf(`read ${name}`)).toBeLessThanOrEqual(7);
		}
	});

	it('serve what a person waits for before everything else', async () => {
		const tenant = new SimulatedTenant();
		const all = names(30).map(async (name) => await tenant.submit(name, {}));
		const urgent = tenant.submit('lookup', {}, { urgent: true });
		await tenant.clock.run(Promise.all([...all, urgent]));
		expect(tenant.entries.findIndex(({ name }) => name === 'lookup')).toBe(2);
	});

	it('that are cancelled leave at once and free nothing they did not hold', async () => {
		const tenant = new SimulatedTenant();
		const queueKey = {};
		const all = names(50).map(
			async (name) => await tenant.submit(name, queueKey).catch((e: unknown) => e),
		);
		await tenant.clock.pass(5_000);
		tenant.limiter.cancel(queueKey);
		const outcomes = await tenant.clock.run(Promise.all(all));
		expect(outcomes.filter((outcome) => outcome instanceof Cancelled)).toHaveLength(30);
		await submitAll(tenant, 20);
		expect(tenant.rejections).toBe(0);
		expect(tenant.entries).toHaveLength(40);
		expect(tenant.entries[20].sentAt).toBeGreaterThanOrEqual(60_000);
	});

	it('that are cancelled send nothing again that comes back refused, and leave no timer behind', async () => {
		const tenant = new SimulatedTenant({ rule: { limit: 0 }, limit: 20 });
		const queueKey = {};
		const all = names(6).map(
			async (name) => await tenant.submit(name, queueKey).catch((e: unknown) => e),
		);
		await tenant.clock.pass(30);
		tenant.limiter.cancel(queueKey);
		const outcomes = await tenant.clock.run(Promise.all(all));
		for (const outcome of outcomes) expect(outcome).toBeInstanceOf(Cancelled);
		await tenant.clock.pass(1);
		expect(tenant.clock.waiting).toBe(0);
		expect(tenant.entries).toHaveLength(2);
		await expect(tenant.submit('late', queueKey)).rejects.toBeInstanceOf(Cancelled);
	});
});

describe('four requests that hang', () => {
	const hanging = async () => {
		const tenant = new SimulatedTenant({ latency: () => [0, 60_000] });
		const all = names(4).map(async (name) => await tenant.submit(name, {}));
		await tenant.clock.pass(10);
		return { tenant, all };
	};

	it.each([
		['whoever would fail at once', 0, 3_000],
		['a list in the editor', 5_000, 5_000],
	])('let %s know within seconds', async (_, slotMs, within) => {
		const { tenant, all } = await hanging();
		const waitLimits = { slotMs, throttledMs: slotMs };
		const waiting = tenant.submit('impatient', {}, { waitLimits, urgent: slotMs > 0 });
		const patient = tenant.submit('patient', {});
		await expect(tenant.clock.run(waiting)).rejects.toMatchObject({ reason: 'unanswered' });
		expect(tenant.clock.now()).toBeLessThanOrEqual(10 + within);
		await tenant.clock.run(Promise.all([...all, patient]));
	});
});

describe('a clock that goes on while the limiter decides', () => {
	it('never leaves a request waiting with nothing to wake it', async () => {
		const slowMachine = (random: () => number) => {
			const clock = new VirtualClock();
			const virtualNow = clock.now;
			let last = 0;
			clock.now = () => (last = Math.max(last, virtualNow() + 30 * random()));
			return clock;
		};
		for (let seed = 0; seed < 20; seed++) {
			const tenant = new SimulatedTenant({
				clock: slowMachine(seededRandom(100 + seed)),
				random: seededRandom(seed),
				rule: { limit: 12, countRejected: seed % 2 === 0 },
				limit: 20,
			});
			const queueKey = {};
			const all = names(60).map(async (name) => await tenant.submit(name, queueKey));
			await tenant.clock.run(Promise.all(all));
			expect(tenant.entries.filter(({ status }) => status === 200)).toHaveLength(60);
		}
	});
});

describe('many who wait', () => {
	it('are joined by 20,000 newcomers, each looked at alone, and leave', async () => {
		const tenant = new SimulatedTenant();
		await submitAll(tenant, 20);
		const queueKey = {};
		let looks = 0;
		const looked = (ms: number) => {
			looks++;
			return ms;
		};
		const waitLimits = {
			get slotMs() {
				return looked(Infinity);
			},
			get throttledMs() {
				return looked(1_800_000);
			},
		};
		const all: Array<Promise<unknown>> = [];
		for (let item = 0; item < 20_000; item++) {
			const submitted = tenant.submit('one', queueKey, { item, waitLimits });
			all.push(submitted.catch((e: unknown) => e));
		}
		// With n waiting, a newcomer costs what it costs with none: looking at all would be 200 million.
		expect(looks).toBeLessThanOrEqual(20_000 * 5);
		tenant.limiter.cancel(queueKey);
		expect((await Promise.all(all)).every((each) => each instanceof Cancelled)).toBe(true);
	});
});

describe('a clock that jumps', () => {
	const hour = 3_600_000;

	it.each([hour, -hour])(
		'by %d ms of the time of day changes nothing, since waits go by another clock',
		async (ms) => {
			const tenant = new SimulatedTenant({ retryAfter: 'date', rule: { limit: 15 }, limit: 20 });
			const queueKey = {};
			const all = names(60).map(async (name) => await tenant.submit(name, queueKey));
			await tenant.clock.pass(30_000);
			tenant.clock.setTimeOfDay(ms);
			await tenant.clock.run(Promise.all(all));
			expect(tenant.entries.filter(({ status }) => status === 200)).toHaveLength(60);
			expect(tenant.lastResponseAt).toBeLessThanOrEqual(400_000);
		},
	);

	it('while a laptop sleeps goes on with what waits, and passes the limit of no window', async () => {
		const tenant = new SimulatedTenant();
		const queueKey = {};
		const all = names(60).map(async (name) => await tenant.submit(name, queueKey));
		await tenant.clock.pass(30_000);
		tenant.clock.leap(hour);
		await tenant.clock.run(Promise.all(all));
		expect(tenant.rejections).toBe(0);
		const stamps = tenant.entries.map(({ stampedAt }) => stampedAt);
		expect(mostInWindow(stamps, 60_000)).toBeLessThanOrEqual(20);
		expect(tenant.lastResponseAt).toBeLessThanOrEqual(hour + 30_000 + 125_000);
	});

	it('less than the timers did, as on a laptop whose clock stood still, has them set anew', async () => {
		const clock = new VirtualClock();
		const tenant = new SimulatedTenant({ clock });
		const queueKey = {};
		const all = names(40).map(async (name) => await tenant.submit(name, queueKey));
		await clock.pass(30_000);
		clock.ringAll();
		await clock.run(Promise.all(all));
		expect(tenant.rejections).toBe(0);
		expect(tenant.entries).toHaveLength(40);
	});
});

describe('waitLimits', () => {
	const impatient = { waitLimits: { slotMs: 0, throttledMs: 0 } };

	it('of none fails at once, and says how long the wait would have been', async () => {
		const tenant = new SimulatedTenant();
		const queueKey = {};
		const outcomes = await tenant.clock.run(
			Promise.all(
				names(25).map(
					async (name) => await tenant.submit(name, queueKey, impatient).catch((e: unknown) => e),
				),
			),
		);
		const given = outcomes.filter((outcome) => outcome instanceof RateLimited);
		expect(given).toHaveLength(5);
		expect(tenant.clock.now()).toBeLessThan(1_000);
		for (const { waitMs, reason } of given as RateLimited[]) {
			expect(reason).toBe('limit');
			expect(waitMs).toBeGreaterThan(59_000);
			expect(waitMs).toBeLessThanOrEqual(60_200);
		}
	});

	it('of a few seconds fails at once where the wait is known to be longer', async () => {
		const tenant = new SimulatedTenant();
		await submitAll(tenant, 20);
		const startedAt = tenant.clock.now();
		const lookup = tenant.submit(
			'lookup',
			{},
			{
				urgent: true,
				waitLimits: { slotMs: 5_000, throttledMs: 5_000 },
			},
		);
		await expect(tenant.clock.run(lookup)).rejects.toThrow(RateLimited);
		expect(tenant.clock.now() - startedAt).toBeLessThan(1_000);
	});

	it('of minutes outlasts refusals, and ends when the service has refused for so long', async () => {
		const tenant = new SimulatedTenant({ rule: { limit: 0 }, retryAfter: 'missing' });
		const outcome = tenant.limiter.submit({
			queueKey: {},
			item: 0,
			urgent: false,
			waitLimits: { slotMs: Infinity, throttledMs: 300_000 },
			limit: 20,
			send: async () => await tenant.byOthers('refused'),
		});
		await expect(tenant.clock.run(outcome)).rejects.toMatchObject({ reason: 'throttled' });
		expect(tenant.clock.now()).toBeLessThanOrEqual(300_000);
		expect(tenant.clock.now()).toBeGreaterThan(60_000);
		expect(tenant.entries.length).toBeGreaterThan(3);
	});
});
