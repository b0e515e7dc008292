import { NewestReads, type Read } from '../../../nodes/ContactTaskCrm/crm/newestReads';

const PERSON = { noun: 'person' };
const readOf = (id: string, at: number, ...emails: string[]): Read => {
	const record = { id, emailAddresses: emails.map((email) => ({ email })) };
	return { afterWrite: 0, id, at, record };
};
const carriers = (reads: NewestReads, email: string) =>
	reads.carriersOf(email).map(({ id, at }) => `${id} at ${at}`);

describe('the newest reads of a run', () => {
	it('An older read of a record does not replace a newer one', () => {
		const reads = new NewestReads();
		for (const at of [5, 7, 6]) reads.note(PERSON, readOf('1', at, `mail${at}@x.example`));
		expect(reads.of(PERSON, '1')).toMatchObject({ at: 7 });
		expect(carriers(reads, 'mail6@x.example')).toEqual([]);
		expect(carriers(reads, 'mail7@x.example')).toEqual(['1 at 7']);
	});

	it('Of two reads at one moment, the later one counts', () => {
		const reads = new NewestReads();
		reads.note(PERSON, readOf('1', 5, 'a@x.example'));
		reads.note(PERSON, readOf('1', 5, 'b@x.example'));
		expect(carriers(reads, 'a@x.example')).toEqual([]);
		expect(carriers(reads, 'b@x.example')).toEqual(['1 at 5']);
	});

	it('A read of another kind of record makes nobody a carrier', () => {
		const reads = new NewestReads();
		reads.note({ noun: 'task' }, readOf('1', 5, 'a@x.example'));
		expect(reads.of({ noun: 'task' }, '1')).toMatchObject({ at: 5 });
		expect(reads.of(PERSON, '1')).toBeUndefined();
		expect(carriers(reads, 'a@x.example')).toEqual([]);
	});

	it('If many reads push a person out, the run knows no carrier any more', () => {
		const reads = new NewestReads();
		reads.note(PERSON, readOf('1', 1, 'a@x.example'));
		for (let id = 2; id <= 2_000; id++) reads.note(PERSON, readOf(String(id), id));
		expect(carriers(reads, 'a@x.example')).toEqual(['1 at 1']);
		reads.note(PERSON, readOf('2001', 2_001));
		expect(carriers(reads, 'a@x.example')).toEqual([]);
	});
});
