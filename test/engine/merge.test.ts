import type { IDataObject } from 'n8n-workflow';
import { blankPerson } from '../service/resources/people';
import { uuidOf } from '../service/store';
import type { Fault } from '../service';
import { itInCi } from '../support/drawn';
import { locator } from './support/fields';
import { excuse } from './support/recordExchanges';
import { newPerson } from './support/newPerson';
import { useScene } from './support/scene';
import { SEGMENTS, TAGS, USERS } from './support/seeded';

const AT = '2026-01-05T09:00:00+00:00';
const [A, B, C] = TAGS.map((tag) => `/tags/${tag}`);
const KEPT = uuidOf('kept');
const OTHER = uuidOf('other');
const THIRD = uuidOf('third');

/** Refuses writes of a person as the interface says (section 7, rule 3). */
const notTaken = (id: string, propertyPath: string): Fault => ({
	...{ kind: 'status', status: 422, match: { method: 'PATCH', path: id } },
	body: { status: 422, violations: [{ propertyPath, message: 'Not like this.' }] },
});

/** A person of a test: fields in short form. */
interface Draft extends Record<string, unknown> {
	emails?: string[];
	phones?: string[];
}

describe('Merge', () => {
	const scene = useScene();
	const stored = (id: string) => scene.service.store.people.get(id)!;
	const emails = (id: string) => stored(id).emailAddresses.map(({ email }) => email);
	const phones = (id: string) => stored(id).phoneNumbers.map(({ phoneNumber }) => phoneNumber);
	const archived = () =>
		[KEPT, OTHER, THIRD].filter((id) => scene.service.store.people.get(id)?.archivedAt);
	const listsOf = ({ emails: own = [], phones: numbers = [], ...rest }: Draft) => ({
		...rest,
		emailAddresses: own.map((email) => ({ email })),
		phoneNumbers: numbers.map((phoneNumber) => ({ phoneNumber, phoneType: 'mobile' })),
	});

	/** Replaces all people of the CRM by those to merge. */
	function store(...drafts: Draft[]) {
		const { people } = scene.service.store;
		people.clear();
		drafts.forEach((draft, index) => {
			const id = [KEPT, OTHER, THIRD][index]!;
			const name = { givenName: 'Eva', familyName: 'Vos' };
			people.set(id, { ...blankPerson(id, AT), ...name, ...(listsOf(draft) as object) });
		});
	}
	const change = (id: string, draft: Draft) => scene.change('people', id, listsOf(draft));
	const merge = async (parameters: object = {}, setup: object = {}) =>
		await scene.person(
			'merge',
			{ personId: locator(KEPT), mergeFrom: OTHER, ...parameters },
			setup,
		);
	const sent = () => scene.sent().map(({ method, path }) => [method, path]);
	const shown = { emails: ['eva@x.example'] };
	const pair = () => {
		store({ ...shown, tags: [A] }, { emails: ['EVA@x.example', 'eva@work.example'], tags: [B] });
	};

	it('Merge of two people sends five requests; the last archives the merged person', async () => {
		pair();
		await scene.showTimes();
		const { items, error } = await merge();
		expect(error?.message).toBeUndefined();
		expect(sent()).toEqual([
			['GET', `/people/${OTHER}`],
			['GET', `/people/${KEPT}`],
			['PATCH', `/people/${KEPT}`],
			['GET', `/people/${KEPT}`],
			['PATCH', `/people/${OTHER}`],
		]);
		expect(emails(KEPT)).toEqual(['eva@x.example', 'eva@work.example']);
		expect(stored(KEPT).tags).toEqual([A, B]);
		expect(archived()).toEqual([OTHER]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				...{ result: 'updated', id: KEPT },
				changes: {
					emailAddresses: { added: [{ email: 'eva@work.example' }], removed: [] },
					tags: { added: [B], removed: [] },
				},
				note: expect.stringContaining('Tasks, deals and history of Eva Vos'),
			},
			{ result: 'updated', id: OTHER, changes: { archivedAt: { from: null } } },
		]);
	});

	it("Merge keeps both spellings of a kept person's number, and adds only new entries", async () => {
		store(
			{ emails: ['eva@x.example', 'EVA@X.example'], phones: ['06 12345678', '+31612345678'] },
			{ emails: ['eva@x.example', 'b@x.example'], phones: ['0612345678', '020 1234567'] },
		);
		expect((await merge()).error).toBeUndefined();
		expect(emails(KEPT)).toEqual(['eva@x.example', 'EVA@X.example', 'b@x.example']);
		expect(phones(KEPT)).toEqual(['06 12345678', '+31612345678', '020 1234567']);
	});

	it("Merge leaves the kept person's main e-mail address and phone number first", async () => {
		store(
			{ emails: ['main@x.example', 'eva@x.example'], phones: ['+31 20 1111111', '06 12345678'] },
			{ emails: ['eva@x.example', 'a@x.example'], phones: ['+31612345678', '020 2222222'] },
		);
		expect((await merge()).error).toBeUndefined();
		expect(emails(KEPT)).toEqual(['main@x.example', 'eva@x.example', 'a@x.example']);
		expect(phones(KEPT)[0]).toBe('+31 20 1111111');
	});

	it('Merge fills empty fields of the kept person, and overwrites no value', async () => {
		const address = { street: 'Kade 1', postalCode: '1011 AA', city: 'Delft', country: 'NL' };
		store(
			{ ...shown, jobTitle: 'Buyer', segments: [`/segments/${SEGMENTS[0]}`] },
			{
				...{ ...shown, jobTitle: 'Chef', initials: 'E.', owner: `/users/${USERS[0]}`, address },
				...{ segments: [`/segments/${SEGMENTS[1]}`], totalDeals: 4, customerId: 'C-1' },
			},
		);
		expect((await merge()).error).toBeUndefined();
		expect(stored(KEPT)).toMatchObject({
			...{ jobTitle: 'Buyer', initials: 'E.', owner: `/users/${USERS[0]}`, address },
			...{ customerId: 'C-1', totalDeals: null },
			segments: SEGMENTS.slice(0, 2).map((id) => `/segments/${id}`),
		});
	});

	it('Merge takes no placeholder from the merged person, nor as a shared value', async () => {
		excuse('answers', 'a CRM may hold a placeholder as an address, which Prism refuses');
		store({ emails: ['n/a'] }, { emails: ['n/a'], phones: ['0000000000'] });
		const { error } = await merge();
		expect(error?.message).toMatch(/share no e-mail address, phone number or network ID$/);
		expect((await merge({ options: { onlyIfTheyShare: false } })).error).toBeUndefined();
		expect(emails(KEPT)).toEqual(['n/a']);
		expect(phones(KEPT)).toEqual([]);
		expect(archived()).toEqual([OTHER]);
	});

	it('If the service refuses a merged number, Merge names it, and archives nobody', async () => {
		store({ ...shown }, { ...shown, phones: ['06 12345678 (mobile, after six)'] });
		scene.faults(notTaken(KEPT, 'phoneNumbers[0].phoneNumber'));
		const { error } = await merge();
		expect(error?.message).toContain(
			`Phone Number "06 12345678 (mobile, after six)" of Eva Vos (${OTHER}): Not like this`,
		);
		expect(error?.description).toContain('Nobody was archived');
		expect(archived()).toEqual([]);
	});

	it('If On Error continues, Merge still merges the item after a refused one', async () => {
		store({ ...shown }, { ...shown }, { emails: ['stranger@x.example'] });
		const { items } = await scene.person(
			'merge',
			{ personId: locator('={{ $json.keep }}'), mergeFrom: '={{ $json.from }}' },
			{
				input: [
					{ keep: KEPT, from: [THIRD] },
					{ keep: KEPT, from: [KEPT, OTHER] },
				],
				onError: 'continueRegularOutput',
			},
		);
		expect(items[0].json.error).toMatch(/share no e-mail address/);
		expect(items.slice(1).map(({ json }) => json.id)).toEqual([KEPT, OTHER]);
		expect(archived()).toEqual([OTHER]);
	});

	describe('changes of colleagues during a merge', () => {
		it.each<[string, number, string, Draft, RegExp]>([
			['corrects the shared address', 1, KEPT, { emails: ['e@x.example'] }, /share no e-mail/],
			[
				'renames the kept person',
				1,
				KEPT,
				{ ...shown, givenName: 'Bo', familyName: 'Kok' },
				/quite different names/,
			],
			[
				'archives the kept person',
				1,
				KEPT,
				{ ...shown, archivedAt: AT },
				/archived, and cannot be kept/,
			],
		])(
			'If a colleague %s before the write, Merge fails and writes nothing',
			async (_, nth, id, draft, message) => {
				pair();
				scene.onRequest(nth, () => change(id, draft));
				const { error } = await merge();
				expect(error?.message).toMatch(message);
				expect(error?.description).toMatch(/Nothing was written$/);
				expect(scene.writes()).toEqual([]);
			},
		);

		it('If a colleague archives the kept person meanwhile, Merge archives nobody else', async () => {
			pair();
			await scene.showTimes();
			scene.onRequest(3, () => scene.change('people', KEPT, { archivedAt: AT }));
			const { error } = await merge();
			expect(error?.message).toMatch(/^Somebody has archived Eva Vos/);
			expect(archived()).toEqual([KEPT]);
		});

		it('Merge also takes an entry that the merged person gets just before archiving', async () => {
			pair();
			await scene.showTimes();
			scene.onRequest(4, () =>
				change(OTHER, {
					emails: ['eva@x.example', 'eva@work.example', 'late@x.example'],
					tags: [B, C],
				}),
			);
			const { items, error } = await merge();
			expect(error?.message).toBeUndefined();
			expect(emails(KEPT)).toEqual(['eva@x.example', 'eva@work.example', 'late@x.example']);
			expect(stored(KEPT).tags).toEqual([A, B, C]);
			expect(archived()).toEqual([OTHER]);
			expect(items[0].json.changes).toMatchObject({
				emailAddresses: { added: [{ email: 'eva@work.example' }, { email: 'late@x.example' }] },
				tags: { added: [B, C] },
			});
			expect(items[0].json.note).not.toMatch(/other values/);
		});

		it("If a colleague's entry needs a second write, Merge keeps the first write's note", async () => {
			store({ ...shown }, { ...shown, jobTitle: 'Chef' });
			await scene.showTimes();
			const body = { ...stored(KEPT), jobTitle: 'Cook' };
			const match = { method: 'PATCH', nth: 1 };
			scene.faults({ kind: 'status', status: 200, body, stored: true, match });
			scene.onRequest(4, () => change(OTHER, { emails: ['eva@x.example', 'late@x.example'] }));
			const { items, error } = await merge();
			expect(error?.message).toBeUndefined();
			expect(emails(KEPT)).toEqual(['eva@x.example', 'late@x.example']);
			expect(items[0].json.note).toMatch(/The service shows other values .*: Job Title$/);
		});

		it('Merge reads both people again if one of the reads is 20 s old', async () => {
			pair();
			await scene.showTimes();
			scene.onRequest(1, () => jest.advanceTimersByTime(20_000));
			const { error } = await merge();
			expect(error?.message).toBeUndefined();
			expect(sent()).toEqual([
				['GET', `/people/${OTHER}`],
				['GET', `/people/${KEPT}`],
				['GET', `/people/${OTHER}`],
				['GET', `/people/${KEPT}`],
				['PATCH', `/people/${KEPT}`],
				['GET', `/people/${KEPT}`],
				['PATCH', `/people/${OTHER}`],
			]);
		});

		it.each([1, 2, 3, 4])(
			'Merge archives nobody if a colleague renames the person to merge (before request %d)',
			async (nth) => {
				pair();
				await scene.showTimes();
				const piet = { givenName: 'Piet', familyName: 'Smit', emails: ['piet@x.example'] };
				scene.onRequest(nth, () => change(OTHER, piet));
				const { error } = await merge({ options: { onlyIfTheyShare: false } });
				expect(error?.message).toContain('quite different names');
				expect(error?.description).not.toContain('again');
				expect(archived()).toEqual([]);
				expect(emails(KEPT)).not.toContain('piet@x.example');
			},
		);

		it('If colleagues change the people again and again, Merge advises once to run again', async () => {
			store(shown, shown, shown);
			const fourth = newPerson(scene, { givenName: 'Eva', familyName: 'Vos', ...shown });
			let count = 0;
			const { requests } = scene.service;
			requests.push = (...entries) => {
				for (const { method, path } of entries) {
					const other = path.split('/').at(-1)!;
					const late = [...shown.emails, `late${count++}@x.example`];
					if (method === 'PATCH' && other !== KEPT) change(other, { emails: late });
				}
				return Array.prototype.push.apply(requests, entries);
			};
			const { error } = await merge({ mergeFrom: [OTHER, THIRD, fourth] });
			expect(error?.message).toContain('again and again');
			expect(error?.description?.match(/run this item again/gi)).toHaveLength(1);
		});

		it.each([
			['Email Addresses', { ...shown, tags: [A, B] }, 'eva@work.example'],
			['Tags', { emails: ['eva@x.example', 'eva@work.example'], tags: [A] }, B],
		])(
			'Merge archives nobody if the kept person lacks %s after the write',
			async (label, now, entry) => {
				pair();
				await scene.showTimes();
				scene.onRequest(4, () => change(KEPT, now));
				const { error } = await merge();
				expect(error?.message).toMatch(/^After the write, Eva Vos/);
				expect(error?.message.endsWith(`does not show ${label} "${entry}"`)).toBe(true);
				expect(archived()).toEqual([]);
			},
		);

		it.each([
			[true, ['eva@x.example', 'eva@work.example'], [KEPT, OTHER]],
			[false, ['eva@x.example', 'eva@work.example', 'late@x.example'], [KEPT, OTHER, KEPT, OTHER]],
		])(
			'After an archiving without an answer, Merge reads the person again (archived: %s)',
			async (isStored, addresses, written) => {
				pair();
				await scene.showTimes();
				const match = { method: 'PATCH', path: OTHER, nth: 1 };
				scene.faults({ kind: 'reset', stored: isStored, match });
				const late = { emails: ['eva@x.example', 'late@x.example'], tags: [B] };
				if (!isStored) scene.onRequest(5, () => change(OTHER, late));
				const { items, error } = await merge();
				expect(error?.message).toBeUndefined();
				expect(emails(KEPT)).toEqual(addresses);
				expect(archived()).toEqual([OTHER]);
				expect(items.map(({ json }) => json.result)).toEqual(['updated', 'updated']);
				// The kept person gets the late entry before the other person is archived.
				const writes = scene.writes().map(({ path }) => path.split('/').at(-1));
				expect(writes).toEqual(written);
			},
		);
	});

	it('A second Merge finishes what a failed one began, and a third writes nothing', async () => {
		store({ ...shown }, { ...shown, tags: [A] }, { ...shown, tags: [B] });
		await scene.showTimes();
		const all = { mergeFrom: [KEPT, OTHER, THIRD].join(', ') };
		scene.faults(notTaken(THIRD, 'archivedAt'));
		expect((await merge(all)).error?.message).toMatch(/Not like this/);
		expect(archived()).toEqual([OTHER]);
		scene.faults();
		scene.clear();
		const second = await merge(all);
		expect(second.error?.message).toBeUndefined();
		expect(scene.writes().map(({ path }) => path)).toEqual([`/people/${THIRD}`]);
		expect(second.items.map(({ json }) => json.result)).toEqual([
			'unchanged',
			'unchanged',
			'updated',
		]);
		scene.clear();
		const third = await merge(all);
		expect(third.items.map(({ json }) => json.result)).toEqual(Array(3).fill('unchanged'));
		expect(scene.writes()).toEqual([]);
	});

	it('A preview of Merge writes nothing, and shows added entries and the archived person', async () => {
		pair();
		const { items, error } = await merge({ options: { previewOnly: true } });
		expect(error?.message).toBeUndefined();
		expect(scene.writes()).toEqual([]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				...{ preview: 'update', id: KEPT, name: 'Eva Vos' },
				summary: expect.stringContaining('Email: + eva@work.example'),
				note: expect.stringMatching(/^Tasks, deals and history of Eva Vos .+ stay/),
			},
			{
				...{ preview: 'update', id: OTHER, note: expect.stringMatching(/^Merged into Eva Vos/) },
				changes: { archivedAt: { from: null } },
			},
		]);
	});

	it('A preview of a merge gives the reason if a run would refuse it', async () => {
		store({ ...shown }, { emails: ['b@x.example'] });
		const { items } = await merge({ options: { previewOnly: true } });
		expect(items[0].json).toMatchObject({
			preview: 'refused',
			reason: expect.stringMatching(/share no e-mail address/),
		});
	});

	it('Merge finds the person to keep by e-mail address', async () => {
		store({ emails: ['eva@x.example'], networkId: 'vos' }, { networkId: 'VOS', tags: [A] });
		const personId = { __rl: true, mode: 'email', value: 'EVA@x.example' };
		expect((await merge({ personId })).error).toBeUndefined();
		expect(stored(KEPT).tags).toEqual([A]);
		expect(archived()).toEqual([OTHER]);
	});

	it('Merge From accepts records, IRIs, and IDs in upper or lower case', async () => {
		store({ ...shown }, { ...shown }, { ...shown });
		const mergeFrom = `={{ [{ id: '${OTHER}' }, '/people/${THIRD}', '${OTHER.toUpperCase()}'] }}`;
		expect((await merge({ mergeFrom })).error).toBeUndefined();
		expect(archived()).toEqual([OTHER, THIRD]);
	});

	describe('people whom Merge refuses', () => {
		it.each<[string, object, RegExp]>([
			['an empty Merge From', { mergeFrom: ' ' }, /^Merge From is empty$/],
			[
				'the kept person alone as Merge From',
				{ mergeFrom: `/people/${KEPT}` },
				/cannot be merged with itself$/,
			],
			[
				'an e-mail address as Merge From',
				{ mergeFrom: 'eva@x.example' },
				/^Merge From: expected an ID, got "eva@x/,
			],
			['a task as Merge From', { mergeFrom: '/tasks/1f0c' }, /^Merge From: expected an ID, or/],
			['an unknown person as Merge From', { mergeFrom: 'gone-1' }, /"gone-1" does not exist$/],
			[
				'a known and an unknown person as Merge From',
				{ mergeFrom: `${OTHER}, gone-1` },
				/"gone-1" does not exist$/,
			],
			['an unknown kept person', { personId: locator('gone-2') }, /"gone-2" does not/],
		])('With %s, Merge fails before it writes anything', async (_, parameters, message) => {
			pair();
			const { error } = await merge(parameters);
			expect(error?.message).toMatch(message);
			expect(scene.writes()).toEqual([]);
		});

		it.each<[string, Draft[], string]>([
			[
				'an archived kept person',
				[{ ...shown, archivedAt: AT }, shown],
				'Keep somebody who is active, or unarchive the person first',
			],
			[
				'an archived person with another address',
				[shown, { emails: ['eva@x.example', 'b@x.example'], archivedAt: AT }],
				'Unarchive the person first, or leave it out',
			],
			[
				'a person who shares nothing',
				[shown, { emails: ['b@x.example'] }],
				'Somebody may have corrected it. If they are one person, turn off Options > Only If They Share',
			],
			[
				'a person with quite another name',
				[shown, { ...shown, givenName: 'Bo', familyName: 'Kok' }],
				'If they are one person, set Options > When the Name Differs to Update',
			],
		])('For %s, Merge advises what to do, and writes nothing', async (_, people, advice) => {
			store(...people);
			const { error } = await merge();
			expect(error?.description).toBe(`${advice}. Nothing was written`);
			expect(scene.writes()).toEqual([]);
		});

		it('For the kept person as Merge From, Merge advises to give somebody else', async () => {
			pair();
			const { error } = await merge({ mergeFrom: KEPT });
			expect(error?.description).toBe('Give somebody else. Nothing was written');
		});

		it('Merge refuses to merge an archived person whose address the kept person lacks', async () => {
			store({ ...shown }, { emails: ['eva@x.example', 'b@x.example'], archivedAt: AT });
			const { error } = await merge();
			expect(error?.message).toMatch(/is archived$/);
			expect(scene.writes()).toEqual([]);
		});

		it('Merge refuses two quite different names unless When the Name Differs says Update', async () => {
			store({ ...shown }, { ...shown, givenName: 'Bo', familyName: 'Kok' });
			const { error } = await merge();
			expect(error?.message).toMatch(/^Eva Vos .+ and Bo Kok .+ have quite different names$/);
			expect(scene.writes()).toEqual([]);
			expect((await merge({ options: { whenNameDiffers: 'update' } })).error).toBeUndefined();
			expect(stored(KEPT).familyName).toBe('Vos');
			expect(archived()).toEqual([OTHER]);
		});
	});

	describe('Undo of a merge', () => {
		const undo = async (input: IDataObject[], options: IDataObject = {}) =>
			await scene.run({ parameters: { resource: 'person', operation: 'undo', options }, input });
		const three = async () => {
			const eva = { emails: ['eva@x.example'] };
			store({ ...eva, tags: [A] }, { emails: ['eva@x.example', 'work@x.example'], tags: [B] }, eva);
			const { items, error } = await merge({ mergeFrom: `${OTHER}, ${THIRD}` });
			expect(error?.message).toBeUndefined();
			expect(archived()).toEqual([OTHER, THIRD]);
			return items.map(({ json }) => json);
		};

		it('Undo of a merge first unarchives the merged people, then removes the added entries', async () => {
			const done = await three();
			scene.clear();
			const { error } = await undo(done);
			expect(error?.message).toBeUndefined();
			expect(scene.writes().map(({ path, body }) => [path.split('/').at(-1), body])).toEqual([
				[THIRD, { archivedAt: null }],
				[OTHER, { archivedAt: null }],
				[KEPT, { emailAddresses: [{ email: 'eva@x.example' }], tags: [A] }],
			]);
		});

		it('Undo of a merge leaves what colleagues have changed since', async () => {
			const done = await three();
			scene.change('people', KEPT, { tags: [A, B, C] });
			scene.change('people', THIRD, { archivedAt: null });
			scene.clear();
			const { error } = await undo(done);
			expect(error?.message).toBeUndefined();
			expect(archived()).toEqual([]);
			expect(stored(KEPT).tags).toEqual([A, C]);
			expect(emails(KEPT)).toEqual(['eva@x.example']);
			expect(scene.writes()).toHaveLength(2);
		});

		it('Undo of a merge takes no entry away while a merged person stays archived', async () => {
			const done = await three();
			scene.faults({ kind: 'status', status: 422, match: { method: 'PATCH', path: OTHER } });
			const { error } = await undo(done);
			expect(error?.message).toBeDefined();
			expect(emails(KEPT)).toContain('work@x.example');
		});

		it('A preview of undoing a merge shows three updates and writes nothing', async () => {
			const done = await three();
			scene.clear();
			const { items } = await undo(done, { previewOnly: true });
			expect(items.map(({ json }) => json.preview)).toEqual(['update', 'update', 'update']);
			expect(scene.writes()).toEqual([]);
		});
	});

	describe('a merge that fails after its first write', () => {
		const three = () =>
			store(
				{ emails: ['e@x.example'] },
				{ emails: ['e@x.example', 'o@x.example'], jobTitle: 'Chef' },
				{ emails: ['e@x.example', 't@x.example'] },
			);
		const onError = 'continueRegularOutput';
		const late = { emails: ['e@x.example', 'late@x.example'] };

		it('If the service refuses an archiving, the failed item says whom Merge changed', async () => {
			three();
			scene.faults(notTaken(THIRD, 'jobTitle'));
			const { items } = await merge({ mergeFrom: [OTHER, THIRD] }, { onError });
			expect(archived()).toEqual([OTHER]);
			const { summary, details } = items[0].json as { summary: string; details: IDataObject };
			expect(summary).toMatch(/^Partly written: /);
			expect(details.howToGoOn).toMatch(
				new RegExp(
					`${KEPT}\\) was updated; .*${OTHER}\\) was archived; .*${THIRD}\\) is not archived`,
				),
			);
			expect(details.code).toBe('refused');
		});

		it('Undo takes back the writes of a merge that failed half-way', async () => {
			three();
			const before = [KEPT, OTHER, THIRD].map((id) => ({ ...stored(id), updatedAt: '' }));
			scene.faults(notTaken(THIRD, 'jobTitle'));
			const { items } = await merge(
				{ mergeFrom: [OTHER, THIRD], options: { output: 'simplified' } },
				{ onError },
			);
			expect(items.map(({ json }) => json.result)).toEqual(['failed', 'updated', 'updated']);
			scene.faults();
			const input = items.map(({ json }) => json);
			const { error } = await scene.person('undo', {}, { input });
			expect(error?.message).toBeUndefined();
			const after = [KEPT, OTHER, THIRD].map((id) => ({ ...stored(id), updatedAt: '' }));
			expect(after).toEqual(before);
		});

		itInCi('If Merge may have archived a person, its only output is a failed item', async () => {
			three();
			scene.faults({ kind: 'status', status: 503, match: { method: 'PATCH', path: OTHER } });
			const { items } = await merge({}, { onError });
			expect(items.map(({ json }) => json.result)).toEqual(['failed']);
			expect(items[0].json.details).toMatchObject({ code: 'uncertain' });
		});

		it('If the service refuses an entry added late, the failed item names it', async () => {
			three();
			await scene.showTimes();
			scene.onRequest(4, () => change(OTHER, late));
			scene.faults({
				...notTaken(KEPT, 'emailAddresses'),
				match: { method: 'PATCH', path: KEPT, nth: 2 },
			});
			const { items } = await merge({}, { onError });
			expect(archived()).toEqual([OTHER]);
			expect(items[0].json.summary).toMatch(/^Partly written: /);
			expect(JSON.stringify(items[0].json)).toContain('late@x.example');
		});

		it('With When Rate Limited: Fail, the failed item tells what Merge wrote before', async () => {
			three();
			await scene.showTimes();
			const headers = { 'retry-after': '30' };
			scene.faults({ kind: 'status', status: 429, headers, match: { method: 'PATCH', nth: 2 } });
			const { items } = await merge({ options: { whenRateLimited: 'fail' } }, { onError });
			expect(stored(KEPT).jobTitle).toBe('Chef');
			expect(items[0].json.summary).toMatch(/^Partly written: /);
			expect(JSON.stringify(items[0].json)).toContain(`${KEPT}) was updated`);
		});

		it('If a late entry exceeds the approval, the error tells what Merge wrote before', async () => {
			three();
			const preview = await merge({ options: { output: 'raw', previewOnly: true } });
			await scene.showTimes();
			scene.onRequest(4, () => change(OTHER, late));
			const options = { approvedChanges: preview.items[0].json.changes };
			const { error } = await merge({ options });
			expect(archived()).toEqual([OTHER]);
			expect(error?.message).toMatch(/^Not what was approved/);
			expect(error?.description).toMatch(/was updated; .* was archived/);
			expect(error?.description).not.toMatch(/Nothing was written/);
		});
	});
});
