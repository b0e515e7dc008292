import { blankPerson } from '../service/resources/people';
import { uuidOf } from '../service/store';
import { itInCi } from '../support/drawn';
import { excuse } from './support/recordExchanges';
import { useScene } from './support/scene';

const AT = '2026-01-05T09:00:00+00:00';

/** A person of a test: fields in short form. */
interface Draft {
	name?: string;
	emails?: string[];
	phones?: string[];
	networkId?: string;
	archivedAt?: string;
}

describe('Find Duplicates', () => {
	const scene = useScene();
	const idOf = (position: number) => uuidOf(`double ${position}`);

	/** Replaces all people of the CRM. The first is the oldest. */
	function store(drafts: Draft[]) {
		const { people } = scene.service.store;
		people.clear();
		drafts.forEach(({ name = 'Eva Vos', emails = [], phones = [], ...own }, position) => {
			const createdAt = new Date(Date.parse(AT) + position * 60_000).toISOString();
			const [givenName, familyName] = name.split(' ');
			people.set(idOf(position), {
				...blankPerson(idOf(position), createdAt),
				...{ givenName, familyName, ...own },
				emailAddresses: emails.map((email) => ({ email })),
				phoneNumbers: phones.map((phoneNumber) => ({ phoneNumber, phoneType: null })),
			});
		});
	}

	async function groupsOf(drafts: Draft[], parameters: object = {}) {
		store(drafts);
		const { items, error } = await scene.person('findDuplicates', parameters);
		expect(error?.message).toBeUndefined();
		return items.map(({ json }) => json);
	}
	const positions = (groups: object[]) =>
		groups.map((group) =>
			(group as { people: string[] }).people.map((id) =>
				[0, 1, 2, 3, 4, 5].findIndex((one) => idOf(one) === id),
			),
		);

	it('Find Duplicates gives IDs, names, shared values and count of each group', async () => {
		const groups = await groupsOf([
			{ name: 'Eva Vos', emails: ['eva@x.example'], phones: ['06 12345678'] },
			{ name: 'Bo Bos', emails: ['bo@x.example'] },
			{ name: 'E. Vos', emails: ['EVA@x.example'], phones: ['+31 (0)6 1234 5678'] },
		]);
		expect(groups).toEqual([
			{
				people: [idOf(0), idOf(2)],
				names: ['Eva Vos', 'E. Vos'],
				share: [
					{ kind: 'email', value: 'eva@x.example' },
					{ kind: 'phoneNumber', value: '+31 (0)6 1234 5678' },
				],
				count: 2,
				sharedByMany: [],
			},
		]);
	});

	it.each<[string, Draft, Draft]>([
		['an e-mail address in capitals', { emails: ['A@X.example'] }, { emails: ['a@x.example'] }],
		[
			'the second of two addresses',
			{ emails: ['b@x.example', 'a@x.example'] },
			{ emails: ['a@x.example'] },
		],
		['a number in another spelling', { phones: ['0031 6-12345678'] }, { phones: ['06·12345678'] }],
		['a network ID', { networkId: 'eva-vos' }, { networkId: 'Eva-Vos ' }],
		['a network ID with a comma', { networkId: 'vos, eva' }, { networkId: 'VOS, Eva' }],
		['a network ID of digits', { networkId: '87654321' }, { networkId: '87654321' }],
	])('Find Duplicates groups people who share %s', async (_, one, other) => {
		expect(positions(await groupsOf([one, { emails: ['z@x.example'] }, other]))).toEqual([[0, 2]]);
	});

	it.each<[string, Draft, Draft]>([
		['n/a as an e-mail address', { emails: ['n/a'] }, { emails: ['n/a'] }],
		['a dash as a number', { phones: ['-'] }, { phones: ['-'] }],
		['zeros as a number', { phones: ['0000000000'] }, { phones: ['0000000000'] }],
		['words as a number', { phones: ['on request'] }, { phones: ['on request'] }],
		['a number of one digit as a network ID', { networkId: '1' }, { networkId: '1' }],
		['a part of a network ID', { networkId: 'vos, eva' }, { networkId: 'vos, bo' }],
		[
			'a network ID and the end of a number',
			{ networkId: '12345678' },
			{ phones: ['+31 6 12345678'] },
		],
		[
			'numbers that have only the end in common',
			{ phones: ['+31 6 12345678'] },
			{ phones: ['+32 6 12345678'] },
		],
		[
			'numbers that differ only in the extension',
			{ phones: ['+31 20 1234567 x1'] },
			{ phones: ['+31 20 1234567 x2'] },
		],
		[
			'an archived person',
			{ emails: ['a@x.example'] },
			{ emails: ['a@x.example'], archivedAt: AT },
		],
	])('Find Duplicates does not group two people because of %s', async (what, one, other) => {
		if (what.startsWith('n/a')) {
			excuse('answers', 'a CRM may hold a placeholder as an address, which Prism refuses');
		}
		expect(await groupsOf([one, other])).toEqual([]);
	});

	it('Find Duplicates groups other people despite a phone number that contains words', async () => {
		const groups = await groupsOf([
			{ phones: ['06 12345678 (mobile, after six)'] },
			{ emails: ['a@x.example'] },
			{ emails: ['a@x.example'], phones: ['06 87654321 (mobile)'] },
		]);
		expect(positions(groups)).toEqual([[1, 2]]);
	});

	it('If four people share a value, Find Duplicates lists it only in sharedByMany', async () => {
		const switchboard = { phones: ['+31 20 1234567'] };
		const staff = (emails: string[], name: string) => ({ ...switchboard, emails, name });
		const groups = await groupsOf([
			staff(['ada@x.example', 'info@x.example'], 'Ada Bos'),
			staff(['info@x.example'], 'Bea Kok'),
			staff(['ada@x.example', 'info@x.example'], 'A. Bos'),
			staff(['info@x.example'], 'Cor Mol'),
		]);
		expect(groups).toMatchObject([
			{
				people: [idOf(0), idOf(2)],
				share: [{ kind: 'email', value: 'ada@x.example' }],
				sharedByMany: [
					{ kind: 'email', value: 'info@x.example', count: 4 },
					{ kind: 'phoneNumber', value: '+31 20 1234567', count: 4 },
				],
			},
		]);
	});

	it('Find Duplicates does not count archived people among those who share a value', async () => {
		const emails = ['a@x.example'];
		const groups = await groupsOf([{ emails }, { emails }, { emails }, { emails, archivedAt: AT }]);
		expect(positions(groups)).toEqual([[0, 1, 2]]);
	});

	it('Find Duplicates groups three people only if all share one value, else pairs', async () => {
		const chain = [
			{ phones: ['06 12345678'] },
			{ phones: ['06 12345678'], emails: ['b@x.example'] },
			{ emails: ['b@x.example'] },
		];
		expect(positions(await groupsOf(chain))).toEqual([
			[0, 1],
			[1, 2],
		]);
		const [one, two, three] = chain;
		const all = [
			{ ...one, networkId: 'vos' },
			{ ...two, networkId: 'vos' },
			{ ...three, networkId: 'vos' },
		];
		const [group, ...others] = await groupsOf(all);
		expect(others).toEqual([]);
		expect(group).toMatchObject({
			people: [idOf(0), idOf(1), idOf(2)],
			share: [{ kind: 'networkId' }, { kind: 'phoneNumber' }, { kind: 'email' }],
		});
	});

	it('Find Duplicates pairs a national number with numbers of two countries, in separate groups', async () => {
		const numbers = ['06 12345678', '+31 6 12345678', '+32 6 12345678'];
		const groups = await groupsOf(numbers.map((number) => ({ phones: [number] })));
		expect(positions(groups)).toEqual([
			[0, 1],
			[0, 2],
		]);
	});

	it('Find Duplicates names people by e-mail address without a name, undated people last', async () => {
		excuse('answers', 'a CRM may hold people without a family name, which the interface requires');
		const group = { networkId: 'vos' };
		store([{ ...group, name: '' }, { ...group, name: '', emails: ['a@x.example'] }, group]);
		scene.change('people', idOf(0), { createdAt: null });
		const { items, error } = await scene.person('findDuplicates');
		expect(error?.message).toBeUndefined();
		expect(items.map(({ json }) => json)).toMatchObject([
			{ people: [1, 2, 0].map(idOf), names: ['a@x.example', 'Eva Vos', 'no name'] },
		]);
	});

	it('If first names of duplicates differ, a note says they may be several people', async () => {
		const emails = ['family@x.example'];
		const groups = await groupsOf([
			{ name: 'Jan Vos', emails },
			{ name: 'Els Vos', emails },
		]);
		expect(groups).toMatchObject([{ note: 'The names may be those of several people' }]);
	});

	it('The parameter By limits which kinds of values make people duplicates', async () => {
		const both = [
			{ emails: ['a@x.example'], phones: ['06 12345678'] },
			{ emails: ['a@x.example'], phones: ['06 12345678'] },
		];
		const groups = await groupsOf(both, { by: ['phoneNumber'] });
		expect(groups).toMatchObject([{ share: [{ kind: 'phoneNumber' }] }]);
		expect(await groupsOf(both, { by: ['networkId'] })).toEqual([]);
	});

	it.each([
		[[], 'By is empty'],
		[['name'], 'By: expected one of email, networkId, phoneNumber, got "name"'],
	])('Find Duplicates refuses %j as By, and sends nothing', async (by, message) => {
		const { error } = await scene.person('findDuplicates', { by });
		expect(error?.message).toBe(message);
		expect(scene.requests()).toEqual([]);
	});

	itInCi('Find Duplicates sends at most 101 requests for 3,000 people and two items', async () => {
		store(Array.from({ length: 3_000 }, (_, nth) => ({ emails: [`p${nth % 2_900}@x.example`] })));
		const { items, error } = await scene.person('findDuplicates', {}, { input: [{}, {}] });
		expect(error?.message).toBeUndefined();
		expect(items).toHaveLength(200);
		expect(scene.requests().length).toBeLessThanOrEqual(101);
		expect(scene.writes()).toEqual([]);
	});

	it('Find Duplicates groups other people although somebody is archived during the read', async () => {
		const drafts = Array.from({ length: 90 }, (_, nth) => ({ emails: [`p${nth % 60}@x.example`] }));
		store(drafts);
		scene.onRequest(2, () => scene.change('people', idOf(0), { archivedAt: AT }));
		const { items, error } = await scene.person('findDuplicates');
		expect(error?.message).toBeUndefined();
		const found = items.map(({ json }) => json.people as string[]);
		for (let nth = 1; nth < 30; nth++) expect(found).toContainEqual([idOf(nth), idOf(nth + 60)]);
	});

	it('Find Duplicates fails if the service ignores the filter for active people', async () => {
		store([{ emails: ['a@x.example'] }, { emails: ['a@x.example'], archivedAt: AT }]);
		scene.service.switches.ignoreFilters = true;
		const { error } = await scene.person('findDuplicates');
		expect(error?.message).toMatch(/^Archived: the service returned people that do not meet/);
	});

	it('As an agent tool, Find Duplicates says so if it finds no duplicates', async () => {
		store([{ emails: ['a@x.example'] }]);
		const { items } = await scene.person('findDuplicates', {}, { isTool: true });
		expect(items[0].json).toMatchObject({ note: 'No duplicates were found' });
	});
});
