import { startService, type Service, type SwitchChanges } from '../../service';
import { connect } from '../../service/client';
import { changeSwitches } from '../../service/switches';

let service: Service;
let send: ReturnType<typeof connect>;

beforeAll(async () => {
	service = await startService({
		seed: { people: 20, tasks: 2 },
		switches: { rateLimit: { mode: 'off' } },
	});
	send = connect(service);
});
afterAll(async () => await service.close());
beforeEach(() => service.reset());

const set = (changes: SwitchChanges) => changeSwitches(service.switches, changes);
const people = () => [...service.store.people.values()];
const query = (pairs: Array<[string, string]>) => new URLSearchParams(pairs).toString();
const list = async (...pairs: Array<[string, string]>) =>
	await send('GET', `/people?itemsPerPage=30&${query(pairs)}`);
const idsOf = async (...pairs: Array<[string, string]>) =>
	(await list(...pairs)).body.member.map(({ id }) => id);
const all = () => people().map(({ id }) => id);

/** Puts known values on the first people; the others keep theirs. */
function arrange() {
	const [first, second, third] = people();
	const { store } = service;
	store.people.set(first.id, {
		...first,
		givenName: 'Ana',
		familyName: 'de  Vries',
		emailAddresses: [{ email: 'Ana@Vries.example' }, { email: 'info@vries.example' }],
		phoneNumbers: [{ phoneNumber: '+31 6 1111 2222', phoneType: 'mobile' }],
	});
	store.people.set(second.id, {
		...second,
		emailAddresses: [{ email: 'info@vries.example' }],
		phoneNumbers: [],
	});
	store.people.set(third.id, {
		...third,
		emailAddresses: [{ email: 'joana@vries.example' }],
		phoneNumbers: [],
	});
	return [first.id, second.id, third.id];
}

const EMAIL = 'emailAddresses.email';

describe('comparison', () => {
	it('is without case, as long as nothing is said', async () => {
		const [ana] = arrange();
		expect(await idsOf([EMAIL, 'ana@vries.example'])).toEqual([ana]);
		expect(await idsOf(['q', 'VRIES ana'])).toContain(ana);
	});

	it('exact: case, spaces and the spelling of phone numbers matter', async () => {
		const [ana] = arrange();
		set({ comparison: 'exact' });
		expect(await idsOf([EMAIL, 'ana@vries.example'])).toEqual([]);
		expect(await idsOf([EMAIL, 'Ana@Vries.example '])).toEqual([]);
		expect(await idsOf([EMAIL, 'Ana@Vries.example'])).toEqual([ana]);
		expect(await idsOf(['identifiers', '+31611112222'])).toEqual([]);
		expect(await idsOf(['identifiers', '+31 6 1111 2222'])).toEqual([ana]);
		expect(await idsOf(['q', 'de Vries'])).toEqual([]);
		expect(await idsOf(['q', 'de  vries'])).toEqual([]);
		expect(await idsOf(['q', 'de  Vries'])).toEqual([ana]);
	});

	it('exact: a title is the whole title', async () => {
		const titles = async (title: string) =>
			(await send('GET', `/workspaces?${query([['title', title]])}`)).body.member.length;
		expect(await titles('sale')).toBe(2);
		set({ comparison: 'exact' });
		expect(await titles('sales')).toBe(0);
		expect(await titles('Sales')).toBe(1);
	});

	it('partial: whoever has it as a part is found', async () => {
		const [ana, , joana] = arrange();
		set({ comparison: 'partial' });
		expect(await idsOf([EMAIL, 'ana@vries.example'])).toEqual([ana, joana]);
	});

	it.each(['exact', 'partial'] as const)('%s leaves ids alone', async (comparison) => {
		set({ comparison });
		const tag = people().find(({ tags }) => tags.length > 0)!.tags[0];
		const having = people().filter(({ tags }) => tags.includes(tag));
		const upper = tag.split('/')[2].toUpperCase();
		expect(await idsOf(['tags.id', upper])).toEqual(having.map(({ id }) => id));
	});
});

