import fc from 'fast-check';
import type { Fault } from '../../service';
import type { TimeOfChange, Traits } from '../overlaps/company';
import { OPERATIONS, type Row, type Run } from './operations';
import { LISTS, type Deed } from './world';

/** A change by a colleague in the CRM, some time after a request of the node has left. */
export interface Meanwhile {
	/** Number of the request among all requests of the case, from 1. */
	after: number;
	delayMs: number;
	deed: Deed;
}

export interface Drawn {
	/** How many people exist at the start. */
	known: number;
	runs: Run[];
	meanwhile: Meanwhile[];
	/** Limit of the credential, in requests a minute. */
	limit: number;
	service: Traits;
}

/** Kinds of trouble. A case has only one: while reads lag, no read shows whether a write without answer took effect. */
const TROUBLES = ['nothing', 'faults', 'faults', 'reads that lag'] as const;

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const numberTo = (most: number) => fc.integer({ min: 0, max: most });

/** Number of items: mostly few, sometimes some hundreds. */
const COUNTS = fc.oneof(
	{ weight: 40, arbitrary: fc.integer({ min: 1, max: 5 }) },
	{ weight: 12, arbitrary: fc.integer({ min: 6, max: 15 }) },
	{ weight: 3, arbitrary: fc.integer({ min: 16, max: 50 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 51, max: 300 }) },
);
const LIMITS = fc.oneof(one(1, 2, 3, 4, 20, 20), fc.integer({ min: 1, max: 60 }));

const runOf = (count: number, people: number, known: number): fc.Arbitrary<Run> =>
	one(...Object.keys(OPERATIONS), 'upsert', 'upsertLists', 'addTags').chain((operation) => {
		const isUpsert = operation.startsWith('upsert');
		const row = fc.record<Row>({
			who: numberTo(people - 1),
			by: isUpsert ? one('email', 'email', 'EMAIL') : one('id', 'email', 'EMAIL'),
			entry: one(0, 1, 1, 2, 2),
		});
		// A person who does not exist yet has no ID.
		const usable = row.map((drawn) =>
			drawn.by === 'id' ? { ...drawn, who: drawn.who % known } : drawn,
		);
		return fc.record<Run>({
			operation: fc.constant(operation),
			rows: fc.array(usable, { minLength: count, maxLength: count }),
			lookUp: one('together', 'together', 'each'),
			tellChanges: fc.boolean(),
			startsAtMs: one(0, 0, 300, 20_000),
		});
	});

const deedOf = (people: number, known: number): fc.Arbitrary<Deed> => {
	const who = numberTo(people - 1);
	const to = numberTo(known - 1);
	const kinds = ['add', 'remove', 'move', 'create', 'field', 'archive', 'unarchive'] as const;
	return fc
		.tuple(
			one<Deed['kind']>(...kinds, 'add', 'remove', 'move'),
			who,
			to,
			one(...LISTS),
			numberTo(2),
		)
		.map(([kind, person, other, list, entry]): Deed => {
			if (kind === 'move') return { kind, who: person, to: other };
			if (kind === 'add' || kind === 'remove') return { kind, who: person, list, entry };
			return { kind, who: person };
		});
};

/** Delays in ms after a request: before it takes effect, before its answer, and while the next request waits. */
const DELAYS = [0, 0, 25, 25, 60, 1_000, 10_000, 14_000, 16_000, 40_000, 70_000, 100_000];

const faultAt = (nth: number): fc.Arbitrary<Fault> => {
	const wait = (seconds: number, first: number): Fault => ({
		...{ kind: 'status', status: 429, headers: { 'Retry-After': String(seconds) } },
		match: { nth: [nth, nth + 1, nth + 2].slice(0, first) },
	});
	const match = { nth };
	return one<Fault>(
		...[2, 20, 61, 120, 170].flatMap((seconds) => [wait(seconds, 1), wait(seconds, 3)]),
		{ kind: 'status', status: 503, match },
		{ kind: 'status', status: 503, headers: { 'Retry-After': '40' }, match },
		{ kind: 'status', status: 503, stored: true, match },
		{ kind: 'reset', match },
		{ kind: 'reset', stored: true, match },
		{ kind: 'reset', stored: true, match: { method: 'PATCH', nth: Math.ceil(nth / 2) } },
		{ kind: 'reset', match: { method: 'PATCH', nth: Math.ceil(nth / 2) } },
	);
};

const shapes = fc.record({
	count: COUNTS,
	limit: LIMITS,
	served: one(1, 1, 1, 0.5, 0.2),
	/** How many people exist at the start, if few. If undefined, one for each item. */
	crowd: one(undefined, undefined, undefined, 1, 2, 3),
	strangers: one(0, 0, 1, 2, 8),
	runs: one(1, 1, 1, 2),
	trouble: one(...TROUBLES),
});

/** Draws runs of the node, and changes by colleagues between any two requests. */
export const anyDrawn: fc.Arbitrary<Drawn> = shapes.chain((shape) => {
	const { limit, trouble, crowd = Infinity, strangers } = shape;
	// The service may leave this credential only a part of the limit, because other programs use the rest.
	const served = Math.max(1, Math.floor(limit * shape.served));
	// `play` gives up after 48 hours of virtual time, and an item takes up to six requests.
	const count = Math.min(shape.count, served * 40);
	const known = Math.min(crowd, Math.max(2, count));
	const people = known + strangers;
	const requests = 2 * count * shape.runs + 3;
	const nth = fc.integer({ min: 1, max: requests });
	const faults = nth.chain(faultAt);
	const meanwhile = fc.record<Meanwhile>({
		after: nth,
		delayMs: one(...DELAYS),
		deed: deedOf(people, known),
	});
	const timeOfChange: TimeOfChange[] =
		trouble === 'reads that lag' ? ['whole seconds'] : ['whole seconds', 'not moved', 'absent'];
	return fc.record<Drawn>({
		known: fc.constant(known),
		runs: fc.array(runOf(count, people, known), { minLength: shape.runs, maxLength: shape.runs }),
		meanwhile: fc.array(meanwhile, { minLength: 1, maxLength: 4 + Math.ceil(count / 2) }),
		limit: fc.constant(limit),
		service: fc.record<Traits>({
			limit: fc.constant(served),
			latencyMs: one<[number, number]>([10, 40], [10, 40], [300, 2_500]),
			timeOfChange: one(...timeOfChange),
			switches: fc.record({
				readsLagMs: fc.constant(trouble === 'reads that lag' ? 2_000 : 0),
				severalValues: one('any', 'any', 'any', 'refused', 'last'),
				faults:
					trouble === 'faults'
						? fc.array(faults, { minLength: 1, maxLength: 3 })
						: fc.constant<Fault[]>([]),
			}),
		}),
	});
});
