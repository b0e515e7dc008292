// Tests the package in n8n's queue mode, over PostgreSQL and Redis: run with `npm run test:n8n -- queue`. Takes six minutes,
// or twelve on a busy machine. Longer tests are in queueLong.test.mjs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalAll } from './queueMode.mjs';
import { QueueScene, secondsSince } from './queueScene.mjs';

const scene = new QueueScene();
const WORKERS = 3;
/** Least time for 45 people at once: the last five go in the third window. */
const OPTIMUM_S = 120;

/** Slow enough to kill a worker while it sends. */
const slow = { latencyBeforeMs: 150, latencyAfterMs: 150 };

before(async () => {
	const tenants = {
		share: { operation: 'create' },
		beside: { operation: 'create' },
		killed: { operation: 'upsert', switches: slow },
	};
	await scene.setUp(tenants, { trigger: 'beside' });
});
after(async () => await scene.tearDown('queue'));

describe('runs beside each other', { concurrency: true }, () => {
	let startedAgain;
	const workersAreUp = new Promise((resolve) => (startedAgain = resolve));

	test('A killed worker doubles nothing, and a second run does the rest', async () => {
		const [worker] = await scene.startWorkers(1);
		const names = await scene.post('killed', 'Killed', 30);
		await scene.untilSomeCreated('killed', 8);
		signalAll(worker, 'SIGKILL');
		startedAgain(await scene.startWorkers(WORKERS));
		const done = await scene.created('killed');
		await scene.post('killed', 'Killed', 30);
		await scene.untilCreated('killed', names, 240_000);
		await scene.seen('killed', names);
		scene.note(
			'30 people, the worker killed, run again',
			`${done.length} + ${30 - done.length} created, none twice`,
		);
	});

	test('One item waits at most a minute beside a bulk run on another worker', async () => {
		await workersAreUp;
		const bulk = await scene.post('beside', 'Bulk', 45);
		await sleep(70_000);
		const startedAt = Date.now();
		const one = await scene.post('beside', 'One', 1);
		await scene.untilCreated('beside', one, 120_000);
		const waited = secondsSince(startedAt);
		await scene.untilCreated('beside', bulk, 300_000);
		const { refused, seconds } = await scene.seen('beside', bulk);
		scene.note(
			'one item beside 45 on another worker',
			`${waited} s; the 45: ${refused} refused, ${seconds} s`,
		);
		assert.ok(waited <= 60);
	});
});

test('45 people in three executions on three workers are each created once', async () => {
	const parts = await Promise.all(
		[1, 2, 3].map(async (part) => await scene.post('share', `Part ${part}`, 15)),
	);
	const names = parts.flat();
	await scene.untilCreated('share', names, 400_000);
	const { refused, seconds } = await scene.seen('share', names);
	scene.note(
		`45 people over three workers (optimum ${OPTIMUM_S} s)`,
		`${refused} refused, ${seconds} s`,
	);
	assert.ok(refused <= 20);
});

test('No poll of a trigger on the main process fails beside the workers', async () => {
	// An execution of the trigger waits while the workers create people.
	const statuses = await scene.untilOver('trigger', 240_000);
	const polls = (await scene.requests('beside')).filter(
		({ method, path }) => method === 'GET' && path.startsWith('/people'),
	);
	assert.ok(polls.length >= 2);
	assert.ok(statuses.length >= 1);
	assert.deepEqual(new Set(statuses), new Set(['success']));
});

test("n8n shows a killed worker's execution as failed, and does not run it again", async () => {
	const [status] = await scene.untilOver('killed', 240_000, 1);
	assert.notEqual(status, 'success');
	assert.equal((await scene.executions('killed')).length, 2);
	assert.equal((await scene.created('killed')).length, 30);
});
