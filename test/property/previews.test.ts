/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the seed of the cases from the environment */
import fc from 'fast-check';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { runsOf } from '../support/drawn';
import { anyDrawn } from './previews/drawn';
import { judge } from './previews/judge';
import { play } from './previews/play';

/** Number of runs, with about twelve rows each; at least nine, so that each preview comes up. 170 take about 20 s. */
const RUNS = Math.max(runsOf(50), 9);
const seed = Number(process.env.SEED ?? 23);

beforeAll(useVirtualTime);
afterAll(useRealTime);

it('Each row does what Preview Only said of it, and the preview writes nothing', async () => {
	const said: string[] = [];
	await fc.assert(
		fc.asyncProperty(anyDrawn(process.env.ONLY), async (drawn) => {
			const played = await play(drawn);
			expect(judge(played, drawn.rows.length)).toEqual([]);
			said.push(...played.previewed.map(({ preview }) => String(preview)));
		}),
		{ numRuns: RUNS, seed },
	);
	// Previews that only refuse rows would prove nothing.
	for (const word of ['create', 'update', 'unchanged']) {
		expect(said.filter((preview) => preview === word).length).toBeGreaterThan(RUNS / 4);
	}
}, 3_600_000);
