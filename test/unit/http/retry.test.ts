import fc from 'fast-check';
import type { Outcome } from '../../../nodes/ContactTaskCrm/http/request';
import {
	limitEffectOf,
	MAX_RETRIES,
	mayHaveTakenEffect,
	retryAfterMs,
	retryDecision,
} from '../../../nodes/ContactTaskCrm/http/retry';

type Attempted = Parameters<typeof retryDecision>[0];
type Method = Attempted['method'];

const REPEATABLE: Method[] = ['GET', 'PUT', 'PATCH'];
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
const MAYBE_SENT = [
	...['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
	...['ERR_BAD_RESPONSE', 'HPE_INVALID_CONSTANT', 'Z_DATA_ERROR'],
];

const networkError = (code: string): Outcome => ({ kind: 'networkError', code, message: '' });
const answer = (status: number, headers = {}, body: unknown = {}): Outcome => ({
	kind: 'response',
	status,
	headers,
	body,
});
const outcomeOf = (result: string | number) =>
	typeof result === 'number' ? answer(result) : networkError(result);
const truncated = (status: number): Outcome =>
	answer(status, { 'content-type': 'application/ld+json; charset=utf-8' }, '{"member": [{"id"');

function decided(outcome: Outcome, method: Method, parts: Partial<Attempted> = {}) {
	const attempted = {
		outcome,
		method,
		retries: 0,
		maxRetries: MAX_RETRIES,
		random: 0,
		wallTime: 0,
	};
	return retryDecision({ ...attempted, ...parts });
}

const isRetried = (outcome: Outcome, method: Method, retries = 0) =>
	decided(outcome, method, { retries }).kind === 'retry';

describe('whether a request is sent again', () => {
	it.each([408, 425, 500, 502, 503, 504, 520, 524, ...NEVER_SENT, ...MAYBE_SENT])(
		'The node retries GET, PUT and PATCH after the status or error %p',
		(result) => {
			for (const method of REPEATABLE) expect(isRetried(outcomeOf(result), method)).toBe(true);
			expect(isRetried(truncated(200), 'GET')).toBe(true);
		},
	);

	it.each([
		...[301, 400, 401, 403, 404, 409, 415, 422, 501, 505, 'CERT_HAS_EXPIRED', 'ERR_INVALID_URL'],
		...['DEPTH_ZERO_SELF_SIGNED_CERT', 'ANSWER_TOO_LARGE', 'HPE_HEADER_OVERFLOW', ''],
	])('The node retries no GET, PUT or PATCH after the status or error %p', (result) => {
		for (const method of REPEATABLE) expect(isRetried(outcomeOf(result), method)).toBe(false);
	});

	const ONCE_ONLY: Method[] = ['POST', 'DELETE'];

	it.each(NEVER_SENT)(
		'The node retries POST and DELETE after the error %s, because nothing was sent',
		(code) => {
			for (const method of ONCE_ONLY) expect(isRetried(networkError(code), method)).toBe(true);
		},
	);

	it.each(ONCE_ONLY)(
		'retryDecision does not retry a %s that was answered or may have left n8n',
		(method) => {
			const someOutcome = fc.oneof(
				fc.integer({ min: 100, max: 599 }).map((status) => answer(status, { 'retry-after': '1' })),
				fc.constantFrom(...MAYBE_SENT).map(networkError),
				fc.string().map(networkError),
				fc.constant(truncated(201)),
			);
			fc.assert(
				fc.property(someOutcome, fc.nat(4), (outcome, retries) => {
					fc.pre(outcome.kind === 'response' || !NEVER_SENT.includes(outcome.code));
					expect(isRetried(outcome, method, retries)).toBe(false);
				}),
			);
		},
	);

	it('The node retries a request five times at most, unless callers set another maximum', () => {
		const isAgain = (retries: number, maxRetries = MAX_RETRIES) =>
			decided(answer(503), 'GET', { retries, maxRetries }).kind === 'retry';
		expect([isAgain(4), isAgain(5)]).toEqual([true, false]);
		expect([isAgain(0, 1), isAgain(1, 1)]).toEqual([true, false]);
	});
});

it('The wait before a retry doubles from one second, never shorter than Retry-After', () => {
	const waits = (random: number, headers = {}) =>
		[0, 1, 2, 3, 4].map((retries) => {
			const decision = decided(answer(503, headers), 'GET', { retries, random });
			return decision.kind === 'retry' ? decision.waitMs : undefined;
		});
	expect(waits(0)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
	expect(waits(1)).toEqual([1_500, 3_000, 6_000, 12_000, 24_000]);
	expect(waits(0, { 'retry-after': '7' })).toEqual([7_000, 7_000, 7_000, 8_000, 16_000]);
	expect(waits(0, { 'retry-after': '300' })[0]).toBe(300_000);
	// A run does not wait longer. It accepts this answer as final.
	expect(waits(0, { 'retry-after': '301' })[0]).toBeUndefined();
});

it.each<[Method, Outcome, boolean]>([
	['GET', answer(500), false],
	['POST', answer(500), true],
	['PATCH', answer(408), true],
	['POST', answer(422), false],
	['POST', truncated(201), true],
	['PUT', networkError('ECONNRESET'), true],
	['POST', networkError('ECONNREFUSED'), false],
	['POST', networkError('CERT_HAS_EXPIRED'), false],
	['POST', networkError(''), false],
])(
	'The node says whether a failed %s may have taken effect after %j: %p',
	(method, outcome, isPossible) => {
		expect(mayHaveTakenEffect(outcome, method)).toBe(isPossible);
	},
);

it.each<[Method, Outcome, boolean]>([
	['PATCH', networkError('ECONNREFUSED'), true],
	['PATCH', networkError('CERT_HAS_EXPIRED'), true],
	['PUT', answer(302), true],
	['PUT', answer(425), true],
	['PATCH', answer(429), true],
	['PATCH', answer(400), false],
	['PUT', answer(404), false],
	['GET', networkError('ECONNREFUSED'), false],
])('After an uncertain try, a %s ending with %j may have taken effect: %p', (...given) => {
	const [method, outcome, isPossible] = given;
	expect(mayHaveTakenEffect(outcome, method, true)).toBe(isPossible);
});

const SERVICE_TIME = Date.UTC(2026, 5, 15, 12, 0, 0);
const DATE = new Date(SERVICE_TIME).toUTCString();
/** The time of this machine, an hour and a half fast. */
const WRONG_CLOCK = SERVICE_TIME + 5_400_000;

const waitOf = (
	value: string | undefined,
	date: string | undefined = DATE,
	wallTime = WRONG_CLOCK,
) => retryAfterMs({ ...(value === undefined ? {} : { 'retry-after': value }), date }, wallTime);

describe('Retry-After', () => {
	it.each([
		['1', 1_000],
		[' 30 ', 30_000],
		['86400', 86_400_000],
		[String(SERVICE_TIME / 1000 + 42), 42_000],
		[String(SERVICE_TIME + 42_500), 42_500],
		['Mon, 15 Jun 2026 12:00:50 GMT', 50_000],
		['Monday, 15-Jun-26 12:00:50 GMT', 50_000],
		['Mon Jun 15 12:00:50 2026', 50_000],
	])('The node reads Retry-After %j as %d ms, counted from the header Date', (value, ms) => {
		expect(waitOf(value)).toBe(ms);
	});

	it('Without a usable Date header, the node measures Retry-After against the local clock', () => {
		const inAMinute = new Date(SERVICE_TIME + 60_000).toUTCString();
		for (const date of ['', 'yesterday', '15']) {
			expect(waitOf(inAMinute, date, SERVICE_TIME)).toBe(60_000);
		}
	});

	it.each([
		...[undefined, '', '   ', '0', '0.25', '-5', 'soon', 'retry 2090', '30s', '1e3', '1,5', '5, 5'],
		...['0x10', 'Infinity', 'NaN', 'PT30S', '2026-07', 'Mon, 31 Jun 2026 12:00:50 GMT'],
		...['86401', '999999999', '1000000000', '999999999999', '9'.repeat(30)],
		...[String(SERVICE_TIME / 1000 - 1), String(SERVICE_TIME - 1), DATE],
		'Mon, 15 Jun 2026 11:59:59 GMT',
	])('The node ignores a Retry-After that is invalid, past or beyond a day: %j', (value) => {
		expect(waitOf(value)).toBeUndefined();
	});

	it('Any Retry-After gives no wait, or a positive wait of a day at most', () => {
		const someTime = fc.date({ noInvalidDate: true }).map(String);
		fc.assert(
			fc.property(
				fc.oneof(fc.string(), fc.integer().map(String), someTime),
				fc.oneof(fc.string(), fc.constant(undefined)),
				(value, date) => {
					const wait = waitOf(value, date, SERVICE_TIME) ?? 1;
					expect(wait > 0 && wait <= 86_400_000).toBe(true);
				},
			),
		);
	});
});

it.each<[Outcome, object]>([
	[networkError(''), { kind: 'unsent' }],
	[networkError('ECONNREFUSED'), { kind: 'unanswered' }],
	[networkError('ECONNRESET'), { kind: 'unanswered' }],
	[answer(200), { kind: 'accepted' }],
	[answer(503, { 'retry-after': '7' }), { kind: 'accepted' }],
	[answer(429, { 'retry-after': '7' }), { kind: 'refused', retryAfter: 7_000 }],
	[answer(429, { 'retry-after': '0' }), { kind: 'refused', retryAfter: undefined }],
	[answer(429), { kind: 'refused', retryAfter: undefined }],
])('In row %#, the outcome has the right effect on the rate limit', (outcome, effect) => {
	expect(limitEffectOf(outcome, 0)).toEqual(effect);
});
