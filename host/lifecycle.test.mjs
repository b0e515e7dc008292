// Tests the package while n8n's own loader installs, updates and uninstalls it. A run waits for the rate limit
// meanwhile, and a trigger is active: run with `npm run test:n8n -- hosts`.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test as runTest } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostsToTry } from './compatibility.mjs';
import { LifecycleScene, PACKAGE, rowsWorkflow, until } from './lifecycleScene.mjs';
import { pack } from './pack.mjs';
import { packedAs } from './registry.mjs';
import { activate } from './rest.mjs';
import { stopAll } from './run.mjs';
import { requestsOf, requestsOfN8n } from './service.mjs';
import { triggerWorkflow } from './triggerWorkflow.mjs';

const [FIRST, SECOND] = ['98.0.0', '99.0.0'];
const GONE = 'n8n did not send the request: Unrecognized credential type: contactTaskCrmApi';

let folder;
let tarballs;

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-lifecycle-'));
	const { tarball } = await pack(folder);
	tarballs = [await packedAs(tarball, FIRST, folder), await packedAs(tarball, SECOND, folder)];
});

after(async () => {
	await stopAll();
	await rm(folder, { recursive: true, force: true });
});

function livesIn(release) {
	// These tests run in order, because each builds on the earlier ones. The outer suite runs in parallel.
	describe(`n8n ${release.version}`, { concurrency: false }, () => {
		const scene = new LifecycleScene();
		let trigger;
		const tasks = [];
		let isBroken = false;

		/** A test is skipped if an earlier one failed, because it builds on that one. */
		const test = (name, run) =>
			runTest(name, async (t) => {
				if (isBroken) return t.skip('one before it failed');
				isBroken = true;
				await run(t);
				isBroken = false;
			});

		before(async () => await scene.setUp(release, tarballs));
		after(async () => await scene.tearDown());

		test('A community package is installed, and its nodes run', async () => {
			const { rest, service } = scene;
			await rest('POST', '/community-packages', { name: PACKAGE, version: FIRST });
			assert.equal(await scene.version(), FIRST);
			const { address: baseUrl, apiKey } = service;
			const name = 'CRM';
			const { id } = await rest('POST', '/credentials', {
				name,
				type: 'contactTaskCrmApi',
				data: { baseUrl, apiKey, requestsPerMinute: 20 },
			});
			const credential = { id, name };
			const parameters = { watch: 'tasks', events: ['taskCreated'] };
			const { url } = scene.changes;
			trigger = await activate(rest, triggerWorkflow({ parameters, url, credential }));
			await activate(rest, rowsWorkflow(credential, scene.results.url));
		});

		test('During an update, a running execution loses and doubles nothing, and the trigger continues', async (t) => {
			const startedAt = Date.now();
			const before = await scene.post('Before', 30);
			await scene.untilSomeCreated(before, 8);
			await scene.rest('PATCH', '/community-packages', { name: PACKAGE, version: SECOND });
			assert.equal(await scene.version(), SECOND);
			assert.ok((await scene.created(before)).length < before.length, 'It was under way');
			const names = [...before, ...(await scene.post('After', 10))];
			tasks.push(await scene.createTask('Made after the update'));
			const { received } = scene.results;
			await until('all rows', () => received.length >= names.length);
			assert.deepEqual((await scene.created(names)).sort(), [...names].sort());
			for (const { item } of received) assert.ok(item.id && !item.error, JSON.stringify(item));
			assert.equal(new Set(received.map(({ item }) => item.id)).size, names.length);
			const sent = await requestsOfN8n(scene.service);
			const refused = sent.filter(({ status }) => status === 429);
			const seconds = Math.round((Date.now() - startedAt) / 1000);
			t.diagnostic(`${names.length} created in ${seconds} s, ${refused.length} refused on the way`);
			assert.equal(await scene.arrived(tasks[0]), 1);
		});

		test('The trigger goes on after a kill of n8n, and finds changes made meanwhile', async () => {
			process.kill(-scene.editor.program.child.pid, 'SIGKILL');
			await scene.editor.program.ended;
			tasks.push(await scene.createTask('Made while n8n was away'));
			await scene.start();
			assert.equal(await scene.version(), SECOND);
			assert.equal(await scene.arrived(tasks[1]), 1);
		});

		test('An uninstalled package ends its running executions with the reason, and sends nothing more', async (t) => {
			const known = scene.results.received.length;
			const names = await scene.post('Gone', 40);
			await scene.untilSomeCreated(names, 8);
			await scene.rest('DELETE', `/community-packages?name=${PACKAGE}`);
			assert.equal(await scene.version(), undefined);
			const uninstalledAt = Date.now();
			await until('all rows', () => scene.results.received.length >= known + names.length);
			const results = scene.results.received.slice(known).map(({ item }) => item);
			const left = results.filter(({ error }) => error);
			const created = await scene.created(names);
			t.diagnostic(`${created.length} created, ${left.length} left undone`);
			assert.equal(created.length + left.length, names.length);
			assert.equal(new Set(created).size, created.length);
			for (const { error, message, details } of left) {
				assert.equal(error, GONE);
				// n8n 1 does not support details.
				assert.match(
					details?.howToGoOn ?? message,
					/^The package of this node was uninstalled while it ran/,
				);
			}
			const sentLater = (await requestsOf(scene.service)).filter(
				({ at }) => at > uninstalledAt + 5_000,
			);
			assert.deepEqual(sentLater, []);
		});

		test('Polls fail while the package is missing, and go on after its return', async () => {
			const filter = encodeURIComponent(JSON.stringify({ workflowId: trigger }));
			await until('a poll that failed', async () => {
				const { results } = await scene.rest('GET', `/executions?filter=${filter}`);
				return results.some(({ status }) => status === 'error');
			});
			tasks.push(await scene.createTask('Made while the node was gone'));
			await scene.rest('POST', '/community-packages', { name: PACKAGE, version: SECOND });
			assert.equal(await scene.arrived(tasks[2]), 1);
		});

		test('After update, kill and uninstallation, each task has started its workflow once', async () => {
			await sleep(65_000);
			const ids = scene.changes.received.map(({ item }) => item.id);
			assert.deepEqual(ids.sort(), tasks.map(({ id }) => id).sort());
		});
	});
}

// Most of the time, the tests wait for polls and for the rate limit.
describe('the life of an installation', { concurrency: true }, () => {
	for (const { release } of hostsToTry('lifecycle')) livesIn(release);
});
