/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the seed of the cases from the environment */
import fc from 'fast-check';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { runsOf } from '../support/drawn';
import { anyCase } from './judge/cases';
import { judge } from './judge/judge';
import { play } from './judge/play';

// The seed is fixed by default, so that a new failure is due to a change of the code, not to new cases.
const seed = Number(process.env.SEED ?? 94);

beforeAll(useVirtualTime);
afterAll(useRealTime);

describe('whatever the rows hold and whatever the service is like', () => {
	it('Whatever the rows and the service, the node writes and lists nothing wrong', async () => {
		await fc.assert(
			fc.asyncProperty(anyCase(process.env.ONLY), async (drawn) => {
				jest.clearAllTimers();
				expect(judge(drawn, await play(drawn))).toEqual([]);
			}),
			{ numRuns: runsOf(200), seed },
		);
	}, 3_600_000);
});
