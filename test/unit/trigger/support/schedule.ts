import fc from 'fast-check';
import type { ListHabits } from './tenant';

/** Something that happens: to the service's records, to the reading of them, or to n8n. */
export type Act =
	| { kind: 'change'; what: string; who: number; to: number }
	| { kind: 'pages'; count: number }
	| { kind: 'time'; seconds: number }
	| { kind: 'fail' }
	| { kind: 'kill' }
	| { kind: 'crash' }
	| { kind: 'settle' };

export interface Schedule {
	habits: ListHabits;
	/** Records that there are before the trigger is activated. */
	initial: number;
	/** Seconds between two of them. */
	apart: number;
	maxRequests: number;
	pageSize: number;
	acts: Act[];
}

const someTime = fc.constantFrom(0, 0, 1, 1, 2, 30, 90, 200);

function someAct(changes: readonly string[]): fc.Arbitrary<Act> {
	return fc.oneof(
		{
			weight: 8,
			arbitrary: fc.record({
				kind: fc.constant('change' as const),
				what: fc.constantFrom(...changes),
				who: fc.nat(30),
				to: fc.nat(5),
			}),
		},
		{
			weight: 8,
			arbitrary: fc.record({
				kind: fc.constant('pages' as const),
				count: fc.integer({ min: 1, max: 4 }),
			}),
		},
		{
			weight: 4,
			arbitrary: fc.record({ kind: fc.constant('time' as const), seconds: someTime }),
		},
		{ weight: 1, arbitrary: fc.constant({ kind: 'fail' as const }) },
		{ weight: 1, arbitrary: fc.constant({ kind: 'kill' as const }) },
		{ weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
		{ weight: 1, arbitrary: fc.constant({ kind: 'settle' as const }) },
	);
}

/** Schedules of these changes, over lists with any of these habits. */
export function someSchedule(
	changes: readonly string[],
	habits: fc.Arbitrary<ListHabits>,
): fc.Arbitrary<Schedule> {
	return fc.record({
		habits,
		initial: fc.nat(11),
		apart: someTime,
		maxRequests: fc.integer({ min: 1, max: 5 }),
		pageSize: fc.integer({ min: 2, max: 4 }),
		acts: fc.array(someAct(changes), { minLength: 5, maxLength: 50, size: 'max' }),
	});
}

const someAnswers = fc.constantFrom(
	{},
	{},
	{ hydraPrefix: true },
	{ view: false },
	{ totalItems: false },
	{ bareCollections: true },
);

const mostly = fc.constantFrom(true, true, false);

/** Lists page by page, in any order. */
export const someList: fc.Arbitrary<ListHabits> = fc.record({
	order: fc.constantFrom('oldestFirst' as const, 'newestFirst' as const, 'byPosition' as const),
	hidesArchived: fc.boolean(),
	isTimed: mostly,
	switches: someAnswers,
});

/** Lists of people, by a service that keeps to filter and order, or not. */
export const somePeople: fc.Arbitrary<ListHabits> = fc.record({
	order: fc.constant('oldestFirst' as const),
	hidesArchived: fc.boolean(),
	isTimed: mostly,
	switches: fc
		.tuple(
			someAnswers,
			fc.constantFrom(
				{},
				{},
				{},
				{ ignoreFilters: true },
				{ ignoreOrder: true },
				{
					ignoreFilters: true,
					ignoreOrder: true,
				},
			),
		)
		// Whether the order is kept shows in the total alone.
		.map(([answers, keeping]) => ({ ...('ignoreOrder' in keeping ? {} : answers), ...keeping })),
});
