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

/** What the runs of an overlap are drawn from: the less there is, the more they meet. */
interface Scope {
	operations: Array<Run['operation']>;
	people: number[];
	differs: Array<'company' | 'key' | 'process'>;
	isStopped: boolean;
}

const scopeOf = (isStopped: boolean) =>
	fc.record<Scope>({
		operations: one<Scope['operations']>(
			['upsert'],
			['upsert', 'update'],
			['addTags', 'removeTags'],
			['addTags', 'upsert'],
			['addToSegments', 'removeFromSegments'],
			['move', 'update'],
			[...OPERATIONS],
		),
		people: one([0, 3], [1, 2, 4], PEOPLE),
		differs: one<Scope['differs']>(
			['key'],
			[],
			['key'],
			['key'],
			['company'],
			['process'],
			['key', 'company', 'process'],
		),
		isStopped: fc.constant(isStopped),
	});

const rowOf = (operation: Run['operation'], people: number[]): fc.Arbitrary<Row> => {
	const known = people.filter((number) => KNOWN.includes(number));
	return fc.record<Row>({
		who: one(...(operation === 'move' ? TASKS : operation === 'upsert' ? people : known)),
		by:
			operation === 'upsert' ? one('email', 'EMAIL', ' email ') : one('id', 'id', 'email', 'EMAIL'),
		entry: one(0, 1, 2),
	});
};

/** Few rows mostly; from five on, people are looked up together. */
const rowsOf = (operation: Run['operation'], people: number[]) =>
	mostly([1, 3], [5, 7]).chain(([minLength, maxLength]) =>
		fc.array(rowOf(operation, people), { minLength, maxLength }),
	);

const runOf = ({ operations, people, differs, isStopped }: Scope) => {
	const oneOf = (name: Scope['differs'][number]) =>
		one<0 | 1>(...(differs.includes(name) ? ([0, 1] as const) : ([0] as const)));
	return one(...operations).chain((operation) =>
		fc.record<Run>({
			operation: fc.constant(operation),
			rows: rowsOf(operation, people),
			company: oneOf('company'),
			key: oneOf('key'),
			process: oneOf('process'),
			startsAtMs: one(0, 0, 0, 200, 1_500, 20_000),
			stopsAfterMs: isStopped ? one(undefined, 0, 60, 200, 700, 3_000) : one(undefined),
			onError: one('continueErrorOutput', 'stopWorkflow'),
			lookUp: mostly<Run['lookUp']>('together', 'each'),
		}),
	);
};

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
	fc.tuple(mostly(2, 3), scopeOf(trouble === 'a stop')).chain(([count, scope]) =>
		fc.record<Overlap>({
			runs: fc.array(runOf(scope), { minLength: count, maxLength: count }),
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
