import { changeSwitches } from '../service/switches';
import { itInCi } from '../support/drawn';
import { answer, refusal } from './support/faults';
import { locator } from './support/fields';
import { excuse } from './support/recordExchanges';
import { items as itemsOf, useScene } from './support/scene';
import { COLUMNS, PEOPLE, SEGMENTS, TAGS, TASKS } from './support/seeded';
import { command, get, patch, post, put, steady } from './support/wire';

const [{ id, emailAddresses }] = PEOPLE;
const PERSON = `/people/${id}`;
const [{ id: taskId }] = TASKS;
const IRIS = PEOPLE.map((person) => `/people/${person.id}`);

const scene = useScene();
beforeEach(() => excuse('requests', 'a user writes the whole request'));
const send = async (parameters: object, more = {}) =>
	await scene.apiRequest('send', parameters, more);
const write = async (method: string, path: string, jsonBody?: object, more = {}) =>
	await send({ method, path, ...(jsonBody && { jsonBody: JSON.stringify(jsonBody) }) }, more);
const read = async (path: string, more = {}) => await send({ path, ...more });
const parametersOf = (...pairs: Array<[name: string, value: unknown]>) => ({
	queryParameters: { parameters: pairs.map(([name, value]) => ({ name, value })) },
});
const bodyOf = (method: string) =>
	method === 'GET' || method === 'DELETE' ? undefined : { familyName: 'Jansen' };

describe('a request that the user writes with API Request', () => {
	it('API Request gives a record exactly as the service sends it', async () => {
		const { items } = await read(PERSON);
		expect(scene.sent()).toEqual([get(PERSON)]);
		const shown = await scene.record(PERSON);
		expect(steady(items)).toEqual([{ json: steady(shown), pairedItem: { item: 0 } }]);
	});

	it.each([
		['POST', '/people', post('/people', { familyName: 'Jansen' })],
		['PUT', PERSON, put(PERSON, { familyName: 'Jansen' })],
		['PATCH', PERSON, patch(PERSON, { familyName: 'Jansen' })],
	])(
		'API Request sends a body with %s, and gives the answer of the service',
		async (method, path, sent) => {
			const { items, error } = await write(method, path, { familyName: 'Jansen' });
			expect(error).toBeUndefined();
			expect(scene.sent()).toEqual([sent]);
			const shown = await scene.record(String(items[0].json['@id']));
			expect(steady(items)).toEqual([{ json: steady(shown), pairedItem: { item: 0 } }]);
		},
	);

	it('API Request sends a POST without body, such as Export, and reports success', async () => {
		const { items } = await write('POST', `/tasks/${taskId}/export`);
		expect(scene.sent()).toEqual([command(`/tasks/${taskId}/export`)]);
		expect(items).toEqual([{ json: { success: true, statusCode: 201 }, pairedItem: { item: 0 } }]);
	});

	it('API Request sends DELETE, and reports success if the service answers 204', async () => {
		scene.faults({ kind: 'status', status: 204 });
		const { items } = await write('DELETE', '/organizations/1');
		expect(scene.sent()).toEqual([
			{ ...get('/organizations/1'), method: 'DELETE', contentType: undefined },
		]);
		expect(items).toEqual([{ json: { success: true, statusCode: 204 }, pairedItem: { item: 0 } }]);
	});

	it.each([
		['DELETE', PERSON],
		['GET', '/organizations'],
	])(
		'The error of API Request names the endpoint that the service lacks: %s %s',
		async (method, path) => {
			const { error } = await write(method, path);
			expect(error?.message).toBe(`The service has no endpoint "${method} ${path}"`);
			expect(scene.requests()).toHaveLength(1);
		},
	);

	it('API Request reads an undocumented list such as /tags if the service has it', async () => {
		scene.service.switches.tags = 200;
		const { items } = await read('/tags', { returnAll: true });
		expect(items.map(({ json }) => json.id)).toEqual(TAGS);
	});

	it('If a write returns a list, API Request gives an item for each entry', async () => {
		scene.faults(answer([{ a: 1 }, { a: 2 }]));
		const { items } = await write('POST', '/people/import', { any: 1 });
		expect(items.map(({ json }) => json)).toEqual([{ a: 1 }, { a: 2 }]);
	});

	it.each(['GET', 'POST'])(
		'API Request says that it cannot read a web page as answer to %s',
		async (method) => {
			scene.faults({ kind: 'status', status: 200, body: 'html' });
			const { error } = await write(method, '/exports');
			const effect = method === 'POST' ? ', so the record may have been created' : '';
			expect(error?.message).toBe(
				`The answer of the service cannot be read (HTTP 200, text/html)${effect}`,
			);
		},
	);

	it('API Request accepts a path that repeats the path of the base URL', async () => {
		changeSwitches(scene.service.switches, { mountPath: '/api' });
		const input = [{ path: PERSON }, { path: `/api${PERSON}` }];
		const { items } = await send({ path: '={{ $json.path }}' }, { input });
		// The log of the stand-in does not include its mount path.
		expect(scene.sent()).toEqual([get(PERSON), get(PERSON)]);
		expect(items.map(({ json }) => json.id)).toEqual([id, id]);
	});
});

