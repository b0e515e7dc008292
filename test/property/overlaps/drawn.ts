import fc from 'fast-check';
import type { Fault } from '../../service';
import { KNOWN, PEOPLE, TASKS, type Traits } from './company';

export const OPERATIONS = [
	...(['upsert', 'update', 'addTags', 'removeTags'] as const),
	...(['addToSegments', 'removeFromSegments', 'move'] as const),
];

export interface Row {
	/** A person by number; a task for Move. */
	who: number;
	/** How a person is named. */
	by: 'id' | 'email' | 'EMAIL' | ' email ';
	/** Which tag, segment or column. */
	entry: number;
}

export interface Run {
	operation: (typeof OPERATIONS)[number];
	rows: Row[];
	/** Two companies may be behind one base URL, and have two keys each. */
	company: 0 | 1;
	key: 0 | 1;
	process: 0 | 1;
	startsAtMs: number;
	/** When the user stops it, counted from its start. */
	stopsAfterMs?: number;
	onError: 'continueErrorOutput' | 'stopWorkflow';
	lookUp: 'together' | 'each';
}

export interface Overlap {
	runs: Run[];
	service: Traits;
}

/** What stands in the way; what is uncertain cannot be looked up where reads lag, so one at a time. */
export const TROUBLES = ['nothing', 'reads that lag', 'uncertain answers', 'a stop'] as const;

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const mostly = <T>(usual: T, ...others: T[]) => one(usual, usual, usual, ...others);

const rowOf = (operation: Run['operation']): fc.Arbitrary<Row> =>
	fc.record<Row>({
		who: one(...(operation === 'move' ? TASKS : operation === 'upsert' ? PEOPLE : KNOWN)),
		by:
			operation === 'upsert' ? one('email', 'EMAIL', ' email ') : one('id', 'id', 'email', 'EMAIL'),
		entry: one(0, 1, 2),
	});

/** Few rows mostly; from five on, people are looked up together. */
const rowsOf = (operation: Run['operation']) =>
	mostly([1, 3], [5, 7]).chain(([minLength, maxLength]) =>
		fc.array(rowOf(operation), { minLength, maxLength }),
	);

const runOf = (isStopped: boolean, isAlike: boolean) =>
	one(...OPERATIONS, 'upsert' as const, 'upsert' as const, 'addTags' as const).chain((operation) =>
		fc.record<Run>({
			operation: fc.constant(operation),
			rows: rowsOf(operation),
			company: isAlike ? one<0 | 1>(0) : mostly<0 | 1>(0, 1),
			key: mostly<0 | 1>(0, 1),
			process: isAlike ? one<0 | 1>(0) : mostly<0 | 1>(0, 1),
			startsAtMs: one(0, 0, 200, 1_500, 20_000),
			stopsAfterMs: isStopped ? one(undefined, 0, 60, 200, 700, 3_000) : one(undefined),
			onError: one('continueErrorOutput', 'stopWorkflow'),
			lookUp: mostly<Run['lookUp']>('together', 'each'),
		}),
	);

/** An answer that does not say whether a write took effect, which it did. */
const uncertain = fc
	.record({
		method: one('POST', 'POST', 'PATCH'),
		nth: one(1, 2, 3, 4),
		fault: one<Fault>(
			{ kind: 'status', status: 500, body: 'json', stored: true },
			{ kind: 'status', status: 504, body: 'html', stored: true },
			{ kind: 'status', status: 200, body: {}, stored: true },
			{ kind: 'reset', stored: true },
		),
	})
	.map(({ method, nth, fault }): Fault => ({ ...fault, match: { method, nth } }));

/** Two or three runs that are under way at the same time. */
export const anyOverlap = (trouble: (typeof TROUBLES)[number]): fc.Arbitrary<Overlap> =>
	fc.tuple(mostly(2, 3), fc.boolean()).chain(([count, isAlike]) =>
		fc.record<Overlap>({
			runs: fc.array(runOf(trouble === 'a stop', isAlike), { minLength: count, maxLength: count }),
			service: fc.record({
				limit: mostly(1_000_000, 20),
				latencyMs: one<[number, number]>([10, 40], [300, 2_500]),
				switches: fc.record({
					readsLagMs: fc.constant(trouble === 'reads that lag' ? 2_000 : 0),
					severalValues: mostly<'any' | 'refused'>('any', 'refused'),
					faults: fc.array(
						uncertain,
						trouble === 'uncertain answers' ? { minLength: 1, maxLength: 3 } : { maxLength: 0 },
					),
				}),
			}),
		}),
	);
