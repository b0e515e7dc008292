/* eslint-disable @n8n/community-nodes/no-restricted-globals -- more schedules, or others, on demand */
import fc from 'fast-check';
import { isCi } from '../../support/drawn';
import { tally } from './support/diary';
import { someCrowd } from './support/drawCrowd';
import { findings } from './support/judge';
import { findingsInCrowd } from './support/judgeCrowd';
import { someSchedule } from './support/draw';
import type { Watch } from './support/schedule';
import { WATCHED } from './support/schedule';

/** Simulates hours of many runs or triggers. */
jest.setTimeout(600_000);

/*
 * Tests the trigger over a simulated tenant, from outside, against the promises of README.md. fast-check draws a
 * schedule (support/draw.ts). n8n-core's own polling plays it (support/play.ts). The judge compares the items of the
 * workflow with the changes in the tenant (support/judge.ts). Crowds of one to forty triggers on one credential are
 * drawn as well (support/drawCrowd.ts, playCrowd.ts and judgeCrowd.ts).
 *
 * `RUNS=500 SEED=7 RECORDS=10000 DEEDS=60000 npx jest test/unit/trigger/oracle` explores further. A failure prints
 * its seed and path: `SEED=7 AT=12 npx jest test/unit/trigger/oracle -t tasks` plays that one schedule again. With
 * `SHRINK=yes`, fast-check looks for a smaller failing schedule. `COUNT=yes` prints the number of polls and items.
 * `CROWD_RUNS=50 npx jest test/unit/trigger/oracle -t credential` plays only crowds; the default is twice RUNS.
 * `WITHOUT=ahead,shortages,jumps,shortPolls` leaves out conditions: times ahead, lists that show too few records,
 * host clocks that jump, and the 36 s that durable poll cursors give a poll. `CI=true MINUTES=30 HOURS=24 npx jest
 * test/unit/trigger/named` plays the named schedules for longer.
 */

const from = (name: string, usual: number) => Number(process.env[name] ?? usual);
const RUNS = from('RUNS', isCi ? 2 : 1);
const CROWD_RUNS = from('CROWD_RUNS', 2 * RUNS);
const SEED = from('SEED', 1);
const BOUNDS = {
	records: from('RECORDS', 50),
	deeds: from('DEEDS', 60),
	without: (process.env.WITHOUT ?? '').split(','),
};
/** The printed path of a failure, to play that one schedule again. */
const PATH = process.env.AT;

/** Plays random schedules, and fails with the first findings. */
async function judged<T>(
	some: fc.Arbitrary<T>,
	findingsIn: (drawn: T) => Promise<string[]>,
	numRuns: number,
) {
	const property = fc.asyncProperty(some, async (drawn) => {
		const found = await findingsIn(drawn);
		if (found.length > 0) throw new Error(found.slice(0, 2).join('\n'));
	});
	const endOnFailure = process.env.SHRINK !== 'yes';
	await fc.assert(property, { numRuns, seed: SEED, endOnFailure, ...(PATH && { path: PATH }) });
}

afterAll(() => {
	const { polls, items } = tally;
	if (process.env.COUNT === 'yes') process.stdout.write(`${polls} polls, ${items} items\n`);
});

describe.each(Object.keys(WATCHED) as Watch[])('the trigger on %s', (watch) => {
	it('In random schedules with failures, the trigger reports each event once and in time', async () => {
		await judged(someSchedule(watch, BOUNDS), findings, RUNS);
	}, 3_600_000);
});

it('In random schedules, triggers on one credential report each event once and in time', async () => {
	await judged(someCrowd(BOUNDS), findingsInCrowd, CROWD_RUNS);
}, 3_600_000);
