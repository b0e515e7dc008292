// Measures bulk creates in a real n8n: the package beside the alternatives of a user. Takes about six minutes: run with
// `npx tsx host/bench.mjs`.
import { pathToFileURL } from 'node:url';
import { table, writeSection } from '../test/bench/markdown.ts';
import { benchWorkflow, WAYS } from './benchWorkflows.mjs';
import { readCredentials } from './examples.mjs';
import { ensureHost } from './install.mjs';
import * as n8n from './n8n.mjs';
import { pack } from './pack.mjs';
import { stopAll } from './run.mjs';
import { requestsOf, setSwitches, startService } from './service.mjs';

const LATENCY = { latencyBeforeMs: 25, latencyAfterMs: 25 };

/** Runs one way to its end against a service of its own, and returns the measurements. */
async function measure(host, tarball, [name, build], index) {
	const service = await startService({ port: 8500 + index });
	await setSwitches(service, LATENCY);
	const instance = await n8n.createInstance(host);
	try {
		await n8n.installPackage(instance, tarball);
		await n8n.importCredentials(instance, await readCredentials(service));
		const way = build(service);
		const id = `bench${index}`;
		await n8n.importWorkflows(instance, [benchWorkflow(id, way)]);
		const outcome = await n8n.executeWorkflow(instance, id).catch((error) => error);
		const requests = await requestsOf(service);
		const stored = requests.filter(({ stored: isStored }) => isStored);
		const names = new Set(stored.map(({ body }) => body.familyName));
		const ends = requests.map(({ answeredAt, at }) => answeredAt ?? at);
		return {
			way: name,
			results: outcome instanceof Error ? 0 : outcome.itemsOf(way.results).length,
			stored: names.size,
			doubled: stored.length - names.size,
			refused: requests.filter(({ status }) => status === 429).length,
			seconds: Math.round((Math.max(...ends) - requests[0].at) / 100) / 10,
		};
	} finally {
		await n8n.removeInstance(instance);
	}
}

/** Measures every way side by side, and prints a table. */
export async function bench() {
	const host = await ensureHost();
	const scratch = await n8n.createInstance(host);
	try {
		const { tarball } = await pack(scratch.folder);
		console.log('100 people created in n8n, 50 ms there and back, 20 requests in 60 s …');
		const rows = await Promise.all(
			WAYS.map(async (way, index) => await measure(host, tarball, way, index)),
		);
		console.table(rows);
		await writeSection('test/bench/figures.md', 'ways', table(rows));
	} finally {
		await stopAll();
		await n8n.removeInstance(scratch);
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bench();
