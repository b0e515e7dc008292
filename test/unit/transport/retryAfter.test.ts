import fc from 'fast-check';
import { retryAfterMs } from '../../../nodes/ContactTaskCrm/transport/retryAfter';

const SERVICE_TIME = Date.UTC(2026, 5, 15, 12, 0, 0);
const DATE = new Date(SERVICE_TIME).toUTCString();
/** A clock here that is an hour and a half off. */
const WRONG_CLOCK = SERVICE_TIME + 5_400_000;

const waitOf = (retryAfter: string | undefined, date: string | undefined = DATE) =>
	retryAfterMs({ retryAfter, date }, WRONG_CLOCK);

describe('Retry-After as a number', () => {
	it.each([
		['1', 1_000],
		['42', 42_000],
		['+7', 7_000],
		[' 30 ', 30_000],
		['1.5', 1_500],
		['0.25', 250],
		['86400', 86_400_000],
	])('%p is that many seconds', (header, wait) => {
		expect(waitOf(header)).toBe(wait);
	});

	it('from 1e9 on is an epoch in seconds, measured against the Date of the response', () => {
		expect(waitOf(String(SERVICE_TIME / 1000 + 42))).toBe(42_000);
	});

	it('from 1e12 on is an epoch in milliseconds, measured against the Date of the response', () => {
		expect(waitOf(String(SERVICE_TIME + 42_500))).toBe(42_500);
	});

	it('says nothing of a length that is not believable, so that one header cannot close a tenant for good', () => {
		for (const header of ['86401', '999999999', '1000000000', '999999999999', '9'.repeat(30)]) {
			expect(waitOf(header)).toBeUndefined();
		}
	});
});

describe('Retry-After as a date', () => {
	it.each([
		['of HTTP', 'Mon, 15 Jun 2026 12:00:50 GMT'],
		['of RFC 850', 'Monday, 15-Jun-26 12:00:50 GMT'],
		['of asctime, which is in UTC wherever this machine is', 'Mon Jun 15 12:00:50 2026'],
		['with an offset', 'Mon, 15 Jun 2026 14:00:50 +0200'],
		['of ISO 8601', '2026-06-15T12:00:50Z'],
		['of ISO 8601 with an offset', '2026-06-15T14:00:50+02:00'],
		['of ISO 8601 without a zone, which is meant in UTC', '2026-06-15T12:00:50'],
	])('%s is measured against the Date of the response', (_, header) => {
		expect(waitOf(header)).toBe(50_000);
	});

	it.each([undefined, '', 'yesterday', '15'])(
		'is measured against the clock here where Date is %p',
		(date) => {
			const inAMinute = new Date(SERVICE_TIME + 60_000).toUTCString();
			expect(retryAfterMs({ retryAfter: inAMinute, date }, SERVICE_TIME)).toBe(60_000);
		},
	);

	it('needs no Date header where it is a number of seconds', () => {
		expect(retryAfterMs({ retryAfter: '9' }, WRONG_CLOCK)).toBe(9_000);
	});
});

describe('Retry-After that cannot be relied on', () => {
	it.each([
		['missing', undefined],
		['empty', ''],
		['blank', '   '],
		['zero', '0'],
		['zero with a fraction', '0.0'],
		['negative', '-5'],
		['words', 'soon'],
		['words with a year, which lenient parsers make a date of', 'retry 2090'],
		['a number with a unit', '30s'],
		['a number with an exponent', '1e3'],
		['a number with a comma', '1,5'],
		['two numbers', '5, 5'],
		['hexadecimal', '0x10'],
		['infinite', 'Infinity'],
		['not a number', 'NaN'],
		['a duration', 'PT30S'],
		['a year and a month', '2026-07'],
		['a date that is not in the calendar', 'Mon, 31 Jun 2026 12:00:50 GMT'],
		['an epoch in seconds in the past', String(SERVICE_TIME / 1000 - 1)],
		['an epoch in milliseconds in the past', String(SERVICE_TIME - 1)],
		['the present', DATE],
		['a date in the past', 'Mon, 15 Jun 2026 11:59:59 GMT'],
	])('says nothing: %s', (_, header) => {
		expect(waitOf(header)).toBeUndefined();
	});

	it('gives a positive wait of a day at most or nothing, whatever the headers hold', () => {
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					fc.integer().map(String),
					fc.date({ noInvalidDate: true }).map(String),
				),
				fc.option(fc.string(), { nil: undefined }),
				(retryAfter, date) => {
					const wait = retryAfterMs({ retryAfter, date }, SERVICE_TIME);
					expect(wait === undefined || (wait > 0 && wait <= 86_400_000)).toBe(true);
				},
			),
		);
	});
});
