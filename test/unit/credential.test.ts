import type { IHttpRequestOptions } from 'n8n-workflow';
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';
import { ContactTaskCrmApi } from '../../credentials/ContactTaskCrmApi.credentials';

const KEY = 'secret-key';
const CRM = 'https://crm.example.com';

const credential = new ContactTaskCrmApi();

const signed = async (request: object, credentials: object = {}) =>
	await credential.authenticate(
		{ baseUrl: CRM, apiKey: KEY, ...credentials },
		request as IHttpRequestOptions,
	);

const NOT_FOLLOWED = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};
const FOLLOWED = {
	disableFollowRedirect: false,
	followRedirect: true,
	followAllRedirects: true,
};

/** A request, and a changed credential. The HTTP Request node names its URL `uri`. */
it.each<[object, object?]>([
	[{ url: `${CRM}/people` }],
	[{ url: '/people', baseURL: CRM }],
	[{ url: '/people', baseURL: `${CRM}/` }],
	[{ url: '', baseURL: CRM }],
	[{ uri: `${CRM}/people` }],
	[{ url: CRM, ...FOLLOWED }],
	[{ url: `${CRM}/people`, headers: Object.freeze({ Accept: 'application/ld+json' }) }],
	[{ url: CRM }, { apiKey: ` ${KEY}\n` }],
	[{ url: '/segments?itemsPerPage=1', baseURL: `${CRM}/api` }, { baseUrl: `${CRM}/api` }],
	[{ url: 'http://127.0.0.1:3000/people' }, { baseUrl: 'http://127.0.0.1:3000' }],
])(
	'The credential adds the key to the request %j, and turns redirects off',
	async (request, credentials = {}) => {
		const { headers } = request as IHttpRequestOptions;
		expect(await signed(Object.freeze(request), credentials)).toEqual({
			...request,
			...NOT_FOLLOWED,
			headers: { ...headers, 'X-API-KEY': KEY },
		});
	},
);

const ELSEWHERE =
	/^The API key is sent to https:\/\/crm\.example\.com alone, and this request goes to https?:/;
const INCOMPLETE = /goes to an address that is not complete/;
const NO_KEY = /^The API Key is empty\. Open the credential/;
const NO_BASE_URL = /^The Base URL .*Open the credential/s;

it.each<[object, RegExp, object?]>([
	[{ url: 'https://evil.org/people' }, ELSEWHERE],
	[{ url: 'https://crm.example.com@evil.org/people' }, ELSEWHERE],
	[{ url: '/people', baseURL: 'https://evil.org' }, ELSEWHERE],
	[{ url: 'https://evil.org/people', baseURL: CRM }, ELSEWHERE],
	[{ uri: 'https://evil.org/people' }, ELSEWHERE],
	[{ uri: new URL('https://evil.org/people') }, ELSEWHERE],
	[{ uri: `${CRM}/people`, url: 'https://evil.org/people' }, ELSEWHERE],
	[{ url: `${CRM}/apix/people` }, /goes to https:/, { baseUrl: `${CRM}/api` }],
	[{}, INCOMPLETE],
	[{ url: '/people' }, INCOMPLETE],
	[{ url: '' }, INCOMPLETE],
	[{ url: '//crm.example.com/people', baseURL: CRM }, INCOMPLETE],
	...['', '  ', undefined, null].map((apiKey): [object, RegExp, object] => [
		...([{ url: CRM }, NO_KEY, { apiKey }] as const),
	]),
	...['', 'crm.example.com', 'http://crm.example.com', 'https://a:b@crm.example.com'].map(
		(baseUrl): [object, RegExp, object] => [{ url: CRM }, NO_BASE_URL, { baseUrl }],
	),
])(
	'In row %#, the credential adds no key to %j, and fails with %s',
	async (request, message, credentials = {}) => {
		await expect(signed(request, credentials)).rejects.toThrow(message);
	},
);

it('The error for a URL of another host holds neither API key nor code', async () => {
	const refusal: unknown = await signed({ url: `https://evil.org/?key=${KEY}` }).catch(
		(error: unknown) => error,
	);
	expect(refusal).toBeInstanceOf(Error);
	expect(String(refusal)).not.toContain(KEY);
	expect(refusal).not.toHaveProperty('code');
});

describe('the credential', () => {
	it("The credential's form hides the API key like a password", () => {
		const apiKey = credential.properties.find(({ name }) => name === 'apiKey');
		expect(apiKey?.typeOptions).toMatchObject({ password: true });
	});

	it('The description of the field Names of Users and Tags fits on two lines', () => {
		const names = credential.properties.find(({ name }) => name === 'names');
		expect(names?.description).toMatch(/^.{40,110}$/);
	});

	it('The nodes test the credential; the credential type itself has no test', () => {
		expect(credential).not.toHaveProperty('test');
		for (const { description, methods } of [new ContactTaskCrm(), new ContactTaskCrmTrigger()]) {
			const [{ name, testedBy }] = description.credentials!;
			expect(name).toBe(credential.name);
			expect(methods.credentialTest).toHaveProperty(String(testedBy));
		}
	});
});
