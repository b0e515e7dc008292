/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- a program that measures, and writes what it measured */
import { createRequire } from 'node:module';
import { items } from '../engine/support/items';
import { nodeTypes, runNode } from '../engine/support/runNode';
import { startService } from '../service';
import { table, writeSection } from './markdown';

const FILE = 'docs/performance.md';
const ms = (startedAt: number) => `${(performance.now() - startedAt).toFixed(0)} ms`;

/** A bulk run in the engine that never gets a slot: what the items cost before anything is sent. */
async function building(count: number) {
	const service = await startService({ switches: { rateLimit: { limit: 1 } } });
	await runNode(service, { parameters: { resource: 'segment', operation: 'getAll' } });
	const before = process.memoryUsage().heapUsed;
	const input = items(count, (index) => ({ name: `Person ${index}` }));
	const person = { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' };
	const parameters = { ...person, options: { whenRateLimited: 'fail' } };
	const startedAt = performance.now();
	await runNode(service, { parameters, input, onError: 'continueRegularOutput' });
	const time = ms(startedAt);
	const megabytes = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
	await service.close();
	return {
		what: `${count} items built by the engine, one expression each, and refused by an empty budget`,
		time: `${time}, ${megabytes.toFixed(0)} MB of heap`,
	};
}

function loading() {
	const load = createRequire(__filename);
	const startedAt = performance.now();
	load('../../dist/nodes/ContactTaskCrm/ContactTaskCrm.node.js');
	return { what: 'loading the built node, n8n-workflow loaded already', time: ms(startedAt) };
}

async function main() {
	const rows = [loading()];
	await nodeTypes();
	rows.push(await building(5_000), await building(20_000));
	console.table(rows);
	await writeSection(FILE, 'costs', table(rows));
}

void main().then(() => process.exit());
