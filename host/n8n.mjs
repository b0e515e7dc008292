import { mkdir, mkdtemp, open, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { examplesFolder, PACKAGE_NAME } from './paths.mjs';
import { installationCommands, runCommands } from './readme.mjs';
import { setUpOwner } from './rest.mjs';
import { run, start, stop, waitUntilHealthy } from './run.mjs';

/** A busy machine takes many times longer than an idle one. */
const START_TIMEOUT_MS = 600_000;
const LOOPBACK = { host: '127.0.0.1' };

/** Settings that keep n8n from connecting to other machines and from asking questions. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_LOG_LEVEL: 'error',
};

/** The result of an execution in the log: an object with its braces on separate lines. */
const RESULT = /^\{$[^]*?^\}$/m;

/**
 * An n8n with its own user folder.
 * @typedef {object} Instance
 * @property {import('./install.mjs').Host} host
 * @property {string} folder
 * @property {string} fileFolder where workflows may write files
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * Creates a user folder for n8n: a new temporary one, or a given one. A given one is kept.
 * @param {import('./install.mjs').Host} host
 * @param {{ folder?: string, files?: string[], env?: NodeJS.ProcessEnv }} [options] `files`: the folders that nodes may read, the examples by default
 * @returns {Promise<Instance>}
 */
export async function createInstance(host, { folder, files = [examplesFolder], env = {} } = {}) {
	if (folder) await mkdir(folder, { recursive: true });
	// n8n watches this path for changes, and Node knows loaded files by their real paths.
	const userFolder = await realpath(
		folder ?? (await mkdtemp(join(tmpdir(), 'contact-task-crm-n8n-'))),
	);
	const fileFolder = join(userFolder, 'files');
	await mkdir(fileFolder, { recursive: true });
	const readable = await Promise.all(files.map((path) => realpath(path)));
	return {
		host,
		folder: userFolder,
		fileFolder,
		env: {
			...process.env,
			...QUIET,
			N8N_USER_FOLDER: userFolder,
			N8N_RESTRICT_FILE_ACCESS_TO: [...readable, fileFolder].join(';'),
			...env,
		},
	};
}

/** Removes the user folder of an instance. */
export async function removeInstance({ folder }) {
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Installs a packed tarball as a community package, with the commands of the README.
 * @param {Instance} instance
 * @param {string} tarball
 */
export async function installPackage({ host, folder }, tarball) {
	const { install } = await installationCommands();
	await runCommands(install, { home: folder, node: host.node, tarball });
}

/** Returns the folder of the installed package. */
export const packageFolder = ({ folder }) =>
	join(folder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);

/**
 * Runs a command of n8n to its end, and returns its output.
 * @param {Instance} instance
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export async function runN8n({ host, env, folder }, args, extraEnv = {}, options = {}) {
	const broker = String(await getPort(LOOPBACK));
	return await run(host.node, [host.n8n, ...args], {
		cwd: folder,
		env: { ...env, N8N_RUNNERS_BROKER_PORT: broker, ...extraEnv },
		...options,
	});
}

async function importRecords(instance, kind, records) {
	const file = join(instance.folder, `import-${kind}.json`);
	await writeFile(file, JSON.stringify(records), { mode: 0o600 });
	try {
		await runN8n(instance, [`import:${kind}`, `--input=${file}`]);
	} finally {
		await rm(file, { force: true });
	}
}

/**
 * Imports credentials with unencrypted data.
 * @param {Instance} instance
 * @param {object[]} credentials
 */
export async function importCredentials(instance, credentials) {
	await importRecords(instance, 'credentials', credentials);
}

/**
 * Imports workflows.
 * @param {Instance} instance
 * @param {object[]} workflows
 */
export async function importWorkflows(instance, workflows) {
	await importRecords(instance, 'workflow', workflows);
}

function failureOf(id, { message, description, node }) {
	const at = node ? ` at "${node.name}"` : '';
	return [`The workflow ${id} stopped${at}: ${message}`, description].filter(Boolean).join('\n');
}

/**
 * Executes an imported workflow and returns the output items of each node.
 * @param {Instance} instance
 * @param {string} id
 * @returns {Promise<Outcome>}
 */
export async function executeWorkflow(instance, id) {
	// The result is a log line of level info, even for a failed execution. n8n ends before a pipe has taken a long
	// result, so it goes to a file.
	const output = join(instance.folder, `execution-${id}.log`);
	const file = await open(output, 'w');
	const failure = await runN8n(
		instance,
		['execute', `--id=${id}`, '--rawOutput'],
		{ N8N_LOG_LEVEL: 'info' },
		{ stdio: ['ignore', file.fd, 'pipe'] },
	)
		.then(() => undefined)
		.catch((error) => error)
		.finally(async () => await file.close());
	const printed = await readFile(output, 'utf8');
	if (failure && !RESULT.test(printed)) throw failure;
	const [result] = RESULT.exec(printed) ?? [];
	if (!result) throw new Error(`n8n could not execute the workflow ${id}:\n${printed}`);
	const { runData, error } = JSON.parse(result).data.resultData;
	if (error) throw new Error(failureOf(id, error));
	return outcomeOf(runData);
}

/**
 * The result of an execution: the output items of each node.
 * @typedef {{ itemsOf: (node: string, output?: number) => object[] }} Outcome
 */

/** @returns {Outcome} */
function outcomeOf(runData) {
	const itemsOf = (node, output = 0) =>
		(runData[node] ?? []).flatMap(({ data }) => data?.main?.[output] ?? []).map(({ json }) => json);
	return { itemsOf };
}

/**
 * Executes imported workflows one after another in one n8n, in no particular order, because starting n8n takes longer
 * than most workflows.
 * @param {Instance} instance
 * @param {string[]} ids each with a digit, because n8n does not accept other IDs
 * @returns {Promise<Map<string, Outcome>>} by workflow ID; the outcome of a failed workflow throws
 */
export async function executeWorkflows(instance, ids) {
	const folder = await mkdtemp(join(instance.folder, 'executions-'));
	const report = join(folder, 'report.json');
	const flags = [`--ids=${ids.join(',')}`, `--snapshot=${folder}`, `--output=${report}`];
	try {
		// If a workflow fails, n8n fails too, but has written its report.
		const printed = await runN8n(instance, ['executeBatch', ...flags, '--retries=0']).catch(
			(error) => error,
		);
		const written = await readFile(report, 'utf8').catch(() => undefined);
		if (!written) throw new Error(`n8n could not execute the workflows: ${printed}`);
		const { executions } = JSON.parse(written);
		return new Map(
			await Promise.all(
				executions.map(async (execution) => [
					execution.workflowId,
					await outcomeOfExecution(folder, execution),
				]),
			),
		);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** @returns {Promise<Outcome>} */
async function outcomeOfExecution(folder, { workflowId, workflowName, executionStatus, error }) {
	if (executionStatus !== 'success') {
		const itemsOf = () => {
			throw new Error(`"${workflowName}" stopped: ${error}`);
		};
		return { itemsOf };
	}
	const snapshot = await readFile(join(folder, `${workflowId}-snapshot.json`), 'utf8');
	return outcomeOf(JSON.parse(snapshot).data.resultData.runData);
}

/**
 * Starts the editor, waits until it answers, and gives it an owner.
 * @param {Instance} instance
 * @param {{ port?: number }} [options] if the port is in use, another one is taken
 * @returns {Promise<{ address: string, program: ReturnType<typeof start> }>}
 */
export async function startEditor({ host, env, folder }, { port = 5678 } = {}) {
	const editorPort = await getPort({ ...LOOPBACK, port });
	const address = `http://127.0.0.1:${editorPort}`;
	const program = start(host.node, [host.n8n, 'start'], {
		cwd: folder,
		env: {
			...env,
			N8N_PORT: String(editorPort),
			N8N_RUNNERS_BROKER_PORT: String(await getPort(LOOPBACK)),
			N8N_EDITOR_BASE_URL: address,
		},
	});
	await waitUntilHealthy(`${address}/healthz/readiness`, program, START_TIMEOUT_MS);
	await setUpOwner(address).catch(async (error) => {
		await stop(program);
		throw error;
	});
	return { address, program };
}
