// Tests the active trigger in n8n across a kill, with n8n's scheduler and without: run with `npm run test:n8n -- trigger`. All
// tests run at the same time. They take about ten minutes, because n8n polls at most every minute.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostsToTry } from './compatibility.mjs';
import { readCredentials } from './examples.mjs';
import { CURRENT, ensureHost, OLDEST } from './install.mjs';
import * as n8n from './n8n.mjs';
import { pack } from './pack.mjs';
import { activate, signIn } from './rest.mjs';
import { stop, stopAll } from './run.mjs';
import { requestsOf, setSwitches, startService } from './service.mjs';
import { change, openCrm, untilTold, watchedLists } from './triggerChanges.mjs';
import { startCollector, triggerWorkflow } from './triggerWorkflow.mjs';

/** Time for three polls, one per minute. It includes n8n's delays and waits for slots. */
const THREE_POLLS_MS = 220_000;
/** High enough for each trigger to read its list in every poll, within the half that polls may use. */
const REQUESTS_PER_MINUTE = 80;
const OPTIONS = { maxRequestsPerPoll: 10 };

/** Settings for n8n's scheduler. Without it, polls are timers of the process. */
const SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** Ways of polling in n8n, by version. */
const MODES = {
	[OLDEST.version]: [['', {}]],
	[CURRENT.version]: [
		['', {}],
		[' with its scheduler', SCHEDULER],
		[' with durable poll cursors', { ...SCHEDULER, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' }],
	],
};

let folder;
let tarball;

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-trigger-'));
	({ tarball } = await pack(folder));
});

after(async () => {
	await stopAll();
	await rm(folder, { recursive: true, force: true });
});

function activeIn({ name, release, env }) {
	// These tests run in order, because each builds on the earlier ones. The outer suite runs in parallel.
	describe(name, { concurrency: false }, () => {
		let service;
		let instance;
		let collector;
		let editor;
		let crm;
		const expected = [];

		/** Waits until n8n has sent nothing for a while, as between two polls. */
		const untilQuiet = async () => {
			for (let count = -1, seen = 0; count !== seen; ) {
				count = seen;
				await sleep(10_000);
				seen = (await requestsOf(service)).length;
			}
		};

		before(async () => {
			instance = await n8n.createInstance(await ensureHost(release), { env });
			await n8n.installPackage(instance, tarball);
			service = await startService({ port: 0 });
			// A higher limit, so that requests of the test do not use up n8n's.
			await setSwitches(service, { rateLimit: { limit: 100 } });
			collector = await startCollector();
			crm = await openCrm(service);
			const [credential] = await readCredentials(service);
			credential.data.requestsPerMinute = REQUESTS_PER_MINUTE;
			await n8n.importCredentials(instance, [credential]);
			editor = await n8n.startEditor(instance, { port: 0 });
			const rest = await signIn(editor);
			for (const parameters of watchedLists(crm, OPTIONS)) {
				await activate(rest, triggerWorkflow({ parameters, url: collector.url }));
			}
			// Waits until each trigger has read its list. With n8n's scheduler, this may take two minutes.
			await sleep(env.N8N_SCHEDULER_ENABLED ? 120_000 : 0);
			await untilQuiet();
		});

		after(async () => {
			collector?.close();
			for (const running of [editor, service]) if (running) await stop(running.program);
			if (instance) await n8n.removeInstance(instance);
		});

		const arrived = () => collector.received.map(({ event, item }) => `${event} ${item.id}`);

		/** Waits until all changes so far have arrived, each as many times as it was made. */
		const arrives = async (changes) => {
			expected.push(...changes);
			await untilTold(expected, arrived, THREE_POLLS_MS);
		};

		test('A trigger starts its workflow for each change, and for no old record', async () => {
			assert.deepEqual(collector.received, []);
			await arrives(await change(crm, 1));
		});

		test('A trigger starts its workflow for changes while n8n is killed and started again', async () => {
			process.kill(-editor.program.child.pid, 'SIGKILL');
			await editor.program.ended;
			const changes = await change(crm, 2);
			editor = await n8n.startEditor(instance, { port: 0 });
			await arrives(changes);
		});

		test('A trigger goes on starting its workflow for later changes', async () => {
			await arrives(await change(crm, 3));
		});

		test('Each change started its workflow once, and nothing else did', async () => {
			await sleep(70_000);
			assert.deepEqual(arrived().sort(), expected.sort());
			const moved = collector.received.filter(({ event }) => event === 'taskMoved');
			assert.ok(
				moved.every(
					({ item: { previousStatus, status } }) => previousStatus && previousStatus !== status,
				),
			);
			const refused = (await requestsOf(service)).filter(({ status }) => status === 429);
			assert.deepEqual(refused, []);
		});
	});
}

// Most of the time, the tests wait for polls.
describe('the trigger, active across a kill', { concurrency: true }, () => {
	for (const { release } of hostsToTry('trigger')) {
		for (const [mode, env] of MODES[release.version]) {
			activeIn({ name: `n8n ${release.version}${mode}`, release, env });
		}
	}
});
