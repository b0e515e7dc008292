import Ajv2020 from 'ajv/dist/2020';
import { startService, type Service, type SwitchChanges } from '../../service';
import { connect } from '../../service/client';
import { readCommandLine } from '../../service/commandLine';
import { changeSwitches, createSwitches, DEFAULT_SWITCHES } from '../../service/switches';
import schema from '../../service/switches.schema.json';

const OFF = { rateLimit: { mode: 'off' } } as const;

let service: Service;
const send = async (...request: Parameters<ReturnType<typeof connect>>) =>
	await connect(service)(...request);

beforeAll(async () => {
	service = await startService({ seed: { people: 20, tasks: 2 }, switches: OFF });
});
afterAll(async () => await service.close());
beforeEach(() => service.reset());

const set = (changes: SwitchChanges) => changeSwitches(service.switches, changes);
const tagged = () => [...service.store.people.values()].find(({ tags }) => tags.length > 1)!;
const show = async () => (await send('GET', `/people/${tagged().id}`)).body;
const tagAs = async (id: string, iri: unknown) =>
	(await send('PATCH', `/people/${id}`, { body: { tags: [iri] } })).status;

const CRM = 'https://crm.example';
const genid = expect.stringMatching(/^\/\.well-known\/genid\/[\da-f]{20}$/) as unknown;
const asMap = (iris: string[]) => Object.fromEntries(iris.map((iri, at) => [2 * at + 1, iri]));
const embedded = (iri: string) => ({ '@id': iri, '@type': 'Tag', id: iri.split('/')[2] });

it.each([
	[{ mountPath: '' }, (iri) => iri, (tags) => tags],
	[{ mountPath: '/api' }, (iri) => `/api${iri}`, (tags) => tags.map((tag) => `/api${tag}`)],
	[{ iriOrigin: CRM }, (iri) => CRM + iri, (tags) => tags.map((tag) => CRM + tag)],
	[{ references: 'embedded' }, (iri) => iri, (tags) => tags.map(embedded)],
	[{ generatedIds: 'everywhere' }, () => genid, (tags) => tags],
	[
		{ references: 'embedded', generatedIds: 'embedded' },
		(iri) => iri,
		(tags) => tags.map((tag) => ({ ...embedded(tag), '@id': genid })),
	],
	[{ mapLists: ['tags'] }, (iri) => iri, asMap],
	[{ omitFields: ['tags'] }, (iri) => iri, () => undefined],
] as Array<[SwitchChanges, (iri: string) => unknown, (tags: string[]) => unknown]>)(
	'The stand-in writes IRIs of people and tags as the switches %j say',
	async (switches, iriOf, tagsOf) => {
		set(switches);
		const { id, tags } = tagged();
		const person = await show();
		expect([person['@id'], person.id]).toEqual([iriOf(`/people/${id}`), id]);
		expect({ tags: person.tags }).toMatchObject({ tags: tagsOf(tags) });
	},
);

it.each([
	[{}, ['/tags/1', `${CRM}/tags/1`], ['1', '/.well-known/genid/1', { '@id': '/tags/1' }]],
	[{ mountPath: '/api' }, ['/api/tags/1', `${CRM}/api/tags/1`], ['/tags/1']],
	[{ acceptedIris: 'paths' }, ['/tags/1'], [`${CRM}/tags/1`]],
	[{ acceptedIris: 'paths', mountPath: '/api' }, ['/tags/1', '/api/tags/1'], []],
] as Array<[SwitchChanges, unknown[], unknown[]]>)(
	'The stand-in service with the switches %j accepts the IRIs %j, and refuses %j',
	async (switches, good, bad) => {
		const { id } = tagged();
		service.store.tags.set('1', { id: '1' });
		set(switches);
		for (const iri of bad) expect([iri, await tagAs(id, iri)]).toEqual([iri, 400]);
		for (const iri of good) expect([iri, await tagAs(id, iri)]).toEqual([iri, 200]);
		expect(service.store.people.get(id)?.tags).toEqual(['/tags/1']);
	},
);

/** A person with an address, an e-mail address, and an empty phone number. */
const addPerson = () => {
	const person = tagged();
	const emailAddresses = [{ email: 'ana@x.example' }];
	const phoneNumbers = [{ phoneNumber: null, phoneType: null }];
	const address = { city: 'Gent', postalCode: null, street: null, country: null };
	service.store.people.set(person.id, { ...person, emailAddresses, phoneNumbers, address });
	return person.id;
};
const entry = { '@type': 'EmailAddress', '@id': genid, email: 'ana@x.example' };
const place = { '@type': 'Address', '@id': genid, city: 'Gent' };

it.each([
	[{ emptyObjects: 'list' }, entry, [], place],
	[{ embeddedIds: 'fixed', emptyObjects: 'object' }, entry, {}, place],
	[{ embeddedIds: 'none' }, { email: 'ana@x.example' }, [], { city: 'Gent' }],
] as Array<[SwitchChanges, unknown, unknown, unknown]>)(
	'The stand-in shows e-mail, phone and address as the switches %j say',
	async (switches, email, phone, address) => {
		addPerson();
		set(switches);
		const [first, second] = [await show(), await show()];
		expect([first.emailAddresses, first.phoneNumbers, first.address]).toEqual([
			[email],
			[phone],
			address,
		]);
		const isSame = JSON.stringify(first) === JSON.stringify(second);
		expect(isSame).toBe(switches.embeddedIds !== undefined);
	},
);

