import fc from 'fast-check';
import type { Fault } from '../../service';
import { KNOWN, PEOPLE, TASKS, type TimeOfChange, type Traits } from './company';

const OPERATIONS = ['upsert', 'update', 'addTags', 'removeTags', 'move'] as const;

export interface Row {
	/** Number of the person; of the task for Move. */
	who: number;
	/** Way to name the person. */
	by: 'id' | 'email' | 'EMAIL' | ' email ';
	/** Number of the tag or column. */
	entry: number;
	/** Job title that the item writes: a text of its own (`own`), or the text that the people have at the start. */
	job: 'own' | 'as at the start';
}

export interface Run {
	operation: (typeof OPERATIONS)[number];
	rows: Row[];
	/** Number of the company. Each company has a key of its own. Both companies may use one base URL. */
	company: 0 | 1;
	process: 0 | 1;
	startsAtMs: number;
	/** Time from the start until the user stops the run. */
	stopsAfterMs?: number;
	onError: 'continueErrorOutput' | 'stopWorkflow';
	lookUp: 'together' | 'each';
}

/** A change by a colleague, made in the CRM itself. */
export interface Change {
	company: 0 | 1;
	who: number;
	atMs: number;
	/** Tags by number. If absent, the change is to a job title. */
	tags?: { added: number; removed: number };
}

export interface Overlap {
	runs: Run[];
	/** Changes of colleagues, in any order. */
	changes: Change[];
	service: Traits;
}

/** Kinds of trouble. An overlap has only one: while reads lag, no lookup shows if an uncertain write took effect. */
export const TROUBLES = [
	...['nothing', 'reads that lag', 'uncertain answers', 'a stop', 'changes of colleagues'],
] as const;
type Trouble = (typeof TROUBLES)[number];

/** The values for drawing the runs of an overlap. With fewer values, runs meet more often. */
interface Scope {
	operations: Array<Run['operation']>;
	people: number[];
	differing: 'nothing' | 'company' | 'process';
	trouble: Trouble;
}

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const mostly = <T>(usual: T, ...others: T[]) => one(usual, usual, usual, ...others);

const scopeOf = (trouble: Trouble) =>
	fc.record<Scope>({
		operations: one(['upsert'], ['upsert', 'addTags'], ['addTags', 'removeTags']).chain((usual) =>
			fc
				.subarray([...OPERATIONS], { maxLength: 1 })
				.map((others) => [...usual, ...others] as never),
		),
		people: one([0, 3], [1, 4], PEOPLE),
		// No case has two keys of one company, because the node does not keep their writes apart.
		differing: one<Scope['differing']>('nothing', 'nothing', 'nothing', 'company', 'process'),
		trouble: fc.constant(trouble),
	});

const rowOf = (operation: Run['operation'], people: number[]): fc.Arbitrary<Row> => {
	const isUpsert = operation === 'upsert';
	const known = people.filter((number) => KNOWN.includes(number));
	return fc.record<Row>({
		who: one(...(operation === 'move' ? TASKS : isUpsert ? people : known)),
		by: isUpsert ? one('email', 'EMAIL', ' email ') : one('id', 'id', 'email', 'EMAIL'),
		// Entry 0, which known people and all tasks have from the start, is drawn least.
		entry: one(0, 1, 1, 2, 2),
		job: one('own', 'as at the start'),
	});
};

/** @param at index of the run in the overlap; the first two runs differ in one respect */
const runOf = (
	{ operations, people, differing, trouble }: Scope,
	at: number,
): fc.Arbitrary<Run> => {
	const number = (name: Scope['differing']) =>
		differing !== name ? one<0 | 1>(0) : at < 2 ? one<0 | 1>(at as 0 | 1) : one<0 | 1>(0, 1);
	// Mostly few rows. With five or more, one lookup finds all people before an answer can become uncertain.
	const counts = (trouble === 'uncertain answers' ? one : mostly)([1, 3], [5, 7]);
	return fc.tuple(one(...operations), counts).chain(([operation, [least, most]]) =>
		fc.record<Run>({
			operation: fc.constant(operation),
			rows: fc.array(rowOf(operation, people), { minLength: least, maxLength: most }),
			company: number('company'),
			process: number('process'),
			startsAtMs: one(...(trouble === 'changes of colleagues' ? LATER : SOON)),
			stopsAfterMs: trouble === 'a stop' ? one(undefined, 0, 60, 200, 700, 3_000) : one(undefined),
			onError: one('continueErrorOutput', 'stopWorkflow'),
			lookUp: mostly<Run['lookUp']>('together', 'each'),
		}),
	);
};

/** Start times in ms of runs at the same time, and of later runs, for which the write log still counts. */
const SOON = [0, 0, 0, 0, 0, 200, 1_500, 20_000];
const LATER = [0, 0, 0, 600, 2_000, 4_000, 60_000, 110_000];

const changesOf = (people: number[]): fc.Arbitrary<Change[]> =>
	fc.array(
		fc.record<Change>({
			company: mostly<0 | 1>(0, 1),
			who: one(...people),
			// Times before, between and after the requests of runs that start at these times.
			atMs: fc
				.tuple(one(...LATER), one(0, 15, 60, 130, 350, 900, 1_500, 3_000))
				.map(([a, b]) => a + b),
			tags: one(
				undefined,
				...[0, 1, 2, 3, 4].map((added) => ({ added, removed: (added + 2) % 5 })),
			),
		}),
		{ minLength: 1, maxLength: 4 },
	);

/** A write that takes effect but gets an answer that does not confirm it. */
const uncertain: fc.Arbitrary<Fault> = fc
	.record({
		method: one('POST', 'PATCH'),
		nth: one(1, 2, 3, 4),
		fault: one<Fault>(
			{ kind: 'status', status: 500, body: 'json', stored: true },
			{ kind: 'status', status: 504, body: 'html', stored: true },
			// The node does not retry after this answer, so that a later item is the first to notice the write.
			...Array<Fault>(3).fill({ kind: 'status', status: 200, body: {}, stored: true }),
			{ kind: 'reset', stored: true },
		),
	})
	.map(({ fault, ...match }) => ({ ...fault, match }));
const someUncertain = fc.array(uncertain, { minLength: 1, maxLength: 3 });

const TIMES_OF_CHANGE: TimeOfChange[] = ['whole seconds', 'not moved', 'absent'];

/** Returns two or three runs at the same time. */
export const anyOverlap = (trouble: Trouble): fc.Arbitrary<Overlap> =>
	fc.tuple(mostly(2, 3), scopeOf(trouble)).chain(([count, scope]) =>
		fc.record<Overlap>({
			runs: fc.tuple(...Array.from({ length: count }, (_, at) => runOf(scope, at))),
			changes: trouble === 'changes of colleagues' ? changesOf(scope.people) : fc.constant([]),
			service: fc.record({
				limit: mostly(1_000_000, 20),
				latencyMs: one<[number, number]>([10, 40], [300, 2_500]),
				timeOfChange: one<TimeOfChange>(
					...(trouble === 'changes of colleagues' ? TIMES_OF_CHANGE : TIMES_OF_CHANGE.slice(0, 1)),
				),
				switches: fc.record({
					readsLagMs: fc.constant(trouble === 'reads that lag' ? 2_000 : 0),
					severalValues: mostly<'any' | 'refused'>('any', 'refused'),
					faults: trouble === 'uncertain answers' ? someUncertain : fc.constant([]),
				}),
			}),
		}),
	);
