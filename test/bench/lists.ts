/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a program that measures, and writes what it measured */
import { sleep } from 'n8n-workflow';
import { items } from '../engine/support/items';
import { Lookups } from '../engine/support/lookup';
import { openLists } from '../engine/support/openLists';
import { runNode } from '../engine/support/runNode';
import type { Service } from '../service';
import { startService } from '../service';
import { writeSection } from './markdown';

const FILE = 'docs/performance.md';
const LATENCY_MS = 25;
/** 18 and 20 divide it, so that no window that is begun and not used up blurs the figures. */
const ITEMS = 360;
const OPENED = 60;
const EVERY_MS = 18_000;

/** Creates people in one run, and says how many seconds it took. */
async function bulkRun(service: Service): Promise<number> {
	const startedAt = Date.now();
	await runNode(service, {
		parameters: { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' },
		input: items(ITEMS, (index) => ({ name: `Bulk ${index}` })),
	});
	return (Date.now() - startedAt) / 1000;
}

/** Opens one list after the other, as somebody does who builds a workflow. */
async function editWorkflow(service: Service) {
	const pause = async () => await sleep(EVERY_MS);
	const waits = await openLists(new Lookups(service), OPENED, pause);
	const longest = Math.max(...waits) / 1000;
	return { lists: `${waits.length} of ${OPENED}`, 'the slowest': `${longest.toFixed(1)} s` };
}

const NO_LISTS = { lists: '–', 'the slowest': '–' };

async function measure(isEdited: boolean) {
	const latencyAfterMs = LATENCY_MS;
	const service = await startService({ switches: { latencyAfterMs, latencyBeforeMs: LATENCY_MS } });
	const [seconds, opened] = await Promise.all([
		bulkRun(service),
		isEdited ? editWorkflow(service) : NO_LISTS,
	]);
	const refused = service.requests.filter(({ status }) => status === 429).length;
	await service.close();
	return { seconds, opened, refused };
}

async function main() {
	const [alone, beside] = await Promise.all([measure(false), measure(true)]);
	const measured =
		`${beside.opened.lists} lists that were never read opened while ${ITEMS} people were created, the slowest after ` +
		`${beside.opened['the slowest']}; the run took ${(beside.seconds / alone.seconds).toFixed(2)} of its time alone, ` +
		`with ${alone.refused + beside.refused} requests refused.`;
	console.log(measured);
	await writeSection(FILE, 'lists', measured);
}

void main().then(() => process.exit());
