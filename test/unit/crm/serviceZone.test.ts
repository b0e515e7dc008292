import fc from 'fast-check';
import { DateTime } from 'luxon';
import { ServiceZone } from '../../../nodes/ContactTaskCrm/crm/serviceZone';
import { runsOf } from '../../support/drawn';

const ZONES = [
	...['Europe/Amsterdam', 'Europe/London', 'America/New_York', 'America/St_Johns'],
	...['Asia/Kolkata', 'Australia/Sydney', 'Pacific/Auckland', 'Pacific/Honolulu'],
];
const shownIn = (zone: string, at: number) =>
	DateTime.fromMillis(at, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");

const anyZone = fc.constantFrom(...ZONES);
const anyTime = fc
	.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2037, 0) / 1000 })
	.map((seconds) => seconds * 1000);

function zoneWith(...shown: string[]): ServiceZone {
	const zone = new ServiceZone();
	for (const time of shown) zone.note(time);
	return zone;
}
const written = (zone: ServiceZone, at: number, timezone: string) =>
	zone.written(new Date(at).toISOString(), timezone) as string;

it('The node writes a time as the same instant, whatever offsets the service shows', () => {
	fc.assert(
		fc.property(anyZone, anyZone, anyTime, fc.array(anyTime), (own, workflow, at, shown) => {
			const zone = zoneWith(...shown.map((time) => shownIn(own, time)));
			expect(Date.parse(written(zone, at, workflow))).toBe(at);
		}),
		{ numRuns: runsOf(100) },
	);
});

it("If all shown offsets fit the workflow's zone, the node writes in that zone", () => {
	fc.assert(
		fc.property(anyZone, anyTime, fc.array(anyTime, { minLength: 1 }), (own, at, shown) => {
			const texts = shown.map((time) => shownIn(own, time));
			fc.pre(texts.some((text) => !text.endsWith('+00:00')));
			const text = written(zoneWith(...texts), at, own).replace(/Z$/, '+00:00');
			expect(text).toBe(shownIn(own, at));
		}),
	);
});

it("For a shown instant, the node writes the shown offset, whatever the workflow's zone", () => {
	fc.assert(
		fc.property(anyZone, anyZone, fc.array(anyTime, { minLength: 1 }), (own, workflow, shown) => {
			const texts = shown.map((time) => shownIn(own, time));
			fc.pre(texts.some((text) => !text.endsWith('+00:00')));
			const zone = zoneWith(...texts);
			for (const [index, at] of shown.entries()) {
				expect(written(zone, at, workflow).replace(/Z$/, '+00:00')).toBe(texts[index]);
			}
		}),
		{ numRuns: runsOf(100) },
	);
});

it('The node writes a time with Z if the service has shown only UTC', () => {
	const same = fc.constantFrom('Z', '+00:00', '+0000', '-00:00');
	fc.assert(
		fc.property(anyZone, anyTime, fc.array(fc.tuple(anyTime, same)), (workflow, at, shown) => {
			const texts = shown.map(([time, sign]) => new Date(time).toISOString().slice(0, 19) + sign);
			const text = new Date(at).toISOString().replace('.000Z', 'Z');
			expect(written(zoneWith(...texts), at, workflow)).toBe(text);
		}),
	);
});

const ALL_ZONES = Intl.supportedValuesOf('timeZone');
const between = (from: number, until: number) =>
	fc.integer({ min: from / 1000, max: until / 1000 - 1 }).map((seconds) => seconds * 1000);

it('For a service in any IANA zone, the node writes the intended instant', () => {
	const anyOfAll = fc.constantFrom(...ALL_ZONES);
	const shownTime = between(Date.UTC(2015, 0), Date.UTC(2031, 0));
	const writtenTime = between(Date.UTC(1890, 0), Date.UTC(2100, 0));
	fc.assert(
		fc.property(
			...[anyOfAll, anyOfAll, writtenTime, fc.array(shownTime)],
			(own, workflow, at, shown) => {
				const zone = zoneWith(...shown.map((time) => shownIn(own, time)));
				expect(Date.parse(written(zone, at, workflow))).toBe(at);
			},
		),
		{ numRuns: runsOf(100) },
	);
});

it('A summer and a winter time teach the node a European or American zone', () => {
	// Cuba is alone in America with its hour of the change. New York's zone has more votes in that hour.
	const zones = ALL_ZONES.filter(
		(name) => /^(Europe|America)/.test(name) && name !== 'America/Havana',
	);
	const year = fc.constantFrom(2025, 2026);
	const winter = year.chain((of) => between(Date.UTC(of, 0), Date.UTC(of, 2)));
	const summer = year.chain((of) => between(Date.UTC(of, 5), Date.UTC(of, 8)));
	const anyOfThem = between(Date.UTC(2025, 0), Date.UTC(2027, 0));
	fc.assert(
		fc.property(
			...[fc.constantFrom(...zones), winter, summer, fc.array(anyOfThem), anyOfThem],
			(own, cold, warm, others, at) => {
				const texts = [cold, ...others, warm].map((time) => shownIn(own, time));
				const text = written(zoneWith(...texts), at, 'Asia/Tokyo').replace(/Z$/, '+00:00');
				expect(text).toBe(shownIn(own, at));
			},
		),
		{ numRuns: runsOf(300) },
	);
});

