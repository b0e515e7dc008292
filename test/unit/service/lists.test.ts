import fc from 'fast-check';
import { startService, type Service } from '../../service';
import { connect } from '../../service/client';
import { viewOf } from '../../service/paging';
import { parseQuery } from '../../service/query';

let service: Service;
let send: ReturnType<typeof connect>;

beforeAll(async () => {
	service = await startService({ switches: { rateLimit: { mode: 'off' } } });
	send = connect(service);
});
afterAll(async () => await service.close());
beforeEach(() => service.reset());

const get = async (path: string, accept?: string) => (await send('GET', path, { accept })).body;
const people = () => [...service.store.people.values()];
/** The ids a list gives, all on one page; more than a page can hold is a mistake of the test. */
const idsOf = async (query: string, path = '/people') => {
	const { member, totalItems } = await get(`${path}?itemsPerPage=30&${query}`);
	expect(totalItems).toBeLessThanOrEqual(30);
	return member.map(({ id }) => id);
};
const add = async (fields: object) =>
	(await send('POST', '/people', { body: { familyName: 'Vos', ...fields } })).body;

describe('a page', () => {
	it('has 15 items, and the envelope of the interface', async () => {
		const body = await get('/people');
		expect(body).toMatchObject({
			'@context': '/contexts/Person',
			'@id': '/people',
			'@type': 'Collection',
			totalItems: 60,
			view: {
				'@id': '/people?page=1',
				'@type': 'PartialCollectionView',
				first: '/people?page=1',
				last: '/people?page=4',
				next: '/people?page=2',
			},
		});
		expect(body.member).toHaveLength(15);
		expect(body.view).not.toHaveProperty('previous');
		expect(body.member.some((person) => '@context' in person)).toBe(false);
	});

	it('has at most 30 items, whatever is asked for', async () => {
		expect((await get('/people?itemsPerPage=31')).member).toHaveLength(30);
		expect((await get('/people?itemsPerPage=31')).view?.last).toBe(
			'/people?itemsPerPage=31&page=2',
		);
	});

	it('may have no items, but then there is only the first', async () => {
		expect(await get('/people?itemsPerPage=0')).toMatchObject({ totalItems: 60, member: [] });
		expect((await send('GET', '/people?itemsPerPage=0&page=2')).status).toBe(400);
	});

	it.each(['page=0', 'page=-1', 'page=two', 'page=', 'itemsPerPage=-1'])(
		'%s is refused',
		async (query) => {
			expect((await send('GET', `/people?${query}`)).status).toBe(400);
		},
	);

	it('that is the last has a previous page and no next', async () => {
		const { member, view } = await get('/people?page=4');
		expect(member).toHaveLength(15);
		expect(view).toMatchObject({ previous: '/people?page=3', last: '/people?page=4' });
		expect(view).not.toHaveProperty('next');
	});

	it('past the end is empty, with the total unchanged and no next', async () => {
		const body = await get('/people?page=9');
		expect(body).toMatchObject({
			totalItems: 60,
			member: [],
			view: { previous: '/people?page=8' },
		});
		expect(body.view).not.toHaveProperty('next');
	});

	it('links to pages of the same list, with every parameter encoded and page last', async () => {
		const { view } = await get('/people?page=2&exists[archivedAt]=false&itemsPerPage=5&q=');
		expect(view?.next).toBe('/people?exists%5BarchivedAt%5D=false&itemsPerPage=5&q=&page=3');
	});

	it('has no view where the list has one page and no parameter', async () => {
		expect(await get('/segments')).not.toHaveProperty('view');
		expect(await get('/segments?page=1')).not.toHaveProperty('view');
	});

	it('has a view without links where the list has one page and a parameter', async () => {
		expect((await get('/segments?itemsPerPage=30')).view).toEqual({
			'@id': '/segments?itemsPerPage=30',
			'@type': 'PartialCollectionView',
		});
	});

	it('is one of as many as it takes to have every person once', async () => {
		const seen: string[] = [];
		let path: string | undefined = '/people?itemsPerPage=7&order[familyName]=asc';
		while (path) {
			const { member, view } = await get(path);
			seen.push(...member.map(({ id }) => id));
			path = view?.next;
		}
		expect(seen).toHaveLength(60);
		expect(new Set(seen)).toEqual(new Set(service.store.people.keys()));
	});

	it('keeps the parameters of any query in its links', () => {
		const name = fc.constantFrom(
			'q',
			'tags.id[]',
			'owner.id',
			'exists[archivedAt]',
			'order[createdAt]',
		);
		fc.assert(
			fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
				const query = parseQuery(new URLSearchParams(pairs).toString());
				const view = viewOf('/people', query, { number: 2, itemsPerPage: 10 }, 100);
				expect(parseQuery(view?.next?.split('?')[1] ?? '')).toEqual({ ...query, page: '3' });
			}),
		);
	});

	it('is a bare array of plain items as plain JSON', async () => {
		const body: unknown = await get('/people?itemsPerPage=2', 'application/json');
		expect(body).toEqual([expect.any(Object), expect.any(Object)]);
		expect(JSON.stringify(body)).not.toContain('"@');
	});

	it('describes its filters where it has any', async () => {
		const { search } = await get('/people?itemsPerPage=0');
		expect(search).toMatchObject({
			'@type': 'IriTemplate',
			variableRepresentation: 'BasicRepresentation',
			mapping: expect.arrayContaining([
				{
					'@type': 'IriTemplateMapping',
					variable: 'exists[archivedAt]',
					property: 'archivedAt',
					required: false,
				},
			]) as unknown,
		});
		expect(await get('/segments')).not.toHaveProperty('search');
	});
});

