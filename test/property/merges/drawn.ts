import fc from 'fast-check';
import type { Fault } from '../../service';

/** A person before the merge. A number is a position in a table below, such as `EMAILS`, or in one of its rows. */
export interface DrawnPerson {
	name: number;
	emails: Spelled[];
	phones: Spelled[];
	network: number | null;
	tags: number[];
	jobTitle: string | null;
	isArchived: boolean;
}

export interface Spelled {
	value: number;
	spelling: number;
}

/** A change of a colleague right before a request. */
export interface DrawnChange {
	beforeRequest: number;
	who: number;
	what: 'email' | 'phone' | 'tag' | 'noEmail' | 'name' | 'archive' | 'job';
	value: number;
}

/** A merge that keeps the first person. The test runs it twice. */
export interface DrawnMerge {
	people: DrawnPerson[];
	/** Positions of the people in Merge From, in this order. */
	from: number[];
	isFromText: boolean;
	mustShare: boolean;
	mayDiffer: boolean;
	changes: DrawnChange[];
	faults: Fault[];
	cancelAfterMs: number | undefined;
	limit: number;
}

/** Names of one person in several forms, and of a stranger. */
export const NAMES = [
	{ givenName: 'Eva', familyName: 'Vos' },
	{ givenName: 'E.', familyName: 'Vos' },
	{ givenName: null, familyName: 'de Vos' },
	{ givenName: 'Bo', familyName: 'Kok' },
];
export const STRANGER = 3;

/** Each value in its spellings. */
export const EMAILS = [
	['eva@x.example', 'EVA@X.example'],
	['eva@work.example', 'Eva@Work.example'],
	['info@y.example', 'INFO@y.example'],
	['old@z.example', 'OLD@z.example'],
];
export const PHONES = [
	['+31612345678', '06 12345678', '0031 6-1234 5678'],
	['+31201234567', '020 1234567', '+31 (0)20 123 45 67'],
	['+4930123456', '0049 30 123456'],
];
export const NETWORKS = ['eva-vos', '12345678'];

const index = (list: readonly unknown[]) => fc.nat(list.length - 1);
const spelled = (list: readonly unknown[]) =>
	fc.array(fc.record({ value: index(list), spelling: fc.nat(2) }), { maxLength: 3 });

const person = fc.record<DrawnPerson>({
	name: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 2, 2, STRANGER),
	emails: spelled(EMAILS),
	phones: spelled(PHONES),
	network: fc.constantFrom(null, null, 0, 1),
	tags: fc.subarray([0, 1, 2]),
	jobTitle: fc.constantFrom(null, 'Buyer', 'Chef'),
	isArchived: fc.nat(19).map((one) => one === 0),
});

const change = (count: number) =>
	fc.record<DrawnChange>({
		// Most changes come while the node writes, which it does after one read of each person.
		beforeRequest: fc.oneof(
			fc.integer({ min: 1, max: count }),
			fc.integer({ min: count + 1, max: count + 3 }),
			fc.integer({ min: count + 2, max: 2 * count + 3 }),
		),
		who: fc.nat(count - 1),
		what: fc.constantFrom(
			...(['email', 'phone', 'tag', 'email', 'phone', 'tag'] as const),
			...(['archive', 'archive', 'noEmail', 'name', 'job'] as const),
		),
		value: fc.nat(2),
	});

const fault: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constantFrom(500, 503, 429),
		body: fc.constant('json' as const),
		match: fc.record({ nth: fc.integer({ min: 1, max: 12 }) }),
	}),
	fc.record({
		kind: fc.constant('reset' as const),
		stored: fc.boolean(),
		match: fc.record({ nth: fc.integer({ min: 1, max: 12 }) }),
	}),
);

export const anyMerge: fc.Arbitrary<DrawnMerge> = fc.integer({ min: 2, max: 5 }).chain((count) => {
	const positions = Array.from({ length: count }, (_, position) => position);
	return fc.record<DrawnMerge>({
		people: fc.array(person, { minLength: count, maxLength: count }).map(withShared),
		from: fc
			.tuple(fc.shuffledSubarray(positions.slice(1), { minLength: 1 }), fc.subarray([0]))
			.map((parts) => parts.flat()),
		isFromText: fc.boolean(),
		mustShare: fc.constantFrom(true, true, true, false),
		mayDiffer: fc.constantFrom(false, false, true),
		changes: fc.array(change(count), { maxLength: 3 }),
		faults: fc.boolean().chain((is) => fc.array(fault, { maxLength: is ? 2 : 0 })),
		cancelAfterMs: fc.nat(3).chain((one) => {
			return one > 0 ? fc.constant(undefined) : fc.integer({ min: 10, max: 700 });
		}),
		limit: fc.constantFrom(1, 4, 20, 60),
	});
});

/** Gives most people the address of the first person. The node then allows most merges. */
function withShared(people: DrawnPerson[]): DrawnPerson[] {
	return people.map((one, position) => {
		const isOwn = one.name === STRANGER && position > 0;
		return isOwn ? one : { ...one, emails: [...one.emails, { value: 0, spelling: position % 2 }] };
	});
}
