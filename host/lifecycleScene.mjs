import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crmNode, workflowOf } from './e2e/workflows.mjs';
import { ensureHost } from './install.mjs';
import * as n8n from './n8n.mjs';
import { postPeople } from './queueMode.mjs';
import { publishHere } from './registry.mjs';
import { signIn } from './rest.mjs';
import { stop } from './run.mjs';
import { ask, requestsOf, startService } from './service.mjs';
import { postNode, startCollector } from './triggerWorkflow.mjs';

export const PACKAGE = 'n8n-nodes-contact-task-crm';
const ROWS = 'rows';
/** Time for two polls, doubled for a busy machine. */
const PATIENCE_MS = 300_000;

/** Waits until a condition holds. */
export async function until(what, isTrue) {
	const deadline = Date.now() + PATIENCE_MS;
	while (!(await isTrue())) {
		if (Date.now() > deadline) throw new Error(`Did not come: ${what}`);
		await sleep(500);
	}
}

/** Returns a workflow that creates a person for each posted row, and posts the results. */
export function rowsWorkflow(credential, url) {
	const webhook = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: ROWS,
		parameters: { httpMethod: 'POST', path: ROWS, options: {} },
	};
	const rows = {
		name: 'Rows',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'body.people' },
	};
	const create = {
		...crmNode('Create', credential, {
			resource: 'person',
			operation: 'create',
			familyName: '={{ $json.name }}',
		}),
		onError: 'continueRegularOutput',
	};
	return workflowOf('Rows', [rows, create, postNode(url)], webhook);
}

/** An n8n whose registry has two versions of the package, with its own service. */
export class LifecycleScene {
	async setUp(release, tarballs) {
		const folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-registry-'));
		this.registry = await publishHere(tarballs, folder);
		this.folder = folder;
		this.service = await startService({ port: 0 });
		[this.results, this.changes] = [await startCollector(), await startCollector()];
		const { env } = this.registry;
		this.instance = await n8n.createInstance(await ensureHost(release), { env });
		await this.start();
	}

	async start() {
		this.editor = await n8n.startEditor(this.instance, { port: 0 });
		this.rest = await signIn(this.editor);
	}

	async tearDown() {
		for (const collector of [this.results, this.changes]) collector?.close();
		await this.registry?.close();
		for (const running of [this.editor, this.service]) if (running) await stop(running.program);
		if (this.instance) await n8n.removeInstance(this.instance);
		if (this.folder) await rm(this.folder, { recursive: true, force: true });
	}

	/** Returns the version that n8n reports. */
	async version() {
		const packages = await this.rest('GET', '/community-packages');
		return packages.find(({ packageName }) => packageName === PACKAGE)?.installedVersion;
	}

	/** Starts to create people, and returns their names. */
	async post(prefix, count) {
		return await postPeople(this.editor.address, ROWS, prefix, count);
	}

	/** Returns the names of the created people, with duplicates. */
	async created(names) {
		return (await requestsOf(this.service))
			.filter(({ method, path, stored }) => method === 'POST' && path === '/people' && stored)
			.map(({ body }) => body.familyName)
			.filter((name) => names.includes(name));
	}

	async untilSomeCreated(names, count) {
		await until(`${count} of ${names[0]}`, async () => (await this.created(names)).length >= count);
	}

	/** Creates a task as another program, as soon as the service allows it. */
	async createTask(title) {
		const { member } = await this.ask('GET', '/tasks?itemsPerPage=1');
		return await this.ask('POST', '/tasks', { title, status: member[0].status });
	}

	async ask(...request) {
		for (;;) {
			try {
				return await ask(this.service, ...request);
			} catch (error) {
				if (!/429/.test(error.message)) throw error;
				await sleep(5_000);
			}
		}
	}

	/** Waits until the trigger has started the workflow for a task, and returns how many times. */
	async arrived({ id }) {
		const ofTask = () => this.changes.received.filter(({ item }) => item.id === id);
		await until(`task ${id}`, () => ofTask().length > 0);
		return ofTask().length;
	}
}