describe('Accept', () => {
	it.each([
		[undefined, 'application/ld+json'],
		['*/*', 'application/ld+json'],
		['application/json', 'application/json'],
		['application/ld+json, application/json;q=0.9', 'application/ld+json'],
		['application/ld+json;q=0.5, application/json', 'application/json'],
		['text/html, application/json;q=0.9, */*;q=0.8', 'application/json'],
	])('%s gives %s', async (accept, mediaType) => {
		expect((await send('GET', '/segments', { accept })).mediaType).toBe(mediaType);
	});

	it('that names neither gives 406', async () => {
		expect((await send('GET', '/segments', { accept: 'text/csv' })).status).toBe(406);
	});
});

describe('a filter of people', () => {
	it('finds a word anywhere in a name, e-mail or phone, without case and accents', async () => {
		const { id } = await add({
			familyName: 'Ångström',
			givenName: 'Zoë',
			emailAddresses: [{ email: 'za@uppsala.example' }],
			phoneNumbers: [{ phoneNumber: '+4618555', phoneType: 'work' }],
		});
		for (const q of ['angstrom', 'ZOE ångs', 'uppsala', '18555']) {
			expect(await idsOf(`q=${encodeURIComponent(q)}`)).toEqual([id]);
		}
		expect(await idsOf('q=zoe%20nobody')).toEqual([]);
	});

	it('by e-mail takes one or several', async () => {
		const [one, two] = people().filter(({ emailAddresses }) => emailAddresses.length > 0);
		const [first, second] = [one, two].map((person) =>
			encodeURIComponent(person.emailAddresses[0].email ?? ''),
		);
		const name = 'emailAddresses.email';
		expect(await idsOf(`${name}=${first}`)).toEqual([one.id]);
		expect(await idsOf(`${name}[]=${first}&${name}[]=${second}`)).toEqual([one.id, two.id]);
		expect(await idsOf(`${name}[0]=${first}&${name}[1]=${second}`)).toEqual([one.id, two.id]);
		expect(await idsOf(`${name}=${first.slice(1)}`)).toEqual([]);
	});

	it.each([
		['owner.id', 'users', (id: string) => ({ owner: `/users/${id}` })],
		['tags.id', 'tags', (id: string) => ({ tags: [`/tags/${id}`] })],
		['segments.uuid', 'segments', (id: string) => ({ segments: [`/segments/${id}`] })],
	] as const)('by %s takes ids', async (name, collection, fields) => {
		const [one, two] = service.store[collection].keys();
		service.store.people.clear();
		const [first, second] = [(await add(fields(one))).id, (await add(fields(two))).id];
		await add({});
		expect(await idsOf(`${name}=${one}`)).toEqual([first]);
		expect(await idsOf(`${name}[]=${one}&${name}[]=${two}`)).toEqual([first, second]);
	});

	it('by identifiers takes network ids, e-mail addresses and phone numbers', async () => {
		const { id } = await add({
			networkId: 'net-1',
			emailAddresses: [{ email: 'a@b.example' }],
			phoneNumbers: [{ phoneNumber: '+31 6', phoneType: 'mobile' }],
		});
		for (const value of ['net-1', 'A@b.example', '+31 6']) {
			expect(await idsOf(`identifiers[]=${encodeURIComponent(value)}`)).toEqual([id]);
		}
	});

	it('by existence selects the archived or the others', async () => {
		const archived = people().filter(({ archivedAt }) => archivedAt !== null);
		expect(archived.length).toBeGreaterThan(0);
		expect(await idsOf('exists[archivedAt]=true')).toEqual(archived.map(({ id }) => id));
		expect((await get('/people?exists[archivedAt]=0')).totalItems).toBe(60 - archived.length);
		expect((await get('/people?exists[archivedAt]=maybe')).totalItems).toBe(60);
	});

	it('by date tells after from strictly after', async () => {
		const { createdAt } = people()[30];
		const at = people().filter((person) => person.createdAt === createdAt).length;
		const before = people().filter((person) => person.createdAt < createdAt).length;
		const total = async (name: string) =>
			(await get(`/people?createdAt[${name}]=${encodeURIComponent(createdAt)}`)).totalItems;
		expect(await total('strictly_before')).toBe(before);
		expect(await total('before')).toBe(before + at);
		expect(await total('after')).toBe(60 - before);
		expect(await total('strictly_after')).toBe(60 - before - at);
	});

	it('that cannot be read is ignored', async () => {
		for (const query of [
			'createdAt[after]=2025-06-01T00:00:00+00:00',
			'createdAt[after]=tomorrow',
			'owner.id=somebody',
			`tags.id[]=${[...service.store.tags.keys()][0]}&tags.id[]=x`,
			'nothing=1',
		]) {
			expect((await get(`/people?${query}`)).totalItems).toBe(60);
		}
	});
});

