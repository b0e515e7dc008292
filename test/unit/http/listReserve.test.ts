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

describe('slots that are kept for lists', () => {
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
