import getPort from 'get-port';
import { owner } from './n8n.mjs';
import { start, waitUntilHealthy } from './run.mjs';
import { startPostgres, startRedis } from './servers.mjs';

const START_TIMEOUT_MS = 420_000;
const CREDENTIAL = (id) => ({ contactTaskCrmApi: { id, name: id } });

/** What n8n needs to know to run in queue mode, with a database and a Redis that start here. */
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
		// So long a worker that is to end waits for its execution, in seconds; 30 unless set.
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
	};
	return { env, postgres };
}

/**
 * Starts a worker that does one execution at a time, so that two executions are in two processes.
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

/** What is done with each person: "Create", or "Create or Update" by e-mail address. */
const OPERATIONS = {
	create: { operation: 'create' },
	upsert: { operation: 'upsert', matchBy: 'email', matchValue: '={{ $json.email }}' },
};

/**
 * A workflow that writes the people that are posted to its webhook.
 * @param {{ id: string, path: string, credential: string, operation: 'create' | 'upsert' }} options
 */
export function importWorkflow({ id, path, credential, operation }) {
	const nodes = [
		node(
			'Webhook',
			'n8n-nodes-base.webhook',
			2,
			{ httpMethod: 'POST', path, options: {} },
			{
				webhookId: `${id}-hook`,
			},
		),
		node('One Each', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.people', options: {} }),
		node(
			'Create',
			'n8n-nodes-contact-task-crm.contactTaskCrm',
			1,
			{ resource: 'person', familyName: '={{ $json.name }}', ...OPERATIONS[operation] },
			{ credentials: CREDENTIAL(credential) },
		),
	];
	const to = (name) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		id,
		name: id,
		active: false,
		versionId: `0b6f6f4e-3c1d-4a57-9d0e-${id.slice(-12).padStart(12, '0')}`,
		nodes,
		connections: { Webhook: to('One Each'), 'One Each': to('Create') },
		settings: { executionOrder: 'v1' },
	};
}

/**
 * Posts people to a workflow's webhook, as many as asked for, and gives their names.
 * @param {string} address of the main n8n
 */
export async function postPeople(address, path, prefix, count) {
	const names = Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
	const people = names.map((name) => ({
		name,
		email: `${name.replaceAll(' ', '.').toLowerCase()}@mail.example`,
	}));
	const response = await fetch(`${address}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ people }),
	});
	if (!response.ok)
		throw new Error(`The webhook said ${response.status}: ${await response.text()}`);
	return names;
}

/**
 * Sends a signal to a program and all its children.
 * @param {ReturnType<typeof start>} program
 * @param {NodeJS.Signals} signal
 */
export function signalAll(program, signal) {
	process.kill(-program.child.pid, signal);
}

/** n8n ties a session to the browser that it began in. */
const BROWSER = { 'browser-id': 'queue-mode' };

/**
 * Stops an execution, as the stop button of the editor does.
 * @param {string} address of the main n8n
 */
export async function stopExecution(address, id) {
	const { email, password } = owner;
	const login = await fetch(`${address}/rest/login`, {
		method: 'POST',
		headers: { ...BROWSER, 'content-type': 'application/json' },
		body: JSON.stringify({ emailOrLdapLoginId: email, password }),
	});
	if (!login.ok) throw new Error(`n8n did not sign in: ${login.status} ${await login.text()}`);
	const cookie = login.headers
		.getSetCookie()
		.map((one) => one.split(';')[0])
		.join('; ');
	const stopped = await fetch(`${address}/rest/executions/${id}/stop`, {
		method: 'POST',
		headers: { ...BROWSER, cookie },
	});
	if (!stopped.ok) throw new Error(`n8n did not stop: ${stopped.status} ${await stopped.text()}`);
}