describe('the order of people', () => {
	it('is by family name or time, either way', async () => {
		const names = async (direction: string) =>
			(await get(`/people?order[familyName]=${direction}&itemsPerPage=30`)).member.map((person) =>
				String(person.familyName),
			);
		const ascending = await names('asc');
		expect(ascending).toEqual([...ascending].sort(new Intl.Collator('en').compare));
		expect((await names('desc'))[0]).not.toBe(ascending[0]);
		const { member } = await get('/people?order[createdAt]=desc');
		expect(member[0].createdAt).toBe(people().at(-1)?.createdAt);
	});

	it('is as they were made for a direction or a field that is none', async () => {
		const plain = (await get('/people')).member.map(({ id }) => id);
		for (const query of ['order[familyName]=up', 'order[jobTitle]=asc', 'order=asc']) {
			expect((await get(`/people?${query}`)).member.map(({ id }) => id)).toEqual(plain);
		}
	});
});

describe('a filter of workspaces', () => {
	it('finds part of a title or description, an owner, and the archived', async () => {
		const all = [...service.store.workspaces.values()];
		const sales = all.filter(({ title }) => title?.includes('Sales')).map(({ id }) => id);
		const owner = all[0].owner ?? '';
		const owned = all.filter((workspace) => workspace.owner === owner).map(({ id }) => id);
		const find = async (query: string) => await idsOf(query, '/workspaces');
		expect(await find('title=sales')).toEqual(sales);
		expect(await find('title[]=supp&title[]=onb')).toHaveLength(2);
		expect(await find('description=open deal')).toEqual([all[0].id]);
		expect(await find(`owner=${owner}`)).toEqual(owned);
		expect(await find(`owner[]=${owner.split('/')[2]}`)).toEqual(owned);
		expect(await find('exists[archivedAt]=true')).toEqual([all[3].id]);
		expect(await find('archivedAt[after]=2020-01-01')).toEqual([all[3].id]);
	});
});

