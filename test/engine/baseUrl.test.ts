import { OPERATIONS } from './support/requests';
import { useScene } from './support/scene';

const OPEN = 'Open the credential and';

/** Base URLs that cannot be used, and what is said of them. */
const unusable: ReadonlyArray<readonly [baseUrl: unknown, message: string, description: string]> = [
	[
		'',
		'The Base URL is empty',
		`${OPEN} enter the address of your CRM, e.g. https://crm.example.com`,
	],
	[
		'  ',
		'The Base URL is empty',
		`${OPEN} enter the address of your CRM, e.g. https://crm.example.com`,
	],
	[
		undefined,
		'The Base URL is empty',
		`${OPEN} enter the address of your CRM, e.g. https://crm.example.com`,
	],
	[
		'crm.example.com',
		'The Base URL is no web address',
		`${OPEN} enter it with https://, e.g. https://crm.example.com`,
	],
	[
		'ftp://crm.example.com',
		'The Base URL is no web address',
		`${OPEN} enter it with https://, e.g. https://crm.example.com`,
	],
	[
		'http://crm.example.com/api',
		'The Base URL "http://crm.example.com" uses plain HTTP, over which your API key could be read',
		`${OPEN} enter https://crm.example.com instead`,
	],
	[
		'http://127.0.0.1.example.com',
		'The Base URL "http://127.0.0.1.example.com" uses plain HTTP, over which your API key could be read',
		`${OPEN} enter https://127.0.0.1.example.com instead`,
	],
	[
		'https://eva:secret@crm.example.com',
		'The Base URL carries a user name or password',
		`${OPEN} leave them out; the API Key field alone signs you in`,
	],
	[
		'https://crm.example.com?key=1',
		'The Base URL "https://crm.example.com/…" goes on after "?" or "#"',
		`${OPEN} enter the address up to there`,
	],
	[
		'https://crm.example.com/#/people',
		'The Base URL "https://crm.example.com/…" goes on after "?" or "#"',
		`${OPEN} enter the address up to there`,
	],
];

describe('a base URL', () => {
	const scene = useScene();

	it.each(unusable)(
		'that cannot be used is refused before anything is sent: %j',
		async (baseUrl, message, description) => {
			const { error, items } = await scene.run({
				parameters: OPERATIONS.GET,
				credentials: { baseUrl },
			});
			expect(error).toMatchObject({ message, description, context: { itemIndex: 0 } });
			expect(items).toEqual([]);
			expect(scene.requests()).toEqual([]);
			expect(JSON.stringify(error)).not.toContain('secret');
		},
	);

	it('that cannot be used is said once for each item on the error output', async () => {
		const { errorItems } = await scene.run({
			parameters: OPERATIONS.GET,
			credentials: { baseUrl: '' },
			input: [{}, {}],
			onError: 'continueErrorOutput',
		});
		expect(errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			['The Base URL is empty', { item: 0 }],
			['The Base URL is empty', { item: 1 }],
		]);
	});

	it.each([
		['a slash at the end', (url: string) => `${url}/`, ''],
		['several slashes at the end', (url: string) => `${url}///`, ''],
		['spaces around it', (url: string) => `  ${url} `, ''],
		['another name of this machine', (url: string) => url.replace('127.0.0.1', 'localhost'), ''],
		['a path', (url: string) => `${url}/api/v1`, '/api/v1'],
		['a path and a slash', (url: string) => `${url}/api/v1/`, '/api/v1'],
	])('may have %s', async (_, form, stem) => {
		await scene.run({
			parameters: { resource: 'person', operation: 'getAll', limit: 1, output: 'raw' },
			credentials: { baseUrl: form(scene.service.url) },
		});
		expect(scene.requests().map(({ rawUrl }) => rawUrl)).toEqual([`${stem}/people?itemsPerPage=1`]);
	});

	it('with an empty API key is refused before anything is sent', async () => {
		for (const apiKey of ['', '  ']) {
			const { error } = await scene.run({
				parameters: OPERATIONS.GET,
				credentials: { apiKey },
			});
			expect(error).toMatchObject({
				message: 'The API Key is empty',
				description: 'Open the credential and enter a key; an administrator of the CRM creates one',
				context: { itemIndex: 0 },
			});
		}
		expect(scene.requests()).toEqual([]);
	});
});
