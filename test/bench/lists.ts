/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a program that measures, and writes what it measured */
import { systemClock } from '../../nodes/ContactTaskCrm/transport/clock';
import { items } from '../engine/support/items';
import { Lookups } from '../engine/support/lookup';
import { runNode } from '../engine/support/runNode';
import type { Service } from '../service';
import { startService } from '../service';
import { table, writeSection } from './markdown';

const FILE = 'docs/performance.md';
const LATENCY_MS = 25;
/** 18 and 20 divide it, so that no window that is begun and not used up blurs the figures. */
const ITEMS = 360;
const OPENED = 60;
const EVERY_MS = 18_000;

/** Creates people in one run, and says how many seconds it took. */
async function bulkRun(service: Service): Promise<number> {
	const startedAt = systemClock.now();
	await runNode(service, {
		parameters: { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' },
		input: items(ITEMS, (index) => ({ name: `Bulk ${index}` })),
	});
	return (systemClock.now() - startedAt) / 1000;
}

/** Opens one list after the other, as somebody does who builds a workflow. */
async function openLists(service: Service) {
	const lookups = new Lookups(service);
	const lists: Array<() => Promise<unknown>> = [
		async () => await lookups.list('searchColumns'),
		async () => await lookups.options('getTags'),
		async () => await lookups.list('searchPeople'),
		async () => await lookups.options('getSegments'),
		async () => await lookups.list('searchUsers'),
		async () => await lookups.list('searchTasks'),
		async () => await lookups.list('searchWorkspaces'),
		async () => await lookups.list('searchPeople', 'van'),
	];
	const waits: number[] = [];
	for (let opened = 0; opened < OPENED; opened++) {
		await systemClock.sleep(EVERY_MS);
		const startedAt = systemClock.now();
		await lists[opened % lists.length]().then(
			() => waits.push(systemClock.now() - startedAt),
			({ message }: Error) => console.log(message),
		);
	}
	const longest = Math.max(...waits) / 1000;
	return { lists: `${waits.length} of ${OPENED}`, 'the slowest': `${longest.toFixed(1)} s` };
}

const NO_LISTS = { lists: '–', 'the slowest': '–' };

async function measure(what: string, isEdited: boolean) {
	const latencyAfterMs = LATENCY_MS;
	const service = await startService({ switches: { latencyAfterMs, latencyBeforeMs: LATENCY_MS } });
	const [seconds, opened] = await Promise.all([
		bulkRun(service),
		isEdited ? openLists(service) : NO_LISTS,
	]);
	const refused = service.requests.filter(({ status }) => status === 429).length;
	await service.close();
	return { what, seconds, opened, refused };
}

async function main() {
	const [alone, beside] = await Promise.all([
		measure('nobody edits', false),
		measure(`${OPENED} lists are opened, none of them read before`, true),
	]);
	const rows = [alone, beside].map(({ what, seconds, opened, refused }) => ({
		[`while ${ITEMS} people are created`]: what,
		'lists that opened': opened.lists,
		'the slowest': opened['the slowest'],
		'requests refused': refused,
		'seconds of the run': seconds.toFixed(0),
		'of the time alone': (seconds / alone.seconds).toFixed(3),
	}));
	console.table(rows);
	await writeSection(FILE, 'lists', table(rows));
}

void main().then(() => process.exit());