const WINTER = '2026-01-15T10:00:00+01:00';
const SUMMER = '2026-07-15T10:00:00+02:00';
const APRIL = '2026-04-15T10:00:00+02:00';
const NOVEMBER = '2026-11-15T10:00:00+01:00';
const NEW_YORK = ['2026-01-16T10:00:00-05:00', '2026-07-16T10:00:00-04:00'];
const FIXED = ['2026-07-15T10:00:00-03:30', '2026-01-15T10:00:00-0330'];
const TURKEY = [
	...['2014-01-15T10:00:00+02:00', '2026-06-15T10:00:00+03:00'],
	'2025-12-15T10:00:00+03:00',
];

it.each<[string[], string, string, string]>([
	[[WINTER], 'Europe/Amsterdam', '2026-07-01T08:00:00Z', '2026-07-01T10:00:00+02:00'],
	// Of the zones with +01:00 in January, most are European and have summer time.
	[[WINTER], 'America/New_York', '2026-07-01T08:00:00Z', '2026-07-01T10:00:00+02:00'],
	[[WINTER, SUMMER], 'America/New_York', '2026-06-01T08:00:00Z', '2026-06-01T10:00:00+02:00'],
	[[WINTER, SUMMER], 'UTC', '2026-11-25T08:00:00Z', '2026-11-25T09:00:00+01:00'],
	[[WINTER, SUMMER], 'UTC', '2028-01-10T08:00:00Z', '2028-01-10T09:00:00+01:00'],
	[[APRIL, NOVEMBER], 'America/New_York', '2027-03-01T08:00:00Z', '2027-03-01T09:00:00+01:00'],
	[[APRIL, NOVEMBER], 'Asia/Tokyo', '2027-03-30T08:00:00Z', '2027-03-30T10:00:00+02:00'],
	// Turkey has had summer time all year since 2016. Most zones with the first two offsets still change in winter.
	[TURKEY.slice(0, 2), 'UTC', '2026-12-15T08:00:00Z', '2026-12-15T10:00:00+02:00'],
	[TURKEY, 'UTC', '2026-12-15T08:00:00Z', '2026-12-15T11:00:00+03:00'],
	// No zone of the database has +00:07. So the node uses this offset all year.
	[['2026-01-15T10:00:00+00:07'], 'UTC', '2026-07-01T08:00:00Z', '2026-07-01T08:07:00+00:07'],
	// The service moved from Amsterdam to New York, or back. The later answers count.
	[[WINTER, SUMMER, ...NEW_YORK], 'UTC', '2026-12-01T08:00:00Z', '2026-12-01T03:00:00-05:00'],
	[[...NEW_YORK, WINTER, SUMMER], 'UTC', '2026-12-01T08:00:00Z', '2026-12-01T09:00:00+01:00'],
	// A service without summer time has the offset of St. John's in January.
	[FIXED, 'UTC', '2026-08-01T08:00:00Z', '2026-08-01T04:30:00-03:30'],
	[[WINTER], 'no zone', '2026-02-01T08:00:00.250Z', '2026-02-01T09:00:00.250+01:00'],
	[['2026-01-15T10:00:00-0330'], 'UTC', '2026-02-01T08:00:00Z', '2026-02-01T04:30:00-03:30'],
])(
	'If the service shows %j, a workflow in %s writes time %s as %s',
	(shown, timezone, time, expected) => {
		expect(zoneWith(...shown).written(time, timezone)).toBe(expected);
	},
);

it("A time that the service shows after a write changes the next write's offset", () => {
	const zone = zoneWith(WINTER);
	expect(zone.written('2026-07-01T08:00:00Z', 'UTC')).toBe('2026-07-01T10:00:00+02:00');
	zone.note('2026-07-15T10:00:00+01:00');
	expect(zone.written('2026-07-01T08:00:00Z', 'UTC')).toBe('2026-07-01T09:00:00+01:00');
	// No zone had this offset and the earlier ones. The latest answer counts.
	zone.note('2026-01-16T10:00:00+05:30');
	expect(zone.written('2026-07-01T08:00:00Z', 'UTC')).toBe('2026-07-01T13:30:00+05:30');
});

it.each([null, 7, '', 'soon', '2026-12-31', '2026-12-31T10:00:00', '2026-W05'])(
	'The value %j without an offset shows no zone, and stays unchanged',
	(value) => {
		expect(zoneWith(value as string).isKnown).toBe(false);
		expect(zoneWith(WINTER).written(value, 'Europe/Amsterdam')).toBe(value);
	},
);

it.each(['1900-01-01T00:00:00+00:20', '9999-12-31T00:00:00+00:00'])(
	'The node learns no time zone from a time in a far year: %s',
	(shown) => {
		expect(zoneWith(shown).isKnown).toBe(false);
	},
);

it('The node learns the zone from the latest 100 times, and forgets older ones', () => {
	const months = Array.from({ length: 300 }, (_, month) => Date.UTC(2010, month, 2));
	const zone = zoneWith('2009-06-15T10:00:00+09:00', ...months.map((at) => shownIn('UTC', at)));
	expect(zone.written('2009-06-15T10:00:00Z', 'UTC')).toBe('2009-06-15T10:00:00Z');
});
