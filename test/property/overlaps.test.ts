/* eslint-disable @n8n/community-nodes/no-restricted-globals -- how many cases are tried, and which, is said from outside */
import fc from 'fast-check';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { anyOverlap, TROUBLES, type Overlap, type Run } from './overlaps/drawn';
import { judge } from './overlaps/judge';
import { play } from './overlaps/play';

/** Some 40 s of one processor. */
const RUNS = Number(process.env.RUNS ?? 1_200);
const seed = Number(process.env.SEED ?? 20);

beforeAll(useVirtualTime);
afterAll(useRealTime);

const wrongsOf = async (overlap: Overlap) => judge(overlap, await play(overlap));

describe('runs that are under way at the same time', () => {
	it.each(TROUBLES)(
		'double nobody, lose nothing, let the last item win, take turns and end, with %s',
		async (trouble) => {
			await fc.assert(
				fc.asyncProperty(anyOverlap(trouble), async (overlap) => {
					expect(await wrongsOf(overlap)).toEqual([]);
				}),
				{ numRuns: Math.ceil(RUNS / TROUBLES.length), seed: seed + TROUBLES.indexOf(trouble) },
			);
		},
		3_600_000,
	);

	const upsert = (people: number[], company: 0 | 1 = 0): Run => ({
		operation: 'upsert',
		rows: people.map((who) => ({ who, by: 'email', entry: 1 })),
		...{ company, key: 0, process: 0, startsAtMs: 0 },
		...{ onError: 'continueErrorOutput', lookUp: 'together' },
	});

	it.each([0, 2_000])(
		'double nobody whom another company at the base URL makes meanwhile, where reads lag by %s ms',
		async (readsLagMs) => {
			const overlap: Overlap = {
				runs: [upsert([3, 0, 1, 2, 4, 3]), upsert([3], 1)],
				service: {
					limit: 1_000_000,
					latencyMs: [10, 40],
					switches: { readsLagMs, severalValues: 'any', faults: [] },
				},
			};
			expect(await wrongsOf(overlap)).toEqual([]);
		},
	);
});