it.each([
	['PATCH', { changedEntries: 'untimed' }, []],
	['PATCH', { changedEntries: 'timed' }, ['updatedAt']],
	['PUT', { replaced: 'anew' }, ['updatedAt', 'createdAt']],
	['PUT', { replaced: 'kept' }, ['updatedAt']],
] as Array<[string, SwitchChanges, Array<'updatedAt' | 'createdAt'>]>)(
	'At a %s of e-mail addresses (switches: %j), the stand-in sets the times %j',
	async (method, switches, times) => {
		set(switches);
		const before = tagged();
		const body = { familyName: before.familyName, emailAddresses: [{ email: 'new@x.example' }] };
		expect((await send(method, `/people/${before.id}`, { body })).status).toBe(200);
		const after = service.store.people.get(before.id)!;
		const all = ['updatedAt', 'createdAt'] as const;
		expect(all.filter((time) => after[time] > before[time])).toEqual(times);
	},
);

it('A PUT to the stand-in keeps unsent fields if its switch "replaced" is "merged"', async () => {
	set({ replaced: 'merged' });
	const person = tagged();
	const [task] = service.store.tasks.values();
	const [segment] = service.store.segments.values();
	const put = async (path: string, body: object) => (await send('PUT', path, { body })).status;
	expect(await put(`/people/${person.id}`, { jobTitle: 'New' })).toBe(200);
	expect(await put(`/tasks/${task.id}`, { title: 'New' })).toBe(200);
	expect(await put(`/segments/${segment.id}`, { icon: 'new' })).toBe(200);
	const time = expect.any(String) as unknown;
	const { people, tasks, segments } = service.store;
	expect(people.get(person.id)).toEqual({ ...person, jobTitle: 'New', updatedAt: time });
	expect(tasks.get(task.id)).toEqual({ ...task, title: 'New', updatedAt: time });
	expect(segments.get(segment.id)).toEqual({ ...segment, icon: 'new' });
	expect(await put(`/people/${person.id}`, { familyName: '' })).toBe(422);
	set({ replaced: 'kept' });
	expect(await put(`/people/${person.id}`, { jobTitle: 'New' })).toBe(422);
});

it.each([
	[{ offsets: 'dropped' }, '2026-03-01T10:00:00+00:00'],
	[{ offsets: 'heeded' }, '2026-03-01T08:00:00+00:00'],
] as Array<[SwitchChanges, string]>)(
	'With switches %j, the stand-in stores a time with an offset as %s',
	async (switches, at) => {
		set(switches);
		const { id } = tagged();
		await send('PATCH', `/people/${id}`, { body: { archivedAt: '2026-03-01T10:00:00+02:00' } });
		expect(service.store.people.get(id)?.archivedAt).toBe(at);
	},
);

it('With the fault other-record, the stand-in service stores a record and answers with another', async () => {
	set({ faults: [{ kind: 'other-record' }] });
	const { status, body } = await send('POST', '/people', { body: { familyName: 'Vos' } });
	expect(status).toBe(201);
	expect(service.store.people.size).toBe(21);
	expect(body.id).not.toBe([...service.store.people.keys()].at(-1));
});

describe('the control of the stand-in over HTTP', () => {
	const control = async (method: string, path: string, body?: unknown) =>
		await send(method, `/_control${path}`, { key: null, body, type: 'application/json' });

	it('The stand-in service shows and sets its switches over HTTP, and refuses unknown switches', async () => {
		expect(new Ajv2020().validateSchema(schema)).toBe(true);
		expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(DEFAULT_SWITCHES).sort());
		const { body } = await control('PUT', '/switches', { users: 200, rateLimit: { limit: 3 } });
		expect(body).toMatchObject({ users: 200, rateLimit: { mode: 'off', limit: 3 } });
		expect((await control('GET', '/switches')).body).toEqual(service.switches);
		for (const wrong of [{ user: 200 }, { faults: [{}] }, { mountPath: '/a/' }, []]) {
			expect([wrong, (await control('PUT', '/switches', wrong)).status]).toEqual([wrong, 400]);
		}
		const switches = { retryAfter: 'minutes' as never };
		await expect(startService({ switches })).rejects.toThrow('Switches/retryAfter must be equal');
	});

	it('The stand-in shows and clears its request log over HTTP, and resets its data', async () => {
		const { body } = await send('POST', '/people', { body: { familyName: 'Vos' } });
		expect((await control('GET', '/requests')).body).toMatchObject([{ path: '/people' }]);
		await control('DELETE', '/requests');
		expect(service.requests).toEqual([]);
		await control('PUT', '/switches', { faults: [{ kind: 'reset' }], rateLimit: { mode: 'log' } });
		await control('POST', '/reset');
		expect(service.switches).toEqual(createSwitches(OFF));
		expect((await send('GET', body['@id'])).status).toBe(404);
	});
});

it('The stand-in service reads its command line, and refuses unknown or wrong options', () => {
	const line = '--api-key k --rate-limit off --people 7 --switches {"rateLimit":{"limit":5}}';
	expect(readCommandLine(line.split(' '))).toEqual({
		...{ port: 8377, apiKey: 'k', seed: { people: 7 } },
		switches: { rateLimit: { mode: 'off', limit: 5 } },
	});
	expect(readCommandLine(['--help'])).toBeUndefined();
	expect(() => readCommandLine(['--speed', '3'])).toThrow();
	expect(() => readCommandLine(['--people', 'many'])).toThrow(
		'--people takes a number, not "many"',
	);
});
