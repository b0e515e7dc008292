import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installOnce, isInstalled } from './cache.mjs';
import { assertCompiler } from './compiler.mjs';
import { installNode, runningNode } from './node.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, manifestsFolder } from './paths.mjs';
import { canDownloadPrebuilt } from './prebuilt.mjs';

const NEEDED_BYTES = 4 * 1024 ** 3;
/** Path of SQLite, the largest native part, in a lock. */
const SQLITE = 'node_modules/sqlite3';

/**
 * A version of n8n for the trials.
 * @typedef {object} Release
 * @property {string} version name of its folder in host/manifests
 * @property {number} nodeMajor the Node to run it with
 * @property {(major: number) => boolean} runsOn whether the current Node is suitable
 * @property {boolean} peers whether npm must install peers
 * @property {string[]} native dependencies with required native code; other dependencies would fail to build
 * @property {number} gigabytes size of the download, for a message
 */

/** @type {Release} current generation, used by most people. `newest.mjs` prepares others for N8N_VERSION. */
export const CURRENT = {
	version: process.env.N8N_VERSION || '2.41.1',
	nodeMajor: 24,
	runsOn: (major) => major >= 24,
	peers: false,
	native: ['sqlite3', 'isolated-vm'],
	gigabytes: 2.2,
};

/** @type {Release} last version of the 1.x line, the oldest supported one */
export const OLDEST = {
	version: '1.123.0',
	nodeMajor: 20,
	runsOn: (major) => major === 20,
	// n8n 1 needs some peers. If told to ignore peers, npm 11 removes packages from the lock that are only peers.
	peers: true,
	native: ['sqlite3'],
	gigabytes: 1.6,
};

/**
 * @typedef {object} Host
 * @property {string} node the Node binary that runs n8n
 * @property {string} n8n the n8n program
 * @property {string} folder where n8n is installed
 * @property {string} version the version of n8n
 */

/**
 * Checks that n8n is installed or can be installed, before any download.
 * @param {Release} [release]
 * @returns {Promise<{ name: string, isCompiled: boolean }>} its folder in the cache, and whether its native parts are compiled here
 * @throws {Error} which says what is missing, and how it is installed
 */
export async function assertInstallable({ version, nodeMajor, runsOn, peers } = CURRENT) {
	if (process.platform === 'win32') {
		throw new Error('The n8n host runs on Linux and macOS. On Windows, run this inside WSL.');
	}
	const { major } = runningNode();
	const lock = await readFile(join(manifestsFolder, version, 'package-lock.json'));
	// Some native code, such as isolated-vm, fits only one major version of Node.
	const kind = `node${runsOn(major) ? major : nodeMajor}${peers ? ' with peers' : ''}`;
	const hash = createHash('sha256').update(lock).update(kind).digest('hex');
	const name = `n8n-${version}-${hash.slice(0, 12)}`;
	if (await isInstalled(name)) return { name, isCompiled: false };
	const isCompiled = !(await canDownloadPrebuilt(JSON.parse(lock).packages[SQLITE].version));
	if (isCompiled) assertCompiler();
	return { name, isCompiled };
}

/**
 * Installs n8n into the user's cache, once for all clones of the repository.
 * @param {Release} [release]
 * @returns {Promise<Host>}
 */
export async function ensureHost(release = CURRENT) {
	const { name, isCompiled } = await assertInstallable(release);
	const { version, nodeMajor, runsOn } = release;
	const running = runningNode();
	const node = runsOn(running.major) ? running : await installNode(nodeMajor);
	const fill = async (partial) => await fillHost(partial, release, { ...node, isCompiled });
	const folder = await installOnce(name, fill);
	const program = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	return { node: node.node, n8n: program, folder, version };
}

async function freeBytes() {
	const { bavail, bsize } = await statfs(cacheFolder);
	return bavail * bsize;
}

async function fillHost(folder, { version, peers, native, gigabytes }, { isCompiled, ...runs }) {
	const { node } = runs;
	const freeAtFirst = await freeBytes();
	if (freeAtFirst < NEEDED_BYTES) {
		throw new Error(
			`n8n needs 4 GB of free space in ${cacheFolder}. Free some, or set XDG_CACHE_HOME to a folder on another disk, and run this again.`,
		);
	}
	console.log(`Installing n8n ${version} into ${cacheFolder}, once: ${gigabytes} GB.`);
	const startedAt = Date.now();
	const elapsed = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
	const progress = setInterval(async () => {
		// Writes of other programs on this disk count as well.
		const written = Math.max(0, freeAtFirst - (await freeBytes())) / 1e9;
		const amount = Math.min(written, gigabytes).toFixed(1);
		console.log(`  … about ${amount} of ${gigabytes} GB (${elapsed()})`);
	}, 10_000);
	try {
		const manifest = join(manifestsFolder, version);
		for (const file of ['package.json', 'package-lock.json']) {
			await copyFile(join(manifest, file), join(folder, file));
		}
		const flags = [`--legacy-peer-deps=${!peers}`, '--ignore-scripts'];
		const builtFolder = join(folder, 'native');
		const building = buildNative(builtFolder, native, { manifest, isCompiled, ...runs });
		const parts = [building, npm(['install', ...flags], { cwd: folder, node })];
		// Both must end before their files can be removed.
		const failed = (await Promise.allSettled(parts)).find(({ reason }) => reason);
		if (failed) throw failed.reason;
		await moveBuilt(builtFolder, folder, native);
		console.log(`  n8n ${version} is installed (${elapsed()})`);
	} finally {
		clearInterval(progress);
	}
}

/**
 * Builds the native parts of n8n in a separate folder, while npm installs the rest. One file of SQLite takes as long
 * as a thousand packages. If a binary is available, it is downloaded instead.
 */
async function buildNative(folder, names, { manifest, isCompiled, node, headers }) {
	const { packages } = JSON.parse(await readFile(join(manifest, 'package-lock.json'), 'utf8'));
	const specs = names.map((name) => `${name}@${packages[`node_modules/${name}`].version}`);
	await mkdir(folder);
	const env = {
		// Takes half the time of a full optimization, and is fast enough for these tests.
		CFLAGS: '-O1',
		...(headers ? { npm_config_nodedir: headers } : {}),
		// Skips the installer's own download, which has no deadline. `canDownloadPrebuilt` tried it already.
		...(isCompiled ? { npm_config_build_from_source: 'sqlite3' } : {}),
	};
	const flags = ['--prefix', folder, '--no-save', '--ignore-scripts=false'];
	await npm(['install', ...flags, ...specs], { cwd: folder, node, env }).catch((error) => {
		throw new Error(`The native parts of n8n could not be built.\n${error.message}`);
	});
}

/** Moves native builds to the folders where n8n looks for them. A package with its own binaries has no build. */
async function moveBuilt(from, to, names) {
	for (const name of names) {
		const build = join('node_modules', name, 'build');
		await rename(join(from, build), join(to, build)).catch((error) => {
			if (error.code !== 'ENOENT') throw error;
		});
	}
	await rm(from, { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	const releases = { [CURRENT.version]: CURRENT, [OLDEST.version]: OLDEST };
	const chosen = process.argv[2] ?? CURRENT.version;
	if (!releases[chosen]) throw new Error(`Choose one of ${Object.keys(releases).join(' and ')}`);
	console.log(JSON.stringify(await ensureHost(releases[chosen]), null, '\t'));
}
