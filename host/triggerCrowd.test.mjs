// Tests fifteen workflows with active triggers on one credential in n8n 2.41: run with `npm run test:n8n -- trigger`. MINUTES
// is the time of changes in the CRM. Publishing, reading and waiting take about twenty minutes more.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCredentials } from './examples.mjs';
import { CURRENT, ensureHost } from './install.mjs';
import * as n8n from './n8n.mjs';
import { pack } from './pack.mjs';
import { activate, signIn } from './rest.mjs';
import { stopAll } from './run.mjs';
import { requestsOfN8n, setSwitches, startService } from './service.mjs';
import { change, openCrm, untilTold, watchedLists } from './triggerChanges.mjs';
import { startCollector, triggerWorkflow } from './triggerWorkflow.mjs';

const MINUTE_MS = 60_000;
/** At most ten, because the CRM has records for five rounds of changes. */
const MINUTES = Number(process.env.MINUTES ?? 5);
const ROUND_MS = 2 * MINUTE_MS;
const REQUESTS_PER_MINUTE = 20;
/** Time for each trigger to read its whole list once. An earlier change may or may not be reported. */
const FIRST_READING_MS = 5 * MINUTE_MS;
/**
 * Time for ten requests of each trigger. A scan of all tasks takes six, because every second request reads
 * the end of the list.
 */
const PATIENCE_MS = 15 * MINUTE_MS;
/** Time for two further requests of each trigger. It would show an event that is reported twice. */
const QUIET_MS = 3 * MINUTE_MS;

let folder;
let service;
let collector;
let rest;
let crm;
let workflows;
let publishedAt;

/**
 * Returns the watched events of the workflows: five watch all events of a list, nine watch one event each, and one
 * repeats another.
 */
function watchedByFifteen() {
	const lists = watchedLists(crm);
	const single = lists
		.filter(({ events }) => events.length > 1)
		.flatMap((list) => list.events.map((event) => ({ ...list, events: [event] })));
	const again = single.filter(({ events }) => events[0] === 'taskUpdated');
	return [...lists, ...single, ...again];
}

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-crowd-'));
	const { tarball } = await pack(folder);
	const instance = await n8n.createInstance(await ensureHost(CURRENT), { folder });
	await n8n.installPackage(instance, tarball);
	service = await startService({ port: 0 });
	// A higher limit, so that requests of the test do not use up n8n's.
	await setSwitches(service, { rateLimit: { limit: 100 } });
	collector = await startCollector();
	crm = await openCrm(service);
	const [credential] = await readCredentials(service);
	credential.data.requestsPerMinute = REQUESTS_PER_MINUTE;
	await n8n.importCredentials(instance, [credential]);
	rest = await signIn(await n8n.startEditor(instance, { port: 0 }));
	workflows = watchedByFifteen().map((parameters, index) => ({ name: `${index + 1}`, parameters }));
	assert.equal(workflows.length, 15);
	for (const { name, parameters } of workflows) {
		await activate(rest, triggerWorkflow({ parameters, url: collector.url + name }));
	}
	publishedAt = Date.now();
	await sleep(FIRST_READING_MS);
});

after(async () => {
	collector?.close();
	await stopAll();
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Returns an event of a workflow as a line. One task changes in every round; its title tells the rounds apart. */
const lineOf = ({ path, event, item }) => lineAbout(path, `${event} ${item.id}`, item.title);

const lineAbout = (name, change, title) =>
	change === `taskUpdated ${crm.tasks[0].id}`
		? `${name}: ${change} ${title}`
		: `${name}: ${change}`;

/** Returns the most requests within any minute. */
function mostInMinute(times) {
	const within = (from) => times.filter((at) => at >= from && at < from + MINUTE_MS).length;
	return Math.max(...times.map(within));
}

/** Returns the number of requests in each minute after publishing. */
function inEachMinute(times) {
	const counts = [];
	for (const at of times.filter((time) => time >= publishedAt)) {
		const minute = Math.floor((at - publishedAt) / MINUTE_MS);
		counts[minute] = (counts[minute] ?? 0) + 1;
	}
	return counts;
}

test('The triggers of fifteen workflows report each change once, within half the rate limit', async (t) => {
	assert.deepEqual(collector.received, []);
	const changedAt = new Map();
	const endsAt = Date.now() + MINUTES * MINUTE_MS;
	let rounds = 0;
	for (; Date.now() < endsAt; await sleep(Math.min(ROUND_MS, endsAt - Date.now()))) {
		const startedAt = Date.now();
		const changes = await change(crm, ++rounds);
		for (const { name, parameters } of workflows) {
			const own = changes.filter((line) => parameters.events.includes(line.split(' ')[0]));
			for (const line of own) {
				changedAt.set(lineAbout(name, line, `Discussed ${rounds}`), startedAt);
			}
		}
	}
	// Two updates of one task between two readings count as one. Its earlier updates need not be reported.
	const hasToBeTold = (line) => !/ Discussed /.test(line) || line.endsWith(` ${rounds}`);
	const told = () => collector.received.map(lineOf);
	const expected = [...changedAt.keys()].filter(hasToBeTold);
	await untilTold(expected, told, PATIENCE_MS);
	await sleep(QUIET_MS);

	const requests = (await requestsOfN8n(service)).map(({ at }) => at);
	const delays = collector.received
		.map((one) => ({ line: lineOf(one), seconds: (one.at - changedAt.get(lineOf(one))) / 1000 }))
		.sort((one, other) => one.seconds - other.seconds);
	const [median, worst] = [delays[delays.length >> 1], delays.at(-1)];
	t.diagnostic(`${rounds} rounds: ${expected.length} expected, ${told().length} told`);
	t.diagnostic(`median after ${median.seconds} s, worst after ${worst.seconds} s: ${worst.line}`);
	t.diagnostic(`requests in each minute: ${inEachMinute(requests).join(' ')}`);

	assert.deepEqual(told().filter(hasToBeTold).sort(), expected.sort());
	const earlier = told().filter((line) => !hasToBeTold(line));
	assert.equal(new Set(earlier).size, earlier.length);
	assert.ok(earlier.every((line) => changedAt.has(line)));
	const failed = encodeURIComponent(JSON.stringify({ status: ['error', 'crashed'] }));
	assert.deepEqual((await rest('GET', `/executions?filter=${failed}`)).results, []);
	// The first request of each trigger belongs to no poll, because publishing waits for it.
	const polls = requests.filter((at) => at > publishedAt + MINUTE_MS);
	assert.ok(mostInMinute(polls) <= REQUESTS_PER_MINUTE / 2, `${mostInMinute(polls)} in a minute`);
});
