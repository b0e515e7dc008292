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
import { startService } from './service.mjs';
import { startCollector, triggerWorkflow } from './triggerWorkflow.mjs';

/** A poll a minute, and the time that n8n takes to begin one and to run what it gives. */
const TWO_POLLS_MS = 140_000;

let service;
let instance;
let collector;
let editor;
let people;
let tasks;

async function ask(method, path, body) {
	const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';
	const response = await fetch(`${service.address}${path}`, {
		method,
		headers: { 'x-api-key': service.apiKey, accept: 'application/ld+json', 'content-type': type },
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	assert.ok(response.ok, `${method} ${path}: ${response.status}`);
	return await response.json();
}

const receivedFor = (event) =>
	collector.received.filter((one) => one.event === event).map(({ item }) => item);

async function until(isTrue, timeoutMs) {
	const deadline = Date.now() + timeoutMs;
	while (!isTrue()) {
		if (Date.now() > deadline) {
			throw new Error(`Did not come: ${JSON.stringify(collector.received)}`);
		}
		await sleep(500);
	}
}

before(async () => {
	instance = await n8n.createInstance(await ensureHost());
	const packed = await pack(instance.folder);
	await n8n.installPackage(instance, packed.tarball);
	service = await startService({ port: 0 });
	// What the test itself does takes nothing from what n8n may do.
	await fetch(`${service.address}/_control/switches`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ rateLimit: { limit: 100 } }),
	});
	collector = await startCollector();
	people = (await ask('GET', '/people?itemsPerPage=30')).member;
	tasks = (await ask('GET', '/tasks?itemsPerPage=30')).member;
	await n8n.importCredentials(instance, await readCredentials(service));
	const events = [
		{ event: 'personCreated' },
		{ event: 'personUpdated' },
		{ event: 'taskMoved' },
		{ event: 'commentAdded', taskId: { __rl: true, mode: 'id', value: tasks[0].id } },
	];
	const workflows = events.map((parameters, index) =>
		triggerWorkflow({ id: `trigger${index + 1}`.padEnd(16, '0'), parameters, url: collector.url }),
	);
	await n8n.importWorkflows(instance, workflows);
	for (const { id } of workflows) await n8n.runN8n(instance, ['publish:workflow', `--id=${id}`]);
	editor = await n8n.startEditor(instance, { port: 0 });
	// Activated, each has read its list once.
	await sleep(15_000);
});

after(async () => {
	collector?.close();
	await stopAll();
	if (instance) await n8n.removeInstance(instance);
});

const columnOtherThan = (task) =>
	tasks.map(({ status }) => status).find((status) => status !== task.status);

async function change(round) {
	const created = await ask('POST', '/people', { familyName: `Visser ${round}` });
	await ask('PATCH', `/people/${people[round].id}`, { jobTitle: `Chief ${round}` });
	const task = tasks[round];
	const status = columnOtherThan(task);
	await ask('PATCH', `/tasks/${task.id}`, { status });
	const comment = await ask('POST', `/tasks/${tasks[0].id}/comments`, {
		description: `Comment ${round}`,
	});
	return {
		personCreated: created.id,
		personUpdated: people[round].id,
		taskMoved: task.id,
		commentAdded: comment.id,
	};
}

const done = [];

const countOf = (event, id) => receivedFor(event).filter((item) => item.id === id).length;

async function arrives(ids) {
	done.push(ids);
	const all = () => Object.entries(ids).every(([event, id]) => countOf(event, id) > 0);
	await until(all, TWO_POLLS_MS);
}

test('nothing old arrives, and each change does', async () => {
	assert.deepEqual(collector.received, []);
	await arrives(await change(1));
});

test('what changes while n8n is killed and started again arrives', async () => {
	process.kill(-editor.program.child.pid, 'SIGKILL');
	await editor.program.ended;
	const ids = await change(2);
	editor = await n8n.startEditor(instance, { port: 0 });
	await arrives(ids);
});

test('changes go on arriving', async () => {
	await arrives(await change(3));
});

test('all of it arrived once, and nothing else', async () => {
	await sleep(70_000);
	const expected = done
		.flatMap((ids) => Object.entries(ids).map((entry) => entry.join(' ')))
		.sort();
	const actual = collector.received.map(({ event, item }) => `${event} ${item.id}`).sort();
	assert.deepEqual(actual, expected);
	const moved = receivedFor('taskMoved');
	assert.ok(
		moved.every(({ previousStatus, status }) => previousStatus && previousStatus !== status),
	);
});
