import fc from 'fast-check';
import { runsOf, sampled } from '../../support/drawn';
import { mostInWindow, SimulatedTenant } from '../../support/simulatedTenant';
import { RateLimited } from '../../../nodes/ContactTaskCrm/util/failures';

/** Simulates hours of many runs or triggers. */
jest.setTimeout(600_000);

const MINUTE_MS = 60_000;
const shareOf = (limit: number) => Math.max(1, Math.floor(limit / 2));

/** A trigger with the number of requests of its polls, and the longest wait of a request. */
interface Trigger {
	phaseMs: number;
	requests: number;
	waitMs: number;
}

/** Polls each minute. Returns the times of the answers to the trigger. */
async function polled(
	tenant: SimulatedTenant,
	{ phaseMs, requests, waitMs }: Trigger,
	minutes: number,
): Promise<number[]> {
	const { clock } = tenant;
	const place = { servedAt: -Infinity, polledAt: 0, apartMs: MINUTE_MS };
	const served: number[] = [];
	for (let minute = 0; minute < minutes; minute++) {
		const at = minute * MINUTE_MS + phaseMs;
		// n8n begins no poll while another one of the trigger is under way.
		if (at < clock.now()) continue;
		await clock.sleep(at - clock.now());
		place.polledAt = clock.now();
		for (let sent = 0; sent < requests; sent++) {
			const slotWaitMs = sent === 0 ? waitMs : Math.min(waitMs, 10_000);
			const sending = tenant.submit('poll', {
				poller: place,
				slotWaitMs,
				throttledWaitMs: slotWaitMs,
			});
			const outcome = await sending.catch((error: unknown) => error);
			if (outcome instanceof RateLimited) break;
			served.push(clock.now());
		}
	}
	return served;
}

const pollTimes = ({ entries }: SimulatedTenant) =>
	entries.filter(({ name }) => name === 'poll').map(({ sentAt }) => sentAt);

it('Any number of triggers share half of the rate limit, and each polls regularly', async () => {
	const someTriggers = fc.array(
		fc.record({
			phaseMs: fc.oneof(fc.constant(0), fc.nat(59_000)),
			requests: fc.integer({ min: 1, max: 4 }),
			waitMs: fc.constantFrom(0, 34_000, 59_500),
		}),
		{ minLength: 1, maxLength: 40 },
	);
	const property = async (triggers: Trigger[], limit: number) => {
		const tenant = new SimulatedTenant({ rule: { limit } });
		const rounds = Math.ceil(triggers.length / shareOf(limit));
		const minutes = 5 * rounds + 5;
		const work = triggers.map(async (trigger) => await polled(tenant, trigger, minutes));
		const served = await tenant.clock.run(Promise.all(work));
		expect(mostInWindow(pollTimes(tenant), MINUTE_MS)).toBeLessThanOrEqual(shareOf(limit));
		for (const times of served) {
			const gaps = [...times, minutes * MINUTE_MS].map((at, index) => at - (times[index - 1] ?? 0));
			expect(Math.max(...gaps)).toBeLessThanOrEqual((2 * rounds + 2) * MINUTE_MS);
		}
	};
	const someLimit = fc.constantFrom(1, 2, 3, 4, 10, 20, 60);
	await fc.assert(fc.asyncProperty(someTriggers, someLimit, property), { numRuns: runsOf(60) });
});

it.each(
	sampled([
		[4, 10],
		[1, 3],
		[20, 40],
	]),
)('At %d requests a minute, a long run and %d triggers all continue', async (limit, count) => {
	const minutes = 4 * Math.ceil(count / Math.max(1, Math.floor(limit / 10)));
	const alone = new SimulatedTenant({ rule: { limit } });
	const beside = new SimulatedTenant({ rule: { limit } });
	const runs = [alone, beside].map(async (tenant) => {
		const lane = {};
		const all = Array.from({ length: minutes * limit }, async (_, item) => {
			await tenant.submit('run', { lane, item });
			return tenant.clock.now();
		});
		return (await Promise.all(all)).filter((at) => at < minutes * MINUTE_MS).length;
	});
	const triggers = Array.from({ length: count }, async (_, index) => {
		const trigger = { phaseMs: index * 1_000, requests: 2, waitMs: 59_500 };
		return await polled(beside, trigger, minutes);
	});
	const sent = await alone.clock.run(runs[0]);
	const [served, sentBeside] = await beside.clock.run(
		Promise.all([Promise.all(triggers), runs[1]]),
	);
	for (const times of served) expect(times.length).toBeGreaterThan(0);
	// With one request per minute, the run and the triggers send alternately.
	expect(sentBeside).toBeGreaterThanOrEqual(sent * (limit === 1 ? 0.45 : limit < 10 ? 0.7 : 0.88));
});

it("A run's single request waits at most 200 ms beside forty polling triggers", async () => {
	const tenant = new SimulatedTenant();
	const triggers = Array.from({ length: 40 }, async (_, index) => {
		const trigger = { phaseMs: index * 1_000, requests: 2, waitMs: 59_500 };
		return await polled(tenant, trigger, 20);
	});
	const waits: number[] = [];
	const singles = async () => {
		for (let count = 0; count < 50; count++) {
			await tenant.clock.sleep(17_000);
			const from = tenant.clock.now();
			await tenant.submit('single');
			waits.push(tenant.clock.now() - from);
		}
	};
	await tenant.clock.run(Promise.all([...triggers, singles()]));
	expect(Math.max(...waits)).toBeLessThan(200);
});

it('A trigger whose poll sends no request does not delay other triggers', async () => {
	const tenant = new SimulatedTenant({ rule: { limit: 2 } });
	const { clock } = tenant;
	const waiting = { servedAt: -Infinity, polledAt: 0, apartMs: MINUTE_MS };
	const other = { servedAt: 0, polledAt: 0, apartMs: MINUTE_MS };
	const poll = async (place: typeof other, slotWaitMs: number) =>
		await tenant
			.submit('poll', { poller: place, slotWaitMs, throttledWaitMs: slotWaitMs })
			.catch((error: unknown) => error);
	const work = async () => {
		await poll(other, 0);
		expect(await poll(waiting, 0)).toBeInstanceOf(RateLimited);
		await clock.sleep(MINUTE_MS);
		// The trigger begins another poll, which waits for an answer of another trigger's request.
		waiting.polledAt = clock.now();
		return await poll(other, 1_000);
	};
	expect(await clock.run(work())).not.toBeInstanceOf(RateLimited);
});
