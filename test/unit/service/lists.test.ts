import { startService, type Service, type SwitchChanges } from '../../service';
import { connect } from '../../service/client';
import { blankPerson } from '../../service/resources/people';
import { changeSwitches } from '../../service/switches';

/* Filters and lists that the recorded application did not show. recorded.test.ts tests the recorded part. */

/** Four people, each under a letter. Every filter finds another part of them. */
const PEOPLE = {
	a: {
		...{ givenName: 'Ana', familyName: 'de  Vries', networkId: 'net-1' },
		emailAddresses: [{ email: 'Ana@Vries.example' }, { email: 'info@vries.example' }],
		phoneNumbers: [{ phoneNumber: '+31 6 11', phoneType: 'mobile' }],
	},
	b: { familyName: 'Berg', emailAddresses: [{ email: 'info@vries.example' }] },
	c: { familyName: 'Ångström', emailAddresses: [{ email: 'joana@vries.example' }] },
	d: { familyName: 'Zwart', archivedAt: '2025-05-01T00:00:00+00:00' },
};
const LETTERS = Object.keys(PEOPLE);
const NOBODY = '00000000-0000-4000-8000-000000000000';

let service: Service;
let send: ReturnType<typeof connect>;
let names: Record<string, string>;

beforeAll(async () => {
	const switches = { rateLimit: { mode: 'off' } } as const;
	service = await startService({ switches, seed: { people: 0, tasks: 0 } });
	send = connect(service);
});
afterAll(async () => await service.close());
beforeEach(() => {
	service.reset();
	const { store } = service;
	const [[one, two], [owner], [segment]] = [store.tags, store.users, store.segments].map(
		(records: Map<string, unknown>) => [...records.keys()],
	);
	names = { one, two, owner, segment, ONE: one.toUpperCase() };
	const references = {
		a: { owner: `/users/${owner}`, tags: [`/tags/${one}`, `/tags/${two}`] },
		b: { segments: [`/segments/${segment}`], tags: [`/tags/${two}`] },
	};
	for (const [index, [id, fields]] of Object.entries(PEOPLE).entries()) {
		const person = blankPerson(id, `2025-0${index + 1}-01T00:00:00+00:00`);
		store.people.set(id, { ...person, ...fields, ...references[id as 'a'] });
	}
});

/** Sends a request. `{name}` in the path becomes the ID of the record with that name. */
const ask = async (path: string, switches: SwitchChanges = {}) => {
	changeSwitches(service.switches, switches);
	const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => names[name]);
	return await send('GET', filled);
};

const EMAIL = 'emailAddresses.email';
const EMAILS = `${EMAIL}[]=Ana@Vries.example&${EMAIL}[]=info@vries.example`;
const TAGS = 'tags.id[]={two}&tags.id[]={one}';
const by = (severalValues: SwitchChanges['severalValues']) => ({ severalValues });
const exact = { comparison: 'exact' } as const;
const forgiving = { comparison: 'forgiving' } as const;
const partial = { comparison: 'partial' } as const;
const PREFIXED = { prefixedFilters: true, mountPath: '/api/v1' };
const unknown = { dropUnknownValues: [EMAIL, 'tags.id'] };

it.each([
	['q=VRIES ana', 'ac'],
	['q=angstrom', 'c'],
	['q=ana nobody', ''],
	[`${EMAIL}=ana@vries.example`, 'a', forgiving],
	[`${EMAIL}=na@vries.example`, '', forgiving],
	[EMAILS.replaceAll('[]', '[0]'), 'ab'],
	['owner.id={owner}', 'a'],
	['tags.id={ONE}', ''],
	[TAGS, 'ab'],
	['identifiers=net-1', 'a'],
	['identifiers[]=%2B31 6 11', 'a'],
	['createdAt[before]=tomorrow', 'abcd'],
	['tags.id[]={one}&tags.id[]=x', 'abcd', unknown],
	[`${EMAIL}=ana@vries.example`, '', exact],
	[`${EMAIL}=Ana@Vries.example`, 'a', exact],
	['identifiers=%2B31611', '', exact],
	['q=de Vries', '', exact],
	['q=de  Vries', 'a', exact],
	[`${EMAIL}=ana@vries.example`, 'ac', partial],
	[EMAILS, 'a', by('all')],
	[EMAILS, 'ab', by('last')],
	[EMAILS, 'abcd', by('dropped')],
	[EMAILS, '400', by('refused')],
	[EMAILS, 'abc', by('more')],
	[TAGS, 'a', by('all')],
	[TAGS, 'a', by('last')],
	[TAGS, 'abcd', by('dropped')],
	['tags.id[]=x', '400', by('refused')],
	['tags.id=/tags/{one}', 'a', { mountPath: '/api/v1' }],
	['tags.id=/tags/{one}', '', PREFIXED],
	['tags.id=/api/v1/tags/{one}', 'a', PREFIXED],
	['owner.id=/api/v1/users/{owner}', 'a', PREFIXED],
	['owner.id={owner}', 'a', PREFIXED],
	['tags.id={one}', 'abcd', { dropFilters: ['tags.id'] }],
	['tags.id[]={one}', 'abcd', { dropFilters: ['tags.id'] }],
	[`tags.id={one}&${EMAIL}=info@vries.example`, 'ab', { dropFilters: ['tags.id'] }],
	['exists[archivedAt]=true', 'abcd', { dropFilters: ['exists[archivedAt]'] }],
	['order[familyName]=asc', 'abcd', { dropFilters: ['order[familyName]'] }],
	[`${EMAIL}=Ana@Vries.example`, 'a', unknown],
	[`${EMAIL}=nobody@vries.example`, 'abcd', unknown],
	[`tags.id=${NOBODY}`, 'abcd', unknown],
	['q=nobody&order[createdAt]=desc', 'dcba', { ignoreFilters: true }],
] as Array<[string, string, SwitchChanges?]>)(
	'With switches of row %#, the stand-in answers /people?%s with IDs or status "%s"',
	async (query, who, switches = {}) => {
		const { status, body } = await ask(`/people?${query}`, switches);
		expect(status === 200 ? body.member.map(({ id }) => id).join('') : String(status)).toBe(who);
	},
);

