import { VirtualClock } from '../../support/virtualClock';
import { SharedWrites, WriteJournal } from '../../../nodes/ContactTaskCrm/tenant/tenant';

describe('the journal of writes', () => {
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

	it('takes a name with a dot for a name, and no path', () => {
		const journal = new WriteJournal(new VirtualClock(), 'own', new SharedWrites());
		const answered = { id: 'p', address: { city: 'Utrecht', street: 'Oudegracht 1' } };
		journal.noteAnswer('person', 'p', answered);
		journal.forgetFields('person', 'p', ['address.city']);
		expect(journal.latest('person', 'p', undefined)).toEqual(answered);
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
