import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './paths.mjs';

const exists = async (path) =>
	await access(path, constants.F_OK).then(
		() => true,
		() => false,
	);

/** Returns whether a folder of the user's cache exists. It is then complete. */
export const isInstalled = async (name) => await exists(join(cacheFolder, name));

/** Name of an incomplete folder. It contains the ID of the process that fills it. */
const PARTIAL = /^(.+)\.partial-(\d+)-\w+$/;

/**
 * Fills a folder of the user's cache once, for all clones of the repository. An incomplete folder never has its final
 * name: it gets the name when `fill` is done. If two processes fill it at the same time, the slower one uses the
 * folder of the other.
 * @param {string} name
 * @param {(partial: string) => Promise<void>} fill
 * @returns {Promise<string>} the folder
 */
export async function installOnce(name, fill) {
	const folder = join(cacheFolder, name);
	if (await exists(folder)) return folder;
	await mkdir(cacheFolder, { recursive: true });
	await removeLeftOvers(name);
	const partial = await mkdtemp(`${folder}.partial-${process.pid}-`);
	try {
		await fill(partial);
		await rename(partial, folder);
	} catch (error) {
		await rm(partial, { recursive: true, force: true, maxRetries: 5 });
		if (!(await exists(folder))) throw error;
	}
	return folder;
}

/** Removes incomplete folders of processes that were killed. */
async function removeLeftOvers(name) {
	for (const entry of await readdir(cacheFolder)) {
		const [, of, pid] = PARTIAL.exec(entry) ?? [];
		if (of !== name || isRunning(Number(pid))) continue;
		await rm(join(cacheFolder, entry), { recursive: true, force: true });
	}
}

/** @param {number} pid */
function isRunning(pid) {
	try {
		return process.kill(pid, 0);
	} catch ({ code }) {
		return code !== 'ESRCH';
	}
}
