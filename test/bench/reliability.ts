/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a program that measures, and writes the figures */
import { items } from '../engine/support/items';
import type { OnError } from '../engine/support/runNode';
import { runNode } from '../engine/support/runNode';
import { PEOPLE } from '../engine/support/seeded';
import type { Fault } from '../service';
import { startService } from '../service';
import { table, writeSection } from './markdown';

const FILE = 'docs/reliability.md';
const ITEMS = 3;
/** Short, so that requests without an end are over soon. */
const TIMEOUT_MS = 2_000;

/** Faults of the second request of a run. */
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
	['wrong Content-Length', { kind: 'broken', how: 'wrong-length' }],
	['bad chunk', { kind: 'broken', how: 'bad-chunk' }],
	['web page with 200', { kind: 'status', status: 200 }],
	...[408, 422, 429, 500, 503, 522].map((status): [string, Fault] => [
		`HTTP ${status}`,
		{ kind: 'status', status, body: 'json' },
	]),
];

const person = { __rl: true, mode: 'id', value: PEOPLE[0].id };

/** Another person for each item, because equal reads of a run share one request. */
const eachPerson = { ...person, value: '={{ $json.id }}' };

const NAME = '={{ $json.name }}';
const OPERATIONS: Array<[string, Record<string, unknown>]> = [
	['Get', { operation: 'get', personId: eachPerson }],
	['Create', { operation: 'create', familyName: NAME }],
	['Update', { operation: 'update', personId: person, updateFields: { jobTitle: NAME } }],
];

const MODES: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];

/** Returns the number of items with a result, and whether the error says that the request may have taken effect. */
async function measure(
	[fault, kind]: [string, Fault],
	[operation, parameters]: [string, Record<string, unknown>],
	onError: OnError,
) {
	const service = await startService();
	service.switches.faults = [{ ...kind, match: { nth: 2 } }];
	const { error, ...result } = await runNode(service, {
		// Raw output, because lookups for simplified output would be further requests that a fault may hit.
		parameters: {
			...{ resource: 'person', output: 'raw', requestOptions: { timeout: TIMEOUT_MS } },
			...parameters,
		},
		input: items(ITEMS, (index) => ({ name: `Person ${index}`, id: PEOPLE[index].id })),
		onError,
	});
	const stored = service.requests
		.filter((request) => request.stored)
		.map(({ body }) => JSON.stringify(body));
	await service.close();
	if (operation === 'Create' && stored.length > new Set(stored).size) {
		throw new Error(`${fault}: a person was created twice`);
	}
	const results = result.items.filter(({ json }) => json.error === undefined).length;
	return { results, isOpen: error?.message.includes('may have taken effect') };
}

/**
 * Runs with each setting of On Error. Returns what the node does after the fault: it repeats the request, or fails.
 * `open` means that it fails, and the request may have taken effect.
 */
async function outcomeOf(fault: [string, Fault], operation: [string, Record<string, unknown>]) {
	const [stopped, ...others] = await Promise.all(
		MODES.map(async (mode) => await measure(fault, operation, mode)),
	);
	const isRepeated = stopped.results === ITEMS;
	if (others.some(({ results }) => results !== (isRepeated ? ITEMS : ITEMS - 1))) {
		throw new Error(`${fault[0]}, ${operation[0]}: others than the item that met the fault failed`);
	}
	if (isRepeated) return 'repeated';
	return stopped.isOpen ? 'open' : 'failed';
}

async function main() {
	const faultsByOutcome = new Map<string, string[]>();
	for (const fault of FAULTS) {
		const outcomes = await Promise.all(
			OPERATIONS.map(async (operation) => await outcomeOf(fault, operation)),
		);
		const key = outcomes.join();
		faultsByOutcome.set(key, [...(faultsByOutcome.get(key) ?? []), fault[0]]);
	}
	const rows = [...faultsByOutcome].map(([outcomes, faults]) => ({
		'what a request meets': faults.join(', '),
		...Object.fromEntries(OPERATIONS.map(([name], index) => [name, outcomes.split(',')[index]])),
	}));
	console.table(rows);
	await writeSection(FILE, 'faults', table(rows));
}

void main().then(() => process.exit());