describe('view=idx', () => {
	const ids = () => people().map(({ id }) => id);

	it('gives identifiers in an envelope, in the order and pages of the list', async () => {
		const { member, totalItems, view } = await get('/people?view=idx&itemsPerPage=2&page=2');
		expect(member).toEqual(ids().slice(2, 4));
		expect(totalItems).toBe(60);
		expect(view?.next).toBe('/people?view=idx&itemsPerPage=2&page=3');
		expect((await get('/tasks?view=idx')).member[0]).toBe([...service.store.tasks.keys()][0]);
	});

	it('gives a bare array, or objects, by switch', async () => {
		service.switches.identifiers = 'array';
		expect(await get('/people?view=idx&itemsPerPage=2')).toEqual(ids().slice(0, 2));
		service.switches.identifiers = 'objects';
		const [id] = ids();
		expect((await get('/people?view=idx&itemsPerPage=1')).member).toEqual([
			{ '@id': `/people/${id}`, '@type': 'Person', id },
		]);
	});

	it('means nothing to lists that do not have it, nor any other value', async () => {
		expect((await get('/segments?view=idx')).member[0]).toHaveProperty('title');
		expect((await get('/people?view=full')).member[0]).toHaveProperty('familyName');
	});
});

describe('a list by switch', () => {
	it('has the prefix of version 3', async () => {
		service.switches.hydraPrefix = true;
		const body = await get('/people?page=2');
		expect(body['@type']).toBe('hydra:Collection');
		expect(Object.keys(body)).toEqual(
			expect.arrayContaining(['hydra:member', 'hydra:totalItems', 'hydra:view', 'hydra:search']),
		);
		expect(body['hydra:view']).toEqual({
			'@id': '/people?page=2',
			'@type': 'hydra:PartialCollectionView',
			'hydra:first': '/people?page=1',
			'hydra:last': '/people?page=4',
			'hydra:previous': '/people?page=1',
			'hydra:next': '/people?page=3',
		});
	});

	it('is a bare array even as JSON-LD', async () => {
		service.switches.bareCollections = true;
		const body = (await get('/people')) as unknown as Array<Record<string, unknown>>;
		expect(body).toHaveLength(15);
		expect(body[0]['@type']).toBe('Person');
	});

	it('lacks its total or its view', async () => {
		service.switches.totalItems = false;
		expect(await get('/people')).not.toHaveProperty('totalItems');
		service.switches.view = false;
		expect(await get('/people')).not.toHaveProperty('view');
	});

	it('ignores filters, or the order', async () => {
		service.switches.ignoreFilters = true;
		const filtered = await get('/people?q=nobody&order[createdAt]=desc&itemsPerPage=1&page=2');
		expect(filtered.totalItems).toBe(60);
		expect(filtered.member[0].createdAt).toBe(people().at(-2)?.createdAt);
		service.switches.ignoreFilters = false;
		service.switches.ignoreOrder = true;
		expect((await get('/people?order[createdAt]=desc')).member[0].id).toBe(people()[0].id);
	});

	it('repeats a page for ever', async () => {
		service.switches.repeatFromPage = 3;
		const pages = await Promise.all(
			[1, 2, 3, 4].map(async (page) => await get(`/people?page=${page}`)),
		);
		const firsts = pages.map(({ member }) => member[0].id);
		expect(firsts).toEqual([people()[0].id, people()[15].id, people()[15].id, people()[15].id]);
	});
});
