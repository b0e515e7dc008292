import { constants } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { cacheFolder } from './paths.mjs';

const exists = async (path) =>
	await access(path, constants.F_OK).then(
		() => true,
		() => false,
	);

/** Whether a folder of the user's cache is there, and complete. */
export const isInstalled = async (name) => await exists(join(cacheFolder, name));

/**
 * Fills a folder of the user's cache once for all clones of the repository. It is complete or not there
 * at all: it gets its name only when `fill` is done.
 * @param {string} name
 * @param {(partial: string) => Promise<void>} fill
 * @returns {Promise<string>} the folder
 */
export async function installOnce(name, fill) {
	const folder = join(cacheFolder, name);
	if (await exists(folder)) return folder;
	const wait = () => console.log('Another process is installing the same; waiting for it.');
	await withLock(folder, wait, async () => {
		if (await exists(folder)) return;
		const partial = `${folder}.partial`;
		await rm(partial, { recursive: true, force: true });
		await mkdir(partial);
		await fill(partial);
		await rename(partial, folder);
	});
	return folder;
}