describe('a list in the answer to a request', () => {
	const ids = async (more: object) => {
		const { items, error } = await read('/people', more);
		expect(error).toBeUndefined();
		return items.map(({ json }) => json['@id']);
	};

	it.each([{}, { hydraPrefix: true }, { bareCollections: true }, { totalItems: false }])(
		'With Return All, API Request gives the records of all pages (changed switches: %j)',
		async (switches) => {
			changeSwitches(scene.service.switches, switches);
			expect(await ids({ returnAll: true })).toEqual(IRIS);
			const pages = Math.ceil(PEOPLE.length / 30);
			expect(scene.sent().slice(0, pages)).toEqual([
				get('/people', 'itemsPerPage=30'),
				...Array.from({ length: pages - 1 }, (_, index) =>
					get('/people', 'itemsPerPage=30', `page=${index + 2}`),
				),
			]);
		},
	);

	it('API Request gives at most Limit records, and reads no further page', async () => {
		expect(await ids({ limit: 31 })).toEqual(IRIS.slice(0, 31));
		expect(scene.requests()).toHaveLength(2);
		scene.clear();
		expect(await ids({ limit: 3 })).toEqual(IRIS.slice(0, 3));
		expect(scene.sent()).toEqual([get('/people', 'itemsPerPage=3')]);
	});

	it('If the query names a page, API Request reads only that page', async () => {
		expect(await ids(parametersOf(['page', 2], ['itemsPerPage', 7]))).toEqual(IRIS.slice(7, 14));
		expect(scene.sent()).toEqual([get('/people', 'itemsPerPage=7', 'page=2')]);
	});

	it.each(['page', 'itemsPerPage'])(
		'API Request refuses Return All together with the query parameter %s',
		async (name) => {
			const { error } = await read('/people', { returnAll: true, ...parametersOf([name, 1]) });
			expect(error?.message).toBe(
				`Query Parameters: "${name}" asks for one page, and Return All for every page`,
			);
			expect(scene.requests()).toEqual([]);
		},
	);

	it('API Request fails if a later page is no list', async () => {
		scene.faults(answer({ error: 'none' }, { nth: 2 }));
		const { error, items } = await read('/people', { returnAll: true });
		expect(error?.message).toMatch(/^The answer of the service cannot be read \(HTTP 200/);
		expect(items).toEqual([]);
	});

	it('API Request fails if a list ends before the total that the service shows', async () => {
		scene.service.switches.repeatFromPage = 2;
		const { error } = await read('/people', { returnAll: true });
		expect(error?.message).toMatch(/^The service says that there are \d+ records, and shows 30/);
	});

	it('API Request gives an item for each list entry, whether record or not', async () => {
		scene.faults(answer(['a', { b: 1 }, 3]));
		const { items } = await read('/names');
		expect(items.map(({ json }) => json)).toEqual([{ value: 'a' }, { b: 1 }, { value: 3 }]);
	});
});

describe('the query of a request', () => {
	it('API Request sends query parameters in order, and each entry of a list separately', async () => {
		await read(
			PERSON,
			parametersOf(
				['tags.id[]', 'a'],
				['tags.id[]', 'b'],
				['q', ' é & =? '],
				['exists[archivedAt]', false],
				['createdAt[after]', '={{ DateTime.fromISO("2026-01-02T03:04:05Z").toUTC() }}'],
				['x[]', '={{ [1, 2] }}'],
				['', ''],
			),
		);
		const [{ rawUrl }] = scene.requests();
		expect([...new URL(rawUrl, 'http://x').searchParams]).toEqual([
			['tags.id[]', 'a'],
			['tags.id[]', 'b'],
			['q', 'é & =?'],
			['exists[archivedAt]', 'false'],
			['createdAt[after]', '2026-01-02T03:04:05.000Z'],
			['x[]', '1'],
			['x[]', '2'],
		]);
	});

	it.each<[string, unknown, string]>([
		['tags.id', '', 'Query Parameters: "tags.id" has no value'],
		['tags.id', '={{ $json.none }}', 'Query Parameters: "tags.id" has no value'],
		[' ', 'x', 'Query Parameters: "x" has no name'],
		[
			'q',
			'={{ {} }}',
			'Query Parameters: expected text, a number, true or false for "q", got an object',
		],
		[
			'q',
			'={{ [[1]] }}',
			'Query Parameters: expected text, a number, true or false for "q", got a list',
		],
		...[
			['={{ { a: 1 } }}', 'an object'],
			['={{ ["q"] }}', 'a list'],
		].map(([name, got]): [string, unknown, string] => [
			name,
			'x',
			`Query Parameters: expected text, a number, true or false for "Name", got ${got}`,
		]),
	])(
		'API Request refuses an unusable query parameter, and sends nothing: "%s" = "%s"',
		async (name, value, message) => {
			const { error } = await read('/people', parametersOf([name, value]));
			expect(error?.message).toBe(message);
			expect(scene.requests()).toEqual([]);
		},
	);
});

describe('the body and method of a request', () => {
	it.each<[string, unknown, string]>([
		['PATCH', '', 'JSON Body is empty'],
		['PUT', ' ', 'JSON Body is empty'],
		['POST', '[1]', 'JSON Body: expected an object, got a list'],
		['PATCH', '{', 'JSON Body is not valid JSON: '],
		[
			'PUT',
			{ n: '={{ 1 / 0 }}' },
			'N: expected a number that can be written exactly, got Infinity',
		],
		['={{ "GET" }}', '{"a": 1}', 'JSON Body: a request with GET has none'],
		['={{ "DELETE" }}', '{"a": 1}', 'JSON Body: a request with DELETE has none'],
		[
			'={{ "OPTIONS" }}',
			'',
			'Method: expected one of DELETE, GET, PATCH, POST, PUT, got "OPTIONS"',
		],
		['={{ $json.none }}', '', 'Method: expected one of '],
	])(
		'API Request sends nothing for an unusable method or body: method %s, body %j',
		async (method, body, message) => {
			const jsonBody = typeof body === 'object' ? '={{ ({ n: 1 / 0 }) }}' : body;
			const { error } = await send({ method, path: '/people', jsonBody });
			expect(error?.message.startsWith(message)).toBe(true);
			expect(scene.requests()).toEqual([]);
		},
	);
});

describe('several items with API Request', () => {
	it('API Request sends the writes of several items one by one, in order', async () => {
		const input = itemsOf(8, (nth) => ({ title: `Title ${nth}` }));
		const jsonBody = '={{ JSON.stringify({ jobTitle: $json.title }) }}';
		scene.service.switches.latencyAfterMs = [0, 10];
		await send({ method: 'PATCH', path: PERSON, jsonBody }, { input });
		const titles = scene.requests().map(({ body }) => (body as { jobTitle: string }).jobTitle);
		expect(titles).toEqual(input.map(({ title }) => title));
		expect((await scene.record(PERSON)).jobTitle).toBe('Title 7');
	});
});

describe('a request that fails', () => {
	const no = 'The API key has no permission to';
	const statuses: Array<[status: number, method: string, message: string]> = [
		[403, 'GET', `${no} read this path`],
		[403, 'POST', `${no} create this record`],
		[403, 'DELETE', `${no} delete this record`],
		[404, 'GET', 'The path "/people/gone" does not exist'],
		[404, 'DELETE', 'The path "/people/gone" does not exist'],
		[500, 'POST', 'The service answered with HTTP 500, so the record may have been created'],
	];

	it.each(statuses)(
		'API Request says in words what HTTP %d means for a %s request',
		async (status, method, message) => {
			scene.faults(refusal(status));
			const { error } = await write(method, '/people/gone', bodyOf(method));
			expect(error).toMatchObject({ message, httpCode: String(status), context: { itemIndex: 0 } });
			expect(error?.description).toMatch(/\w/);
		},
	);

	it('If the service answers 422, API Request names each refused field by its label', async () => {
		const { error } = await write('POST', '/tasks', { status: COLUMNS[0] });
		expect(error?.message).toMatch(/^The service did not accept the record: Title: /);
	});

	it.each(['POST', 'DELETE'])(
		'Retry On Fail does not repeat an API Request whose %s got no answer',
		async (method) => {
			scene.faults({ kind: 'reset' });
			const { error } = await write(method, '/people', bodyOf(method), { retryOnFail: true });
			expect(scene.requests()).toHaveLength(1);
			expect(error?.message).toMatch(/^This item is not sent again/);
		},
	);
});

describe('the path of a request', () => {
	it.each([
		['/people?q=eva', '"/people?q=eva" goes on after "?"'],
		['/people#1', '"/people#1" goes on after "#"'],
		['people?q=eva', '"people?q=eva" goes on after "?"'],
		...[
			...[
				'https://crm.example/people',
				'//crm.example?q=eva',
				'\\\\crm.example',
				'//crm.example/people',
			],
			...['/people//1', '/people/', '/', '/people/../users', '/./people', '/people/%2e%2E/users'],
			...['/people/..;/users', '/people/%252e%252e/users', '/people/a%2Fb', '/people/a%00'],
			...['/people/a%0d%0aX: y', '/people/%ff', '/people/a\\b', '/people/a\r\nb', '/people/é'],
			...['/people/50%', '/people/a%5Cb', '/people/a%1Fb', '/people/a%7F'],
		].map((path) => [path, `expected a path such as /people/1f0c, got "${path}"`]),
	])(
		'API Request refuses a path with a query or outside the base URL: %j',
		async (path, problem) => {
			const { error } = await send({ path: '={{ $json.path }}' }, { input: [{ path }] });
			expect(error?.message).toBe(`Path: ${problem}`);
			expect(scene.requests()).toEqual([]);
		},
	);

	it('API Request accepts a path without a slash at its beginning', async () => {
		const { error } = await read('people');
		expect(error).toBeUndefined();
		expect(scene.requests()[0]).toMatchObject({ method: 'GET', path: '/people' });
	});

	it.each([
		['people?q=amber&x=1', ': Name "q" with Value "amber", Name "x" with Value "1"'],
		['/people?', ''],
	])('API Request says where the query of the path %s belongs', async (path, pairs) => {
		const { error } = await read(path);
		expect(error?.description).toBe(
			`Enter /people as Path, and the rest under Query Parameters${pairs}`,
		);
	});

	it.each([
		['={{ 7 }}', '7'],
		['={{ ["/people"] }}', '["/people"]'],
	])('API Request refuses a path that is no text: %s', async (path, shown) => {
		const { error } = await read(path);
		expect(error?.message).toBe(`Path: expected a path such as /people/1f0c, got ${shown}`);
		expect(scene.requests()).toEqual([]);
	});

	it('API Request refuses a path whose expression evaluates to nothing', async () => {
		const { error } = await read('={{ $json.none }}');
		expect(error?.message).toBe('Path is empty');
		expect(scene.requests()).toEqual([]);
	});
});

describe('what the node remembers of a person', () => {
	const [{ email = '' }] = emailAddresses as Array<{ email: string }>;
	const upsert = async (jobTitle: string, address = email) =>
		await scene.person('upsert', {
			...{ email: address, familyName: 'Jansen' },
			additionalFields: { jobTitle },
		});
	const stored = () => scene.service.store.people.get(id)!;
	const having = (address: string) =>
		[...scene.service.store.people.values()].filter((person) =>
			person.emailAddresses.some((entry) => entry.email === address),
		);

	it.each([
		['POST', '/people'],
		['POST', '/p%65ople'],
		['PATCH', PERSON],
	])(
		'Create or Update finds people by addresses that API Request just wrote (%s %s)',
		async (method, path) => {
			changeSwitches(scene.service.switches, { readsLagMs: 4_000 });
			const address = 'own@new.example';
			await write(method, path, { familyName: 'Own', emailAddresses: [{ email: address }] });
			const { items, error } = await upsert('Buyer', address);
			expect(error).toBeUndefined();
			expect(items[0].json.result).toBe('updated');
			expect(having(address)).toHaveLength(1);
		},
	);

	it.each(['PATCH', 'PUT'])(
		'Add Tags keeps the tag that API Request wrote with %s, despite stale reads',
		async (method) => {
			changeSwitches(scene.service.switches, { readsLagMs: 4_000 });
			const [own, added] = TAGS.map((tag) => `/tags/${tag}`);
			await write(method, PERSON, { familyName: 'Jansen', tags: [own] });
			const { error } = await scene.person('addTags', { personId: locator(id), tags: [added] });
			expect(error).toBeUndefined();
			expect(stored().tags).toEqual([own, added]);
		},
	);

	itInCi(
		"If another run's API Request writes a person, a waiting row repeats its lookup",
		async () => {
			// With this limit, the other run gets its turn before the last row.
			const credentials = { requestsPerMinute: 6 };
			const rows = itemsOf(6, (nth) => ({ email: nth < 5 ? `new${nth}@x.example` : email }));
			const run = scene.person(
				'upsert',
				{
					...{ email: '={{ $json.email }}', familyName: 'Jansen' },
					additionalFields: { jobTitle: 'Ours' },
				},
				{ input: rows, credentials },
			);
			let other: Promise<unknown> | undefined;
			scene.change('people', id, { familyName: 'Jansen', jobTitle: 'Ours' });
			scene.faults(answer({ done: true }, { path: 'merge$' }));
			scene.onRequest(4, () => {
				other = write('POST', `${PERSON}/merge`, { with: IRIS[1] }, { credentials });
				scene.change('people', id, { jobTitle: 'Theirs' });
			});
			await run;
			await other;
			expect(stored().jobTitle).toBe('Ours');
		},
	);
});

describe('a request that an agent sends with a tool', () => {
	const fromAI = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
	const parameters = {
		...{ method: fromAI('method'), path: fromAI('path'), jsonBody: fromAI('body') },
		queryParameters: { parameters: [{ name: fromAI('name'), value: fromAI('value') }] },
		limit: 2,
	};
	const call = async (values: object) => {
		const input = [{ method: 'GET', path: '', body: '', name: '', value: '', ...values }];
		return await send(parameters, { isTool: true, input });
	};

	it('As an agent tool, API Request takes values from the model, except blank ones', async () => {
		const { items, error } = await call({ path: `/segments/${SEGMENTS[0]}`, name: 'q' });
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([get(`/segments/${SEGMENTS[0]}`)]);
		expect(items.map(({ json }) => json.id)).toEqual([SEGMENTS[0]]);
	});

	it('As an agent tool, API Request writes with the method that the model chooses', async () => {
		await call({ method: 'patch', path: PERSON, body: '{"jobTitle": "Buyer"}' });
		expect(scene.sent()).toEqual([patch(PERSON, { jobTitle: 'Buyer' })]);
	});

	it('As an agent tool, API Request says that a list is cut or empty', async () => {
		const { items } = await call({ path: '/people' });
		expect(items).toHaveLength(3);
		expect(items[2].json).toMatchObject({ shown: 2, total: PEOPLE.length });
		const none = await call({ path: '/people', name: 'q', value: 'nobody-is-called-this' });
		expect(none.items.map(({ json }) => json)).toEqual([
			{ note: 'No records were found', shown: 0 },
		]);
	});

	it('As an agent tool, API Request tells how to correct a refused path', async () => {
		const { items } = await call({ path: '/people?q=eva' });
		expect(items[0].json.error).toMatch(
			/goes on after "\?". Enter \/people as Path, and the rest under Query Parameters/,
		);
	});
});
