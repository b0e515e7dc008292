// Tests long imports in n8n's queue mode, with a deploy and a stall, over PostgreSQL and Redis. It takes about half an
// hour: run with `npm run test:n8n -- long`.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalAll, stopExecution } from './queueMode.mjs';
import { QueueScene, secondsSince } from './queueScene.mjs';

const scene = new QueueScene();

/** Slow enough to end a worker while it sends. */
const slow = { latencyBeforeMs: 150, latencyAfterMs: 150 };
const twoWindows = { rateLimit: { mode: 'two-windows' } };

before(async () => {
	await scene.setUp({
		deploy: { operation: 'upsert', switches: slow },
		stalled: { operation: 'upsert', switches: slow },
		stopped: { operation: 'create' },
		counted: { operation: 'create', switches: { rateLimit: { countRejected: true } } },
		log: { operation: 'create' },
		windows: { operation: 'create', switches: twoWindows },
	});
});
after(async () => await scene.tearDown('queue-long'));

/** Makes one worker begin to create or update 30 people. */
async function begin(tenant) {
	const [worker] = await scene.startWorkers(1);
	const names = await scene.post(tenant, tenant, 30);
	await scene.untilSomeCreated(tenant, 8);
	return { worker, names };
}

test('A deploy ends the worker, and a second run does the rest', async () => {
	const { worker, names } = await begin('deploy');
	const endedAt = Date.now();
	signalAll(worker, 'SIGTERM');
	await worker.ended;
	const took = secondsSince(endedAt);
	const done = await scene.created('deploy');
	const [next] = await scene.startWorkers(1);
	await scene.post('deploy', 'deploy', 30);
	await scene.untilCreated('deploy', names, 300_000);
	const [status] = await scene.untilOver('deploy', 300_000, 1);
	await scene.seen('deploy', names);
	scene.note(
		'30 people, SIGTERM with 10 s of grace, run again',
		`over after ${took} s as "${status}"; ${done.length} + ${30 - done.length} created, none twice`,
	);
	signalAll(next, 'SIGKILL');
	await next.ended;
});

test('A stalled worker loses nobody, and doubles at most people not yet written', async () => {
	const { worker, names } = await begin('stalled');
	signalAll(worker, 'SIGSTOP');
	const done = await scene.created('stalled');
	// Another worker notices that this one stands still.
	const [next] = await scene.startWorkers(1);
	const [status] = await scene.untilOver('stalled', 300_000, 1);
	await scene.post('stalled', 'stalled', 30);
	await scene.untilCreated('stalled', names, 300_000);
	signalAll(worker, 'SIGCONT');
	await sleep(120_000);
	const created = await scene.created('stalled');
	const doubled = created.length - new Set(created).size;
	scene.note(
		'30 people, the worker frozen, run again, thawed',
		`over as "${status}"; ${done.length} + ${30 - done.length} created, ${doubled} twice`,
	);
	assert.ok(names.every((name) => created.includes(name)));
	assert.ok(doubled <= 30 - done.length + 2);
	for (const one of [worker, next]) signalAll(one, 'SIGKILL');
	await Promise.all([worker.ended, next.ended]);
});

describe(
	'300 people over three executions, each on a worker of its own',
	{ concurrency: true },
	() => {
		let three;
		before(async () => {
			await scene.startWorkers(6);
			three = { log: await parts('log'), windows: await parts('windows') };
		});

		async function parts(tenant) {
			const all = [1, 2, 3].map(async (part) => await scene.post(tenant, `Part ${part}`, 100));
			return (await Promise.all(all)).flat();
		}

		for (const [tenant, what, optimum, mostRefused] of [
			['log', 'a sliding log', 840, 30],
			['windows', 'two windows', 897, 60],
		]) {
			test(`Three workers create each of 300 people once if the service limits by ${what}`, async () => {
				await scene.untilCreated(tenant, three[tenant], 1_800_000);
				const { refused, seconds } = await scene.seen(tenant, three[tenant]);
				const ofOptimum = Math.round((seconds / optimum) * 1000) / 1000;
				scene.note(
					`300 people over three workers, ${what}`,
					`${refused} refused, ${ofOptimum} of the optimum of ${optimum} s`,
				);
				assert.ok(refused <= mostRefused);
				// In simulation, this ratio is 1.2 on average. One slot too few costs a whole window, 0.07.
				assert.ok(ofOptimum <= 1.4);
			});
		}
	},
);

describe('runs beside each other', { concurrency: true }, () => {
	test('Beside a bulk run, one item waits a minute at most if refusals count', async () => {
		const bulk = await scene.post('counted', 'Bulk', 60);
		await sleep(75_000);
		const startedAt = Date.now();
		const one = await scene.post('counted', 'One', 1);
		await scene.untilCreated('counted', one, 120_000);
		const waited = secondsSince(startedAt);
		await scene.untilCreated('counted', bulk, 600_000);
		const { refused, seconds } = await scene.seen('counted', bulk);
		scene.note(
			'one item beside 60, refused requests counted',
			`${waited} s; the 60: ${refused} refused, ${seconds} s`,
		);
		assert.ok(waited <= 60);
	});

	test('A stopped run sends nothing afterwards', async () => {
		await scene.post('stopped', 'Stopped', 100);
		await sleep(20_000);
		const [{ id }] = await scene.executions('stopped');
		const stoppedAt = Date.now();
		await stopExecution(scene.main, id);
		await sleep(75_000);
		const late = (await scene.requests('stopped')).filter(({ at }) => at > stoppedAt + 1_000);
		const created = await scene.created('stopped');
		assert.deepEqual(late, []);
		assert.equal(created.length, 20);
	});
});
