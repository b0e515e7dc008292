import { startService, type Service } from '../../service';
import { connect } from '../../service/client';

const CREATED = '2026-02-03T10:00:00+00:00';

let service: Service;
let send: ReturnType<typeof connect>;

beforeAll(async () => {
	const switches = { rateLimit: { mode: 'off' } } as const;
	const clock = () => Date.parse(CREATED);
	service = await startService({ switches, seed: { people: 3, tasks: 12 }, clock });
	send = connect(service);
});
afterAll(async () => await service.close());
beforeEach(() => service.reset());

const columns = () =>
	[...service.store.workspaces.values()].flatMap(({ id, columns: all }) =>
		all.map((column) => `/workspaces/${id}/columns/${column.id}`),
	);

async function write(method: string, path: string, body?: unknown) {
	const reply = await send(method, path, { body });
	expect([reply.status < 300, reply.body.detail]).toEqual([true, undefined]);
	return reply.body;
}

it("The stand-in sets a person's times and picture address, and ignores a new ID", async () => {
	const [[avatar, file]] = service.store.mediaObjects;
	const given = { familyName: 'Vos', avatar: `/media_objects/${avatar}`, createdAt: '2001-01-01' };
	const body = await write('POST', '/people', given);
	expect(body).toMatchObject({ createdAt: CREATED, avatarUrl: file.publicUrl });
	expect(body).not.toHaveProperty('avatar');
	const replaced = await write('PUT', body['@id'], { familyName: 'Fox', id: 'other' });
	expect(replaced).toMatchObject({ id: body.id, familyName: 'Fox' });
	await write('PATCH', body['@id'], { familyName: 'Fox' });
	expect(service.requests.at(-1)?.stored).toBe(false);
});

it('The stand-in service leaves out fields that are null, except required fields', async () => {
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

it('The stand-in puts a new task first, last or beside another task', async () => {
	const status = columns().at(-1);
	const create = async (place: object) =>
		(await write('POST', '/tasks', { title: 'Call', status, ...place }))['@id'];
	const end = await create({});
	const top = await create({ positionTop: true });
	const placed = [top, await create({ afterTask: top }), await create({ beforeTask: end }), end];
	const positions = placed.map((iri) => service.store.tasks.get(iri.split('/')[2])?.position);
	expect(positions).toEqual([0, 1, 2, 3]);
});
