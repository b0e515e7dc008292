import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';
import type { Fault } from '../service';
import { itInCi } from '../support/drawn';
import { excuse } from './support/recordExchanges';
import { OPERATIONS } from './support/requests';
import type { NodeSetup } from './support/runNode';
import { nodeTypes } from './support/runNode';
import { useScene } from './support/scene';
import { PEOPLE, TAGS, USERS } from './support/seeded';
import { lapse } from './support/timeLapse';

const CHECK_BASE_URL =
	'Check the Base URL, and its path: enter the address of the CRM interface, without the path of a record';
const OK = { status: 'OK', message: 'Connection successful!' };

describe('the test of a credential', () => {
	const scene = useScene();

	/** Tests a saved credential in n8n's way. */
	const test = async (data: object = {}): Promise<INodeCredentialTestResult> => {
		const { methods } = (await nodeTypes()).getByNameAndVersion('x.contactTaskCrm', 1);
		const context = new CredentialTestContext() as unknown as ICredentialTestFunctions;
		return await lapse(
			methods!.credentialTest!.testCredential.call(context, {
				id: '1',
				name: 'CRM',
				type: 'contactTaskCrmApi',
				data: {
					baseUrl: scene.service.url,
					apiKey: scene.apiKey,
					requestsPerMinute: 20,
					...data,
				},
			}),
		);
	};
	const messageOf = async (data: object = {}) => {
		const { status, message } = await test(data);
		expect(status).toBe('Error');
		expect(message).not.toContain(scene.apiKey);
		return message;
	};
	const answering = async (fault: Fault) => {
		scene.faults(fault);
		return await messageOf();
	};

	it('The credential test passes after one request with the key in a header', async () => {
		expect(await test()).toEqual(OK);
		const { method, rawUrl, headers } = scene.request();
		expect([method, rawUrl]).toEqual(['GET', '/segments?itemsPerPage=1']);
		expect(headers['x-api-key']).toBe(scene.apiKey);
	});

	it('The credential test ignores spaces around address and key, and slashes after the address', async () => {
		const { url } = scene.service;
		expect(await test({ baseUrl: `  ${url}/ \n`, apiKey: `\t${scene.apiKey} ` })).toEqual(OK);
	});

	it.each([{}, { hydraPrefix: true }, { bareCollections: true }, { omitNulls: false }])(
		'The credential test passes for a CRM without segments (changed switches: %j)',
		async (switches) => {
			Object.assign(scene.service.switches, switches);
			scene.service.store.segments.clear();
			expect(await test()).toEqual(OK);
		},
	);

	it.each([
		['a web page', 'html', /\(HTTP 200, text\/html\)\. .* The answer was a web page$/],
		['JSON of something else', { status: 'ok' }, / The answer was an object of "status"$/],
		['a list of something else', [1, 2, 3], / The answer was a list$/],
		[
			'an envelope without members',
			{ totalItems: 3 },
			/ The answer was an object of "totalItems"$/,
		],
	] as const)(
		'The test of a credential fails if the service answers 200 with %s',
		async (_, body, says) => {
			const fault = { kind: 'status', status: 200, body } as unknown as Fault;
			const message = await answering(fault);
			expect(message).toMatch(/^The answer of the service cannot be read \(HTTP 200/);
			expect(message).toContain(CHECK_BASE_URL);
			expect(message).toMatch(says);
		},
	);

	it.each([
		[401, 'html', /^The service did not accept the API key\. Check API Key and Base URL; /],
		[403, 'json', /^The API key has no permission to read this list of segments\. Ask an admin/],
		[404, 'html', /^There is no CRM interface at the Base URL \(HTTP 404\)\. Check .* its path/],
		[404, 'json', /without the path of a record\. The service said: Not Found$/],
		[405, 'json', /^There is no CRM interface at the Base URL \(HTTP 405\)/],
		[407, 'html', /^A proxy between this n8n and the service asks for a sign-in\. Ask the admin/],
		[410, 'html', /^There is no CRM interface at the Base URL \(HTTP 410\)/],
		[500, 'html', /^The service could not read the list of segments \(HTTP 500\)\. .* may be down/],
		[503, 'json', /\(HTTP 503\): .*\. .* Try again later, or check the Base URL/],
	] as const)(
		'The test of a credential says in words what HTTP %d means',
		async (status, body, says) => {
			expect(await answering({ kind: 'status', status, body })).toMatch(says);
		},
	);

	it.each([
		[
			'https://elsewhere.example/login?next=%2F',
			/Enter the final address as Base URL.* It was redirected to https:\/\/elsewhere\.example$/,
		],
		['/login', /Check the Base URL, and its path.*A sign-in page may stand/],
		['https://', /Enter the final address as Base URL$/],
		[undefined, /^The service redirects to another address, which is not followed/],
	])('The test of a credential follows no redirect (Location: %s)', async (location, says) => {
		const headers: Record<string, string> = location === undefined ? {} : { location };
		expect(await answering({ kind: 'status', status: 302, headers })).toMatch(says);
		expect(scene.requests()).toHaveLength(1);
	});

	it('The message of the credential test says whether a key is rejected or empty', async () => {
		expect(await messageOf({ apiKey: 'not-the-key' })).toMatch(/did not accept the API key/);
		expect(await messageOf({ apiKey: ' ' })).toBe(
			'The API Key is empty. Enter a key; an administrator of the CRM creates one',
		);
	});

	it('Messages of the credential test do not advise to open the credential', async () => {
		const given = [{ apiKey: '' }, { apiKey: 'not-the-key' }, { baseUrl: '' }, { baseUrl: 'crm' }];
		for (const credentials of given) {
			const message = await messageOf(credentials);
			expect(message).toMatch(/\. (Enter|Check) /);
			expect(message).not.toMatch(/the credential/);
		}
	});

	it.each([
		['', /^The Base URL is empty/],
		['crm.example.com', /^The Base URL is no web address/],
		['http://crm.example.com', /uses plain HTTP/],
		['https://crm.example.com/#/people', /goes on after/],
	])(
		'The test of a credential refuses the Base URL "%s", and sends nothing',
		async (baseUrl, says) => {
			expect(await messageOf({ baseUrl })).toMatch(says);
			expect(scene.requests()).toEqual([]);
		},
	);

	it.each([
		[
			'nothing listens at an address',
			() => 'http://127.0.0.1:9',
			/^The service at http:\/\/127\.0\.0\.1:9 cannot be reached\. Check the Base URL and its port.* Cause: the connection was refused \(ECONNREFUSED\)$/,
		],
		[
			'a port does not speak HTTPS',
			() => scene.service.url.replace('http:', 'https:'),
			/cannot be reached\. Check the Base URL and its port.* Cause: the other side does not speak HTTPS.* \(E\w+\)$/,
		],
		[
			'a host does not exist',
			() => 'https://no-such-host.invalid',
			/cannot be reached\. Check the Base URL.* Cause: the host cannot be found or reached \((ENOTFOUND|EAI_AGAIN)\)$/,
		],
	])('The test of a credential says in plain words that %s', async (_, baseUrl, says) => {
		expect(await messageOf({ baseUrl: baseUrl() })).toMatch(says);
	});

	it('The test of a credential says in plain words that a connection was closed', async () => {
		expect(await answering({ kind: 'reset' })).toMatch(
			/^The service did not answer\. Try again later.* Cause: the connection was closed before the answer was complete \(ECONNRESET\)$/,
		);
	});

	itInCi.each([
		['no answer', { kind: 'slow' }],
		['an answer that arrives too slowly', { kind: 'broken', how: 'dripping' }],
	] as const)('A credential test that gets %s gives up after fifteen seconds', async (_, fault) => {
		const startedAt = Date.now();
		expect(await answering(fault as Fault)).toMatch(/the answer took too long/);
		expect(Date.now() - startedAt).toBeLessThan(17_000);
	});

	describe('the test of a credential with names of users and tags', () => {
		const [user] = USERS;
		const [tag] = TAGS;

		const asked = () => scene.requests().map(({ path }) => path);

		it('The credential test reads lists until it has seen each named user and tag', async () => {
			const names = `/users/${user} = Eva\n\n${tag} = VIP`;
			expect(await test({ names })).toEqual(OK);
			const first = asked();
			expect(first[0]).toBe('/segments');
			expect(first.length).toBeLessThanOrEqual(4);
			scene.clear();
			expect(await test({ names })).toEqual(OK);
			expect(asked()).toEqual(['/segments']);
		});

		it('The credential test refuses a shortened ID of a user, and lists whole IDs', async () => {
			const begun = user.slice(0, 6);
			const whole = USERS.filter((id) => id.startsWith(begun)).join(', ');
			for (const given of [
				begun,
				`${begun}…`,
				`/users/${begun}`,
				`/users/${begun.toUpperCase()}`,
			]) {
				expect(await messageOf({ names: `# Colleagues\n${given} = Jan Smit` })).toBe(
					`Names of Users and Tags, line 2: "${given.replace(/^\/users\/|…$/g, '')}" is the beginning of an ID. Write the whole ID: ${whole}`,
				);
			}
		});

		it('If no record shows a named ID, the credential test passes and names it', async () => {
			scene.faults({ kind: 'status', status: 403, match: { path: '^/tasks$' } });
			const { status, message } = await test({ names: `/users/${user} = Eva\nnew-1 = Zoë` });
			expect([status, message]).toEqual(['OK', 'Connection successful! Not seen yet: new-1']);
			expect(asked()).toEqual(['/segments', '/people', '/workspaces', '/tasks']);
		});

		it.each([
			['/users/120', '12', undefined],
			['/users/12345678901234567890', '1234', undefined],
			['/users/colleague-of-sales-9', 'colleague', '. Write the whole ID: colleague-of-sales-9'],
			['/users/colleague-of-sale-9', 'colleague-of-sale-9', undefined],
			['/users/colleague-9', 'colleague', undefined],
			['/users/colleague-9', 'colleague…', '. Write the whole ID: colleague-9'],
			['/users/120', 'zzz...', '. Write the whole ID'],
		])(
			'If a record shows %s, the credential test judges the ID "%s" rightly',
			async (owner, given, says) => {
				scene.change('people', PEOPLE[0].id, { owner });
				const { status, message } = await test({ names: `${given} = Eva` });
				expect(status).toBe(says === undefined ? 'OK' : 'Error');
				if (says === undefined) return;
				const id = given.replace(/(…|\.{3})$/, '');
				expect(message).toBe(
					`Names of Users and Tags, line 1: "${id}" is the beginning of an ID${says}`,
				);
			},
		);

		it('The credential test refuses two names for one user, and shows both', async () => {
			const names = `/users/${user} = Eva\n${user} = Jan`;
			expect(await messageOf({ names })).toBe(
				`Names of Users and Tags, line 2: "${user}" has the name "Jan" here, and "Eva" on line 1`,
			);
			expect(scene.requests()).toEqual([]);
		});

		it('The credential test lists the faulty lines of the names, and sends nothing', async () => {
			const names = `/users/${user} = Eva\r\nAda Bos\r\n\r\n/people/1 = Bo\r\n/users/${user} = Eve`;
			expect(await messageOf({ names })).toMatch(
				/^Names of Users and Tags, line 2: expected an ID.*"Ada Bos"; line 4: .*"\/people\/1"; line 5: ".*" has the name "Eve" here, and "Eva" on line 1$/,
			);
			expect(scene.requests()).toEqual([]);
		});
	});

	it('The credential test takes a rate-limit slot, and fails if none is free', async () => {
		const tests = await Promise.all(Array.from({ length: 21 }, async () => await test()));
		const refused = tests.filter(({ status }) => status === 'Error');
		expect(refused).toHaveLength(1);
		expect(refused[0].message).toMatch(
			/^The requests of this minute are used up, so the key could not be tested\. Try again in \d+ seconds$/,
		);
		expect(scene.requests().map(({ status }) => status)).toEqual(Array(20).fill(200));
	});
});

const OPEN = 'Open the credential and';

describe('a run with a credential', () => {
	const scene = useScene();
	type Credentials = NonNullable<NodeSetup['credentials']>;
	const run = async (credentials: Credentials, more: Partial<NodeSetup> = {}) =>
		await scene.run({ parameters: OPERATIONS.GET, credentials, ...more });

	/** test/unit/util/credential.test.ts has further cases. */
	it.each([
		[
			{ baseUrl: undefined },
			'The Base URL is empty',
			`${OPEN} enter the address of your CRM, e.g. https://crm.example.com`,
		],
		[
			{ baseUrl: 'https://eva:secret@crm.example.com' },
			'The Base URL carries a user name or password',
			`${OPEN} leave them out; the API Key field alone signs you in`,
		],
		[
			{ apiKey: '  ' },
			'The API Key is empty',
			`${OPEN} enter a key; an administrator of the CRM creates one`,
		],
	])(
		'A run refuses an unusable credential before it sends anything: %p',
		async (given, message, description) => {
			const { error, items } = await run(given);
			expect(error).toMatchObject({ message, description, context: { itemIndex: 0 } });
			expect(items).toEqual([]);
			expect(JSON.stringify(error)).not.toContain('secret');
			const { errorItems } = await run(given, { input: [{}, {}], onError: 'continueErrorOutput' });
			expect(errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
				[0, 1].map((item) => [message, { item }]),
			);
			expect(scene.requests()).toEqual([]);
		},
	);

	it.each([
		['spaces around it, and slashes at the end', (url: string) => `  ${url}/// `, ''],
		['another name of this machine', (url: string) => url.replace('127.0.0.1', 'localhost'), ''],
		['a path and a slash', (url: string) => `${url}/api/v1/`, '/api/v1'],
	])('A run accepts a base URL with %s', async (_, form, stem) => {
		excuse('requests', 'the stand-in has no path before those of the interface');
		const parameters = { ...OPERATIONS.list, limit: 1 };
		await run({ baseUrl: form(scene.service.url) }, { parameters });
		expect(scene.requests().map(({ rawUrl }) => rawUrl)).toEqual([`${stem}/people?itemsPerPage=1`]);
	});
});
