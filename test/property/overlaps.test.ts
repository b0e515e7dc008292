/* eslint-disable @n8n/community-nodes/no-restricted-globals -- how many cases are tried, and which, is said from outside */
import fc from 'fast-check';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { anyOverlap, TROUBLES, type Overlap } from './overlaps/drawn';
import { judge } from './overlaps/judge';
import { play } from './overlaps/play';

const RUNS = Number(process.env.RUNS ?? 2_000);
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
				{ numRuns: Math.ceil(RUNS / TROUBLES.length), seed },
			);
		},
		3_600_000,
	);
});
