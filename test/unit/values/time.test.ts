import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	instantOf,
	inZone,
	isSameTime,
	isZoned,
	withZone,
	writtenDate,
} from '../../../nodes/ContactTaskCrm/values/time';

const ZONE = 'Europe/Amsterdam';

it.each<{ value: unknown }>(
	[
		...['2026-13-01', '2026-07-01T25:00', '20260701', 1_782_000_000, true, null, {}],
		...[new Date(NaN), DateTime.invalid('x'), { toISO: () => null }, { toISO: 'text' }],
	].map((value) => ({ value })),
)('The node does not read the value $value as a time', ({ value }) => {
	expect(inZone(value, ZONE)).toBeUndefined();
});

describe('a date as people write it', () => {
	it.each([
		['31.12.2026', '2026-12-31'],
		['1.2.2026', '2026-02-01'],
		['01.02.26', '2026-02-01'],
		['31-12-2026', '2026-12-31'],
		['31/12/2026', '2026-12-31'],
		['12/31/2026', '2026-12-31'],
		['12-31-2026', '2026-12-31'],
		['5/5/2026', '2026-05-05'],
		['2026/12/31', '2026-12-31'],
		['2026.2.1', '2026-02-01'],
		['31.12.2026 9:30', '2026-12-31 09:30:00'],
		['12/31/2026, 5:00 PM', '2026-12-31 17:00:00'],
		['12/31/2026 12:15 am', '2026-12-31 00:15:00'],
		['20/Mar/26 12:00 AM', '2026-03-20 00:00:00'],
		['20 mars 2026', '2026-03-20'],
		['3. März 2026', '2026-03-03'],
		['3 mrt. 2026', '2026-03-03'],
		['3. Mrz 2026', '2026-03-03'],
		['03-Mrz-26', '2026-03-03'],
		['3. Jänner 2026', '2026-01-03'],
		['1-Okt-2026', '2026-10-01'],
		['29 Oct 2025', '2025-10-29'],
		['15 août 2026 14:30', '2026-08-15 14:30:00'],
		['Mar 20 2026', '2026-03-20'],
		['Thursday, December 31, 2026 10:00 AM', '2026-12-31 10:00:00'],
	])('The node reads the text %s as the date %s', (text, date) =>
		expect(writtenDate(text)).toBe(date),
	);

	it.each([
		...['1/2/2026', '01-02-2026', '26/12/31', '12/31/26', '31.12', '31.12.', '32.12.2026'],
		...['31.02.2026', '13/13/2026', '31.12-2026', '31 12 2026', '31.12.20266', '1.500', 'soon', ''],
		...['2026-12-', '2026.12.2026', '311.12.2026', '123/5/2026', '5/123/2026', '31.12.2', '31/12/'],
		...['31 Feb 2026', '20 Foo 2026', 'Foo 20 2026', '2026/Mar/20', '20/Mar/2', '1 May 2026 x'],
	])('The node does not read the text %j as a date', (text) =>
		expect(writtenDate(text)).toBeUndefined(),
	);
});

it.each([
	['2026-12-31', '2026-12-31T10:00:00Z', true],
	['2026-12-31', '2026-12-30T10:00:00Z', false],
	['2026-12-31T00:00:00Z', '2026-12-31', true],
	['2026-12-31T00:00:01Z', '2026-12-31', false],
	['2026-12-31T00:00:00Z', '2026-12-30', false],
	['2026-12-31T10:00:00Z', '2026-12-31T10:00:00.750Z', true],
	['2026-12-31T10:00:00.000Z', '2026-12-31T10:00:00.750Z', false],
	['2026-13-01T10:00:00Z', '2026-14-01T10:00:00Z', false],
	['2026-13-01T10:00:00Z', '1970-01-01T00:00:00Z', false],
	['1970-01-01T00:00:00Z', '2026-13-01T10:00:00Z', false],
	['2026-12-31', null, false],
	['soon', 'soon', false],
])('A shown time %j and a given time %j are equal: %p', (shown, given, isSame) => {
	expect(isSameTime(shown, given)).toBe(isSame);
});

describe('text without a zone', () => {
	it.each([
		['2026-07-01T10:00:00', '2026-07-01T10:00:00+02:00'],
		['2026-01-01T10:00:00', '2026-01-01T10:00:00+01:00'],
		['2026-07-01 10:00', '2026-07-01T10:00:00+02:00'],
		['2026-07-01', '2026-07-01T00:00:00+02:00'],
		[' 2026-07-01T10:00:00.5 ', '2026-07-01T10:00:00.500+02:00'],
	])("The time %p gets the offset of the workflow's zone", (value, zoned) => {
		expect(withZone(value, ZONE)).toBe(zoned);
	});

	it.each(['2026-07-01T10:00:00Z', '2026-07-01T10:00:00+02:00', '10:00', 'x', ''])(
		'The time %p gets no offset, because it has one or is no date',
		(value) => {
			expect(withZone(value, ZONE)).toBeUndefined();
		},
	);

	it('A date that does not exist gets no offset', () => {
		expect(withZone('2026-02-30T10:00', ZONE)).toBeUndefined();
	});
});

describe('the time that a service wrote', () => {
	const anyTime = fc.date({
		min: new Date('1000-01-01T00:00:00Z'),
		max: new Date('9999-12-31T00:00:00Z'),
		noInvalidDate: true,
	});
	const anyZone = fc.integer({ min: -14 * 4, max: 14 * 4 }).map((quarters) => quarters * 15);

	it('The node reads an ISO time as its instant, whatever the offset', () => {
		fc.assert(
			fc.property(anyTime, anyZone, (time, zone) => {
				const written = DateTime.fromJSDate(time).toUTC(zone).toISO()!;
				expect(instantOf(written)).toBe(time.getTime());
				expect(isZoned(written)).toBe(true);
			}),
		);
	});

	it.each([
		['2026-07-01T10:00:00.123456Z', '2026-07-01T10:00:00.123Z', true],
		['2026-07-01T10:00:00,5+0200', '2026-07-01T08:00:00.500Z', true],
		['2026-07-01T10:00:00+02', '2026-07-01T08:00:00.000Z', true],
		['2026-07-01 10:00:00', '2026-07-01T10:00:00.000Z', false],
		['2026-07-01t10:00z', '2026-07-01T10:00:00.000Z', true],
		['2026-07-01', '2026-07-01T00:00:00.000Z', false],
	])('The node reads the time %s of the service as the instant %s', (written, time, zoned) => {
		expect(new Date(instantOf(written)!).toISOString()).toBe(time);
		expect(isZoned(written)).toBe(zoned);
	});

	it.each([undefined, null, 1767225600, '1767225600', '2026', '01-07-2026', '2026-13-01', 'soon'])(
		'The node does not read the value %j of the service as a time',
		(written) => {
			expect(instantOf(written)).toBeUndefined();
		},
	);
});
