/* eslint-disable @n8n/community-nodes/no-restricted-globals -- how many cases are tried, and which, is said from outside */
import fc from 'fast-check';
import { startService, type Service } from '../service';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { anyCase, SEED } from './judge/cases';
import { judge } from './judge/judge';
import { unknown } from './judge/known';
import { play } from './judge/play';

const RUNS = Number(process.env.RUNS ?? 800);
// The same cases each time, unless others are asked for: what is new to this seed is no fault of a change.
const seed = Number(process.env.SEED ?? 94);

let service: Service;
let keys = 0;

beforeAll(async () => {
	useVirtualTime();
	const names = Array.from({ length: RUNS * 20 }, (_, index) => [`key-${index}`, 'main']);
	service = await startService({
		seed: SEED,
		switches: { rateLimit: { mode: 'off' } },
		keys: Object.fromEntries(names) as Record<string, string>,
	});
});
afterAll(async () => {
	await service.close();
	useRealTime();
});

describe('whatever the rows hold and whatever the service is like', () => {
	it('nothing of the user is wiped, doubled, merged or listed that was not meant', async () => {
		await fc.assert(
			fc.asyncProperty(anyCase(process.env.ONLY), async (drawn) => {
				const played = await play(service, `key-${keys++}`, drawn);
				expect(unknown(drawn.name, judge(drawn, played))).toEqual([]);
			}),
			{ numRuns: RUNS, seed },
		);
	}, 3_600_000);
});
