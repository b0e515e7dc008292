import fc from 'fast-check';
import type { ListHabits } from './modelList';
import { ORDERS } from './modelList';
import type { Kind, Phase, Storm } from './storm';

/** Numbers over orders of magnitude, from one on. */
function magnitude(most: number): fc.Arbitrary<number> {
	return fc
		.double({ min: 0, max: Math.log10(most), noNaN: true })
		.map((exponent) => Math.round(10 ** exponent));
}

/** As many changes and records as a storm of the random tests may have, so that thousands of them can be played. */
export interface Bounds {
	records: number;
	changes: number;
}

function somePhase(kinds: readonly Kind[], { changes }: Bounds): fc.Arbitrary<Phase> {
	return fc
		.record({
			minutes: magnitude(60),
			perMinute: fc.oneof(
				{ weight: 1, arbitrary: fc.constant(0) },
				{ weight: 6, arbitrary: magnitude(1_000) },
			),
			kinds: fc.uniqueArray(fc.constantFrom(...kinds), { minLength: 1 }),
			isBurst: fc.boolean(),
			failing: fc.constantFrom(0, 0, 0, 0.05, 0.5, 1),
			isKilled: fc.constantFrom(false, false, true),
		})
		.map((phase) => ({
			...phase,
			perMinute: Math.min(phase.perMinute, Math.max(1, Math.floor(changes / phase.minutes))),
		}));
}

/** Storms of these kinds of changes, over lists with any habits. */
export function someStorm(
	kinds: readonly Kind[],
	habits: fc.Arbitrary<Partial<ListHabits>>,
	bounds: Bounds,
): fc.Arbitrary<Storm> {
	return fc
		.record({
			initial: fc.oneof(fc.constant(0), magnitude(bounds.records)),
			apart: fc.constantFrom(0, 1, 60),
			memberShare: fc.constantFrom(0, 0.1, 1),
			habits,
			phases: fc.array(somePhase(kinds, bounds), { minLength: 1, maxLength: 4 }),
			maxRequests: magnitude(60),
			seed: fc.nat(1_000_000),
			pageSize: fc.constantFrom(30, 30, 5, 3),
			interval: fc.constantFrom(1, 1, 1, 5, 60),
		})
		.map(({ memberShare, ...storm }) => ({
			...storm,
			members: Math.round(storm.initial * memberShare),
		}));
}

const someAnswers = fc.constantFrom<Partial<ListHabits>>(
	{},
	{},
	{ hasView: false },
	{ hasTotals: false },
	{ hasTotals: false, hasView: false },
);

/** Lists page by page, in any order and in none. */
export const someList: fc.Arbitrary<Partial<ListHabits>> = fc
	.tuple(fc.constantFrom(...ORDERS), fc.boolean(), someAnswers)
	.map(([order, shufflesTies, answers]) => ({ order, shufflesTies, ...answers }));

/** Lists of people, by a service that keeps to filter and order, or not. */
export const somePeople: fc.Arbitrary<Partial<ListHabits>> = fc
	.tuple(someList, fc.constantFrom(false, false, false, true), fc.constantFrom(false, false, true))
	.map(([list, ignoresTime, ignoresSegment]) => ({ ...list, ignoresTime, ignoresSegment }));
