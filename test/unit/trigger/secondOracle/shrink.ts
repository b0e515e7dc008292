import type { Finding } from './findings';
import { judge } from './judge';
import type { Outcome } from './play';
import { play } from './play';
import type { Plan } from './plan';

/** Looks for a smaller plan that breaks the same sentence, by leaving out what it can. */
export async function shrink(plan: Plan, sentence: string, most = 150): Promise<Plan> {
	let smallest = plan;
	let tries = 0;
	const isBroken = async (smaller: Plan) => {
		if (tries++ >= most) return false;
		const found = judge(await play(smaller));
		if (!found.some((finding) => finding.sentence === sentence)) return false;
		smallest = smaller;
		return true;
	};
	const without = <T>(list: T[], from: number, count: number) => [
		...list.slice(0, from),
		...list.slice(from + count),
	];
	for (let index = smallest.rounds.length - 1; index >= 0; index--) {
		if (smallest.rounds.length > 1) {
			await isBroken({ ...smallest, rounds: without(smallest.rounds, index, 1) });
		}
	}
	for (const records of [0, 1, 5, 30]) {
		if (records < smallest.records && (await isBroken({ ...smallest, records }))) break;
	}
	const simple = { shufflesTies: false, showsArchived: true, hasTotals: true, hasView: true };
	await isBroken({ ...smallest, habits: { ...smallest.habits, ...simple } });
	for (const key of ['deeds', 'kills', 'outages'] as const) {
		for (const index of smallest.rounds.keys()) {
			const list = () => smallest.rounds[index][key] as unknown[];
			for (let size = Math.max(1, list().length); size >= 1; size = Math.floor(size / 2)) {
				for (let from = 0; from < list().length; ) {
					const round = { ...smallest.rounds[index], [key]: without(list(), from, size) };
					const rounds = smallest.rounds.map((one, at) => (at === index ? round : one));
					if (!(await isBroken({ ...smallest, rounds }))) from += size;
				}
			}
		}
	}
	for (const event of plan.events) {
		const events = smallest.events.filter((other) => other !== event);
		if (events.length > 0) await isBroken({ ...smallest, events });
	}
	await isBroken({ ...smallest, companionAfter: undefined });
	await isBroken({ ...smallest, filter: 'none' });
	await isBroken({ ...smallest, intervalMinutes: 1 });
	return smallest;
}

/** A plan, what it did to the record of a finding, and what started the workflow, to be read by people. */
export function told(
	{ plan, world, deliveries, polls, rounds }: Outcome,
	finding: Finding,
): string {
	const start = polls[0].from;
	const time = (at: number) => `+${((at - start) / 60_000).toFixed(2)}min`;
	const versions = (world.ledger.records.get(finding.record) ?? []).map(
		({ at, fields }) => `  ${time(at)} ${JSON.stringify(fields)}`,
	);
	const given = deliveries
		.filter(({ id }) => id === finding.record)
		.map(({ at, json }) => `  ${time(at)} ${JSON.stringify(json)}`);
	const { rounds: planned, ...others } = plan;
	const kept = planned.map(({ deeds, ...round }) => ({ ...round, deeds: deeds.length }));
	const number = Number(/^poll (\d+)/.exec(finding.record)?.[1] ?? NaN);
	const near = polls.filter((_, index) => Math.abs(index - number) < 4);
	return [
		`${finding.sentence}: ${finding.record} ${finding.text}`,
		JSON.stringify({ ...others, rounds: kept }),
		`rounds end at ${rounds.map(({ to }) => time(to)).join(', ')}; published until ${time(polls[0].to)}`,
		'versions:',
		...versions,
		'items:',
		...given,
		...near.map((poll) => `  ${time(poll.from)} ${JSON.stringify(poll)}`),
	].join('\n');
}
