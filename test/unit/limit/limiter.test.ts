import fc from 'fast-check';
import { itInCi, runsOf } from '../../support/drawn';
import { seededRandom } from '../../support/seededRandom';
import { mostInWindow, SimulatedTenant } from '../../support/simulatedTenant';
import { VirtualClock } from '../../support/virtualClock';
import { limitEffectOf } from '../../../nodes/ContactTaskCrm/http/retry';
import { Limiter } from '../../../nodes/ContactTaskCrm/limit/limiter';
import { RunStopped } from '../../../nodes/ContactTaskCrm/util/failures';

const HOUR_MS = 3_600_000;
const IMPATIENT = { slotWaitMs: 0, throttledWaitMs: 0 };

const names = (count: number) => Array.from({ length: count }, (_, index) => `request ${index}`);
const caught = async (work: Promise<unknown>) => await work.catch((reason: unknown) => reason);

/** Submits requests of one lane, and returns the result of each. */
function submitted(tenant: SimulatedTenant, count: number, waits = {}): Promise<unknown[]> {
	const lane = {};
	const submit = async (name: string, item: number) =>
		await caught(tenant.submit(name, { lane, item, ...waits }));
	return Promise.all(names(count).map(submit));
}

async function submitAll(tenant: SimulatedTenant, count: number, waits = {}): Promise<unknown[]> {
	return await tenant.clock.run(submitted(tenant, count, waits));
}

function expectWithinLimit(tenant: SimulatedTenant): void {
	expect(tenant.rejections).toBe(0);
	const stamps = tenant.entries.map(({ stampedAt }) => stampedAt);
	expect(mostInWindow(stamps, 60_000)).toBeLessThanOrEqual(20);
}

interface RunOfItems {
	at: number;
	items: number;
	requests: number;
	/** Time in ms that an item continues after its last answer. */
	goesOnFor: number;
	stopsAfter?: number | undefined;
	takesTurns: boolean;
}

/** Runs items that each send some requests, in their turn or at the same time. */
async function runItems(tenant: SimulatedTenant, run: RunOfItems, held: { holders: number }) {
	const { at, items, requests, goesOnFor, stopsAfter, takesTurns } = run;
	const { clock, entries } = tenant;
	await clock.sleep(at);
	const stop = new AbortController();
	const { signal } = stop;
	if (stopsAfter !== undefined) void clock.sleep(stopsAfter).then(() => stop.abort());
	const lane = {};
	const begun: number[] = [];
	const doItem = async (item: number) => {
		const waits = { lane, item, signal };
		const unlock = takesTurns ? await tenant.lockWrites(waits) : () => undefined;
		begun.push(item);
		if (takesTurns) expect(++held.holders).toBe(1);
		try {
			for (let nth = 0; nth < requests; nth++) {
				const name = `${at}.${item}.${nth}`;
				expect(await tenant.submit(name, waits)).toMatchObject({ status: 200 });
			}
			await clock.sleep(goesOnFor);
		} finally {
			if (takesTurns) held.holders--;
			unlock();
		}
	};
	const all = Array.from({ length: items }, async (_, item) => await caught(doItem(item)));
	const ends = await Promise.all(all);
	expect(begun).toEqual([...begun].sort((one, other) => one - other));
	for (const end of ends) {
		if (end !== undefined) expect(end).toBeInstanceOf(RunStopped);
	}
	if (!signal.aborted) expect(ends.every((end) => end === undefined)).toBe(true);
	const own = entries.filter(({ name }) => name.startsWith(`${at}.`));
	for (const { sentAt } of own) expect(sentAt).toBeLessThanOrEqual(at + (stopsAfter ?? Infinity));
	const accepted = own.filter(({ status }) => status === 200).map(({ name }) => name);
	expect(new Set(accepted).size).toBe(accepted.length);
	if (!signal.aborted) expect(accepted).toHaveLength(items * requests);
}

