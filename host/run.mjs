import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const TAIL_LINES = 40;
const POLL_MS = 250;
const GRACE_MS = 10_000;

const tailOf = (text) => text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');

/** Running process groups, so that an interrupt can end them all. */
const running = new Set();

/**
 * Starts a program in a process group of its own, so that it can be stopped with all its children.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function start(command, args, options = {}) {
	const child = spawn(command, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		...options,
		detached: true,
	});
	const program = { child, stdout: '', stderr: '', name: [command, ...args].join(' ') };
	child.stdout?.setEncoding('utf8').on('data', (text) => (program.stdout += text));
	child.stderr?.setEncoding('utf8').on('data', (text) => (program.stderr += text));
	program.ended = new Promise((resolve) => {
		child.once('error', (error) => resolve({ error }));
		child.once('close', (code, signal) => resolve({ code, signal }));
	}).finally(() => running.delete(program));
	running.add(program);
	return program;
}

/**
 * Stops a program and all its children, first with SIGTERM, then with SIGKILL.
 * @param {ReturnType<typeof start>} program
 */
export async function stop(program) {
	for (const signal of ['SIGTERM', 'SIGKILL']) {
		try {
			process.kill(-program.child.pid, signal);
		} catch {
			return;
		}
		const ended = await Promise.race([
			program.ended.then(() => true),
			sleep(GRACE_MS, false, { ref: false }),
		]);
		if (ended) return;
	}
}

/** Stops every program started here. */
export async function stopAll() {
	await Promise.all([...running].map(stop));
}

/**
 * Runs a program to its end, and returns its output. The error of a failure shows the end of the output, and has all
 * of it as `stdout`.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export async function run(command, args, options) {
	const program = start(command, args, options);
	const { error, code, signal } = await program.ended;
	if (error) throw new Error(`Could not start ${command}: ${error.message}`);
	if (code === 0) return program.stdout;
	const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
	const tail = tailOf(`${program.stdout}\n${program.stderr}`);
	throw Object.assign(new Error(`${program.name} ${how}:\n${tail}`), { stdout: program.stdout });
}

/**
 * Waits until an address answers with success while its program runs.
 * @param {string} url
 * @param {ReturnType<typeof start>} program
 * @param {number} timeoutMs
 * @param {Record<string, string>} [given] headers of the request
 */
export async function waitUntilHealthy(url, program, timeoutMs, given = {}) {
	const deadline = Date.now() + timeoutMs;
	while (Date.now() < deadline) {
		if (program.child.exitCode !== null || program.child.signalCode !== null) break;
		// A kept connection may be closed before its next use.
		const headers = { ...given, connection: 'close' };
		const response = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) }).catch(
			() => undefined,
		);
		await response?.body?.cancel();
		if (response?.ok) return;
		await sleep(POLL_MS);
	}
	await stop(program);
	throw new Error(
		`${program.name} did not answer at ${url}:\n${tailOf(`${program.stdout}\n${program.stderr}`)}`,
	);
}
