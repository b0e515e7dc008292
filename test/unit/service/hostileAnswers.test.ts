import { startService, type Service, type SwitchChanges } from '../../service';
import { connect } from '../../service/client';
import { changeSwitches } from '../../service/switches';

let service: Service;
const send = async (...request: Parameters<ReturnType<typeof connect>>) =>
	await connect(service)(...request);

beforeAll(async () => {
	service = await startService({
		seed: { people: 20, tasks: 20 },
		switches: { rateLimit: { mode: 'off' } },
	});
});
afterAll(async () => await service.close());
beforeEach(() => service.reset());

const set = (changes: SwitchChanges) => changeSwitches(service.switches, changes);
const get = async (path: string) => (await send('GET', path)).body;
const tagged = () => [...service.store.people.values()].find(({ tags }) => tags.length > 1)!;
const somebody = () => [...service.store.people.values()][0];
const GENERATED = /^\/\.well-known\/genid\/[\da-f]{20}$/;

describe('a service mounted below a path', () => {
	beforeEach(() => set({ mountPath: '/api' }));

	it('is found there alone', async () => {
		expect(service.url).toMatch(/:\d+\/api$/);
		expect((await send('GET', '/people')).status).toBe(200);
		const root = service.url.replace(/\/api$/, '');
		const headers = { 'X-API-KEY': service.apiKey };
		expect((await fetch(`${root}/people`, { headers })).status).toBe(404);
		expect((await fetch(`${root}/apipeople`, { headers })).status).toBe(404);
	});

	it('logs paths without it, where they lie below it', async () => {
		await send('GET', '/people?page=2');
		expect(service.requests).toMatchObject([{ path: '/people', query: { page: '2' } }]);
	});

	it('keeps its control endpoints', async () => {
		const changed = await send('PUT', '/_control/switches', {
			type: 'application/json',
			body: { mountPath: '' },
		});
		expect(changed.status).toBe(200);
		expect(service.url).toMatch(/:\d+$/);
	});

	it('shows IRIs, links and references with it', async () => {
		const { tags, id } = tagged();
		const person = await get(`/people/${id}`);
		expect(person['@id']).toBe(`/api/people/${id}`);
		expect(person.tags).toEqual(tags.map((iri) => `/api${iri}`));
		const people = await get('/people');
		expect(people).toMatchObject({ '@id': '/api/people', view: { next: '/api/people?page=2' } });
		const [workspace] = (await get('/workspaces')).member;
		expect(workspace.columns).toMatchObject([
			{ '@id': expect.stringMatching(/^\/api\/workspaces\/.+\/columns\/.+/) as string },
			{},
			{},
			{},
			{},
		]);
	});

	it('takes IRIs with it and without it', async () => {
		const { id } = somebody();
		const [one, two] = [...service.store.tags.keys()];
		const body = { tags: [`/api/tags/${one}`, `/tags/${two}`] };
		expect((await send('PATCH', `/people/${id}`, { body })).status).toBe(200);
		expect(service.store.people.get(id)?.tags).toEqual([`/tags/${one}`, `/tags/${two}`]);
	});
});

describe('IRIs in requests', () => {
	const write = async (iri: string) =>
		await send('PATCH', `/people/${somebody().id}`, { body: { tags: [iri] } });
	const tag = () => `/tags/${[...service.store.tags.keys()][0]}`;

	it('are paths, as long as nothing is said', async () => {
		expect((await write(`https://crm.example${tag()}`)).status).toBe(400);
		expect((await write(tag())).status).toBe(200);
	});

	it('by routes may be absolute, whatever their host', async () => {
		set({ acceptedIris: 'routes' });
		expect((await write(`https://elsewhere.example${tag()}`)).status).toBe(200);
		expect(service.store.people.get(somebody().id)?.tags).toEqual([tag()]);
	});

	it('by routes need the path the service is mounted at', async () => {
		set({ acceptedIris: 'routes', mountPath: '/api' });
		const refused = await write(tag());
		expect([refused.status, refused.body.detail]).toEqual([400, `Invalid IRI "${tag()}".`]);
		expect((await write(`/api${tag()}`)).status).toBe(200);
		expect((await write(`https://crm.example/api${tag()}`)).status).toBe(200);
	});

	it('are none where they were generated, or stand embedded', async () => {
		expect((await write('/.well-known/genid/0123456789')).status).toBe(400);
		const body = { tags: [{ '@id': tag() }] };
		expect((await send('PATCH', `/people/${somebody().id}`, { body })).status).toBe(400);
	});

	it('take embedded records by any form of their IRI', async () => {
		set({ acceptedIris: 'routes', mountPath: '/api' });
		const [status] = [...service.store.tasks.values()].map((task) => `/api${task.status}`);
		const { id } = somebody();
		const people = [{ '@id': `https://crm.example/api/people/${id}` }];
		const created = await send('POST', '/tasks', { body: { title: 'Call', status, people } });
		expect(created.status).toBe(201);
		expect(service.store.tasks.get(created.body.id)?.people).toEqual([`/people/${id}`]);
	});
});

