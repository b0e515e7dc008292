/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the seed of the cases from the environment */
import fc from 'fast-check';
import { countBy } from 'lodash';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { runsOf } from '../support/drawn';
import { anyRun } from './undo/drawn';
import { findings } from './undo/judge';
import { play } from './undo/play';

const seed = Number(process.env.SEED ?? 45);

beforeAll(useVirtualTime);
afterAll(useRealTime);

it("Undo restores what the run wrote last, and keeps and names colleagues' later changes", async () => {
	const said: string[] = [];
	await fc.assert(
		fc.asyncProperty(anyRun, async (drawn) => {
			const played = await play(drawn);
			expect(findings(played)).toEqual([]);
			const words = played.undone.map(({ result, note }) => [result, note && 'noted']);
			said.push(...words.flat().map(String));
		}),
		{ numRuns: runsOf(100), seed },
	);
	// Items that Undo only leaves alone would prove nothing.
	const counts = countBy(said);
	for (const word of ['updated', 'unchanged', 'noted']) {
		expect([word, counts[word] ?? 0]).toEqual([word, expect.any(Number)]);
		if (!((counts[word] ?? 0) > runsOf(100) / 5)) throw new Error(JSON.stringify(counts));
	}
}, 3_600_000);
