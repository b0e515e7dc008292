import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { signIn } from './rest.mjs';
import { start, waitUntilHealthy } from './run.mjs';
import { startPostgres, startRedis } from './servers.mjs';

const START_TIMEOUT_MS = 420_000;
const MOST_TRIES = 240;
const PAUSE_MS = 500;
const CREDENTIAL = (id) => ({ contactTaskCrmApi: { id, name: id } });

/** Starts a database and a Redis, and returns n8n's settings for queue mode. */
export async function startQueue() {
	const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
	const env = {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
		N8N_ENCRYPTION_KEY: 'queue-mode-of-a-test',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// Seconds that an ending worker waits for its execution; the default is 30.
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
	};
	return { env, postgres };
}

/**
 * Starts a worker for one execution at a time, so that two executions run in two processes.
 * @param {import('./n8n.mjs').Instance} instance
 */
export async function startWorker({ host, env, folder }) {
	const port = await getPort({ host: '127.0.0.1' });
	const program = start(host.node, [host.n8n, 'worker', '--concurrency=1'], {
		cwd: folder,
		env: {
			...env,
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(await getPort({ host: '127.0.0.1' })),
		},
	});
	await waitUntilHealthy(`http://127.0.0.1:${port}/healthz`, program, START_TIMEOUT_MS);
	return program;
}

const node = (name, type, typeVersion, parameters, rest = {}) => ({
	id: `00000000-0000-4000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`,
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters,
	...rest,
});

/** The operation for each person: "Create", or "Create or Update" by e-mail address. */
const OPERATIONS = {
	create: { operation: 'create' },
	upsert: { operation: 'upsert', email: '={{ $json.email }}' },
};

/**
 * Returns a workflow that writes the people posted to its webhook. The webhook has the name of the tenant.
 * @param {{ tenant: string, operation: 'create' | 'upsert' }} options
 */
export function importWorkflow({ tenant, operation }) {
	const nodes = [
		node(
			'Webhook',
			'n8n-nodes-base.webhook',
			2,
			{ httpMethod: 'POST', path: tenant, options: {} },
			{ webhookId: `${tenant}-hook` },
		),
		node('One Each', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.people', options: {} }),
		node(
			'Create',
			'n8n-nodes-contact-task-crm.contactTaskCrm',
			1,
			{ resource: 'person', familyName: '={{ $json.name }}', ...OPERATIONS[operation] },
			{ credentials: CREDENTIAL(tenant) },
		),
	];
	const to = (name) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		name: tenant,
		nodes,
		connections: { Webhook: to('One Each'), 'One Each': to('Create') },
		settings: { executionOrder: 'v1' },
	};
}

/**
 * Posts a number of people to a workflow's webhook, and returns their names.
 * @param {string} address of the main n8n
 */
export async function postPeople(address, path, prefix, count) {
	const names = Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
	const people = names.map((name) => ({
		name,
		email: `${name.replaceAll(' ', '.').toLowerCase()}@mail.example`,
	}));
	for (let tries = 1; ; tries++) {
		const response = await fetch(`${address}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', connection: 'close' },
			body: JSON.stringify({ people }),
		});
		if (response.ok) return names;
		// n8n reports that it is ready before it has activated its workflows.
		if (response.status !== 404 || tries === MOST_TRIES) {
			throw new Error(`The webhook said ${response.status}: ${await response.text()}`);
		}
		await sleep(PAUSE_MS);
	}
}

/**
 * Sends a signal to a program and all its children.
 * @param {ReturnType<typeof start>} program
 * @param {NodeJS.Signals} signal
 */
export function signalAll(program, signal) {
	process.kill(-program.child.pid, signal);
}

/**
 * Stops an execution like the editor's stop button.
 * @param {{ address: string }} main the main n8n
 */
export async function stopExecution(main, id) {
	await (
		await signIn(main)
	)('POST', `/executions/${id}/stop`);
}
