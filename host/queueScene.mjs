import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { table, writeSection } from '../test/bench/markdown.ts';
import { readCredentials } from './examples.mjs';
import { ensureHost } from './install.mjs';
import * as n8n from './n8n.mjs';
import { pack } from './pack.mjs';
import { importWorkflow, postPeople, startQueue, startWorker } from './queueMode.mjs';
import { activate, signIn } from './rest.mjs';
import { stopAll } from './run.mjs';
import { requestsOf, setSwitches, startService } from './service.mjs';
import { startCollector, triggerWorkflow } from './triggerWorkflow.mjs';

const LATENCY = { latencyBeforeMs: 25, latencyAfterMs: 25 };
const OVER = ['success', 'error', 'crashed', 'canceled'];

const nameOf = ({ body }) => body?.familyName;
export const secondsSince = (time) => Math.round((Date.now() - time) / 100) / 10;

/**
 * n8n in queue mode, with its main process and no worker yet. Each tenant has a service, a credential and a workflow,
 * so that each test has its own budget.
 */
export class QueueScene {
	services = {};

	/** IDs of the workflow of each tenant, and of the one with the trigger. */
	ids = {};

	figures = [];

	/**
	 * @param {Record<string, { operation: 'create' | 'upsert', switches?: object }>} tenants
	 * @param {{ trigger?: string }} [options] `trigger`: the tenant with people that a workflow on the main instance
	 *   watches
	 */
	async setUp(tenants, { trigger } = {}) {
		const host = await ensureHost();
		this.queue = await startQueue();
		this.instance = await n8n.createInstance(host, { env: this.queue.env });
		const { tarball } = await pack(this.instance.folder);
		await n8n.installPackage(this.instance, tarball);
		const names = Object.keys(tenants);
		for (const tenant of names) {
			this.services[tenant] = await startService({ port: 0 });
			await setSwitches(this.services[tenant], { ...LATENCY, ...tenants[tenant].switches });
		}
		const credentials = await Promise.all(names.map(async (name) => await this.credential(name)));
		await n8n.importCredentials(this.instance, credentials);
		this.main = await n8n.startEditor(this.instance, { port: 0 });
		const rest = await signIn(this.main);
		for (const tenant of names) {
			const { operation } = tenants[tenant];
			this.ids[tenant] = await activate(rest, importWorkflow({ tenant, operation }));
		}
		if (trigger) this.ids.trigger = await activate(rest, await this.trigger(trigger));
	}

	/** Stops everything. If FIGURES is set, writes the figures into test/bench/figures.md. */
	async tearDown(section) {
		this.collector?.close();
		await stopAll();
		await this.queue?.postgres.remove();
		if (this.instance) await n8n.removeInstance(this.instance);
		if (this.figures.length === 0) return;
		const text = table(this.figures);
		console.log(text);
		if (process.env.FIGURES) await writeSection('test/bench/figures.md', section, text);
	}

	note(what, measured) {
		this.figures.push({ what, measured });
	}

	async startWorkers(count) {
		return await Promise.all(
			Array.from({ length: count }, async () => await startWorker(this.instance)),
		);
	}

	/** Makes a tenant's workflow write people, and returns their names. */
	async post(tenant, prefix, count) {
		return await postPeople(this.main.address, tenant, prefix, count);
	}

	async requests(tenant) {
		return await requestsOf(this.services[tenant]);
	}

	/** Returns the names of the created people, with duplicates. */
	async created(tenant) {
		const requests = await this.requests(tenant);
		return requests.filter(({ method, stored }) => method === 'POST' && stored).map(nameOf);
	}

	async untilCreated(tenant, names, timeoutMs) {
		await this.until(`people of ${tenant}`, timeoutMs, async () => {
			const created = new Set(await this.created(tenant));
			return names.every((name) => created.has(name));
		});
	}

	async untilSomeCreated(tenant, count, timeoutMs = 120_000) {
		await this.until(`${count} people of ${tenant}`, timeoutMs, async () => {
			return (await this.created(tenant)).length >= count;
		});
	}

	/** Returns figures of the requests about some people. Throws unless each person was created exactly once. */
	async seen(tenant, names) {
		const created = (await this.created(tenant)).filter((name) => names.includes(name));
		assert.deepEqual([...created].sort(), [...names].sort(), 'Each is created exactly once');
		const ours = (await this.requests(tenant)).filter((one) => names.includes(nameOf(one)));
		const ends = ours.map(({ answeredAt, at }) => answeredAt ?? at);
		return {
			refused: ours.filter(({ status }) => status === 429).length,
			seconds: Math.round((Math.max(...ends) - ours[0].at) / 100) / 10,
		};
	}

	/** Returns the executions of a tenant's workflow, or of the one with the trigger, oldest first. */
	async executions(tenant) {
		const rows = await this.queue.postgres.query(
			`select id, status from execution_entity where "workflowId" = '${this.ids[tenant]}' order by id`,
		);
		return rows
			.trim()
			.split('\n')
			.filter(Boolean)
			.map((row) => row.split('|'))
			.map(([execution, status]) => ({ id: execution, status }));
	}

	/** Waits until the first executions of a tenant have ended, all by default. Returns their statuses, oldest first. */
	async untilOver(tenant, timeoutMs, count = Infinity) {
		let statuses;
		await this.until(`end of ${tenant}`, timeoutMs, async () => {
			const executions = await this.executions(tenant);
			statuses = executions.slice(0, count).map(({ status }) => status);
			return statuses.length > 0 && statuses.every((status) => OVER.includes(status));
		});
		return statuses;
	}

	async until(what, timeoutMs, isTrue) {
		const deadline = Date.now() + timeoutMs;
		while (!(await isTrue())) {
			if (Date.now() > deadline) throw new Error(`Did not come in ${timeoutMs / 1000} s: ${what}`);
			await sleep(250);
		}
	}

	async credential(tenant) {
		const [credential] = await readCredentials(this.services[tenant]);
		return { ...credential, id: tenant, name: tenant };
	}

	async trigger(tenant) {
		this.collector = await startCollector();
		const parameters = { watch: 'people', events: ['personCreated'] };
		const credential = { id: tenant, name: tenant };
		return triggerWorkflow({ parameters, url: this.collector.url, credential });
	}
}
