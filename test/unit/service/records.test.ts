import { startService, type Service } from '../../service';
import { connect } from '../../service/client';

const CREATED = '2026-02-03T10:00:00+00:00';
const CHANGED = '2026-02-03T10:01:00+00:00';
const genid = expect.stringMatching(/^\/\.well-known\/genid\/[\da-f]{20}$/) as string;

let now = 0;
let service: Service;
let send: ReturnType<typeof connect>;

beforeAll(async () => {
	const switches = { rateLimit: { mode: 'off' } } as const;
	service = await startService({ switches, seed: { people: 3, tasks: 12 }, clock: () => now });
	send = connect(service);
});
afterAll(async () => await service.close());
beforeEach(() => {
	now = Date.parse(CREATED);
	service.reset();
});

const tags = () => [...service.store.tags.keys()].map((id) => `/tags/${id}`);
const columns = () =>
	[...service.store.workspaces.values()].flatMap(({ id, columns: all }) =>
		all.map((column) => `/workspaces/${id}/columns/${column.id}`),
	);

async function write(method: string, path: string, body?: unknown) {
	const reply = await send(method, path, { body });
	expect([reply.status < 300, reply.body.detail]).toEqual([true, undefined]);
	return reply.body;
}

it('a person comes back with identity, times and defaults, without what cannot be set', async () => {
	const [[avatar, file]] = service.store.mediaObjects;
	const given = { familyName: 'Vos', dealSize: 3 };
	const ignored = { avatar: `/media_objects/${avatar}`, createdAt: '2001-01-01', unheardOf: 44 };
	const body = await write('POST', '/people', { ...given, ...ignored });
	const empty = ['tags', 'segments', 'organizations', '_organizations', 'emailAddresses'];
	expect(body).toMatchObject({
		...{ '@context': '/contexts/Person', '@id': `/people/${body.id}`, '@type': 'Person' },
		...{ ...given, id: body.id, createdAt: CREATED, updatedAt: CREATED },
		...{ address: [], avatarUrl: file.publicUrl, phoneNumbers: [] },
		...Object.fromEntries(empty.map((name) => [name, []])),
	});
	for (const unset of ['avatar', 'unheardOf', 'givenName']) expect(body).not.toHaveProperty(unset);
	expect(await write('GET', `/people/${body.id}`)).toEqual(body);
	const { address } = await write('POST', '/people', { ...given, address: { city: 'Gent' } });
	expect(address).toMatchObject({ city: 'Gent', country: 'NL' });
});

it('a person is changed by a merge patch, and its time only where something changes', async () => {
	const address = { city: 'Gent', street: 'Kouter 1', country: 'BE' };
	const person = { familyName: 'Vos', tags: tags().slice(0, 2), address, givenName: 'Jan' };
	const before = await write('POST', '/people', person);
	now += 60_000;
	const named = { address: { ...address, '@type': 'Address', '@id': genid } };
	expect(await write('PATCH', before['@id'], { familyName: 'Vos' })).toEqual({
		...before,
		...named,
	});
	expect(service.requests.at(-1)?.stored).toBe(false);
	const patch = { address: { city: 'Brugge', street: null }, tags: [tags()[3]], givenName: null };
	const after = await write('PATCH', before['@id'], patch);
	const merged = {
		address: { ...named.address, city: 'Brugge', street: undefined },
		tags: patch.tags,
	};
	expect({ ...after, givenName: 'Jan' }).toEqual({ ...before, ...merged, updatedAt: CHANGED });
	expect(after).not.toHaveProperty('givenName');
	const replaced = await write('PUT', before['@id'], { familyName: 'Fox', id: 'other' });
	expect(replaced).toMatchObject({ id: before.id, familyName: 'Fox', tags: [] });
});

it('leaves nulls out, but those of required fields', async () => {
	const segment = await write('POST', '/segments', { title: null, icon: null, sequence: null });
	expect(segment).toMatchObject({ title: null, icon: null });
	expect(segment).not.toHaveProperty('sequence');
	const typeless = { phoneNumber: '1', phoneType: null };
	const person = { familyName: 'Vos', phoneNumbers: [typeless], emailAddresses: [{ email: null }] };
	expect(await write('POST', '/people', person)).toMatchObject({
		phoneNumbers: [typeless],
		emailAddresses: [[]],
	});
});

it('a task goes to the end of its column, to the top, or beside another task', async () => {
	const status = columns().at(-1);
	const create = async (place: object) =>
		(await write('POST', '/tasks', { title: 'Call', status, ...place }))['@id'];
	const end = await create({});
	const top = await create({ positionTop: true });
	const placed = [top, await create({ afterTask: top }), await create({ beforeTask: end }), end];
	const positions = placed.map((iri) => service.store.tasks.get(iri.split('/')[2])?.position);
	expect(positions).toEqual([0, 1, 2, 3]);
});
