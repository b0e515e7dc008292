import fc from 'fast-check';
import { KEPT_FOR_MS } from '../../../nodes/ContactTaskCrm/transport/listReserve';
import { SimulatedTenant } from '../../support/simulatedTenant';

const PATIENT = { slotMs: 15_000, throttledMs: 15_000 };

/** Begins a bulk run, and says when its last request was answered. */
function bulkRun(tenant: SimulatedTenant, items: number): Promise<number> {
	const queueKey = {};
	const names = Array.from({ length: items }, (_, item) => `bulk ${item}`);
	return Promise.all(names.map(async (name) => await tenant.submit(name, queueKey))).then(() =>
		tenant.clock.now(),
	);
}

async function alone(items: number): Promise<number> {
	const tenant = new SimulatedTenant();
	return await tenant.clock.run(bulkRun(tenant, items));
}

async function openList(tenant: SimulatedTenant, name: string): Promise<number> {
	tenant.limiter.listOpened();
	const from = tenant.clock.now();
	await tenant.submit(name, {}, { urgent: true, waitLimits: PATIENT });
	return tenant.clock.now() - from;
}

describe('slots that are kept for lists', () => {
	it('let two lists a minute be read at once beside a bulk run', async () => {
		const tenant = new SimulatedTenant();
		tenant.limiter.listOpened();
		void bulkRun(tenant, 200);
		const waits: number[] = [];
		for (let minute = 0; minute < 4; minute++) {
			await tenant.clock.pass(30_000);
			waits.push(await tenant.clock.run(openList(tenant, `list ${minute}`)));
			await tenant.clock.pass(30_000);
			waits.push(await tenant.clock.run(openList(tenant, `another ${minute}`)));
		}
		expect(Math.max(...waits)).toBeLessThan(500);
		expect(tenant.rejections).toBe(0);
	});

	it('make a bulk run at most 12 % longer while lists are opened all the time', async () => {
		// 18 and 20 divide it, so that no window that is begun and not used up blurs the figure.
		const items = 900;
		const tenant = new SimulatedTenant();
		const run = bulkRun(tenant, items);
		let isOver = false;
		void run.then(() => (isOver = true));
		while (!isOver) {
			await tenant.clock.run(openList(tenant, 'list').catch(() => undefined));
			await tenant.clock.pass(44_000);
		}
		expect((await run) / (await alone(items))).toBeLessThanOrEqual(1.12);
	});

	it('cost nothing where no list is opened', async () => {
		const tenant = new SimulatedTenant();
		tenant.limiter.listOpened();
		await tenant.clock.pass(KEPT_FOR_MS + 1);
		const startedAt = tenant.clock.now();
		const endedAt = await tenant.clock.run(bulkRun(tenant, 100));
		expect(endedAt - startedAt).toBe(await alone(100));
	});

	it('are given back five minutes after the last list was opened', async () => {
		const tenant = new SimulatedTenant();
		tenant.limiter.listOpened();
		const endedAt = await tenant.clock.run(bulkRun(tenant, 400));
		const neverGivenBack = (400 / 18 - 1) * 60_000;
		expect(endedAt).toBeLessThan(neverGivenBack);
	});

	it('never let a bulk run wait for ever, whatever the limit', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(1, 2, 3, 5, 10, 20, 100, 1_000),
				fc.integer({ min: 1, max: 60 }),
				async (limit, items) => {
					const tenant = new SimulatedTenant({ rule: { limit } });
					tenant.limiter.listOpened();
					const endedAt = await tenant.clock.run(bulkRun(tenant, items));
					const windows = Math.ceil(items / Math.max(1, limit - 2));
					expect(endedAt).toBeLessThanOrEqual(windows * 62_000);
					expect(tenant.rejections).toBe(0);
				},
			),
			{ numRuns: 30 },
		);
	});
});