describe('IRIs in answers', () => {
	it('may be absolute', async () => {
		set({ iriOrigin: 'https://crm.example', mountPath: '/api' });
		const { tags, id } = tagged();
		const person = await get(`/people/${id}`);
		expect(person['@id']).toBe(`https://crm.example/api/people/${id}`);
		expect(person.tags).toEqual(tags.map((iri) => `https://crm.example/api${iri}`));
		expect((await get('/people')).view?.next).toBe('https://crm.example/api/people?page=2');
	});

	it('may be embedded records', async () => {
		set({ references: 'embedded' });
		const { tags, id, owner } = tagged();
		const person = await get(`/people/${id}`);
		const titles = tags.map((iri) => service.store.tags.get(iri.split('/')[2])?.title);
		expect(person.tags).toEqual(
			tags.map((iri, index) => ({
				'@id': iri,
				'@type': 'Tag',
				id: iri.split('/')[2],
				title: titles[index],
			})),
		);
		if (owner) expect(person.owner).toMatchObject({ '@id': owner, '@type': 'User' });
		const [task] = [...service.store.tasks.values()];
		expect(await get(`/tasks/${task.id}`)).toMatchObject({
			status: { '@id': task.status, '@type': 'Column', title: 'Lead' },
			workspace: { '@type': 'Workspace', title: 'Sales' },
		});
	});

	it('leave texts alone that look like one', async () => {
		set({ references: 'embedded', mountPath: '/api' });
		const { id } = somebody();
		const jobTitle = `/people/${id}`;
		await send('PATCH', `/people/${id}`, { body: { jobTitle } });
		expect((await get(`/people/${id}`)).jobTitle).toBe(jobTitle);
	});

	it('may be generated in embedded records, beside their id', async () => {
		set({ references: 'embedded', generatedIds: 'embedded' });
		const { tags, id } = tagged();
		const person = await get(`/people/${id}`);
		expect(person['@id']).toBe(`/people/${id}`);
		const [first] = person.tags as Array<{ '@id': string; id: string }>;
		expect(first.id).toBe(tags[0].split('/')[2]);
		expect(first['@id']).toMatch(GENERATED);
		const [{ columns }] = (await get('/workspaces')).member as unknown as Array<{
			columns: Array<{ '@id': string; id: string }>;
		}>;
		expect(columns[0]['@id']).toMatch(GENERATED);
		expect(service.store.workspaces.values().next().value?.columns[0].id).toBe(columns[0].id);
	});

	it('may be generated everywhere, each record with its own', async () => {
		set({ generatedIds: 'everywhere' });
		const { member } = await get('/people');
		const ids = member.map((person) => person['@id']);
		expect(ids[0]).toMatch(GENERATED);
		expect(new Set(ids).size).toBe(15);
		expect(member[0].id).toBe(somebody().id);
	});
});

describe('lists shown as maps', () => {
	it('have gaps', async () => {
		set({ mapLists: ['tags', 'segments', 'member', 'columns'] });
		const { id, tags } = tagged();
		const shown = (await get(`/people/${id}`)).tags as Record<string, string>;
		expect(Object.keys(shown).slice(0, 2)).toEqual(['1', '3']);
		expect(Object.values(shown)).toEqual(tags);
		const list = (await get('/workspaces')) as unknown as {
			member: Record<string, { columns: object }>;
		};
		expect(Object.keys(list.member)).toEqual(['1', '3', '5', '7']);
		expect(Array.isArray(list.member['1'].columns)).toBe(false);
	});

	it('stay lists where they are empty', async () => {
		set({ mapLists: ['tags', 'member'] });
		const created = await send('POST', '/people', { body: { familyName: 'Vos' } });
		expect(created.body.tags).toEqual([]);
		expect((await get('/people?page=9')).member).toEqual([]);
	});
});

describe('only identifiers', () => {
	it.each([
		['array', (id: string) => id, true],
		['envelope', (id: string) => id, false],
		['iris', (id: string) => `/people/${id}`, false],
		['iri-array', (id: string) => `/people/${id}`, true],
		['id-objects', (id: string) => ({ id }), false],
		['id-object-array', (id: string) => ({ id }), true],
		['uuid-objects', (id: string) => ({ uuid: id }), false],
		['uuid-object-array', (id: string) => ({ uuid: id }), true],
	] as const)('as %s', async (identifiers, form, isBare) => {
		set({ identifiers });
		const body = (await get('/people?view=idx')) as unknown;
		const members = isBare ? body : (body as { member: unknown }).member;
		const ids = [...service.store.people.keys()].slice(0, 15);
		expect(members).toEqual(ids.map((id) => form(id)));
	});
});

