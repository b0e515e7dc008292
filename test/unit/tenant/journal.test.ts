import { VirtualClock } from '../../support/virtualClock';
import { SharedWrites, WriteJournal } from '../../../nodes/ContactTaskCrm/tenant/tenant';

describe('the journal of writes', () => {
	it('knows who was written to since a mark, however the ID is written, and who carries a value since', () => {
		const clock = new VirtualClock();
		const journal = new WriteJournal(clock, 'own', new SharedWrites());
		const id = '3F2504E0-4F89-11D3-9A0C-0305E82C3301';
		const before = journal.mark;
		journal.note(id, ['jan@example.com']);
		const after = journal.mark;
		expect(journal.isWrittenSince(id.toLowerCase(), before)).toBe(true);
		expect(journal.isWrittenSince(id, after)).toBe(false);
		expect(journal.isWrittenSince('another', before)).toBe(false);
		expect(journal.carriersSince('jan@example.com', before)).toEqual([id]);
		expect(journal.carriersSince('jan@example.com', after)).toEqual([id]);
		clock.leap(120_001);
		expect(journal.carriersSince('jan@example.com', after)).toEqual([]);
		expect(journal.carriersSince('jan@example.com', before)).toEqual([id]);
	});

	it('takes what the service answered to a write for later than what is read, for two minutes, unless that is later', () => {
		const clock = new VirtualClock();
		const journal = new WriteJournal(clock, 'own', new SharedWrites());
		const [older, newer] = ['2026-01-01T10:00:00Z', '2026-01-01T10:00:01+00:00'];
		const ours = { tags: ['/tags/a'], updatedAt: older };
		journal.noteAnswer('person', 'p', ours);
		const read = { tags: [], jobTitle: 'Chef', updatedAt: older };
		expect(journal.latest('person', 'p', read)).toEqual({ ...read, ...ours });
		expect(journal.latest('person', 'p', undefined)).toBeUndefined();
		journal.noteAnswer('person', 'new', { id: 'new', ...ours });
		expect(journal.latest('person', 'new', undefined)).toEqual({ id: 'new', ...ours });
		const later = { ...read, updatedAt: newer };
		expect(journal.latest('person', 'p', later)).toEqual(later);
		expect(journal.latest('task', 'p', read)).toEqual(read);
		clock.leap(120_001);
		expect(journal.latest('person', 'p', read)).toEqual(read);
	});

	it('takes what was read for later where a later write of ours was about something else', () => {
		const journal = new WriteJournal(new VirtualClock(), 'own', new SharedWrites());
		const at = (second: number) => `2026-01-01T10:00:0${second}Z`;
		journal.noteAnswer('person', 'p', { tags: ['/tags/a'], updatedAt: at(1) });
		// A colleague adds a tag in the service; then we write the job title.
		journal.noteAnswer('person', 'p', { jobTitle: 'Chef', updatedAt: at(3) });
		const read = { tags: ['/tags/a', '/tags/b'], jobTitle: 'Chef', updatedAt: at(3) };
		expect(journal.latest('person', 'p', read)).toEqual(read);
		const lagging = { tags: ['/tags/a', '/tags/b'], jobTitle: 'Buyer', updatedAt: at(2) };
		expect(journal.latest('person', 'p', lagging)).toEqual(read);
		const older = { tags: [], jobTitle: 'Buyer', updatedAt: at(0) };
		expect(journal.latest('person', 'p', older)).toEqual({ ...read, tags: ['/tags/a'] });
	});

	it('forgets what was answered to anybody of fields that a write is about to set', () => {
		const written = new SharedWrites();
		const [own, other] = ['own', 'other'].map(
			(name) => new WriteJournal(new VirtualClock(), name, written),
		);
		const updatedAt = '2026-01-01T10:00:00Z';
		own.noteAnswer('person', 'p', { jobTitle: 'Chef', tags: ['/tags/a'], updatedAt });
		other.forgetFields('person', 'p', ['jobTitle']);
		const read = { jobTitle: 'Buyer', tags: [], updatedAt };
		expect(own.latest('person', 'p', read)).toEqual({ ...read, tags: ['/tags/a'] });
	});

	it('knows since when nobody knows who carries a value, and how it was spelled', () => {
		const journal = new WriteJournal(new VirtualClock(), 'own', new SharedWrites());
		const before = journal.mark;
		journal.noteUnknown(['Jan@Example.com']);
		expect(journal.unknownSince('jan@example.com', before)).toEqual(['Jan@Example.com']);
		const asked = ['jan@example.com'];
		expect(journal.unknownSince('jan@example.com', journal.mark, asked)).toEqual([
			'Jan@Example.com',
		]);
		expect(journal.unknownSince('jan@example.com', journal.mark, ['Jan@Example.com'])).toEqual([]);
		journal.note('p', ['jan@example.com']);
		expect(journal.unknownSince('jan@example.com', before)).toEqual([]);
	});

	it('keeps what two companies at one base URL write apart, who may know the same people', () => {
		const written = new SharedWrites();
		const [own, other] = ['own', 'other'].map(
			(name) => new WriteJournal(new VirtualClock(), name, written),
		);
		own.note('p', ['jan@example.com']);
		own.noteAnswer('person', 'p', { id: 'p' });
		other.note('q', ['jan@example.com']);
		expect(own.carriersSince('jan@example.com', 0)).toEqual(['p', 'q']);
		expect(other.carriersSince('jan@example.com', 0)).toEqual(['q', 'p']);
		expect(other.latest('person', 'p', undefined)).toEqual({ id: 'p' });
		other.forgetAnswer('person', 'p');
		expect(other.latest('person', 'p', undefined)).toBeUndefined();
		expect(own.latest('person', 'p', undefined)).toEqual({ id: 'p' });
		own.noteUnknown(['jan@example.com']);
		other.note('q', ['jan@example.com']);
		expect(own.unknownSince('jan@example.com', 0)).toEqual(['jan@example.com']);
	});

	it('takes anybody for written to whom it may have forgotten', () => {
		const journal = new WriteJournal(new VirtualClock(), 'own', new SharedWrites());
		const before = journal.mark;
		for (let person = 0; person < 50_001; person++) journal.note(String(person), []);
		expect(journal.isWrittenSince('0', before)).toBe(true);
		expect(journal.isWrittenSince('never', before)).toBe(true);
		expect(journal.isWrittenSince('never', journal.mark)).toBe(false);
	});

	it('names all whom we gave a value, the last first, each once', () => {
		const written = new SharedWrites();
		const [own, other] = ['own', 'other'].map(
			(name) => new WriteJournal(new VirtualClock(), name, written),
		);
		for (const id of ['p', 'q', 'p']) own.note(id, ['jan@example.com']);
		const { mark } = own;
		other.note('r', ['jan@example.com']);
		own.noteUnknown(['jan@example.com']);
		expect(own.ownCarriersSince('jan@example.com', 0)).toEqual(['p', 'q']);
		expect(own.ownCarriersSince('jan@example.com', mark)).toEqual([]);
		expect(own.carriersSince('jan@example.com', 0)).toEqual(['p', 'q', 'r']);
		expect(own.unknownSince('jan@example.com', mark)).toEqual(['jan@example.com']);
	});

	it('begins a preview from what was written, of which later writes of the preview are no part', () => {
		const written = new SharedWrites();
		const journal = new WriteJournal(new VirtualClock(), 'own', written);
		journal.note('p', ['jan@example.com']);
		const answered = { id: 'p', jobTitle: 'Chef' };
		journal.noteAnswer('person', 'p', answered);
		const preview = new WriteJournal(new VirtualClock(), 'own', written.forPreview());
		const { mark } = preview;
		expect(preview.isWrittenSince('p', mark)).toBe(false);
		preview.note('q', ['jan@example.com']);
		preview.forgetFields('person', 'p', ['jobTitle']);
		// Whoever reads now is not shown it, nor whoever reads ever.
		expect(preview.mark).toBe(mark);
		expect(preview.isWrittenSince('q', preview.mark)).toBe(true);
		expect(preview.ownCarriersSince('jan@example.com', mark)).toEqual(['q']);
		expect(journal.isWrittenSince('q', 0)).toBe(false);
		expect(journal.latest('person', 'p', undefined)).toEqual(answered);
	});
});
