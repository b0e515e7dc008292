import fc from 'fast-check';
import type { Fault } from '../../service';
import { COLUMNS, KNOWN, PEOPLE, SEGMENTS, TAGS, TASKS, type ServiceTraits } from './company';

export type Operation =
	| 'upsert'
	| 'update'
	| 'addTags'
	| 'removeTags'
	| 'addToSegments'
	| 'removeFromSegments'
	| 'move';

export interface Row {
	/** A person by number, of whom those in KNOWN are there from the start; a task for Move. */
	who: number;
	/** How the person is named. */
	by: 'id' | 'email' | 'EMAIL' | ' email ';
	/** Which tag, segment or column. */
	entry: number;
}

export interface Run {
	operation: Operation;
	rows: Row[];
	/** Two companies may be behind one base URL, and a company may have two keys. */
	company: 0 | 1;
	key: 0 | 1;
	process: 0 | 1;
	startsAtMs: number;
	/** When the user stops it, so long after its start. */
	stopsAfterMs?: number;
	onError: 'continueErrorOutput' | 'stopWorkflow';
	lookUp: 'together' | 'each';
}

export interface Overlap {
	runs: Run[];
	service: ServiceTraits;
}

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const mostly = <T>(usual: T, ...others: T[]) =>
	fc.oneof(
		{ weight: 3, arbitrary: fc.constant(usual) },
		...others.map((other) => fc.constant(other)),
	);

const row = (operation: Operation): fc.Arbitrary<Row> =>
	fc.record({
		who: operation === 'move' ? one(...TASKS) : one(...(operation === 'upsert' ? PEOPLE : KNOWN)),
		by:
			operation === 'upsert'
				? one('email', 'email', 'EMAIL', ' email ')
				: one('id', 'id', 'email', 'EMAIL'),
		entry: fc.nat(TAGS.length - 1),
	});

const OPERATIONS = one<Operation>(
	...(['upsert', 'upsert', 'upsert', 'update', 'addTags', 'addTags'] as const),
	...(['removeTags', 'addToSegments', 'removeFromSegments', 'move'] as const),
);

const run = (isStopped: boolean, arePlain: boolean): fc.Arbitrary<Run> =>
	OPERATIONS.chain((operation) =>
		fc.record({
			operation: fc.constant(operation),
			rows: fc.oneof(
				{
					weight: 3,
					arbitrary: fc.array(row(operation), { minLength: 1, maxLength: 3 }),
				},
				// From five on, people are looked up together.
				fc.array(row(operation), { minLength: 5, maxLength: 7 }),
			),
			company: arePlain ? fc.constant(0) : mostly(0, 1),
			key: mostly(0, 1),
			process: arePlain ? fc.constant(0) : mostly(0, 1),
			startsAtMs: one(0, 0, 200, 1_500, 20_000),
			stopsAfterMs: isStopped ? one(undefined, 0, 60, 200, 700, 3_000) : fc.constant(undefined),
			onError: one('continueErrorOutput', 'stopWorkflow'),
			lookUp: mostly('together', 'each'),
		}),
	) as fc.Arbitrary<Run>;

/** Answers that do not say whether a write took effect, which it did. */
const uncertain: fc.Arbitrary<Fault> = fc
	.record({
		method: one('POST', 'POST', 'PATCH'),
		nth: fc.integer({ min: 1, max: 4 }),
		how: one<Fault>(
			{ kind: 'status', status: 500, body: 'json' },
			{ kind: 'status', status: 504, body: 'html' },
			{ kind: 'status', status: 200, body: {} },
			{ kind: 'reset' },
		),
	})
	.map(({ method, nth, how }) => ({ ...how, stored: true, match: { method, nth } }) as Fault);

/** What stands in the way; what is uncertain cannot be looked up where reads lag, so one at a time. */
export const TROUBLES = ['nothing', 'reads that lag', 'uncertain answers', 'a stop'] as const;

/** Runs that are under way at the same time. */
export const anyOverlap = (trouble: (typeof TROUBLES)[number]): fc.Arbitrary<Overlap> =>
	fc.boolean().chain((arePlain) =>
		fc.record({
			runs: fc.oneof(
				{
					weight: 3,
					arbitrary: fc.array(run(trouble === 'a stop', arePlain), { minLength: 2, maxLength: 2 }),
				},
				fc.array(run(trouble === 'a stop', arePlain), { minLength: 3, maxLength: 3 }),
			),
			service: fc.record({
				limit: mostly(1_000_000, 20),
				latencyMs: one<[number, number]>([10, 40], [300, 2_500]),
				lagMs: fc.constant(trouble === 'reads that lag' ? 2_000 : 0),
				severalValues: mostly('any' as const, 'refused' as const),
				faults:
					trouble === 'uncertain answers'
						? fc.array(uncertain, { minLength: 1, maxLength: 3 })
						: fc.constant([]),
			}),
		}),
	);

/** What an item may set: a field of a person or task, or whether something is in one of its lists. */
export interface Target {
	company: number;
	/** A person or task by number. */
	who: string;
	field: 'jobTitle' | 'tags' | 'segments' | 'status';
	/** Of a list. */
	entry?: string;
}

export interface Effect extends Target {
	value: string | boolean;
}

export const markOf = (runIndex: number, rowIndex: number) => `run ${runIndex} item ${rowIndex}`;

/** What a row of a run sets. */
export function effectsOf(
	runIndex: number,
	rowIndex: number,
	{ operation, company, rows }: Run,
): Effect[] {
	const { who, entry } = rows[rowIndex];
	const of = { company, who: `person ${who}` };
	const marked: Effect = { ...of, field: 'jobTitle', value: markOf(runIndex, rowIndex) };
	const tag = (value: boolean): Effect => ({
		...of,
		field: 'tags',
		entry: `/tags/${TAGS[entry]}`,
		value,
	});
	const segment = (value: boolean): Effect => ({
		...of,
		...{ field: 'segments', entry: `/segments/${SEGMENTS[entry]}`, value },
	});
	const effects: Record<Operation, () => Effect[]> = {
		upsert: () => [marked, tag(true)],
		update: () => [marked],
		addTags: () => [tag(true)],
		removeTags: () => [tag(false)],
		addToSegments: () => [segment(true)],
		removeFromSegments: () => [segment(false)],
		move: () => [{ company, who: `task ${who}`, field: 'status', value: COLUMNS[entry] }],
	};
	return effects[operation]();
}
