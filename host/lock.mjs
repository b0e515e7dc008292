import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lock } from 'proper-lockfile';

/** The holder renews its lock. A lock of a killed process expires after this time. */
const STALE_MS = 30_000;
const POLL_MS = 1_000;

/**
 * Runs a task while no other process holds a lock on the same path.
 * @template T
 * @param {string} path need not exist; the lock is a folder beside it
 * @param {() => void} onWait called once if another process holds the lock
 * @param {() => Promise<T>} task
 * @returns {Promise<T>}
 */
export async function withLock(path, onWait, task) {
	await mkdir(dirname(path), { recursive: true });
	const options = { realpath: false, stale: STALE_MS };
	const release = await lock(path, options).catch(async (error) => {
		if (error.code !== 'ELOCKED') throw error;
		onWait();
		const retries = { forever: true, minTimeout: POLL_MS, maxTimeout: POLL_MS };
		return await lock(path, { ...options, retries });
	});
	try {
		return await task();
	} finally {
		await release();
	}
}