describe('a success that is none', () => {
	const fault = (body?: 'html' | 'json' | Record<string, unknown>) =>
		set({ faults: [{ kind: 'status', status: 200, body }] });

	it('is a page', async () => {
		fault();
		const { status, mediaType } = await send('GET', '/people');
		expect([status, mediaType]).toEqual([200, 'text/html']);
	});

	it.each([
		['json', { detail: 'OK' }] as const,
		[{}, {}] as const,
		[{ message: 'no' }, {}] as const,
	])('is an object: %j', async (body, seen) => {
		fault(body);
		const { status, body: shown } = await send('GET', '/people');
		expect(status).toBe(200);
		expect(shown).toMatchObject(seen);
		expect(shown).not.toHaveProperty('member');
	});

	it('may be an empty list', async () => {
		set({ faults: [{ kind: 'status', status: 200, body: [] }] });
		expect((await send('GET', '/people')).body).toEqual([]);
	});

	it('shows another record, read or written', async () => {
		set({ faults: [{ kind: 'other-record' }] });
		const [first, second] = [...service.store.people.keys()];
		expect(await get(`/people/${first}`)).toMatchObject({ id: second });
		const changed = await send('PATCH', `/people/${first}`, { body: { jobTitle: 'Buyer' } });
		expect([changed.status, changed.body.id]).toEqual([200, second]);
		expect(service.store.people.get(first)?.jobTitle).toBe('Buyer');
		expect(service.requests.at(-1)).toMatchObject({ stored: true, fault: 'other-record' });
		const [task, other] = [...service.store.tasks.keys()];
		expect(await get(`/tasks/${task}`)).toMatchObject({ id: other });
	});

	it('leaves lists and refusals as they are', async () => {
		set({ faults: [{ kind: 'other-record' }] });
		expect((await get('/people')).totalItems).toBe(20);
		expect((await send('GET', '/people/nobody')).status).toBe(404);
	});
});

describe('what an answer leaves out', () => {
	it('are fields by name', async () => {
		set({ omitFields: ['tags', 'segments', 'familyName'] });
		const person = await get(`/people/${tagged().id}`);
		for (const name of ['tags', 'segments', 'familyName']) expect(person).not.toHaveProperty(name);
		expect(person).toHaveProperty('id');
	});

	it('is the body of a 201, which names the record as Location', async () => {
		set({ createdAnswer: 'location', mountPath: '/api' });
		const created = await send('POST', '/people', { body: { familyName: 'Vos' } });
		expect([created.status, created.text]).toEqual([201, '']);
		const id = [...service.store.people.keys()].at(-1);
		expect(created.headers.get('location')).toBe(`/api/people/${id}`);
	});

	it('are the columns in the list of workspaces', async () => {
		set({ columnsIn: 'single' });
		const [workspace] = (await get('/workspaces')).member;
		expect(workspace).not.toHaveProperty('columns');
		expect((await get(`/workspaces/${workspace.id}`)).columns).toHaveLength(5);
	});
});

describe('every hostile switch', () => {
	it('is off at the start, and can be set from outside', async () => {
		const hostile: SwitchChanges = {
			comparison: 'exact',
			severalValues: 'last',
			dropFilters: ['q'],
			dropUnknownValues: ['tags.id'],
			mountPath: '/api',
			iriOrigin: 'https://crm.example',
			acceptedIris: 'routes',
			references: 'embedded',
			generatedIds: 'everywhere',
			mapLists: ['tags'],
			omitFields: ['segments'],
			createdAnswer: 'location',
			ignorePage: true,
			viewNext: false,
			columnsIn: 'single',
			identifiers: 'uuid-objects',
		};
		for (const [name, value] of Object.entries(hostile)) {
			expect(service.switches[name as keyof typeof hostile]).not.toEqual(value);
		}
		const { status } = await send('PUT', '/_control/switches', {
			type: 'application/json',
			body: hostile,
		});
		expect(status).toBe(200);
		expect(service.switches).toMatchObject(hostile);
	});

	it.each([
		{ comparison: 'loose' },
		{ severalValues: 'some' },
		{ mountPath: 'api' },
		{ mountPath: '/api/' },
		{ iriOrigin: 'crm.example' },
		{ mapLists: 'tags' },
	])('refuses %j', async (wrong) => {
		const { status } = await send('PUT', '/_control/switches', {
			type: 'application/json',
			body: wrong,
		});
		expect(status).toBe(400);
	});
});
