import fc from 'fast-check';
import {
	checkedApiKey,
	checkedBaseUrl,
	liesAt,
	withoutKey,
} from '../../../nodes/ContactTaskCrm/http/credential';
import { ExplainedError } from '../../../nodes/ContactTaskCrm/util/errors';
import { runsOf } from '../../support/drawn';

describe('a base URL', () => {
	it.each([
		['https://crm.example.com/', 'https://crm.example.com'],
		['https://crm.example.com/api//', 'https://crm.example.com/api'],
		['  https://crm.example.com:443 \n', 'https://crm.example.com'],
		['HTTPS://CRM.Example.COM:8443', 'https://crm.example.com:8443'],
		['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
		['http://[::1]:3000', 'http://[::1]:3000'],
		['https://crm.example.com/a/../api', 'https://crm.example.com/api'],
	])('The node uses the base URL %j as %s', (given, used) => {
		expect(checkedBaseUrl(given)).toBe(used);
	});

	const REFUSED: Array<[RegExp, unknown[]]> = [
		[/^The Base URL is empty/, ['', '  ', undefined, 42]],
		[/is no web address/, ['crm.example.com', 'crm.example.com:8443', 'javascript:alert(1)']],
		[/is no web address/, ['ftp://jan:secret@crm.example.com', 'jan:secret@crm.nl', 'https://']],
		[/is no web address/, ['https://jan:sec@secret@crm example.com']],
		[/carries a user name/, ['https://jan@crm.example.com', 'https://:secret@crm.example.com']],
		[/goes on after "\?" or "#"/, ['https://crm.nl/api?key=secret', 'https://crm.nl/#top']],
		[/"http:\/\/crm\.example\.com:81" uses plain HTTP/, ['http://crm.example.com:81/x']],
		[/plain HTTP/, ['http://localhost.crm.nl', 'http://127.0.0.1.crm.nl', 'http://not-localhost']],
		[/plain HTTP/, ['http://192.168.1.10', 'http://0.0.0.0']],
	];

	it.each(REFUSED.flatMap(([message, all]) => all.map((given) => [given, message] as const)))(
		'The node refuses the base URL %j, with advice and without a secret',
		(given, message) => {
			const check = () => checkedBaseUrl(given);
			expect(check).toThrow(ExplainedError);
			expect(check).toThrow(message);
			const text = expect.stringMatching(/\. Open the credential and (enter|leave)/) as string;
			expect(check).toThrow(expect.objectContaining({ text }));
			expect(check).not.toThrow(/sec(ret)?\b/);
		},
	);

	it('Whatever the base URL, the node explains a refusal, or uses a valid address', () => {
		const someText = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string());
		fc.assert(
			fc.property(someText, (text) => {
				let used: string;
				try {
					used = checkedBaseUrl(text);
				} catch (refusal) {
					expect(refusal).toBeInstanceOf(ExplainedError);
					return;
				}
				expect(checkedBaseUrl(used)).toBe(used);
				expect(liesAt(used, `${used}/people`)).toBe(true);
			}),
			{ numRuns: runsOf(100) },
		);
	});
});

const AT_BASE = [
	'https://crm.nl/api',
	'https://crm.nl/api/people',
	'HTTPS://CRM.NL:443/api/x?page=2#x',
];
const ELSEWHERE = [
	...['https://crm.nl.evil.org/api', 'https://evil-crm.nl/api', 'https://a.crm.nl/api', '/api', ''],
	...['https://crm.nl@evil.org/api', 'https://jan@crm.nl/api', 'https://:secret@crm.nl/api'],
	...[
		'https://crm.nl:8443/api',
		'http://crm.nl/api',
		'https://evil.org\\@crm.nl/api',
		'//crm.nl/api',
	],
	...['https://crm.nl/apix', 'https://crm.nl/api/../people', 'https://crm.nl/api/%2e%2e/people'],
];

it.each(['https://crm.nl/api', 'https://crm.nl/api/'])(
	'The check of addresses accepts exactly the URLs below the base URL %s',
	(base) => {
		expect([...AT_BASE, ...ELSEWHERE].filter((url) => liesAt(base, url))).toEqual(AT_BASE);
	},
);

describe('the API key', () => {
	const KEY = 'k+y/with spéc=al&"chars"';
	const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

	it('The node uses the API key without outer blanks, and refuses an empty key', () => {
		expect(checkedApiKey('  secret-key\n')).toBe('secret-key');
		for (const empty of ['', '   ', undefined, null]) {
			expect(() => checkedApiKey(empty)).toThrow('The API Key is empty');
		}
	});

	it.each([
		...[KEY, encodeURIComponent(KEY), encodeURIComponent(KEY).toLowerCase(), base64(KEY)],
		base64(KEY).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, ''),
		JSON.stringify(KEY).slice(1, -1),
	])('The node removes the API key from a text that holds it as %s', (form) => {
		const cleared = withoutKey(`The key ${form} is none, not ${form}.`, KEY);
		expect(cleared.replace(/=/g, '')).toBe('The key … is none, not ….');
	});

	it('The node removes plain, URL-encoded and Base64 API keys from any text', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 6 }), fc.string(), fc.string(), (key, before, after) => {
				const forms = [key, encodeURIComponent(key), base64(key).replace(/=+$/, '')];
				for (const form of forms) {
					expect(withoutKey(`${before} ${form} ${after}`, key)).not.toContain(form);
				}
			}),
		);
	});

	it('The node removes an API key that begins its encoding or is invalid Unicode', () => {
		expect(withoutKey('Neither 100% nor 100%25.', '100%')).toBe('Neither … nor ….');
		expect(withoutKey('with \ud800x in it', '\ud800x')).toBe('with … in it');
		expect(withoutKey('Nothing of it', KEY)).toBe('Nothing of it');
	});
});
