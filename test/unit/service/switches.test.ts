/* eslint-disable @n8n/community-nodes/no-restricted-globals -- waits a turn of the event loop until a request has arrived */
import { readCommandLine, USAGE } from '../../service/commandLine';
import { startService, type Fault, type Service } from '../../service';
import { connect } from '../../service/client';
import { createSwitches, DEFAULT_SWITCHES } from '../../service/switches';

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

const fail = (...faults: Fault[]) => {
	service.switches.faults = faults;
};
const create = async () => await send('POST', '/people', { body: { familyName: 'Vos' } });
const statuses = async (count: number, path = '/segments') => {
	const seen: number[] = [];
	for (let index = 0; index < count; index += 1) seen.push((await send('GET', path)).status);
	return seen;
};

describe('a fault', () => {
	it('resets the connection before or after the change is stored', async () => {
		fail({ kind: 'reset' });
		await expect(create()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
		expect(service.store.people.size).toBe(20);
		expect(service.requests.at(-1)).toMatchObject({ stored: false, fault: 'reset' });
		fail({ kind: 'reset', stored: true });
		await expect(create()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
		expect(service.store.people.size).toBe(21);
		expect(service.requests.at(-1)).toMatchObject({ stored: true, fault: 'reset' });
		expect(service.requests.at(-1)?.status).toBeUndefined();
	});

	it('cuts the body', async () => {
		fail({ kind: 'truncated' });
		await expect(send('GET', '/people')).rejects.toThrow('terminated');
		expect(service.requests.at(-1)?.status).toBe(200);
	});

	it.each([500, 502, 503, 504])('answers %i as a page of a proxy', async (status) => {
		fail({ kind: 'status', status });
		const reply = await create();
		expect([reply.status, reply.mediaType]).toEqual([status, 'text/html']);
		expect(reply.text).toContain(`<h1>${status}</h1>`);
		expect(service.store.people.size).toBe(20);
	});

	it('answers a problem, or a body and headers of its own', async () => {
		fail({ kind: 'status', status: 503, body: 'json', headers: { 'retry-after': '7' } });
		const problem = await send('GET', '/segments');
		expect(problem.body).toMatchObject({ status: 503, detail: 'Service Unavailable' });
		expect(problem.headers.get('retry-after')).toBe('7');
		fail({ kind: 'status', status: 403, body: { message: 'No seat left' } });
		expect((await send('GET', '/segments')).body).toEqual({ message: 'No seat left' });
	});

	it('may answer a failure although the change is stored', async () => {
		fail({ kind: 'status', status: 504, stored: true });
		expect((await create()).status).toBe(504);
		expect(service.store.people.size).toBe(21);
	});

	it('falls on the requests that match', async () => {
		fail({ kind: 'status', status: 500, match: { method: 'POST', path: '^/people$' } });
		expect((await send('GET', '/people')).status).toBe(200);
		expect((await create()).status).toBe(500);
	});

	it('falls on the n-th of them, on several, or on the first few', async () => {
		fail({ kind: 'status', status: 500, match: { path: '/segments', nth: 2 } });
		await send('GET', '/people');
		expect(await statuses(3)).toEqual([200, 500, 200]);
		fail({ kind: 'status', status: 500, match: { nth: [1, 3] } });
		expect(await statuses(4)).toEqual([500, 200, 500, 200]);
		fail({ kind: 'status', status: 500, match: { first: 2 } });
		expect(await statuses(3)).toEqual([500, 500, 200]);
	});

	it('does not fall on what the key or the rate limit refused', async () => {
		service.switches.rateLimit = { ...DEFAULT_SWITCHES.rateLimit, limit: 1 };
		fail({ kind: 'status', status: 500, match: { nth: 2 } });
		await send('GET', '/segments', { key: 'wrong' });
		expect(await statuses(2)).toEqual([200, 429]);
		service.switches.rateLimit.mode = 'off';
		expect(await statuses(2)).toEqual([500, 200]);
	});

	it('answers late, or never', async () => {
		fail({ kind: 'slow', afterMs: 20 });
		const start = performance.now();
		expect((await create()).status).toBe(201);
		expect(performance.now() - start).toBeGreaterThanOrEqual(19);
		fail({ kind: 'slow' });
		service.requests.length = 0;
		const ended = new AbortController();
		const never = fetch(`${service.url}/people`, {
			signal: ended.signal,
			headers: { 'X-API-KEY': service.apiKey },
		});
		while (service.requests.length === 0) await new Promise(setImmediate);
		await new Promise((resolve) => setTimeout(resolve, 30));
		ended.abort();
		await expect(never).rejects.toMatchObject({ name: 'AbortError' });
		expect(service.requests[0].answeredAt).toBeUndefined();
	});

	it('that never answers does not keep the service from closing', async () => {
		const other = await startService({ seed: false, switches: { faults: [{ kind: 'slow' }] } });
		const never = connect(other)('GET', '/people');
		const ended = expect(never).rejects.toThrow();
		while (other.requests.length === 0) await new Promise(setImmediate);
		await other.close();
		await ended;
	});
});

describe('latency', () => {
	it('lies before and after the stamp of the rate limit', async () => {
		service.switches.rateLimit.mode = 'log';
		service.switches.latencyBeforeMs = 15;
		service.switches.latencyAfterMs = [25, 30];
		await send('GET', '/segments');
		const [{ at, stampedAt = 0, answeredAt = 0 }] = service.requests;
		expect(stampedAt - at).toBeGreaterThanOrEqual(14);
		expect(answeredAt - stampedAt).toBeGreaterThanOrEqual(24);
	});
});

describe('the log', () => {
	it('has everything of a request, in the order of arrival', async () => {
		await send('GET', '/people?tags.id[]=a&tags.id[]=b&q=x%20y&q=z&page=1', {
			accept: 'application/json',
		});
		await create();
		await send('POST', '/people', { body: '{' });
		const [read, write, broken] = service.requests;
		expect(read).toMatchObject({
			method: 'GET',
			path: '/people',
			rawUrl: '/people?tags.id[]=a&tags.id[]=b&q=x%20y&q=z&page=1',
			query: { 'tags.id[]': ['a', 'b'], q: 'z', page: '1' },
			operationId: 'listPeople',
			status: 200,
			stored: false,
		});
		expect(read.headers).toMatchObject({ 'x-api-key': 'demo-key', accept: 'application/json' });
		expect(read.body).toBeUndefined();
		expect(write).toMatchObject({ body: { familyName: 'Vos' }, status: 201, stored: true });
		expect(broken).toMatchObject({ body: '{', status: 400, stored: false });
	});

	it('has what is no endpoint, and what has no key', async () => {
		await send('POST', '/nowhere', { body: { a: 1 } });
		await send('GET', '/people', { key: null });
		expect(service.requests).toMatchObject([
			{ path: '/nowhere', body: { a: 1 }, status: 404 },
			{ path: '/people', status: 401 },
		]);
	});
});

describe('the control endpoints', () => {
	const control = async (method: string, path: string, body?: unknown) =>
		await send(method, `/_control${path}`, { key: null, body, type: 'application/json' });

	it('show and set switches, and refuse what is none', async () => {
		const { status, body } = await control('PUT', '/switches', {
			users: 200,
			rateLimit: { limit: 3 },
		});
		expect(status).toBe(200);
		expect(body).toMatchObject({ users: 200, rateLimit: { mode: 'off', limit: 3 } });
		expect(service.switches).toEqual((await control('GET', '/switches')).body);
		for (const wrong of [{ user: 200 }, { users: 500 }, { faults: [{ kind: 'status' }] }, []]) {
			expect((await control('PUT', '/switches', wrong)).status).toBe(400);
		}
	});

	it('show and forget the log, and are not in it', async () => {
		await create();
		expect((await control('GET', '/requests')).body).toMatchObject([
			{ path: '/people', status: 201 },
		]);
		expect((await control('DELETE', '/requests')).status).toBe(204);
		expect(service.requests).toEqual([]);
	});

	it('take no place in the rate limit', async () => {
		service.switches.rateLimit = { ...DEFAULT_SWITCHES.rateLimit, limit: 1 };
		for (let index = 0; index < 3; index += 1) await control('GET', '/requests');
		expect((await send('GET', '/segments')).status).toBe(200);
	});

	it('bring everything back to the start', async () => {
		const ids = [...service.store.people.keys()];
		const { body } = await create();
		await control('PUT', '/switches', { faults: [{ kind: 'reset' }], rateLimit: { mode: 'log' } });
		expect((await control('POST', '/reset')).status).toBe(204);
		expect([...service.store.people.keys()]).toEqual(ids);
		expect(service.switches).toEqual(createSwitches({ rateLimit: { mode: 'off' } }));
		expect(service.limiterStats().admitted).toBe(0);
		expect((await send('GET', body['@id'])).status).toBe(404);
	});
});

describe('switches at the start', () => {
	it('are refused where they are none', async () => {
		await expect(startService({ switches: { retryAfter: 'minutes' as never } })).rejects.toThrow(
			'Switches/retryAfter must be equal to one of the allowed values',
		);
	});

	it('belong to one service alone', async () => {
		const other = await startService({ seed: false });
		other.switches.rateLimit.limit = 7;
		other.switches.faults.push({ kind: 'reset' });
		expect(service.switches.rateLimit.limit).toBe(20);
		expect(DEFAULT_SWITCHES.faults).toEqual([]);
		await other.close();
	});
});

describe('the seed', () => {
	it('is a realistic tenant, the same in every run', async () => {
		const [one, two] = await Promise.all([startService(), startService()]);
		const dump = ({ store }: Service) =>
			[
				store.people,
				store.tasks,
				store.workspaces,
				store.segments,
				store.comments,
				store.history,
			].map((records) => [...records]);
		expect(dump(one)).toEqual(dump(two));
		const people = [...one.store.people.values()];
		const text = people
			.map(({ familyName, givenName }) => `${familyName} ${givenName ?? ''}`)
			.join('\n');
		expect(people).toHaveLength(60);
		expect(text).toMatch(/\p{Script=Arabic}/u);
		expect(text).toMatch(/[À-ž]/u);
		expect(text).toMatch(/\p{Extended_Pictographic}/u);
		expect(people.some(({ givenName }) => givenName === null)).toBe(true);
		expect(people.some(({ emailAddresses }) => emailAddresses.length === 0)).toBe(true);
		expect(one.store.tasks.size).toBe(80);
		expect(one.store.subTasks.size).toBeGreaterThan(5);
		expect([...one.store.workspaces.values()].map(({ archivedAt }) => archivedAt === null)).toEqual(
			[true, true, true, false],
		);
		await Promise.all([one.close(), two.close()]);
	});

	it('names only records that exist', () => {
		const { store } = service;
		const records = [
			...store.people.values(),
			...store.tasks.values(),
			...store.workspaces.values(),
		];
		const iris = JSON.stringify(records).match(/"\/[^"]+"/g) ?? [];
		expect(iris.length).toBeGreaterThan(20);
		expect(iris.filter((iri) => !store.has(iri.slice(1, -1)))).toEqual([]);
	});

	it('can be thousands of people and tasks', async () => {
		const big = await startService({ seed: { people: 1000, tasks: 1000 } });
		expect([big.store.people.size, big.store.tasks.size]).toEqual([1000, 1000]);
		await big.close();
	});
});

describe('the command line', () => {
	it('gives options of the service', () => {
		expect(
			readCommandLine(
				'--port 0 --api-key k --limit 5 --window 10 --rate-limit two-windows --retry-after date --people 7 --count-rejected --latency 3'.split(
					' ',
				),
			),
		).toEqual({
			port: 0,
			apiKey: 'k',
			seed: { people: 7 },
			switches: {
				rateLimit: { mode: 'two-windows', limit: 5, windowMs: 10_000, countRejected: true },
				retryAfter: 'date',
				latencyAfterMs: 3,
			},
		});
	});

	it('listens on port 8377 by default, and takes any switch as JSON', () => {
		expect(readCommandLine(['--switches', '{"omitNulls":false}'])).toMatchObject({
			port: 8377,
			switches: { omitNulls: false },
		});
	});

	it('explains every option', () => {
		expect(readCommandLine(['--help'])).toBeUndefined();
		const options = USAGE.match(/--[a-z-]+/g) ?? [];
		expect(options).toEqual(expect.arrayContaining(['--port', '--limit', '--switches', '--help']));
	});

	it('refuses what it does not know', () => {
		expect(() => readCommandLine(['--speed', '3'])).toThrow();
		expect(() => readCommandLine(['--limit', 'many'])).toThrow(
			'--limit takes a number, not "many"',
		);
	});
});
