/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a program that measures, and writes what it measured */
import { items } from '../engine/support/items';
import type { OnError } from '../engine/support/runNode';
import { runNode } from '../engine/support/runNode';
import { PEOPLE } from '../engine/support/seeded';
import type { Fault } from '../service';
import { startService } from '../service';
import { table, writeSection } from './markdown';

const FILE = 'docs/reliability.md';
const ITEMS = 3;
/** Short, so that what never ends is over soon. */
const TIMEOUT_MS = 2_000;

/** What happens to the second request of a run. */
const FAULTS: Array<[string, Fault]> = [
	['reset before it was stored', { kind: 'reset' }],
	['reset after it was stored', { kind: 'reset', stored: true }],
	['answer cut', { kind: 'truncated' }],
	['no answer', { kind: 'slow' }],
	['answer drips', { kind: 'broken', how: 'dripping' }],
	['switch of protocols', { kind: 'broken', how: 'switching-protocols' }],
	['answer of 100 MB', { kind: 'broken', how: 'huge' }],
	['compressed bomb', { kind: 'broken', how: 'gzip-bomb' }],
	['headers of 2 MB', { kind: 'broken', how: 'huge-headers' }],
	['nested 10,000 deep', { kind: 'broken', how: 'deeply-nested' }],
	['wrong Content-Length', { kind: 'broken', how: 'wrong-length' }],
	['bad chunk', { kind: 'broken', how: 'bad-chunk' }],
	['web page with 200', { kind: 'status', status: 200 }],
	...[408, 422, 429, 500, 503, 522].map((status): [string, Fault] => [
		`HTTP ${status}`,
		{ kind: 'status', status, body: 'json' },
	]),
];

const person = { __rl: true, mode: 'id', value: PEOPLE[0].id };

/** Another person for each item, since equal reads of a run share one request. */
const eachPerson = { ...person, value: '={{ $json.id }}' };

const OPERATIONS: Array<[string, Record<string, unknown>]> = [
	['Get', { resource: 'person', operation: 'get', personId: eachPerson }],
	['Create', { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' }],
	[
		'Update',
		{
			resource: 'person',
			operation: 'update',
			personId: person,
			updateFields: { jobTitle: '={{ $json.name }}' },
		},
	],
];

const MODES: Array<[string, OnError]> = [
	['stop', 'stopWorkflow'],
	['continue', 'continueRegularOutput'],
	['error output', 'continueErrorOutput'],
];

async function measure(
	[fault, kind]: [string, Fault],
	[operation, parameters]: [string, Record<string, unknown>],
	[mode, onError]: [string, OnError],
) {
	const service = await startService();
	service.switches.faults = [{ ...kind, match: { nth: 2 } }];
	const result = await runNode(service, {
		// Raw, since what the simplified output looks up would be a request that the fault may fall on.
		parameters: { ...parameters, output: 'raw', requestOptions: { timeout: TIMEOUT_MS } },
		input: items(ITEMS, (index) => ({ name: `Person ${index}`, id: PEOPLE[index].id })),
		onError,
	});
	const { requests } = service;
	const stored = requests
		.filter((request) => request.stored)
		.map(({ body }) => JSON.stringify(body));
	await service.close();
	const failed = result.errorItems[0] ?? result.items.find(({ json }) => json.error !== undefined);
	const said = result.error?.message ?? (failed?.json.error as string | undefined);
	const advice = result.error?.description ?? '';
	return {
		fault,
		operation,
		'on error': mode,
		'what the user sees':
			said === undefined ? 'the result' : `${said}${mode === 'stop' ? `. ${advice}` : ''}`,
		results: result.items.filter(({ json }) => json.error === undefined).length,
		doubled: operation === 'Create' ? stored.length - new Set(stored).size : 0,
		requests: requests.length,
	};
}

async function main() {
	const rows = [];
	for (const fault of FAULTS) {
		const runs = OPERATIONS.flatMap((operation) =>
			MODES.map(async (mode) => await measure(fault, operation, mode)),
		);
		rows.push(...(await Promise.all(runs)));
		console.log(`${fault[0]}: done`);
	}
	await writeSection(FILE, 'faults', table(rows));
}

void main().then(() => process.exit());
