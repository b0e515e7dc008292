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

it('Whatever colleagues change, Merge loses no entry, spares other people, and leaves somebody unarchived', async () => {
	await fc.assert(
		fc.asyncProperty(anyMerge, async (drawn) => {
			jest.clearAllTimers();
			expect(findings(drawn, await play(drawn))).toEqual([]);
		}),
		{ numRuns: runsOf(100), seed },
	);
}, 3_600_000);
