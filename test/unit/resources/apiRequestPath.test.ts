import fc from 'fast-check';
import { liesAt } from '../../../nodes/ContactTaskCrm/http/credential';
import { checkedPath, pathBelow } from '../../../nodes/ContactTaskCrm/resources/apiRequest/path';
import { UnusableParameter } from '../../../nodes/ContactTaskCrm/util/errors';

const BASES = ['https://crm.example.com', 'https://crm.example.com/api', 'http://[::1]:8080/a/b'];

/** A path as it is sent, or that it is refused. */
function checked(given: unknown): { path: string } | 'refused' {
	try {
		return { path: checkedPath(given) };
	} catch (error) {
		expect(error).toBeInstanceOf(UnusableParameter);
		expect((error as UnusableParameter).parameter).toBe('Path');
		return 'refused';
	}
}

/** What servers make of a path that decode it once, twice or three times. */
function decodings(path: string): string[] {
	const all = [path];
	for (let times = 0; times < 3; times++) {
		all.push(all[times].replace(/%[\da-f]{2}/gi, (code) => unescape(code)));
	}
	return all;
}

const NASTY = [
	...[
		'/',
		'\\',
		'.',
		'..',
		'%',
		'%2',
		'%2e',
		'%2E',
		'%2f',
		'%2F',
		'%5c',
		'%5C',
		'%25',
		'%252e',
		'%00',
	],
	...[
		'%0d%0a',
		'?',
		'#',
		'@',
		':',
		';',
		'&',
		'//',
		'https:',
		'javascript:',
		'crm.example.com',
		':80',
	],
	...[
		'\0',
		'\t',
		'\r\n',
		' ',
		'\u00a0',
		'\u200b',
		'\ufeff',
		'\u202e',
		'．',
		'／',
		'＼',
		'\ud800',
		'😀',
	],
	...[
		'%c0%ae',
		'%e0%80%ae',
		'%u002e',
		'%3f',
		'%23',
		'[::1]',
		'{id}',
		'"',
		'<',
		'|',
		'^',
		'`',
		'ſ',
		'K',
	],
];
const FINE = [
	'people',
	'users',
	'1f0c',
	'a.b',
	'~x',
	'a:b@c',
	"(1)'!*$&,;=+-_",
	'%41',
	'%C3%A9',
	'%20',
];

const nastyPath = fc
	.tuple(
		fc.array(
			fc.oneof(
				{ weight: 12, arbitrary: fc.constantFrom(...FINE) },
				{ weight: 4, arbitrary: fc.constantFrom(...NASTY) },
				{ weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
			),
			{ maxLength: 6 },
		),
		fc.constantFrom('', '/'),
		fc.constantFrom('', '/', '//', 'https://'),
	)
	.map(([parts, between, before]) => before + parts.join(between));

describe('the path of a request of the user’s own', () => {
	it('stays below the base URL whatever it is made of, and is sent as it stands', () => {
		let sent = 0;
		fc.assert(
			fc.property(nastyPath, fc.constantFrom(...BASES), (given, baseUrl) => {
				const result = checked(given);
				if (result === 'refused') return;
				sent++;
				const path = pathBelow(baseUrl, result.path);
				const url = new URL(baseUrl + path);
				expect(url.href).toBe(baseUrl + path);
				expect(liesAt(baseUrl, url.href)).toBe(true);
				for (const decoded of decodings(path)) {
					expect(decoded).toMatch(/^\/[^/]/);
					// eslint-disable-next-line no-control-regex -- control characters are what is looked for
					expect(decoded).not.toMatch(/\\|\/\/|\/\.|[\u0000-\u001f\u007f]/);
					expect(decoded.split('/')).toHaveLength(path.split('/').length);
				}
			}),
			{ numRuns: 5_000 },
		);
		expect(sent).toBeGreaterThan(100);
	});

	it('may be any that the interface shows or names', () => {
		const segment = fc.constantFrom(...FINE);
		fc.assert(
			fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
				const path = `/${segments.join('/')}`;
				expect(checked(path)).toEqual({ path });
				expect(checked(` ${path}\n`)).toEqual({ path });
			}),
		);
	});

	it.each([undefined, null, '', ' ', '\u200b', 5, true, {}, ['/people', '/users'], [undefined]])(
		'is none where it is %p',
		(given) => {
			expect(checked(given)).toBe('refused');
		},
	);

	it('begins once with the path of the base URL, and with that alone', () => {
		const below = (path: string) => pathBelow('https://crm.example.com/api', path);
		expect(below('/api/people/1')).toBe('/people/1');
		expect(below('/people/1')).toBe('/people/1');
		expect(below('/apis/1')).toBe('/apis/1');
		expect(below('/api')).toBe('/api');
		expect(pathBelow('https://crm.example.com', '/api/people')).toBe('/api/people');
	});
});
