import fc from 'fast-check';
import type { Fault } from '../../service';
import { KNOWN, PEOPLE, TASKS, type Traits } from './company';

const OPERATIONS = ['upsert', 'update', 'addTags', 'removeTags', 'move'] as const;

export interface Row {
	/** A person by number; a task for Move. */
	who: number;
	/** How a person is named. */
	by: 'id' | 'email' | 'EMAIL' | ' email ';
	/** Which tag or column. */
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

/** What the runs of an overlap are drawn from: the less there is, the more they meet. */
interface Scope {
	operations: Array<Run['operation']>;
	people: number[];
	differing: 'nothing' | 'key' | 'company' | 'process';
	isStopped: boolean;
}

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const mostly = <T>(usual: T, ...others: T[]) => one(usual, usual, usual, ...others);

const scopeOf = (isStopped: boolean) =>
	fc.record<Scope>({
		operations: mostly(['upsert'], ['addTags', 'removeTags']).chain((usual) =>
			fc
				.subarray([...OPERATIONS], { maxLength: 2 })
				.map((others) => [...usual, ...others] as never),
		),
		people: one([0, 3], [1, 2, 4], PEOPLE),
		differing: one<Scope['differing']>('key', 'nothing', 'key', 'key', 'company', 'process'),
		isStopped: fc.constant(isStopped),
	});

const rowOf = (operation: Run['operation'], people: number[]): fc.Arbitrary<Row> => {
	const isUpsert = operation === 'upsert';
	const known = people.filter((number) => KNOWN.includes(number));
	return fc.record<Row>({
		who: one(...(operation === 'move' ? TASKS : isUpsert ? people : known)),
		by: isUpsert ? one('email', 'EMAIL', ' email ') : one('id', 'id', 'email', 'EMAIL'),
		entry: one(0, 1, 2),
	});
};

const runOf = ({ operations, people, differing, isStopped }: Scope): fc.Arbitrary<Run> => {
	const number = (name: Scope['differing']) => one<0 | 1>(0, differing === name ? 1 : 0);
	// Few rows mostly; from five on, people are looked up together.
	return fc.tuple(one(...operations), mostly([1, 3], [5, 7])).chain(([operation, [least, most]]) =>
		fc.record<Run>({
			operation: fc.constant(operation),
			rows: fc.array(rowOf(operation, people), { minLength: least, maxLength: most }),
			company: number('company'),
			key: number('key'),
			process: number('process'),
			startsAtMs: one(0, 0, 0, 200, 1_500, 20_000),
			stopsAfterMs: isStopped ? one(undefined, 0, 60, 200, 700, 3_000) : one(undefined),
			onError: one('continueErrorOutput', 'stopWorkflow'),
			lookUp: mostly<Run['lookUp']>('together', 'each'),
		}),
	);
};

/** An answer that does not say whether a write took effect, which it did. */
const uncertain: fc.Arbitrary<Fault> = fc
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
	.map(({ fault, ...match }) => ({ ...fault, match }));
const someUncertain = fc.array(uncertain, { minLength: 1, maxLength: 3 });

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
					faults: trouble === 'uncertain answers' ? someUncertain : fc.constant([]),
				}),
			}),
		}),
	);
