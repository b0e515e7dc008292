import fc from 'fast-check';
import {
	checkedBaseUrl,
	liesAt,
	UnusableBaseUrl,
} from '../../../nodes/ContactTaskCrm/transport/baseUrl';

const BASE = 'https://crm.example.com';

function thrownBy(check: () => unknown): UnusableBaseUrl {
	try {
		check();
	} catch (error) {
		if (error instanceof UnusableBaseUrl) return error;
	}
	throw new Error('Expected a refusal');
}

describe('a base URL', () => {
	it.each([
		['as it should be', 'https://crm.example.com', 'https://crm.example.com'],
		['with a trailing slash', 'https://crm.example.com/', 'https://crm.example.com'],
		['with several', 'https://crm.example.com/api//', 'https://crm.example.com/api'],
		['with a path', 'https://crm.example.com/api/v1', 'https://crm.example.com/api/v1'],
		['with a port', 'https://crm.example.com:8443', 'https://crm.example.com:8443'],
		['with the usual port', 'https://crm.example.com:443', 'https://crm.example.com'],
		['with space around it', '  https://crm.example.com \n', 'https://crm.example.com'],
		['in capitals', 'HTTPS://CRM.Example.COM', 'https://crm.example.com'],
		['of this machine over HTTP', 'http://localhost:3000', 'http://localhost:3000'],
		['of this machine by number', 'http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
		['of this machine in IPv6', 'http://[::1]:3000', 'http://[::1]:3000'],
		['with a path that goes up', 'https://crm.example.com/a/../api', 'https://crm.example.com/api'],
	])('%s is used without a trailing slash', (_, given, used) => {
		expect(checkedBaseUrl(given)).toBe(used);
	});

	it.each<[string, unknown, RegExp]>([
		['empty', '', /^The Base URL is empty/],
		['blank', '  ', /^The Base URL is empty/],
		['missing', undefined, /^The Base URL is empty/],
		['no text', 42, /^The Base URL is empty/],
		['without a scheme', 'crm.example.com', /is no web address/],
		['without a scheme, with a port', 'crm.example.com:8443', /is no web address/],
		['of ftp', 'ftp://crm.example.com', /is no web address/],
		['of javascript', 'javascript:alert(1)', /is no web address/],
		['without a host', 'https://', /is no web address/],
		['with a space in it', 'https://crm example.com', /is no web address/],
		['with a user', 'https://jan@crm.example.com', /carries a user name or password/],
		['with a password', 'https://:secret@crm.example.com', /carries a user name or password/],
		['with a query', 'https://crm.example.com/api?key=secret', /goes on after "\?" or "#"/],
		['with a fragment', 'https://crm.example.com/#top', /goes on after "\?" or "#"/],
		['over HTTP', 'http://crm.example.com:81/x', /"http:\/\/crm\.example\.com:81" uses plain HTTP/],
		['over HTTP to a look-alike of this machine', 'http://localhost.example.com', /plain HTTP/],
		['over HTTP to another look-alike', 'http://127.0.0.1.example.com', /plain HTTP/],
		['over HTTP to a host that ends alike', 'http://not-localhost', /plain HTTP/],
		['over HTTP to the local network', 'http://192.168.1.10', /plain HTTP/],
		['over HTTP to any address', 'http://0.0.0.0', /plain HTTP/],
	])('%s is refused, and the message says what to enter', (_, given, message) => {
		const check = () => checkedBaseUrl(given);
		expect(check).toThrow(UnusableBaseUrl);
		const { text } = thrownBy(check);
		expect(text).toMatch(message);
		expect(text).toMatch(/\. Open the credential and (enter|leave)/);
	});

	it.each([
		'https://jan:secret@crm.example.com',
		'https://jan:secret/secret@crm.example.com',
		'https://jan:sec@secret@crm example.com',
		'ftp://jan:secret@crm.example.com',
		'jan:secret@crm.example.com',
		'https://crm.example.com/?key=secret',
	])('that is refused keeps its secret to itself: %s', (given) => {
		expect(() => checkedBaseUrl(given)).toThrow(UnusableBaseUrl);
		expect(() => checkedBaseUrl(given)).not.toThrow(/sec(ret)?\b/);
	});

	it('is refused with a message of ours, or lies at itself, whatever is given', () => {
		fc.assert(
			fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (text) => {
				let used: string;
				try {
					used = checkedBaseUrl(text);
				} catch (refusal) {
					expect(refusal).toBeInstanceOf(UnusableBaseUrl);
					return;
				}
				expect(checkedBaseUrl(used)).toBe(used);
				expect(liesAt(used, `${used}/people`)).toBe(true);
			}),
		);
	});
});

describe('a URL lies at the base URL', () => {
	it.each([
		'https://crm.example.com',
		'https://crm.example.com/',
		'https://crm.example.com/people?page=2#x',
		'https://crm.example.com:443/people',
		'HTTPS://CRM.EXAMPLE.COM/people',
	])('as %s does', (url) => {
		expect(liesAt(BASE, url)).toBe(true);
	});

	it.each([
		['a host that begins alike', 'https://crm.example.com.evil.org/people'],
		['a host that ends alike', 'https://evil-crm.example.com/people'],
		['a subdomain', 'https://a.crm.example.com/people'],
		['the base URL as a user name', 'https://crm.example.com@evil.org/people'],
		['a user name', 'https://jan@crm.example.com/people'],
		['a password', 'https://:secret@crm.example.com/people'],
		['another port', 'https://crm.example.com:8443/people'],
		['plain HTTP', 'http://crm.example.com/people'],
		['backslashes', 'https://evil.org\\@crm.example.com/people'],
		['no scheme', '//crm.example.com/people'],
		['no origin', '/people'],
		['nothing', ''],
	])('but not with %s', (_, url) => {
		expect(liesAt(BASE, url)).toBe(false);
	});

	it.each([
		['https://crm.example.com/api', true],
		['https://crm.example.com/api/people', true],
		['https://crm.example.com/apix/people', false],
		['https://crm.example.com/people', false],
		['https://crm.example.com/api/../people', false],
		['https://crm.example.com/api/%2e%2e/people', false],
		['https://crm.example.com/', false],
	])('only below its path: %s is %p', (url, lies) => {
		expect(liesAt('https://crm.example.com/api', url)).toBe(lies);
		expect(liesAt('https://crm.example.com/api/', url)).toBe(lies);
	});
});
