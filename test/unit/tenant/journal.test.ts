import { WriteJournal } from '../../../nodes/ContactTaskCrm/tenant/tenant';

describe('the journal of writes', () => {
	it('knows who was written to since a mark, however the ID is written, and who carries a value since', () => {
		const journal = new WriteJournal();
		const id = '3F2504E0-4F89-11D3-9A0C-0305E82C3301';
		const before = journal.mark;
		journal.note(id, ['jan@example.com']);
		const after = journal.mark;
		expect(journal.isWrittenSince(id.toLowerCase(), before)).toBe(true);
		expect(journal.isWrittenSince(id, after)).toBe(false);
		expect(journal.isWrittenSince('another', before)).toBe(false);
		expect(journal.carrierSince('jan@example.com', before)).toBe(id);
		expect(journal.carrierSince('jan@example.com', after)).toBeUndefined();
	});

	it('takes anybody for written to whom it may have forgotten', () => {
		const journal = new WriteJournal();
		const before = journal.mark;
		for (let person = 0; person < 50_001; person++) journal.note(String(person), []);
		expect(journal.isWrittenSince('0', before)).toBe(true);
		expect(journal.isWrittenSince('never', before)).toBe(true);
		expect(journal.isWrittenSince('never', journal.mark)).toBe(false);
	});
});
