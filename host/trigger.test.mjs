// The trigger active in a real n8n, across a kill: run with `node --test host/trigger.test.mjs`.
// Takes several minutes, since n8n polls every minute at most.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCredentials } from './examples.mjs';
import { ensureHost } from './install.mjs';
import * as n8n from './n8n.mjs';
import { pack } from './pack.mjs';
import { stopAll } from './run.mjs';
import { ask as askService, requestsOf, setSwitches, startService } from './service.mjs';
import { startCollector, triggerWorkflow } from './triggerWorkflow.mjs';

/** A poll a minute, the time that n8n takes to begin one and to run what it gives, and turns to wait for. */
const THREE_POLLS_MS = 220_000;
/** So much that each trigger reads its list in every poll, within the half that polls may use. */
const REQUESTS_PER_MINUTE = 80;

let service;
let instance;
let collector;
let editor;
let people;
let tasks;
let segment;

const ask = async (method, path, body) => await askService(service, method, path, body);

const receivedFor = (event) =>
	collector.received.filter((one) => one.event === event).map(({ item }) => item);

async function until(isTrue, timeoutMs, missing) {
	const deadline = Date.now() + timeoutMs;
	while (!isTrue()) {
		if (Date.now() > deadline) throw new Error(`Did not come: ${missing().join(', ')}`);
		await sleep(500);
	}
}

/** Waits until n8n has sent nothing for a while, as between two polls. */
async function untilQuiet() {
	for (let count = -1, seen = 0; count !== seen; ) {
		count = seen;
		await sleep(10_000);
		seen = (await requestsOf(service)).length;
	}
}

before(async () => {
	instance = await n8n.createInstance(await ensureHost());
	const packed = await pack(instance.folder);
	await n8n.installPackage(instance, packed.tarball);
	service = await startService({ port: 0 });
	// What the test itself does takes nothing from what n8n may do.
	await setSwitches(service, { rateLimit: { limit: 100 } });
	collector = await startCollector();
	people = (await ask('GET', '/people?itemsPerPage=30')).member;
	tasks = (await ask('GET', '/tasks?itemsPerPage=30')).member;
	[{ id: segment }] = (await ask('GET', '/segments')).member;
	const [credential] = await readCredentials(service);
	credential.data.requestsPerMinute = REQUESTS_PER_MINUTE;
	await n8n.importCredentials(instance, [credential]);
	const locator = (value) => ({ __rl: true, mode: 'id', value });
	const options = { maxRequestsPerPoll: 10 };
	const task = locator(tasks[0].id);
	const watched = [
		{ watch: 'people', events: ['personCreated', 'personUpdated'], options },
		{
			watch: 'segment',
			events: ['personAddedToSegment', 'personRemovedFromSegment'],
			segmentId: locator(segment),
			options,
		},
		{
			watch: 'tasks',
			events: ['taskCreated', 'taskUpdated', 'taskMoved', 'taskCompleted'],
			options,
		},
		{ watch: 'comments', events: ['commentAdded'], taskId: task },
		{ watch: 'history', events: ['historyAdded'], taskId: task },
	];
	const workflows = watched.map((parameters, index) =>
		triggerWorkflow({ id: `trigger${index + 1}`.padEnd(16, '0'), parameters, url: collector.url }),
	);
	await n8n.importWorkflows(instance, workflows);
	for (const { id } of workflows) await n8n.runN8n(instance, ['publish:workflow', `--id=${id}`]);
	editor = await n8n.startEditor(instance, { port: 0 });
	// Activated, each has read its list: all of the first two minutes' requests are answered.
	await untilQuiet();
});

after(async () => {
	collector?.close();
	await stopAll();
	if (instance) await n8n.removeInstance(instance);
});

const columnOtherThan = (task) =>
	tasks.map(({ status }) => status).find((status) => status !== task.status);

const iri = () => `/segments/${segment}`;

/** Changes something for each event; what has to arrive, as "event id". */
async function change(round) {
	const created = await ask('POST', '/people', { familyName: `Visser ${round}` });
	const updated = people[round];
	await ask('PATCH', `/people/${updated.id}`, { jobTitle: `Chief ${round}` });
	const added = people.filter(({ segments }) => !segments.includes(iri())).at(-round);
	await ask('PATCH', `/people/${added.id}`, { segments: [...added.segments, iri()] });

	const left = people.filter(({ segments }) => segments.includes(iri()))[round - 1];
	await ask('PATCH', `/people/${left.id}`, { segments: [] });

	const made = await ask('POST', '/tasks', { title: `Call ${round}`, status: tasks[0].status });
	const [discussed, moved, renamed] = [tasks[0], tasks[round], tasks[4 + round]];
	const completed = tasks.filter(({ completedAt }) => !completedAt).at(-round);
	await ask('PATCH', `/tasks/${moved.id}`, { status: columnOtherThan(moved) });
	await ask('PATCH', `/tasks/${renamed.id}`, { title: `Call again ${round}` });
	await ask('PATCH', `/tasks/${completed.id}`, { completedAt: new Date().toISOString() });
	const path = `/tasks/${discussed.id}`;
	const comment = await ask('POST', `${path}/comments`, { description: `Comment ${round}` });
	await ask('PATCH', path, { description: `Discussed ${round}` });
	const { member: history } = await ask('GET', `${path}/history?itemsPerPage=30`);
	const entry = history.find(({ changes }) =>
		JSON.stringify(changes).includes(`"Discussed ${round}"`),
	);
	return [
		`personCreated ${created.id}`,
		`personUpdated ${updated.id}`,
		`personUpdated ${added.id}`,
		`personUpdated ${left.id}`,
		`personAddedToSegment ${added.id}`,
		`personRemovedFromSegment ${left.id}`,
		`taskCreated ${made.id}`,
		...[discussed, moved, renamed, completed].map(({ id }) => `taskUpdated ${id}`),
		`taskMoved ${moved.id}`,
		`taskCompleted ${completed.id}`,
		`commentAdded ${comment.id}`,
		`historyAdded ${entry.id}`,
	];
}

const expected = [];

const arrived = () => collector.received.map(({ event, item }) => `${event} ${item.id}`);

/** Waits until all has arrived that was changed so far, each as often as it was changed. */
async function arrives(changes) {
	expected.push(...changes);
	const missing = () => {
		const left = arrived();
		return expected.filter((one) => {
			const position = left.indexOf(one);
			if (position >= 0) left.splice(position, 1);
			return position < 0;
		});
	};
	await until(() => missing().length === 0, THREE_POLLS_MS, missing);
}

test('nothing old arrives, and each change does', async () => {
	assert.deepEqual(collector.received, []);
	await arrives(await change(1));
});

test('what changes while n8n is killed and started again arrives', async () => {
	process.kill(-editor.program.child.pid, 'SIGKILL');
	await editor.program.ended;
	const changes = await change(2);
	editor = await n8n.startEditor(instance, { port: 0 });
	await arrives(changes);
});

test('changes go on arriving', async () => {
	await arrives(await change(3));
});

test('all of it arrived once, and nothing else', async () => {
	await sleep(70_000);
	assert.deepEqual(arrived().sort(), expected.sort());
	const moved = receivedFor('taskMoved');
	assert.ok(
		moved.every(({ previousStatus, status }) => previousStatus && previousStatus !== status),
	);
	const refused = (await requestsOf(service)).filter(({ status }) => status === 429);
	assert.deepEqual(refused, []);
});
