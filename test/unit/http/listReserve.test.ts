import fc from 'fast-check';
import { KEPT_FOR_MS } from '../../../nodes/ContactTaskCrm/http/rateLimit';
import { SimulatedTenant } from '../../support/simulatedTenant';

/** Begins a bulk run, and says when its last request was answered. */
async function bulkRun(tenant: SimulatedTenant, items: number): Promise<number> {
	const lane = {};
	const submit = async (_: unknown, item: number) => await tenant.submit('bulk', { lane, item });
	await Promise.all(Array.from({ length: items }, submit));
	return tenant.clock.now();
}

async function openList(tenant: SimulatedTenant): Promise<number> {
	tenant.limiter.listOpened();
	const from = tenant.clock.now();
	await tenant.submit('list', { isUrgent: true, slotWaitMs: 15_000, throttledWaitMs: 15_000 });
	return tenant.clock.now() - from;
}

describe('slots that are kept for lists', () => {
	it('let a list be read at once twice a minute beside a bulk run, which takes 12 % longer at most', async () => {
		// 18 and 20 divide it, so that no window that is begun and not used up blurs the figure.
		const items = 900;
		const alone = new SimulatedTenant();
		const aloneFor = await alone.clock.run(bulkRun(alone, items));
		const tenant = new SimulatedTenant();
		tenant.limiter.listOpened();
		let endedAt = 0;
		void bulkRun(tenant, items).then((at) => (endedAt = at));
		while (endedAt === 0) {
			await tenant.clock.pass(31_000);
			expect(await tenant.clock.run(openList(tenant))).toBeLessThan(500);
		}
		expect(tenant.rejections).toBe(0);
		expect(endedAt / aloneFor).toBeLessThanOrEqual(1.12);
	});

	it('are given back five minutes after the last list was opened', async () => {
		const tenant = new SimulatedTenant();
		tenant.limiter.listOpened();
		await tenant.clock.pass(KEPT_FOR_MS + 1);
		const endedAt = await tenant.clock.run(bulkRun(tenant, 100));
		expect(endedAt - KEPT_FOR_MS).toBeLessThanOrEqual(1.01 * 240_000);
	});

	it('never let a bulk run wait for ever, whatever the limit', async () => {
		const someLimit = fc.constantFrom(1, 2, 3, 5, 10, 20, 100, 1_000);
		await fc.assert(
			fc.asyncProperty(someLimit, fc.integer({ min: 1, max: 60 }), async (limit, items) => {
				const tenant = new SimulatedTenant({ rule: { limit } });
				tenant.limiter.listOpened();
				const endedAt = await tenant.clock.run(bulkRun(tenant, items));
				const windows = Math.ceil(items / Math.max(1, limit - 2));
				expect(endedAt).toBeLessThanOrEqual(windows * 62_000);
				expect(tenant.rejections).toBe(0);
			}),
			{ numRuns: 30 },
		);
	});
});
