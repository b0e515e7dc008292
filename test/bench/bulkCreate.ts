/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a program that measures, and prints what it measured */
import type { ServiceOptions } from '../service';
import { startService } from '../service';
import { items } from '../engine/support/items';
import { runNode } from '../engine/support/runNode';
import { writeSection } from './markdown';

interface Case {
	name: string;
	/** Milliseconds in which nobody could create so many faster, without any latency. */
	optimumMs: (people: number) => number;
	options: ServiceOptions;
}

const FILE = 'docs/performance.md';
const PEOPLE = 300;
const LATENCY_MS = 25;

const CASES: Case[] = [
	{
		name: 'sliding log',
		optimumMs: (people) => 60_000 * (Math.ceil(people / 20) - 1),
		options: { switches: { rateLimit: { mode: 'log', countRejected: true } } },
	},
	{
		name: 'two windows',
		optimumMs: (people) => 60_000 + 3_000 * (people - 21),
		options: { switches: { rateLimit: { mode: 'two-windows' } } },
	},
];

/** Creates people in one execution of the engine, in real time, and tells what the service saw. */
async function measure({ name, optimumMs, options }: Case, people: number) {
	const service = await startService({
		...options,
		switches: {
			...options.switches,
			latencyBeforeMs: LATENCY_MS,
			latencyAfterMs: LATENCY_MS,
		},
	});
	const { items: results, error } = await runNode(service, {
		parameters: { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' },
		input: items(people, (index) => ({ name: `Person ${index}` })),
	});
	const { requests } = service;
	// From the first request on: loading the engine is no part of it.
	const took = Math.max(...requests.map(({ answeredAt, at }) => answeredAt ?? at)) - requests[0].at;
	const statuses = requests.map(({ status }) => status);
	await service.close();
	const linked = results.filter(({ pairedItem }, item) => {
		return (pairedItem as { item: number }).item === item;
	});
	if (error || linked.length < people) throw error ?? new Error('Results are missing');
	const refused = statuses.filter((status) => status === 429).length;
	const ofOptimum = (took / optimumMs(people)).toFixed(3);
	return `${name}: ${(took / 1000).toFixed(0)} s, ${ofOptimum} of the optimum, ${refused} refused`;
}

async function main() {
	console.log(`${PEOPLE} people are created in one execution each; takes about 16 minutes …`);
	const texts = await Promise.all(CASES.map(async (one) => await measure(one, PEOPLE)));
	const measured = `${PEOPLE} people, ${texts.join('; ')}.`;
	console.log(measured);
	await writeSection(FILE, 'engine', measured);
}

void main().then(() => process.exit());
