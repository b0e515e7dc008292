import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, mkdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, hostFolder } from './paths.mjs';

const NODE_MAJOR = 24;
const NODE_VERSION = '24.21.0';
const NEEDED_BYTES = 4 * 1024 ** 3;
/** The only dependencies whose native code the host needs; others would fail to build. */
const NATIVE_PACKAGES = ['sqlite3', 'isolated-vm'];

/**
 * @typedef {object} Host
 * @property {string} node the Node binary that runs n8n
 * @property {string} n8n the n8n program
 * @property {string} folder where n8n is installed
 * @property {string} version the version of n8n
 */

const exists = async (path) =>
	await access(path, constants.F_OK).then(
		() => true,
		() => false,
	);

function log(message) {
	console.log(message);
}

/** Makes a folder complete or not at all: it gets its name only when `fill` is done. */
async function installOnce(folder, fill) {
	if (await exists(folder)) return;
	const wait = () => log('Another process is installing the same; waiting for it.');
	await withLock(folder, wait, async () => {
		if (await exists(folder)) return;
		const partial = `${folder}.partial`;
		await rm(partial, { recursive: true, force: true });
		await mkdir(partial);
		await fill(partial);
		await rename(partial, folder);
	});
}

async function assertSpace() {
	const { bavail, bsize } = await statfs(cacheFolder);
	if (bavail * bsize >= NEEDED_BYTES) return;
	throw new Error(
		`n8n needs 4 GB of free space in ${cacheFolder}. Free some, or set XDG_CACHE_HOME to a folder on another disk, and run this again.`,
	);
}

/** The name under which npm carries the Node binary of this platform. */
function nodePackage() {
	const platform = `${process.platform}-${process.arch}`;
	return platform === 'darwin-arm64' ? `node-bin-${platform}` : `node-${platform}`;
}

/**
 * Finds a Node that can run n8n: the running one, or else one installed into the cache.
 * @returns {Promise<{ node: string, major: number, headers?: string }>}
 */
export async function ensureNode() {
	const major = Number(process.versions.node.split('.')[0]);
	if (major >= NODE_MAJOR) return { node: process.execPath, major };
	const name = nodePackage();
	const folder = join(cacheFolder, `${name}-${NODE_VERSION}`);
	await installOnce(folder, async (partial) => {
		log(
			`n8n needs Node ${NODE_MAJOR} or later; installing ${NODE_VERSION} beside the one you have.`,
		);
		const spec = `${name}@${NODE_VERSION}`;
		await npm(['install', '--prefix', partial, '--no-save', spec], { cwd: partial }).catch(
			(error) => {
				throw new Error(
					`Node ${NODE_VERSION} could not be installed. Install Node ${NODE_MAJOR} yourself and run this again with it.\n${error.message}`,
				);
			},
		);
	});
	const headers = join(folder, 'node_modules', name);
	return { node: join(headers, 'bin', 'node'), major: NODE_MAJOR, headers };
}

/**
 * Installs the n8n host into the user's cache, once for all clones of the repository.
 * @returns {Promise<Host>}
 */
export async function ensureHost() {
	if (process.platform === 'win32') {
		throw new Error('The n8n host runs on Linux and macOS. On Windows, run this inside WSL.');
	}
	const lock = await readFile(join(hostFolder, 'package-lock.json'));
	const { dependencies } = JSON.parse(await readFile(join(hostFolder, 'package.json'), 'utf8'));
	const version = dependencies.n8n;
	const { node, major, headers } = await ensureNode();
	// Native code fits one major version of Node alone.
	const hash = createHash('sha256').update(lock).update(`node${major}`).digest('hex').slice(0, 12);
	const folder = join(cacheFolder, `n8n-${version}-${hash}`);
	await installOnce(folder, async (partial) => await fillHost(partial, version, node, headers));
	return { node, n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'), folder, version };
}

async function fillHost(folder, version, node, headers) {
	await assertSpace();
	log(`Installing n8n ${version} into ${cacheFolder}.`);
	log('This takes about 4 minutes and 2.2 GB, once.');
	const startedAt = Date.now();
	const elapsed = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
	const heartbeat = setInterval(() => log(`  … ${elapsed()}`), 30_000);
	try {
		for (const file of ['package.json', 'package-lock.json']) {
			await copyFile(join(hostFolder, file), join(folder, file));
		}
		await npm(['install', '--legacy-peer-deps', '--ignore-scripts'], { cwd: folder, node });
		log(`  packages installed (${elapsed()}); building ${NATIVE_PACKAGES.join(' and ')}`);
		await npm(['rebuild', '--ignore-scripts=false', ...NATIVE_PACKAGES], {
			cwd: folder,
			node,
			env: headers ? { npm_config_nodedir: headers } : {},
		}).catch((error) => {
			throw new Error(
				`The native parts of n8n could not be built. They need Python 3, make and a C++ compiler; install these and run this again.\n${error.message}`,
			);
		});
		log(`  n8n ${version} is installed (${elapsed()})`);
	} finally {
		clearInterval(heartbeat);
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	console.log(JSON.stringify(await ensureHost(), null, '\t'));
}
