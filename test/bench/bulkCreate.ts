/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a program that measures, and prints what it measured */
import type { ServiceOptions } from '../service';
import { startService } from '../service';
import { items } from '../engine/support/items';
import { runNode } from '../engine/support/runNode';
import { table, writeSection } from './markdown';

interface Case {
	name: string;
	/** Milliseconds in which nobody could create so many faster, without any latency. */
	optimumMs: (people: number) => number;
	options: ServiceOptions;
}

const FILE = 'docs/performance.md';
const COUNTS = [100, 300];
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
	return {
		people,
		limiter: name,
		'results, linked': `${results.length}, ${
			results.filter(({ pairedItem }, item) => (pairedItem as { item: number }).item === item)
				.length
		}`,
		requests: statuses.length,
		refused: statuses.filter((status) => status === 429).length,
		seconds: (took / 1000).toFixed(1),
		'of the optimum': (took / optimumMs(people)).toFixed(3),
		...(error ? { stopped: error.message } : {}),
	};
}

async function main() {
	console.log(
		`${COUNTS.join(' and ')} people created in one execution each, cold, ${2 * LATENCY_MS} ms there and back; takes about 16 minutes …`,
	);
	const cases = COUNTS.flatMap((people) => CASES.map((one) => ({ one, people })));
	const rows = await Promise.all(cases.map(async ({ one, people }) => await measure(one, people)));
	console.table(rows);
	await writeSection(FILE, 'engine', table(rows));
}

void main().then(() => process.exit());
