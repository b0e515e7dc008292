import type { CrmTenant } from '../support/crmTenant';
import { closeTenant, openTenant, OpenTrigger } from '../support/openTenant';

const MINUTE_MS = 60_000;

afterEach(closeTenant);

/** A tenant with tasks, and a trigger on them with two requests a poll. */
function furnished(options = {}) {
	const tenant = openTenant({ order: 'changedFirst' });
	for (let count = 0; count < 50; count++) {
		tenant.create('/tasks', { title: `${count}`, status: '/workspaces/1/columns/a' });
	}
	tenant.passTo(tenant.now + MINUTE_MS);
	const trigger = new OpenTrigger(tenant, { watch: 'tasks', events: ['taskCreated'], options });
	return { tenant, trigger };
}

interface Report {
	minute: number;
	message: string;
}

/** Polls each minute; the failed executions, with the minute they came in. */
async function failuresOf(
	{ tenant, trigger }: { tenant: CrmTenant; trigger: OpenTrigger },
	minutes: number,
	failsAs: (minute: number) => number | 'reset' | undefined,
): Promise<{ reports: Report[]; titles: unknown[] }> {
	const start = tenant.now;
	const [reports, titles]: [Report[], unknown[]] = [[], []];
	for (let minute = 0; tenant.now < start + minutes * MINUTE_MS; minute++) {
		const at = Math.max(tenant.now, start + minute * MINUTE_MS);
		const passed = () => Math.floor((tenant.now - start) / MINUTE_MS);
		tenant.failure = () => failsAs(passed());
		if (minute % 7 === 5) tenant.create('/tasks', { title: `new ${minute}` });
		const { items, failure } = await trigger.poll(at);
		titles.push(...(items ?? []).map(({ title }) => title));
		if (!failure) continue;
		reports.push({ minute: passed(), message: failure.message });
	}
	return { reports, titles };
}

describe('a failure of the service', () => {
	it.each([500, 503, 429, 'reset', 403] as const)(
		'is reported at first, hourly, and once when it ends: %s',
		async (as) => {
			const isDown = (minute: number) => minute >= 10 && minute < 160;
			const { reports } = await failuresOf(furnished(), 220, (minute) =>
				isDown(minute) ? as : undefined,
			);
			const minutes = reports.map(({ minute }) => minute);
			const during = minutes.filter(isDown);
			// Refusals are waited for, half an hour at first.
			expect(during.length).toBeGreaterThanOrEqual(as === 429 ? 2 : 3);
			expect(during.length).toBeLessThanOrEqual(4);
			expect(minutes.length - during.length).toBe(1);
		},
	);

	it.each([1, 2, 3, 10])('of %d polls is reported once, and once when it ends', async (polls) => {
		const isDown = (minute: number) => minute >= 10 && minute < 10 + polls;
		const { reports, titles } = await failuresOf(furnished(), 40, (minute) =>
			isDown(minute) ? 500 : undefined,
		);
		expect(titles).toEqual(expect.arrayContaining(['new 5', 'new 12', 'new 19']));
		expect(reports.map(({ message }) => message)).toEqual([
			expect.stringMatching(/could not read the list of tasks/),
			expect.stringMatching(/reads again/),
		]);
	});

	it('starts the workflow with what was read before it', async () => {
		const { tenant, trigger } = furnished({ maxRequestsPerPoll: 3 });
		const start = tenant.now;
		const titles: unknown[] = [];
		for (let minute = 0; minute < 20; minute++) {
			let sent = 0;
			if (minute === 15) tenant.create('/tasks', { title: 'new' });
			// One page is read, and then the service fails for good.
			tenant.failure = () => (minute >= 15 && ++sent > 1 ? 500 : undefined);
			const { items } = await trigger.poll(start + minute * MINUTE_MS);
			titles.push(...(items ?? []).map(({ title }) => title));
		}
		expect(titles).toEqual(['new']);
	});
});