describe('several values of a filter', () => {
	const both: Array<[string, string]> = [
		[`${EMAIL}[]`, 'Ana@Vries.example'],
		[`${EMAIL}[]`, 'info@vries.example'],
	];

	it.each([
		['any', (ids: string[]) => ids.slice(0, 2)],
		['all', (ids: string[]) => ids.slice(0, 1)],
		['dropped', () => all()],
	] as const)('%s', async (severalValues, expected) => {
		const ids = arrange();
		set({ severalValues });
		expect(await idsOf(...both)).toEqual(expected(ids));
	});

	it('last: the last value alone', async () => {
		const [ana] = arrange();
		set({ severalValues: 'last' });
		expect(await idsOf(...[...both].reverse())).toEqual([ana]);
	});

	it('refused: a 400, for ids too', async () => {
		set({ severalValues: 'refused' });
		expect((await list(...both)).status).toBe(400);
		expect((await list(['tags.id[]', 'x'])).status).toBe(400);
	});

	it('more: any of them, and half of all others', async () => {
		const ids = arrange();
		set({ severalValues: 'more' });
		const found = await idsOf(...both);
		expect(found).toEqual(expect.arrayContaining(ids.slice(0, 2)));
		expect(found.length).toBeGreaterThanOrEqual(10);
		expect(found.length).toBeLessThan(20);
	});

	it.each(['all', 'last', 'dropped', 'refused', 'more'] as const)(
		'%s is of no matter to a single value',
		async (severalValues) => {
			const [ana] = arrange();
			set({ severalValues });
			expect(await idsOf([EMAIL, 'Ana@Vries.example'])).toEqual([ana]);
		},
	);

	it.each(['any', 'all', 'dropped', 'last'] as const)('%s holds for ids', async (severalValues) => {
		const [one, two] = [...service.store.tags.keys()];
		const [first, second] = people();
		const other = people().filter(({ id }) => id !== first.id && id !== second.id);
		for (const person of other) service.store.people.set(person.id, { ...person, tags: [] });
		service.store.people.set(first.id, { ...first, tags: [`/tags/${one}`, `/tags/${two}`] });
		service.store.people.set(second.id, { ...second, tags: [`/tags/${two}`] });
		set({ severalValues });
		const expected = {
			any: [first.id, second.id],
			all: [first.id],
			last: [first.id],
			dropped: all(),
		};
		expect(await idsOf(['tags.id[]', two], ['tags.id[]', one])).toEqual(expected[severalValues]);
	});
});

describe('a filter that is dropped', () => {
	const someTag = () =>
		people()
			.find(({ tags }) => tags.length > 0)!
			.tags[0].split('/')[2];

	it.each(['tags.id', 'tags.id[]'])('by name is of no effect as %s', async (name) => {
		expect(await idsOf([name, someTag()])).not.toHaveLength(20);
		set({ dropFilters: ['tags.id'] });
		expect(await idsOf([name, someTag()])).toHaveLength(20);
	});

	it('by name leaves the others', async () => {
		const [ana] = arrange();
		set({ dropFilters: ['tags.id'] });
		expect(await idsOf(['tags.id', someTag()], [EMAIL, 'Ana@Vries.example'])).toEqual([ana]);
	});

	it.each(['owner.id', 'segments.uuid', EMAIL, 'identifiers', 'q'])('can be %s', async (name) => {
		const value = '00000000-0000-4000-8000-000000000000';
		expect(await idsOf([name, value])).toEqual([]);
		set({ dropFilters: [name] });
		expect(await idsOf([name, value])).toHaveLength(20);
	});

	it('can be a date, the archived ones, the order or the view', async () => {
		set({
			dropFilters: ['createdAt[after]', 'exists[archivedAt]', 'order[familyName]', 'view'],
		});
		expect(await idsOf(['createdAt[after]', '2099-01-01'])).toHaveLength(20);
		expect(await idsOf(['exists[archivedAt]', 'true'])).toHaveLength(20);
		expect(await idsOf(['order[familyName]', 'asc'])).toEqual(all());
		expect((await list(['view', 'idx'])).body.member[0]).toHaveProperty('familyName');
	});

	it('for unknown values stays for known ones', async () => {
		const [ana] = arrange();
		set({ dropUnknownValues: [EMAIL, 'tags.id'] });
		expect(await idsOf([EMAIL, 'Ana@Vries.example'])).toEqual([ana]);
		expect(await idsOf([EMAIL, 'nobody@vries.example'])).toHaveLength(20);
		expect(await idsOf(['tags.id', someTag()])).not.toHaveLength(20);
		expect(await idsOf(['tags.id', '00000000-0000-4000-8000-000000000000'])).toHaveLength(20);
	});

	it('for unknown values knows a tag that nobody has', async () => {
		for (const person of people()) service.store.people.set(person.id, { ...person, tags: [] });
		set({ dropUnknownValues: ['tags.id'] });
		expect(await idsOf(['tags.id', [...service.store.tags.keys()][0]])).toEqual([]);
	});
});

describe('paging', () => {
	const page = async (number: number) => (await send('GET', `/people?page=${number}`)).body;

	it('is ignored: every page is the first, and says so', async () => {
		set({ ignorePage: true });
		const [first, second] = [await page(1), await page(2)];
		expect(second).toEqual(first);
		expect(second.view).toMatchObject({ '@id': '/people?page=1', next: '/people?page=2' });
	});

	it('names no next page although there is one', async () => {
		expect((await page(1)).view).toHaveProperty('next');
		set({ viewNext: false });
		const { view, totalItems, member } = await page(1);
		expect(view).toEqual({
			'@id': '/people?page=1',
			'@type': 'PartialCollectionView',
			first: '/people?page=1',
			last: '/people?page=2',
		});
		expect([totalItems, member.length]).toEqual([20, 15]);
	});
});
