/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- a program that measures, and writes what it measured */
import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../../nodes/ContactTaskCrm/transport/clock';
import { NodeRun } from '../../nodes/ContactTaskCrm/transport/nodeRun';
import { ListRead } from '../../nodes/ContactTaskCrm/transport/paging';
import { TenantLimiter } from '../../nodes/ContactTaskCrm/transport/tenantLimiter';
import { items } from '../engine/support/items';
import { nodeTypes, runNode } from '../engine/support/runNode';
import { startService } from '../service';
import { table, writeSection } from './markdown';

const FILE = 'docs/performance.md';
const FOREVER = { slotMs: Infinity, throttledMs: 1_800_000 };

/** ms that work takes, and the longest that it blocks the process at a stretch. */
async function timed(work: () => Promise<void> | void) {
	const blocked = monitorEventLoopDelay({ resolution: 1 });
	blocked.enable();
	// The first sample only begins the count: a block before it would not be seen.
	await systemClock.sleep(20);
	const startedAt = performance.now();
	await work();
	const took = performance.now() - startedAt;
	await systemClock.sleep(20);
	blocked.disable();
	return { took, blocked: blocked.max / 1e6 };
}

const ms = (time: number) => `${time.toFixed(0)} ms`;

/** A request that waits behind one which is never answered, until it is cancelled. */
async function waiting(limiter: TenantLimiter, queueKey: object, item: number): Promise<void> {
	const submission = { queueKey, item, urgent: false, waitLimits: FOREVER, limit: 1 };
	const send = async () => await new Promise<never>(() => {});
	await limiter.submit({ ...submission, send }).catch(() => undefined);
}

/** The items of one run, from where the engine has built them. */
async function run(count: number) {
	const limiter = new TenantLimiter(systemClock, Math.random);
	const items = new NodeRun({ clock: systemClock, total: count, mustBeWhole: true });
	items.uses(limiter);
	let begun = 0;
	for (let item = 0; item < count; item++) items.join(item);
	const begin = await timed(async () => {
		for (let item = 0; item < count; item++) {
			void items.begin().then(async () => {
				begun++;
				await waiting(limiter, items, item);
			});
			// The engine builds items one after the other, with work of its own between them.
			if (item % 500 === 499) await systemClock.sleep(0);
		}
		while (begun < count) await systemClock.sleep(1);
	});
	const stop = await timed(() => items.stop());
	return [
		{
			what: `${count} items of a run begin to wait`,
			time: `${ms(begin.took)}, the longest block ${ms(begin.blocked)}`,
		},
		{
			what: `the same run is stopped`,
			time: `${ms(stop.took)}, the longest block ${ms(stop.blocked)}`,
		},
	];
}

async function newcomers(count: number) {
	const limiter = new TenantLimiter(systemClock, Math.random);
	const queueKey = {};
	const submit = async (item: number) => await waiting(limiter, queueKey, item);
	const all: Array<Promise<unknown>> = [];
	const join = await timed(() => {
		for (let item = 0; item < count; item++) all.push(submit(item));
	});
	const leave = await timed(async () => {
		limiter.cancel(queueKey);
		await Promise.all(all.slice(1));
	});
	return [
		{ what: `${count} requests join the queue of a tenant`, time: ms(join.took) },
		{ what: `${count} requests leave it, cancelled`, time: ms(leave.took) },
	];
}

async function paging(count: number) {
	const read = new ListRead(Infinity);
	const page = (number: number) => ({
		members: Array.from({ length: 30 }, (_, index) => ({ id: `person-${number}-${index}` })),
		hasNext: (number + 1) * 30 < count,
	});
	const { took } = await timed(() => {
		for (let number = 0; !read.isDone; number++) read.add(page(number));
	});
	return [
		{ what: `${read.records.length} records of a list, without the network`, time: ms(took) },
	];
}

/** A bulk run in the engine that never gets a slot: what the items cost before anything is sent. */
async function building(count: number) {
	const service = await startService({ switches: { rateLimit: { limit: 1 } } });
	await runNode(service, { parameters: { resource: 'segment', operation: 'getAll' } });
	const before = process.memoryUsage().heapUsed;
	const input = items(count, (index) => ({ name: `Person ${index}` }));
	const parameters = {
		resource: 'person',
		operation: 'create',
		familyName: '={{ $json.name }}',
		options: { whenRateLimited: 'fail' },
	};
	const { took } = await timed(async () => {
		await runNode(service, { parameters, input, onError: 'continueRegularOutput' });
	});
	const megabytes = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
	await service.close();
	return [
		{
			what: `${count} items built by the engine, one expression each, and refused by an empty budget`,
			time: `${ms(took)}, ${megabytes.toFixed(0)} MB of heap`,
		},
	];
}

async function loading() {
	const load = createRequire(__filename);
	const startedAt = performance.now();
	load('../../dist/nodes/ContactTaskCrm/ContactTaskCrm.node.js');
	return [
		{
			what: 'loading the built node, n8n-workflow loaded already',
			time: ms(performance.now() - startedAt),
		},
	];
}

async function main() {
	const rows = [...(await loading())];
	await nodeTypes();
	rows.push(...(await newcomers(5_000)), ...(await newcomers(20_000)));
	rows.push(...(await run(5_000)), ...(await run(20_000)));
	rows.push(...(await paging(10_000)), ...(await paging(100_000)));
	rows.push(...(await building(5_000)));
	console.table(rows);
	await writeSection(FILE, 'costs', table(rows));
}

void main().then(() => process.exit());
