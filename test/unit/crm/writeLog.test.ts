import { person } from '../../../nodes/ContactTaskCrm/schema/person';
import type { OwnWrites } from '../../../nodes/ContactTaskCrm/crm/writeLog';
import { isBehind, keepOwn, WriteLog } from '../../../nodes/ContactTaskCrm/crm/writeLog';
import { VirtualClock } from '../../support/virtualClock';

const KEY = 'jan@example.com';
const SETTLED_MS = 5_000;
const INDEXED_MS = 120_000;

describe('the write log', () => {
	it('The write log distinguishes a task from a person with the same ID', () => {
		const notes = new WriteLog(new VirtualClock());
		notes.add('task', '5', []);
		expect(notes.isWrittenSince('task', '5', 0)).toBe(true);
		expect(notes.isWrittenSince('person', '5', 0)).toBe(false);
	});

	it('The write log finds a record by its UUID in upper or lower case', () => {
		const notes = new WriteLog(new VirtualClock());
		const uuid = 'ea67510a-e140-5670-bf29-893073da08c3';
		notes.add('task', uuid.toUpperCase(), []);
		expect(notes.isWrittenSince('task', uuid, 0)).toBe(true);
	});

	it('The write log finds who got an address recently or since a certain write', async () => {
		const clock = new VirtualClock();
		const notes = new WriteLog(clock);
		for (const id of ['p', 'q', 'p']) notes.add('person', id, [KEY]);
		expect(notes.carriersSince(KEY, notes.begunNow().afterWrite)).toEqual(['p', 'q']);
		await clock.pass(INDEXED_MS);
		expect(notes.carriersSince(KEY, notes.begunNow().afterWrite)).toEqual(['p', 'q']);
		await clock.pass(1);
		expect(notes.carriersSince(KEY, notes.begunNow().afterWrite)).toEqual([]);
		expect(notes.carriersSince(KEY, 0)).toEqual(['p', 'q']);
	});

	it('The write log keeps the last 30 people who got one e-mail address', () => {
		const notes = new WriteLog(new VirtualClock());
		const ids = Array.from({ length: 40 }, (_, index) => `${index}`);
		for (const id of ids) notes.add('person', id, [KEY]);
		expect(notes.carriersSince(KEY, 0)).toEqual(ids.slice(10).reverse());
	});

	it('After a create of unknown outcome, the write log keeps its address as sent', () => {
		const notes = new WriteLog(new VirtualClock());
		notes.addUncertain(['Jan@Example.com']);
		const [uncertain] = notes.uncertainSince(KEY, 0);
		expect(uncertain).toEqual({ value: 'Jan@Example.com', isNewer: true, settlesAt: SETTLED_MS });
		expect(notes.carriersSince(KEY, 0)).toEqual([]);
	});

	it('For five seconds after a write, the write log says that reads may lag', async () => {
		const clock = new VirtualClock();
		const notes = new WriteLog(clock);
		notes.add('person', 'P', []);
		await clock.pass(SETTLED_MS - 1);
		expect(notes.settling('person', 'P')).toBeDefined();
		await clock.pass(1);
		expect(notes.settling('person', 'P')).toBeUndefined();
		expect(notes.settling('person', 'P', SETTLED_MS - 1)).toBeDefined();
	});

	it("A preview's write log includes real writes, but leaves the real log unchanged", () => {
		const notes = new WriteLog(new VirtualClock());
		notes.add('person', 'p', [KEY]);
		const preview = new WriteLog(new VirtualClock(), notes);
		const { afterWrite: mark } = preview.begunNow();
		expect(preview.isWrittenSince('person', 'p', mark)).toBe(false);
		preview.add('person', 'q', [KEY]);
		expect(preview.begunNow().afterWrite).toBe(mark);
		expect(preview.isWrittenSince('person', 'q', preview.begunNow().afterWrite)).toBe(true);
		expect(preview.carriersSince(KEY, mark)).toEqual(['q', 'p']);
		expect(notes.isWrittenSince('person', 'q', 0)).toBe(false);
	});
});

describe('a read', () => {
	const entry = { order: 1, at: 0, updatedAt: Date.parse('2026-01-05T09:00:01.700Z') };
	const isRead = (record: object | undefined, own: OwnWrites = new Map()) =>
		isBehind(person, { id: 'p', entry, record: record as never, own });

	it.each([
		['shows no such person', undefined, true],
		['shows an earlier time of change', { updatedAt: '2026-01-05T09:00:00+00:00' }, true],
		['shows the same second', { updatedAt: '2026-01-05T10:00:01+01:00' }, false],
		['shows a later time', { updatedAt: '2026-01-05T09:00:02Z' }, false],
		['shows no time', {}, false],
	])('A read that %s (%p) counts as lagging behind the write: %p', (_, record, expected) => {
		expect(isRead(record)).toBe(expected);
	});

	it('A read counts as lagging if it shows what its run has overwritten', () => {
		const own: OwnWrites = new Map();
		const keep = (before: object, sent: object) =>
			keepOwn(own, person, { id: 'p', at: 0, before: before as never, sent: sent as never });
		keep({ id: 'p', tags: ['/tags/a'] }, { tags: ['/tags/a', '/tags/b'] });
		keep({ id: 'p', jobTitle: 'Buyer' }, { jobTitle: 'Chef' });
		expect(isRead({ tags: ['/tags/a'], jobTitle: 'Chef' }, own)).toBe(true);
		expect(isRead({ tags: ['/tags/a', '/tags/b'], jobTitle: 'Buyer' }, own)).toBe(true);
		expect(isRead({ tags: ['/tags/b'], jobTitle: 'Chef' }, own)).toBe(false);
	});
});
