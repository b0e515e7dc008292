/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions -- a program that measures, and writes the figures */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import getPort from 'get-port';
import type { IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { items } from '../engine/support/items';
import { nodeTypes, PACKAGE_NODE, runNode, startNode } from '../engine/support/runNode';
import { table, writeSection } from './markdown';

/*
 * Measures how long the process is blocked, its memory and its processor time, compared with the engine alone. For the
 * engine alone, the same description has a minimal function in place of the one that runs a request. The service runs
 * in another process.
 */

const FILE = 'test/bench/figures.md';
const ITEMS = 5_000;
const RECORDS = 50_000;
const SAMPLE_MS = 10;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The function that n8n runs for an item instead of sending a request itself. */
type Paginator = (
	this: IExecutePaginationFunctions,
	request: { options: { proxy?: unknown } },
) => Promise<INodeExecutionData[]>;

interface Load {
	what: string;
	parameters: Record<string, unknown>;
	inputs: number;
	/** Requests per minute of the credential. */
	limit: number;
	/** Number of people. The stand-in copies its list of people for each write, so only runs that read have many. */
	people: number;
	/** Time in ms from the building of the items until the run is cancelled. */
	cancelAfterMs?: number;
	alone: Paginator;
}

const doNothing: Paginator = async function () {
	return await Promise.resolve([{ json: {}, pairedItem: { item: this.getItemIndex() } }]);
};

const LOADS: Load[] = [
	{
		what: `${ITEMS} items created without a rate limit`,
		parameters: { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' },
		inputs: ITEMS,
		limit: 1_000_000,
		people: 1_000,
		alone: doNothing,
	},
	{
		what: `${ITEMS} items created: 20 sent, the others cancelled`,
		parameters: { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' },
		inputs: ITEMS,
		limit: 20,
		people: 1_000,
		cancelAfterMs: 3_000,
		alone: doNothing,
	},
	{
		what: `${RECORDS} people listed by one item`,
		parameters: { resource: 'person', operation: 'getAll', returnAll: true, output: 'raw' },
		inputs: 1,
		limit: 1_000_000,
		people: RECORDS,
		alone: async function (this: IExecutePaginationFunctions, { options }) {
			const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('contactTaskCrmApi');
			const send = this.helpers.httpRequestWithAuthentication.bind(this, 'contactTaskCrmApi');
			const headers = { Accept: 'application/ld+json' };
			const all: unknown[] = [];
			for (let page = 1; all.length < RECORDS; page++) {
				const url = `${baseUrl}/people?itemsPerPage=30&page=${page}`;
				const proxy = options.proxy as never;
				const { member } = (await send({ url, headers, json: true, proxy })) as {
					member: unknown[];
				};
				all.push(...member);
			}
			return all.map((json) => ({ json: json as never, pairedItem: { item: 0 } }));
		},
	},
];

type Routed = { routing?: { operations?: { pagination?: unknown } } };

/** Replaces the function of every operation. Returns a function that restores them. */
async function withPaginator(paginator: Paginator | undefined): Promise<() => void> {
	const { description } = (await nodeTypes()).getByNameAndVersion(PACKAGE_NODE);
	const undo: Array<() => void> = [];
	for (const { options = [] } of description.properties) {
		for (const { routing } of options as Routed[]) {
			const { operations } = routing ?? {};
			if (!paginator || !operations?.pagination) continue;
			const own = operations.pagination;
			operations.pagination = paginator;
			undo.push(() => (operations.pagination = own));
		}
	}
	return () => undo.forEach((each) => each());
}

async function measure(url: string, load: Load, isAlone: boolean) {
	const { what, parameters, inputs, limit, cancelAfterMs } = load;
	const putBack = await withPaginator(isAlone ? load.alone : undefined);
	const input = items(inputs, (index) => ({ name: `Person ${index}` }));
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	let most = before;
	const sampling = setInterval(() => {
		most = Math.max(most, process.memoryUsage().heapUsed);
	}, SAMPLE_MS);
	const blocked = monitorEventLoopDelay({ resolution: 1 });
	blocked.enable();
	// The first sample only starts the measurement, so a block before it would not show.
	await sleep(2 * SAMPLE_MS);
	const startedAt = performance.now();
	const processor = process.cpuUsage();
	const { execution } = await startNode(
		{ url, apiKey: 'demo-key' },
		{ parameters, input, credentials: { requestsPerMinute: limit } },
	);
	if (cancelAfterMs !== undefined && !isAlone) {
		// The process is blocked until all items are built. The first wait ends after that.
		void sleep(1).then(async () => {
			await sleep(cancelAfterMs);
			execution.cancel();
		});
	}
	const { data } = await execution;
	const { error } = data.resultData;
	if (error && cancelAfterMs === undefined) throw error;
	const took = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(processor);
	await sleep(2 * SAMPLE_MS);
	blocked.disable();
	clearInterval(sampling);
	putBack();
	const row = {
		what: isAlone ? '… the engine alone' : what,
		'blocked, ms': (blocked.max / 1e6).toFixed(0),
		'heap, MB': ((most - before) / 1024 / 1024).toFixed(0),
		'processor, s': ((user + system) / 1e6).toFixed(1),
		seconds: (took / 1000).toFixed(1),
	};
	console.log(row);
	return row;
}

async function startStandIn(people: number): Promise<{ url: string; stop: () => void }> {
	const port = await getPort({ host: '127.0.0.1' });
	const root = join(__dirname, '..', '..');
	const args = ['test/service/main.ts', '--port', String(port), '--rate-limit', 'off'];
	args.push('--people', String(people));
	const tsx = join(root, 'node_modules', '.bin', 'tsx');
	const program = spawn(tsx, args, { cwd: root, stdio: 'ignore' });
	const url = `http://127.0.0.1:${port}`;
	const answers = async () =>
		await fetch(`${url}/_control/requests`).then(
			({ ok }) => ok,
			() => false,
		);
	while (!(await answers())) await sleep(250);
	return { url, stop: () => program.kill() };
}

async function main() {
	await nodeTypes();
	const rows = [];
	// `npx tsx test/bench/load.ts 0` measures the first load alone, and writes nothing.
	const [only] = process.argv.slice(2);
	for (const load of only === undefined ? LOADS : [LOADS[Number(only)]!]) {
		const { url, stop } = await startStandIn(load.people);
		// Runs the node once before, because the first run loads modules.
		const warm = { parameters: { resource: 'segment', operation: 'getAll' } };
		await runNode({ url, apiKey: 'warm' }, warm);
		for (const isAlone of [false, true]) rows.push(await measure(url, load, isAlone));
		stop();
	}
	if (only === undefined) await writeSection(FILE, 'load', table(rows));
}

void main().then(() => process.exit());
