import type { INodeParameters } from 'n8n-workflow';
import type { CrmTenant } from './support/crmTenant';
import { closeTenant, openTenant, OpenTrigger } from './support/openTenant';

const MINUTE_MS = 60_000;

afterEach(closeTenant);

/** Polls on, and gives what started the workflow, and the words of failed executions. */
async function started(
	tenant: CrmTenant,
	trigger: OpenTrigger,
	{ polls, apartMinutes }: { polls: number; apartMinutes: number },
) {
	const titles: unknown[] = [];
	const failures: string[] = [];
	for (let poll = 0; poll < polls; poll++) {
		const { items, failure } = await trigger.poll(tenant.now + apartMinutes * MINUTE_MS);
		titles.push(...(items ?? []).map(({ title, familyName }) => title ?? familyName));
		if (failure) failures.push(failure.message);
	}
	return { titles, failures };
}

describe('one request a poll, polled every hour', () => {
	it.each(['taskCreated', 'taskMoved'])('still reads the list: %s', async (event) => {
		const tenant = openTenant({ order: 'byTitle' });
		const task = tenant.create('/tasks', { title: 'Call', status: '/workspaces/1/columns/a' });
		tenant.passTo(tenant.now + MINUTE_MS);
		const trigger = new OpenTrigger(tenant, {
			watch: 'tasks',
			events: [event],
			options: { maxRequestsPerPoll: 1 },
		});
		const before = await started(tenant, trigger, { polls: 12, apartMinutes: 60 });
		tenant.change('/tasks', task, { status: '/workspaces/1/columns/b' });
		tenant.create('/tasks', { title: 'Mail', status: '/workspaces/1/columns/a' });
		const after = await started(tenant, trigger, { polls: 8, apartMinutes: 60 });
		expect(before).toEqual({ titles: [], failures: [] });
		expect(after).toEqual({ titles: [event === 'taskCreated' ? 'Mail' : 'Call'], failures: [] });
	});
});

describe.each([1, 2])('%d requests a poll, polled every hour', (maxRequestsPerPoll) => {
	it('still read who has left a segment, though it is made sure to exist each hour', async () => {
		const tenant = openTenant();
		const segment = tenant.create('/segments', { title: 'Newsletter' });
		const segments = [`/segments/${segment}`];
		const id = tenant.create('/people', { familyName: 'Visser', segments });
		tenant.passTo(tenant.now + MINUTE_MS);
		const trigger = new OpenTrigger(tenant, {
			watch: 'segment',
			events: ['personRemovedFromSegment'],
			segmentId: { __rl: true, mode: 'id', value: segment },
			options: { maxRequestsPerPoll },
		});
		await started(tenant, trigger, { polls: 12, apartMinutes: 60 });
		tenant.change('/people', id, { segments: [] });
		const { titles } = await started(tenant, trigger, { polls: 12, apartMinutes: 60 });
		expect(titles).toEqual(['Visser']);
	});
});

describe('more segments in a filter than a poll may send requests', () => {
	const onSegments = (segments: string[]): INodeParameters => ({
		watch: 'people',
		events: ['personCreated'],
		filters: { segmentsUuid: segments },
	});
	const furnished = () => {
		const tenant = openTenant();
		const segments = ['News', 'Sales', 'Events'].map((title) =>
			tenant.create('/segments', { title }),
		);
		tenant.passTo(tenant.now + MINUTE_MS);
		const trigger = new OpenTrigger(tenant, onSegments(segments));
		const join = (familyName: string) =>
			tenant.create('/people', { familyName, segments: [`/segments/${segments[0]}`] });
		return { tenant, trigger, segments, join };
	};

	it('are made sure to exist one after the other, and people are read meanwhile', async () => {
		const { tenant, trigger, segments, join } = furnished();
		const minutes = { polls: 90, apartMinutes: 1 };
		const none = await started(tenant, trigger, minutes);
		join('Visser');
		const one = await started(tenant, trigger, minutes);
		expect([none, one]).toEqual([
			{ titles: [], failures: [] },
			{ titles: ['Visser'], failures: [] },
		]);
		for (const id of segments) {
			expect(tenant.requests.filter((path) => path === `/segments/${id}`).length).toBeGreaterThan(
				1,
			);
		}
		tenant.remove('/segments', segments[2]);
		const { failures } = await started(tenant, trigger, minutes);
		expect(failures[0]).toContain(segments[2]);
	});

	it('do not hold people up where one of them cannot be asked for', async () => {
		const { tenant, trigger, segments, join } = furnished();
		await started(tenant, trigger, { polls: 5, apartMinutes: 1 });
		tenant.failure = (path) => (path === `/segments/${segments[0]}` ? 500 : undefined);
		join('Visser');
		await started(tenant, trigger, { polls: 90, apartMinutes: 1 });
		join('Smit');
		const { titles } = await started(tenant, trigger, { polls: 30, apartMinutes: 1 });
		expect(titles).toEqual(['Smit']);
	});

	it('are named where one of them cannot be asked for', async () => {
		const { tenant, trigger, segments } = furnished();
		await started(tenant, trigger, { polls: 5, apartMinutes: 1 });
		tenant.failure = (path) => (path === `/segments/${segments[0]}` ? 500 : undefined);
		const { failures } = await started(tenant, trigger, { polls: 60, apartMinutes: 1 });
		expect(failures[0]).toMatch(/segment.*HTTP 500/);
	});
});
