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
import { lineOf, openCompany } from './triggerCompany.mjs';
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

		test('After a restart of n8n, a trigger reports changes made while n8n was down', async () => {
			process.kill(-editor.program.child.pid, 'SIGKILL');
			await editor.program.ended;
			const changes = await change(crm, 2);
			editor = await n8n.startEditor(instance, { port: 0 });
			await arrives(changes);
		});

		test('After a kill of n8n, a trigger starts its workflow for later changes', async () => {
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

		// The other ways of polling read the same lists, so one of them suffices.
		if (release === CURRENT && Object.keys(env).length === 0) {
			followCompany(() => editor);
		}
	});
}

/**
 * Tests triggers on another company at the same time, in an n8n that runs already.
 * @param {() => { address: string }} editorNow
 */
function followCompany(editorNow) {
	describe('in a company with 300 tasks', { concurrency: true }, () => {
		let company;
		let credential;

		before(async () => {
			const size = { tasks: 300, requestsPerMinute: REQUESTS_PER_MINUTE };
			company = await openCompany(await signIn(editorNow()), size);
			credential = await company.createCredential('Company');
		});

		after(async () => await company?.close());

		test('If a last-page task moves two seconds after publishing, the trigger reports it', async () => {
			const { tasks, ask, follow } = company;
			const watched = { watch: 'tasks', events: ['taskMoved'] };
			const told = await follow('moved', credential, watched);
			await sleep(2_000);
			const { id, status } = tasks.at(-1);
			const elsewhere = tasks.find((task) => task.status !== status).status;
			await ask('PATCH', `/tasks/${id}`, { status: elsewhere });
			await untilTold([`taskMoved ${id}`], () => told().map(lineOf), THREE_POLLS_MS);
		});

		const isTagged = ({ tags }, tag) => tags.includes(tag);
		const assign = [
			['owner', 'ownerId', ({ owner }) => owner, (_, owner) => owner],
			['tags', 'tagsId', ({ tags }) => tags[0], ({ tags }, tag) => [...tags, tag]],
		];
		for (const [field, filter, valueOf, withValue] of assign) {
			test(`A trigger that watches and filters by ${field} reports who enters its list`, async () => {
				const { people, ask, follow } = company;
				const value = people.map(valueOf).find(Boolean);
				const told = await follow(field, credential, {
					watch: 'people',
					events: ['personUpdated'],
					filters: { [filter]: [value] },
					watchedFields: [field],
				});
				await sleep(2_000);
				const newcomer = people.find(
					(person) => !person.archivedAt && person.owner !== value && !isTagged(person, value),
				);
				const to = withValue(newcomer, value);
				await ask('PATCH', `/people/${newcomer.id}`, { [field]: to });
				const expected = `personUpdated ${newcomer.id}`;
				await untilTold([expected], () => told().map(lineOf), THREE_POLLS_MS);
				assert.deepEqual(told().map(lineOf), [expected]);
				const change = told()[0].item.changes[field];
				assert.deepEqual([change.from, [change.to].flat().length], [null, [to].flat().length]);
			});
		}

		test('After refusals of its key, a trigger reports missed changes under another host name', async () => {
			const { people, ask, follow, service } = company;
			const { createCredential, changeCredential } = company;
			const expiring = await createCredential('Expiring');
			const watched = { watch: 'people', events: ['personUpdated'], watchedFields: ['jobTitle'] };
			const told = await follow('expiring', expiring, watched);
			await changeCredential(expiring, { apiKey: 'expired' });
			await untilRefused(service);
			const { id } = people[1];
			await ask('PATCH', `/people/${id}`, { jobTitle: 'Chief' });
			const baseUrl = service.address.replace('127.0.0.1', 'localhost');
			await changeCredential(expiring, { baseUrl });
			await untilTold([`personUpdated ${id}`], () => told().map(lineOf), THREE_POLLS_MS);
			assert.deepEqual(told().map(lineOf), [`personUpdated ${id}`]);
		});
	});
}

/** Waits until a service has refused a key. */
async function untilRefused(service) {
	const deadline = Date.now() + THREE_POLLS_MS;
	while (!(await requestsOf(service)).some(({ status }) => status === 401)) {
		assert.ok(Date.now() < deadline, 'No request had a wrong key');
		await sleep(500);
	}
}

// Most of the time, the tests wait for polls.
describe('the trigger, active across a kill', { concurrency: true }, () => {
	for (const { release } of hostsToTry('trigger')) {
		for (const [mode, env] of MODES[release.version]) {
			activeIn({ name: `n8n ${release.version}${mode}`, release, env });
		}
	}
});
