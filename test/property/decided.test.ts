/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the seed of the cases from the environment */
import fc from 'fast-check';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { runsOf } from '../support/drawn';
import { anyDrawn } from './decided/drawn';
import { judge } from './decided/judge';
import { play } from './decided/play';

beforeAll(useVirtualTime);
afterAll(useRealTime);

describe('writes while colleagues change the same people', () => {
	it('While colleagues change people, a run loses no list entry, and doubles nobody', async () => {
		await fc.assert(
			fc.asyncProperty(anyDrawn, async (drawn) => {
				expect(judge(drawn, await play(drawn))).toEqual([]);
			}),
			{ numRuns: runsOf(200), seed: Number(process.env.SEED ?? 43) },
		);
	}, 3_600_000);
});
