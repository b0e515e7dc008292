import fc from 'fast-check';
import type { Outcome } from '../../../nodes/ContactTaskCrm/transport/http';
import { maybeSent, neverSent } from '../../../nodes/ContactTaskCrm/transport/networkErrors';
import type { Attempted } from '../../../nodes/ContactTaskCrm/transport/retryPolicy';
import {
	isTruncated,
	MAX_RETRIES,
	retryDecision,
} from '../../../nodes/ContactTaskCrm/transport/retryPolicy';

type Method = Attempted['method'];

const REPEATABLE: Method[] = ['GET', 'PUT', 'PATCH'];
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
const MAYBE_SENT = [
	'ECONNRESET',
	'ECONNABORTED',
	'EPIPE',
	'ETIMEDOUT',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ERR_BAD_RESPONSE',
];

const networkError = (code: string): Outcome => ({ kind: 'networkError', code, message: '' });
const answer = (status: number, headers = {}, body: unknown = {}): Outcome => ({
	kind: 'response',
	status,
	headers,
	body,
});
const truncated = (status = 200): Outcome =>
	answer(status, { 'content-type': 'application/ld+json; charset=utf-8' }, '{"member": [{"id"');

const kindAfter = (outcome: Outcome, method: Method, retries = 0) =>
	retryDecision({ outcome, method, retries, random: 0, wallTime: 0 }).kind;

describe('GET, PUT and PATCH', () => {
	it.each([500, 502, 503, 504])('are tried again after %d', (status) => {
		for (const method of REPEATABLE) expect(kindAfter(answer(status), method)).toBe('retry');
	});

	it.each([301, 400, 401, 403, 404, 409, 415, 422, 501, 505])(
		'are not tried again after %d, which would come again',
		(status) => {
			for (const method of REPEATABLE) expect(kindAfter(answer(status), method)).toBe('final');
		},
	);

	it.each([...NEVER_SENT, ...MAYBE_SENT])('are tried again after %s', (code) => {
		for (const method of REPEATABLE) expect(kindAfter(networkError(code), method)).toBe('retry');
	});

	it.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_INVALID_URL', ''])(
		'are not tried again after %p, which would come again',
		(code) => {
			for (const method of REPEATABLE) expect(kindAfter(networkError(code), method)).toBe('final');
		},
	);

	it('are tried again after an answer that broke off', () => {
		for (const method of REPEATABLE) expect(kindAfter(truncated(), method)).toBe('retry');
	});

	it('are tried again five times at most', () => {
		expect(MAX_RETRIES).toBe(5);
		for (const method of REPEATABLE) {
			expect(kindAfter(answer(503), method, 4)).toBe('retry');
			expect(kindAfter(answer(503), method, 5)).toBe('final');
		}
	});
});

it('whoever cannot wait may ask for fewer tries', () => {
	const once = {
		outcome: answer(503),
		method: 'GET',
		maxRetries: 1,
		random: 0,
		wallTime: 0,
	} as const;
	const kind = (retries: number) => retryDecision({ ...once, retries }).kind;
	expect([kind(0), kind(1)]).toEqual(['retry', 'final']);
});

describe('POST', () => {
	it.each(NEVER_SENT)('is tried again after %s, since it never left', (code) => {
		expect(neverSent(code)).toBe(true);
		expect(kindAfter(networkError(code), 'POST')).toBe('retry');
		expect(kindAfter(networkError(code), 'POST', 5)).toBe('final');
	});

	it.each(MAYBE_SENT)('is never tried again after %s, since it may have taken effect', (code) => {
		expect(maybeSent(code)).toBe(true);
		expect(kindAfter(networkError(code), 'POST')).toBe('final');
	});

	it('is never tried again once anything was answered', () => {
		fc.assert(
			fc.property(fc.integer({ min: 100, max: 599 }), fc.nat(4), (status, retries) => {
				expect(kindAfter(answer(status, { 'retry-after': '1' }), 'POST', retries)).toBe('final');
			}),
		);
		expect(kindAfter(truncated(201), 'POST')).toBe('final');
	});

	it('is never tried again after a failure that is not known', () => {
		fc.assert(
			fc.property(fc.string(), (code) => {
				fc.pre(!NEVER_SENT.includes(code));
				expect(kindAfter(networkError(code), 'POST')).toBe('final');
			}),
		);
	});
});

describe('the wait before a request is sent again', () => {
	const waitAfter = (retries: number, random: number, headers = {}) => {
		const outcome = answer(503, headers);
		const decision = retryDecision({ outcome, method: 'GET', retries, random, wallTime: 0 });
		return decision.kind === 'retry' ? decision.waitMs : undefined;
	};

	it('doubles from one second on', () => {
		expect([0, 1, 2, 3, 4].map((retries) => waitAfter(retries, 0))).toEqual([
			1_000, 2_000, 4_000, 8_000, 16_000,
		]);
	});

	it('is lengthened by up to half by jitter', () => {
		expect(waitAfter(0, 0.5)).toBe(1_250);
		expect([0, 1, 2, 3, 4].map((retries) => waitAfter(retries, 1))).toEqual([
			1_500, 3_000, 6_000, 12_000, 24_000,
		]);
	});

	it('is never shorter than Retry-After asks', () => {
		expect(waitAfter(0, 0, { 'retry-after': '7' })).toBe(7_000);
		expect(waitAfter(4, 0, { 'retry-after': '7' })).toBe(16_000);
		const date = 'Mon, 15 Jun 2026 12:00:00 GMT';
		expect(waitAfter(0, 0, { 'retry-after': 'Mon, 15 Jun 2026 12:01:00 GMT', date })).toBe(60_000);
	});

	it('does not hang: where five minutes or more are asked for, the answer is taken as it is', () => {
		expect(waitAfter(0, 0, { 'retry-after': '300' })).toBe(300_000);
		expect(waitAfter(0, 0, { 'retry-after': '301' })).toBeUndefined();
	});
});

describe('an answer that broke off', () => {
	it('is told by text where JSON was announced', () => {
		for (const type of ['application/json', 'application/ld+json', 'application/problem+json']) {
			expect(isTruncated(answer(200, { 'content-type': type }, '{"id": "1'))).toBe(true);
		}
	});

	it.each<[string, Outcome]>([
		['parsed', answer(200, { 'content-type': 'application/json' }, { id: '1' })],
		['empty, as a command is answered', answer(201, { 'content-type': 'application/json' }, '')],
		['of another type', answer(200, { 'content-type': 'text/html' }, '<html>')],
		['of no type', answer(200, {}, 'text')],
		['no success', answer(500, { 'content-type': 'application/json' }, '{"detail"')],
		['none at all', networkError('ECONNRESET')],
	])('is none where it is %s', (_, outcome) => {
		expect(isTruncated(outcome)).toBe(false);
	});
});
