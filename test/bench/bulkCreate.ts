/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a program that measures, and prints what it measured */
import type { ServiceOptions } from '../service';
import { startService } from '../service';
import { items } from '../engine/support/items';
import { runNode } from '../engine/support/runNode';

interface Case {
	name: string;
	/** Milliseconds in which nobody could do it faster, without any latency. */
	optimumMs: number;
	options: ServiceOptions;
}

const PEOPLE = 100;
const LATENCY_MS = 25;

const CASES: Case[] = [
	{
		name: 'sliding log of 20 in 60 s',
		optimumMs: 240_000,
		options: { switches: { rateLimit: { mode: 'log', countRejected: true } } },
	},
	{
		name: 'two windows of 20 in 60 s',
		optimumMs: 297_000,
		options: { switches: { rateLimit: { mode: 'two-windows' } } },
	},
];

/** Creates people in one execution of the engine, in real time, and tells what the service saw. */
async function measure({ name, optimumMs, options }: Case) {
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
		input: items(PEOPLE, (index) => ({ name: `Person ${index}` })),
	});
	const { requests } = service;
	// From the first request on: loading the engine is no part of it.
	const took = Math.max(...requests.map(({ answeredAt, at }) => answeredAt ?? at)) - requests[0].at;
	const statuses = requests.map(({ status }) => status);
	await service.close();
	return {
		limiter: name,
		results: results.length,
		linked: results.filter(({ pairedItem }, item) => (pairedItem as { item: number }).item === item)
			.length,
		requests: statuses.length,
		refused: statuses.filter((status) => status === 429).length,
		seconds: (took / 1000).toFixed(1),
		'of optimum': (took / optimumMs).toFixed(3),
		stopped: error?.message ?? '',
	};
}

async function main() {
	console.log(
		`${PEOPLE} people created in one execution, cold, ${2 * LATENCY_MS} ms there and back; takes about five minutes …`,
	);
	console.table(await Promise.all(CASES.map(measure)));
}

void main().then(() => process.exit());
