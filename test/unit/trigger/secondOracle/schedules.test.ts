/* eslint-disable @n8n/community-nodes/no-restricted-globals -- more runs, or others, on demand */
import { judge } from './judge';
import type { Watch } from './plan';
import { somePlan, WATCHED } from './plan';
import { play } from './play';
import { shrink, told } from './shrink';

const from = (name: string, usual: number) => Number(process.env[name] ?? usual);

/** How many plans for each list, the first seed, and the bounds of a plan. */
const RUNS = from('RUNS', 2);
const SEED = from('SEED', 1);
const BOUNDS = { records: from('RECORDS', 60), deeds: from('DEEDS', 40) };

/** Part of the sentence to look at; all without one. */
const SENTENCE = process.env.SENTENCE ?? '';

/** Plays plans one after the other; shows the first that breaks a sentence of README.md, made small. */
async function run(watch: Watch): Promise<string | undefined> {
	for (let seed = SEED; seed < SEED + RUNS; seed++) {
		const plan = somePlan(seed, watch, BOUNDS);
		const findings = judge(await play(plan));
		const finding = findings.find(({ sentence }) => sentence.includes(SENTENCE));
		if (!finding) continue;
		const small = await play(await shrink(plan, finding.sentence));
		const same = judge(small).find(({ sentence }) => sentence === finding.sentence);
		return `Seed ${seed}: ${told(small, same ?? finding)}`;
	}
	return undefined;
}

describe.each(Object.keys(WATCHED) as Watch[])('the trigger on %s', (watch) => {
	it('does what README.md says, whatever happens in the service', async () => {
		expect(await run(watch)).toBeUndefined();
	}, 3_600_000);
});