it.each([
	['title=sales', 2],
	['description=open deal', 1],
	['owner={owner}', 1],
	['owner=/users/{owner}', 1],
	['owner={owner}', 1, PREFIXED],
	['owner=/users/{owner}', 0, PREFIXED],
	['owner=/api/v1/users/{owner}', 1, PREFIXED],
	['owner[]=/users/x&owner[]=/api/v1/users/{owner}', 1, PREFIXED],
	['exists[archivedAt]=true', 1],
	['archivedAt[after]=2020-01-01', 1],
	['title=sales', 0, exact],
	['title=Sales', 1, exact],
] as Array<[string, number, SwitchChanges?]>)(
	'With switches of row %#, the stand-in filters workspaces by %s and finds %i',
	async (query, count, switches = {}) => {
		expect((await ask(`/workspaces?${query}`, switches)).body.totalItems).toBe(count);
	},
);

const without = (name: string) =>
	expect.not.objectContaining({ [name]: expect.anything() as unknown }) as unknown;

const one = (id: string) => ({ id });
const uuid = (id: string) => ({ uuid: id });
const iri = (id: string) => `/people/${id}`;
const object = (id: string) => ({ '@id': iri(id), '@type': 'Person', id });
const envelope = (form: (id: string) => unknown) => ({ member: LETTERS.map(form) });
const ids = LETTERS.map(one);

const UNPAGED = { unpaged: ['/people'], pageSize: 2 };

/** Returns the links to the last and the next page, from the first of this number of pages. */
const pages = (count: number, itemsPerPage?: number) => {
	const link = `/people?${itemsPerPage ? `itemsPerPage=${itemsPerPage}&` : ''}page=`;
	return { last: `${link}${count}`, next: `${link}2` };
};

/** Parts that the answer must have with the given switches. A part that is undefined must be absent. */
it.each([
	['/people', ids, { bareCollections: true }],
	['/people', { totalItems: undefined, member: ids }, { totalItems: false }],
	['/people?q=', { view: undefined, member: ids }, { view: false }],
	['/people?itemsPerPage=2', { view: { next: '/people?itemsPerPage=2&page=2' } }, {}],
	['/people?itemsPerPage=2', { view: without('next') }, { viewNext: false }],
	['/people', { totalItems: 4, member: ids.slice(0, 3), view: pages(2) }, { pageSize: 3 }],
	['/people?itemsPerPage=30', { member: [ids[0]], view: pages(4, 30) }, { pageSize: 1 }],
	['/people?page=2&itemsPerPage=30', { member: [ids[3]] }, { pageSize: 3 }],
	['/people?itemsPerPage=2', { member: ids.slice(0, 2), view: pages(2, 2) }, { pageSize: 3 }],
	['/people?itemsPerPage=2', { member: [ids[0], ids[2]] }, { equalRecords: 'swapped' }],
	['/people?itemsPerPage=2', { member: [ids[0], ids[1]] }, { equalRecords: 'byPage' }],
	['/people?itemsPerPage=2&page=2', { member: [ids[1], ids[3]] }, { equalRecords: 'byPage' }],
	['/people?page=2&itemsPerPage=1', { totalItems: 4, member: ids, view: undefined }, UNPAGED],
	['/people?page=0&itemsPerPage=-1', ids, { ...UNPAGED, bareCollections: true }],
	['/people?itemsPerPage=1', { member: [ids[0]], view: pages(4, 1) }, { unpaged: ['/tasks'] }],
	['/people', { 'hydra:member': ids, member: undefined }, { hydraPrefix: true }],
	['/people', { member: { '1': ids[0], '3': ids[1], '7': ids[3] } }, { mapLists: ['member'] }],
	['/people?view=idx', envelope((id) => id), {}],
	['/people?view=idx', envelope(object), { identifiers: 'objects' }],
	['/people?view=idx', envelope(iri), { identifiers: 'iris' }],
	['/people?view=idx', envelope(one), { identifiers: 'id-objects' }],
	['/people?view=idx', envelope(uuid), { identifiers: 'uuid-objects' }],
	['/people?view=idx', LETTERS, { identifiers: 'array' }],
	['/people?view=idx', LETTERS.map(iri), { identifiers: 'iri-array' }],
	['/people?view=idx', ids, { identifiers: 'id-object-array' }],
	['/people?view=idx', LETTERS.map(uuid), { identifiers: 'uuid-object-array' }],
	['/people?view=idx', { member: ids }, { dropFilters: ['view'] }],
	['/workspaces', { member: Array(4).fill(without('columns')) }, { columnsIn: 'single' }],
] as Array<[string, object, SwitchChanges]>)(
	'The stand-in service answers the list %s with %j (switches: %j)',
	async (path, seen, switches) => {
		const { body } = await ask(path, switches);
		const asked = Object.fromEntries(Object.keys(seen).map((name) => [name, body[name]]));
		expect(Array.isArray(seen) ? body : asked).toMatchObject(seen);
	},
);