it.each([
	[40, 61_000],
	[100, 325_000],
])(
	'The limiter sends %d requests within %d ms, never more than two simultaneously',
	async (count, ms) => {
		const tenant = new SimulatedTenant();
		await submitAll(tenant, count);
		expectWithinLimit(tenant);
		expect(tenant.entries).toHaveLength(count);
		expect(tenant.lastResponseAt).toBeLessThanOrEqual(ms);
		for (const [index, { sentAt }] of tenant.entries.entries()) {
			expect(
				tenant.entries.slice(0, Math.max(0, index - 1)).every((e) => e.respondedAt <= sentAt),
			).toBe(true);
		}
	},
);

describe('random runs, some of them stopped, over a network of any latency', () => {
	const someRuns = fc.uniqueArray(
		fc.record({
			at: fc.nat(90_000),
			items: fc.integer({ min: 1, max: 12 }),
			requests: fc.nat(4),
			goesOnFor: fc.nat(500),
			stopsAfter: fc.option(fc.nat(150_000), { nil: undefined }),
			takesTurns: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 4, selector: ({ at }) => at },
	);
	const someLatencies: fc.Arbitrary<Array<[number, number]>> = fc.oneof(
		fc.constant<Array<[number, number]>>([[0, 0]]),
		fc.array(fc.tuple(fc.nat(3_000), fc.nat(3_000)), { minLength: 1 }),
	);

	it.each([
		['no window exceeds the limit', fc.constant(20)],
		['other programs use the limit too', fc.integer({ min: 1, max: 19 })],
	])(
		'Under random load, no request succeeds twice, and items write one by one: %s',
		async (_, someLimit) => {
			const property = async (
				runs: RunOfItems[],
				latencies: Array<[number, number]>,
				limit: number,
			) => {
				let draws = 0;
				const latency = () => latencies[draws++ % latencies.length];
				const tenant = new SimulatedTenant({ rule: { limit }, limit: 20, latency });
				const held = { holders: 0 };
				await tenant.clock.run(
					Promise.all(runs.map(async (run) => await runItems(tenant, run, held))),
				);
				(await tenant.clock.run(tenant.lockWrites()))();
				if (limit === 20) expectWithinLimit(tenant);
			};
			await fc.assert(fc.asyncProperty(someRuns, someLatencies, someLimit, property), {
				numRuns: runsOf(60),
			});
		},
	);
});

it('After a 429, the limiter waits for Retry-After, then first sends a single request', async () => {
	const tenant = new SimulatedTenant();
	const byOthers = async (name: string) => await tenant.answer(name);
	await tenant.clock.run(Promise.all(names(20).map(byOthers)));
	tenant.entries.length = 0;
	await submitAll(tenant, 8);
	const refused = tenant.entries.filter(({ status }) => status === 429);
	const throttledAt = Math.min(...refused.map(({ respondedAt }) => respondedAt));
	const [probe, next] = tenant.entries.filter(({ sentAt }) => sentAt > throttledAt);
	expect(probe.sentAt).toBeGreaterThanOrEqual(60_000);
	expect(next.sentAt).toBeGreaterThanOrEqual(probe.respondedAt);
	expect(refused.length).toBeLessThanOrEqual(4);
	expect(tenant.accepted).toEqual(names(8));
});

describe('waiting requests', () => {
	it('The limiter drops waiting requests of a stopped run immediately; used slots stay used', async () => {
		const tenant = new SimulatedTenant();
		const stop = new AbortController();
		const all = submitted(tenant, 40, { signal: stop.signal });
		await tenant.clock.pass(5_000);
		stop.abort();
		const outcomes = await all;
		expect(outcomes.filter((outcome) => outcome instanceof RunStopped)).toHaveLength(20);
		expect(tenant.clock.waiting).toBe(0);
		await expect(tenant.submit('late', { signal: stop.signal })).rejects.toThrow(RunStopped);
		await submitAll(tenant, 20);
		expectWithinLimit(tenant);
		expect(tenant.entries).toHaveLength(40);
		expect(tenant.entries[20].sentAt).toBeGreaterThanOrEqual(60_000);
	});

	itInCi('The limiter looks at each of 20,000 waiting requests at most five times', async () => {
		const tenant = new SimulatedTenant();
		await submitAll(tenant, 20);
		const stop = new AbortController();
		let looks = 0;
		const looked = (ms: number) => ({ valueOf: () => (looks++, ms) }) as unknown as number;
		const all = submitted(tenant, 20_000, {
			signal: stop.signal,
			slotWaitMs: looked(Infinity),
			throttledWaitMs: looked(1_800_000),
		});
		// The cost of a new request must not depend on the number that wait. Looking at all takes 200 million steps.
		expect(looks).toBeLessThanOrEqual(20_000 * 5);
		stop.abort();
		expect((await all).every((each) => each instanceof RunStopped)).toBe(true);
	});
});

describe('the write lock', () => {
	/** Items of a lane send one request each in their turn, and do not wait for a slot. Returns their results. */
	function inTurns(tenant: SimulatedTenant, count: number): Array<Promise<unknown>> {
		const lane = {};
		return Array.from({ length: count }, async (_, item) => {
			const waits = { lane, item, ...IMPATIENT };
			const unlock = await tenant.lockWrites(waits);
			await tenant.submit(`${item}`, waits).finally(unlock);
		}).map(caught);
	}

	it('The limiter lets each run in rotation write one item', async () => {
		const tenant = new SimulatedTenant();
		const begun: string[] = [];
		const all = ['a', 'b', 'c'].flatMap((name) => {
			const lane = {};
			return [0, 1, 2].map(async (item) => {
				const unlock = await tenant.lockWrites({ lane, item });
				begun.push(`${name}${item}`);
				await tenant.submit('one', { lane, item });
				unlock();
			});
		});
		await tenant.clock.run(Promise.all(all));
		expect(begun).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
	});

	it('An item gets the write lock only when a slot is free', async () => {
		const tenant = new SimulatedTenant();
		await submitAll(tenant, 20);
		await tenant.clock.run(tenant.lockWrites());
		expect(tenant.clock.now()).toBeGreaterThanOrEqual(60_000);
	});

	it('An item that must not wait for slots still waits for the write lock', async () => {
		const tenant = new SimulatedTenant({ latency: () => [1_000, 1_500] });
		const all = inTurns(tenant, 6);
		expect(await tenant.clock.run(Promise.all(all))).toEqual(Array(6).fill(undefined));
	});

	it('An item that must not wait fails immediately if no slot is free', async () => {
		const tenant = new SimulatedTenant();
		const all = inTurns(tenant, 25);
		const outcomes = await tenant.clock.run(Promise.all(all));
		expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(20);
		for (const outcome of outcomes.slice(20)) expect(outcome).toMatchObject({ reason: 'limit' });
		expect(tenant.clock.now()).toBeLessThan(3_000);
	});

	it('Beside an unanswered write, an item that must not wait fails within three seconds', async () => {
		const tenant = new SimulatedTenant({ latency: () => [0, 60_000] });
		const sleeps = jest.spyOn(tenant.clock, 'sleep');
		const [first, ...others] = inTurns(tenant, 5);
		const outcomes = await tenant.clock.run(Promise.all(others));
		const told =
			/^Another item is changing a record with this credential, so that this item was not begun/;
		for (const outcome of outcomes) expect((outcome as Error).message).toMatch(told);
		expect(tenant.clock.now()).toBeLessThanOrEqual(3_000);
		await tenant.clock.run(first);
		expect(sleeps.mock.calls.length).toBeLessThan(20);
	});
});

describe('four requests that hang', () => {
	it.each([
		['an item that must not wait', 0, 3_000],
		['a list in the editor', 5_000, 5_000],
	])(
		'Beside four unanswered requests, the limiter rejects the request of %s within five seconds',
		async (_, slotWaitMs, within) => {
			const tenant = new SimulatedTenant({ latency: () => [0, 60_000] });
			const all = names(4).map(async (name) => await tenant.submit(name));
			await tenant.clock.pass(10);
			const waits = { slotWaitMs, throttledWaitMs: slotWaitMs, isUrgent: slotWaitMs > 0 };
			const waiting = tenant.submit('impatient', waits);
			const patient = tenant.submit('patient');
			await expect(tenant.clock.run(waiting)).rejects.toMatchObject({ reason: 'unanswered' });
			expect(tenant.clock.now()).toBeLessThanOrEqual(10 + within);
			await tenant.clock.run(Promise.all([...all, patient]));
		},
	);
});

describe('a clock', () => {
	itInCi(
		'The limiter sends all waiting requests even if the clock advances while it decides',
		async () => {
			for (let seed = 0; seed < 20; seed++) {
				const clock = new VirtualClock();
				const virtualNow = clock.now;
				const delays = seededRandom(100 + seed);
				let last = 0;
				clock.now = () => (last = Math.max(last, virtualNow() + 30 * delays()));
				const rule = { limit: 12, countRejected: seed % 2 === 0 };
				const tenant = new SimulatedTenant({ clock, random: seededRandom(seed), rule, limit: 20 });
				await submitAll(tenant, 60);
				expect(tenant.accepted).toHaveLength(60);
			}
		},
	);

	it.each<[string, (clock: VirtualClock) => void, number]>([
		['whose time of day is set forward', (clock) => clock.setTimeOfDay(HOUR_MS), 0],
		['whose time of day is set back', (clock) => clock.setTimeOfDay(-HOUR_MS), 0],
		['that leaps, as after a sleep of the machine', (clock) => clock.leap(HOUR_MS), HOUR_MS],
		['whose timers fire too early', (clock) => clock.ringAll(), 0],
	])(
		'On a clock %s, the limiter sends everything within the limit without undue delay',
		async (_, disturb, later) => {
			for (const limit of [20, 15]) {
				const tenant = new SimulatedTenant({ retryAfter: 'date', rule: { limit }, limit: 20 });
				const all = submitted(tenant, 60);
				await tenant.clock.pass(30_000);
				disturb(tenant.clock);
				await tenant.clock.run(all);
				if (limit === 20) expectWithinLimit(tenant);
				expect(tenant.accepted).toHaveLength(60);
				expect(tenant.lastResponseAt).toBeLessThanOrEqual(
					later + (limit === 20 ? 190_000 : 400_000),
				);
			}
		},
	);
});

describe('the maximum wait of a request', () => {
	it.each([
		[0, 'missing', false],
		[0, 'exact', false],
		[5_000, 'exact', true],
	] as const)(
		'With a maximum wait of %d ms (Retry-After: %s), refused requests fail immediately',
		async (slotWaitMs, retryAfter, isUrgent) => {
			let sent = 0;
			const latency = (): [number, number] => [0, 10 * sent++];
			const tenant = new SimulatedTenant({ rule: { limit: 1 }, limit: 20, retryAfter, latency });
			await tenant.clock.run(tenant.answer('other'));
			const waits = { slotWaitMs, throttledWaitMs: slotWaitMs, isUrgent };
			for (const outcome of await submitAll(tenant, 6, waits)) {
				expect(outcome).toMatchObject({ reason: 'throttled' });
			}
			expect(tenant.clock.now()).toBeLessThan(100);
			expect(sent).toBe(3);
		},
	);
});

it.each([25_000, 100_000])(
	"Without a Date header, a Retry-After date %d ms ahead counts from n8n's clock",
	async (waitMs) => {
		const clock = new VirtualClock();
		const limiter = new Limiter(clock, seededRandom(1), limitEffectOf);
		const sentAt: number[] = [];
		const send = async () => {
			sentAt.push(clock.now());
			const date = new Date(clock.wallTime() + waitMs).toUTCString();
			const headers = { 'retry-after': date };
			const status = sentAt.length === 1 ? 429 : 200;
			return await Promise.resolve({ kind: 'response' as const, status, headers, body: {} });
		};
		const patient = { slotWaitMs: Infinity, throttledWaitMs: Infinity };
		const waits = { ...patient, lane: {}, item: 0, isUrgent: false, limit: 20 };
		await clock.run(limiter.submit(waits, send));
		const [first = 0, second = 0] = sentAt;
		expect(second - first).toBeGreaterThan(waitMs - 1_001);
		expect(second - first).toBeLessThan(waitMs + 5_000);
	},
);
