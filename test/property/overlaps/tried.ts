/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the seed of the cases from the environment */
import fc from 'fast-check';
import { runsOf } from '../../support/drawn';
import { anyOverlap, TROUBLES, type Overlap } from './drawn';
import { judge } from './judge';
import { play } from './play';

const seed = Number(process.env.SEED ?? 20);

export const wrongsOf = async (overlap: Overlap) => judge(overlap, await play(overlap));

/** Declares tests that draw overlaps with some of the troubles. A thousand take about 20 s on one processor. */
export function tryOverlaps(troubles: Array<(typeof TROUBLES)[number]>): void {
	it.each(troubles)(
		'Overlapping runs lose and double nothing, and the last item wins (trouble: %s)',
		async (trouble) => {
			await fc.assert(
				fc.asyncProperty(anyOverlap(trouble), async (overlap) => {
					expect(await wrongsOf(overlap)).toEqual([]);
				}),
				{ numRuns: runsOf(80), seed: seed + TROUBLES.indexOf(trouble) },
			);
		},
		3_600_000,
	);
}
