/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the seed of the cases from the environment */
import fc from 'fast-check';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { runsOf } from '../support/drawn';
import { anyMerge } from './merges/drawn';
import { findings } from './merges/judge';
import { play } from './merges/play';

const seed = Number(process.env.SEED ?? 45);

beforeAll(useVirtualTime);
afterAll(useRealTime);

it("Merge, beside colleagues' changes, loses no entry, joins no stranger, and leaves somebody active", async () => {
	await fc.assert(
		fc.asyncProperty(anyMerge, async (drawn) => {
			jest.clearAllTimers();
			expect(findings(drawn, await play(drawn))).toEqual([]);
		}),
		{ numRuns: runsOf(100), seed },
	);
}, 3_600_000);
