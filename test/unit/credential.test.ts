import type { IHttpRequestOptions } from 'n8n-workflow';
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';
import { authenticate, ContactTaskCrmApi } from '../../credentials/ContactTaskCrmApi.credentials';

const KEY = 'secret-key';
const CREDENTIALS = { baseUrl: 'https://crm.example.com', apiKey: KEY };

const signed = async (request: object, credentials: object = {}) =>
	await authenticate({ ...CREDENTIALS, ...credentials }, request as IHttpRequestOptions);

describe('the key is added', () => {
	it.each([
		{ url: 'https://crm.example.com/people' },
		{ url: '/people', baseURL: 'https://crm.example.com' },
		{ url: '/people', baseURL: 'https://crm.example.com/' },
	])('to a request to the base URL: %j', async (request) => {
		expect(await signed(request)).toEqual({
			...request,
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
			headers: { 'X-API-KEY': KEY },
		});
	});

	it('beside the other headers, without changing the request that was given', async () => {
		const request = Object.freeze({
			url: 'https://crm.example.com/people',
			headers: Object.freeze({ Accept: 'application/ld+json' }),
		});
		const { headers } = await signed(request);
		expect(headers).toEqual({ Accept: 'application/ld+json', 'X-API-KEY': KEY });
	});

	it('without the space that was copied with it', async () => {
		const { headers } = await signed({ url: CREDENTIALS.baseUrl }, { apiKey: ` ${KEY}\n` });
		expect(headers?.['X-API-KEY']).toBe(KEY);
	});

	it('and redirects are not followed, even where the request asks for it', async () => {
		const request = {
			url: CREDENTIALS.baseUrl,
			disableFollowRedirect: false,
			followRedirect: true,
			followAllRedirects: true,
		};
		expect(await signed(request)).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	it('to the test of a credential whose base URL has a path', async () => {
		const baseUrl = 'https://crm.example.com/api';
		const request = { url: '/segments?itemsPerPage=1', baseURL: baseUrl };
		expect(await signed(request, { baseUrl })).toHaveProperty('headers.X-API-KEY');
	});

	it('to a request of the HTTP Request node, which names its URL "uri"', async () => {
		expect(await signed({ uri: 'https://crm.example.com/people' })).toHaveProperty(
			'headers.X-API-KEY',
		);
	});

	it('to a base URL of this machine over HTTP', async () => {
		const baseUrl = 'http://127.0.0.1:3000';
		expect(await signed({ url: `${baseUrl}/people` }, { baseUrl })).toHaveProperty('headers');
	});
});

describe('the key is refused', () => {
	it.each([
		'https://evil.org/people',
		'https://crm.example.com.evil.org/people',
		'https://crm.example.com@evil.org/people',
		'https://crm.example.com:8443/people',
		'http://crm.example.com/people',
		'https://sub.crm.example.com/people',
	])('to %s', async (url) => {
		await expect(signed({ url })).rejects.toThrow(
			/^The API key is sent to https:\/\/crm\.example\.com alone, and this request goes to https?:/,
		);
	});

	it('to another base URL of the request, whatever the path', async () => {
		await expect(signed({ url: '/people', baseURL: 'https://evil.org' })).rejects.toThrow(
			/goes to https:\/\/evil\.org/,
		);
		await expect(
			signed({ url: 'https://evil.org/people', baseURL: 'https://crm.example.com' }),
		).rejects.toThrow(/goes to https:\/\/evil\.org/);
	});

	it.each([
		{ uri: 'https://evil.org/people' },
		{ uri: new URL('https://evil.org/people') },
		{ uri: 'https://crm.example.com/people', url: 'https://evil.org/people' },
	])('to a request of the HTTP Request node that goes elsewhere: %p', async (request) => {
		await expect(signed(request)).rejects.toThrow(/goes to https:\/\/evil\.org/);
	});

	it.each([
		{},
		{ url: '/people' },
		{ url: '' },
		{ url: '//crm.example.com/people', baseURL: CREDENTIALS.baseUrl },
	])('to an address that is not complete: %j', async (request) => {
		await expect(signed(request)).rejects.toThrow(/goes to an address that is not complete/);
	});

	it('outside the path of the base URL', async () => {
		const baseUrl = 'https://crm.example.com/api';
		await expect(
			signed({ url: 'https://crm.example.com/apix/people' }, { baseUrl }),
		).rejects.toThrow();
		await expect(
			signed({ url: 'https://crm.example.com/api/people' }, { baseUrl }),
		).resolves.toBeDefined();
	});

	it.each(['', '  ', undefined, null])('where it is empty: %p', async (apiKey) => {
		await expect(signed({ url: CREDENTIALS.baseUrl }, { apiKey })).rejects.toThrow(
			/^The API Key is empty\. Open the credential/,
		);
	});

	it.each(['', 'crm.example.com', 'http://crm.example.com', 'https://a:b@crm.example.com'])(
		'where the base URL is %p',
		async (baseUrl) => {
			await expect(signed({ url: 'https://crm.example.com/people' }, { baseUrl })).rejects.toThrow(
				/^The Base URL .*Open the credential/s,
			);
		},
	);

	it('with a message that holds no key and no code, since n8n would replace one that has a code', async () => {
		const refusal: unknown = await signed({ url: `https://evil.org/?key=${KEY}` }).catch(
			(error: unknown) => error,
		);
		expect(refusal).toBeInstanceOf(Error);
		expect(String(refusal)).not.toContain(KEY);
		expect(refusal).not.toHaveProperty('code');
	});
});

describe('the credential', () => {
	const credential = new ContactTaskCrmApi();

	it('hides the key in the form', () => {
		const apiKey = credential.properties.find(({ name }) => name === 'apiKey');
		expect(apiKey?.typeOptions).toMatchObject({ password: true });
	});

	it('signs requests with the function that checks where they go', () => {
		expect(credential.authenticate).toBe(authenticate);
	});

	it('has no test of its own, which n8n would run instead of that of the nodes', () => {
		expect(credential).not.toHaveProperty('test');
		for (const { description, methods } of [new ContactTaskCrm(), new ContactTaskCrmTrigger()]) {
			const [{ name, testedBy }] = description.credentials!;
			expect(name).toBe(credential.name);
			expect(methods.credentialTest).toHaveProperty(String(testedBy));
		}
	});
});
