import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 1_000;
const SETTLE_MS = 5_000;

async function take(folder) {
	try {
		await mkdir(folder);
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		throw error;
	}
	await writeFile(join(folder, 'pid'), String(process.pid));
	return true;
}

async function holder(folder) {
	return Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => '0'));
}

function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

async function isAbandoned(folder) {
	const pid = await holder(folder);
	if (pid > 0) return !isRunning(pid);
	// The folder is made a moment before the file in it.
	await sleep(SETTLE_MS);
	return (await holder(folder)) === 0;
}

/**
 * Runs a task while no other process that uses the same lock folder runs one.
 * @template T
 * @param {string} folder
 * @param {() => void} onWait called once where another process is at it
 * @param {() => Promise<T>} task
 * @returns {Promise<T>}
 */
export async function withLock(folder, onWait, task) {
	let waiting = false;
	while (!(await take(folder))) {
		if (await isAbandoned(folder)) {
			await rm(folder, { recursive: true, force: true });
			continue;
		}
		if (!waiting) onWait();
		waiting = true;
		await sleep(POLL_MS);
	}
	try {
		return await task();
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
