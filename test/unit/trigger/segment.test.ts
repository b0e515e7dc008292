import type { IDataObject } from 'n8n-workflow';
import { closeTenant, openTenant, OpenTrigger } from './support/openTenant';

const MINUTE_MS = 60_000;

afterEach(closeTenant);

/** A segment, its members, one who is not in it, and a trigger that has read it. */
async function readSegment(members: number) {
	const tenant = openTenant();
	const segment = tenant.create('/segments', { title: 'Newsletter' });
	const inIt = { segments: [`/segments/${segment}`] };
	const outOfIt = { segments: [] };
	const ids = Array.from({ length: members }, () => tenant.create('/people', inIt));
	const outsider = tenant.create('/people', outOfIt);
	tenant.passTo(tenant.now + MINUTE_MS);
	const trigger = new OpenTrigger(tenant, {
		watch: 'segment',
		events: ['personAddedToSegment', 'personRemovedFromSegment'],
		segmentId: { __rl: true, mode: 'id', value: segment },
	});
	const executions: IDataObject[][] = [];
	const poll = async (times: number) => {
		for (let count = 0; count < times; count++) {
			const { items, failure } = await trigger.poll(tenant.now + MINUTE_MS);
			expect(failure).toBeUndefined();
			if (items) executions.push(items);
		}
	};
	await poll(8);
	const events = () => executions.flat().map(({ event, id }) => [event, id]);
	return { tenant, trigger, poll, executions, events, ids, outsider, inIt, outOfIt };
}

describe('a member who is out of sight and comes back while they are looked for', () => {
	it('has left once they leave again', async () => {
		const { tenant, poll, events, ids, inIt, outOfIt } = await readSegment(3);
		const [id] = ids;
		tenant.change('/people', id, outOfIt);
		await poll(1);
		tenant.change('/people', id, inIt);
		tenant.failure = (request) => {
			const leave = () => tenant.change('/people', id, outOfIt);
			if (request === `/people/${id}`) {
				tenant.failure = undefined;
				tenant.schedule(tenant.now + 1, leave);
			}
			return undefined;
		};
		await poll(6);
		expect(tenant.failure).toBeUndefined();
		expect(events()).toEqual([['personRemovedFromSegment', id]]);
	});
});

describe('who joins a segment that was read, while n8n is down', () => {
	it('starts the workflow, though nothing else had started it before', async () => {
		const { tenant, trigger, poll, executions, events, outsider, inIt } = await readSegment(100);
		await poll(12);
		// That the segment was read was worth an execution without items, for n8n to save it.
		expect(executions).toEqual([[]]);
		trigger.kill();
		tenant.change('/people', outsider, inIt);
		await poll(8);
		expect(events()).toEqual([['personAddedToSegment', outsider]]);
	});
});

/** Members of one segment, watched for those who leave. */
function watchedSegment(setup: Parameters<typeof openTenant>[0], size: number) {
	const tenant = openTenant(setup);
	const segment = tenant.create('/segments', { title: 'Newsletter' });
	const segments = [`/segments/${segment}`];
	const ids = Array.from({ length: size }, () => tenant.create('/people', { segments }));
	tenant.passTo(tenant.now + MINUTE_MS);
	const trigger = new OpenTrigger(tenant, {
		watch: 'segment',
		events: ['personRemovedFromSegment'],
		segmentId: { __rl: true, mode: 'id', value: segment },
	});
	/** The places of those who start the workflow as having left, in four hours of polls. */
	const placesLeft = async (happensIn: (minute: number) => void) => {
		const left: unknown[] = [];
		for (let minute = 0; minute < 240; minute++) {
			happensIn(minute);
			const { items } = await trigger.poll(tenant.now + MINUTE_MS);
			left.push(...(items ?? []).map(({ id }) => ids.indexOf(String(id))));
		}
		return left;
	};
	return { tenant, ids, placesLeft };
}

describe('a segment of 100 who joined in one second, whose order differs from page to page', () => {
	it.each([0, 50, 99])('loses member %d, and the workflow starts with them', async (place) => {
		const { tenant, ids, placesLeft } = watchedSegment({ shufflesTies: true }, 100);
		const left = await placesLeft((minute) => {
			if (minute === 60) tenant.change('/people', ids[place], { segments: [] });
		});
		expect(left).toEqual([place]);
	});
});

describe('a segment with 20 archived members whom lists do not show', () => {
	it.each([0, 10, 19])('loses archived member %d, who is deleted', async (place) => {
		const { tenant, ids, placesLeft } = watchedSegment({ showsArchived: false }, 40);
		const archivedAt = '2026-01-05T09:00:00Z';
		const left = await placesLeft((minute) => {
			if (minute === 10) {
				for (const id of ids.slice(0, 20)) tenant.change('/people', id, { archivedAt });
			}
			if (minute === 60) tenant.remove('/people', ids[place]);
		});
		expect(left).toEqual([place]);
	});
});
