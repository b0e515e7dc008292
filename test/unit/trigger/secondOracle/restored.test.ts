import { closeTenant, openTenant, OpenTrigger } from '../support/openTenant';

const MINUTE_MS = 60_000;
const ARCHIVED = { archivedAt: '2026-01-01T09:00:00Z' };

afterEach(closeTenant);

// Whom lists never showed before, as they were archived already, README.md leaves out.
describe('somebody of a segment who was seen, is archived and restored', () => {
	it.each([
		['after the segment was read', 10, false],
		['before the workflow is published, where lists show who is archived', -1, true],
		['after the segment was read, where lists show who is archived', 10, true],
	])('neither joins nor leaves: %s', async (_, archivedAfter, showsArchived) => {
		const tenant = openTenant({ showsArchived });
		const segment = tenant.create('/segments', { title: 'Newsletter' });
		const member = { familyName: 'Visser', segments: [`/segments/${segment}`] };
		tenant.create('/people', member);
		const person = tenant.create('/people', { ...member, ...(archivedAfter < 0 ? ARCHIVED : {}) });
		tenant.passTo(tenant.now + MINUTE_MS);
		const trigger = new OpenTrigger(tenant, {
			watch: 'segment',
			events: ['personAddedToSegment', 'personRemovedFromSegment'],
			segmentId: { __rl: true, mode: 'id', value: segment },
		});
		const start = tenant.now;
		const events: unknown[] = [];
		for (let minute = 0; minute < 60; minute++) {
			if (minute === archivedAfter) tenant.change('/people', person, ARCHIVED);
			if (minute === 40) tenant.change('/people', person, { archivedAt: null });
			const { items } = await trigger.poll(start + minute * MINUTE_MS);
			events.push(...(items ?? []).map(({ event }) => event));
		}
		expect(events).toEqual([]);
	});
});

describe('somebody of a segment who does not meet the filter', () => {
	it.each([
		['met', '/tags/1', ['personRemovedFromSegment']],
		['not met', '/tags/2', []],
	])('is archived, and deleted a while later: the filter was %s', async (_, tag, expected) => {
		const tenant = openTenant({ showsArchived: false });
		const segment = tenant.create('/segments', { title: 'Newsletter' });
		const member = { familyName: 'Visser', segments: [`/segments/${segment}`] };
		tenant.create('/people', { ...member, tags: ['/tags/1'] });
		const person = tenant.create('/people', { ...member, tags: [tag] });
		tenant.passTo(tenant.now + MINUTE_MS);
		const trigger = new OpenTrigger(tenant, {
			watch: 'segment',
			events: ['personRemovedFromSegment'],
			segmentId: { __rl: true, mode: 'id', value: segment },
			filters: { tagsId: ['1'] },
		});
		const start = tenant.now;
		const events: unknown[] = [];
		for (let minute = 0; minute < 60; minute++) {
			if (minute === 5) tenant.change('/people', person, ARCHIVED);
			if (minute === 20) tenant.remove('/people', person);
			const { items } = await trigger.poll(start + minute * MINUTE_MS);
			events.push(...(items ?? []).map(({ event }) => event));
		}
		expect(events).toEqual(expected);
	});
});
