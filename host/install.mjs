import { createHash } from 'node:crypto';
import { copyFile, readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installOnce, isInstalled } from './cache.mjs';
import { assertCompiler } from './compiler.mjs';
import { installNode, runningNode } from './node.mjs';
import { npm } from './npm.mjs';
import { cacheFolder, manifestsFolder } from './paths.mjs';

const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * A version of n8n that the package is run in.
 * @typedef {object} Release
 * @property {string} version there is a folder of this name in host/manifests
 * @property {number} nodeMajor the Node to run it with
 * @property {(major: number) => boolean} runsOn whether the Node that runs this will do
 * @property {boolean} peers whether npm is to install peers
 * @property {string[]} native the only dependencies whose native code it needs; others would fail to build
 * @property {string} cost for whoever waits for it
 */

/** @type {Release} the current generation, what most people run */
export const CURRENT = {
	version: '2.41.1',
	nodeMajor: 24,
	runsOn: (major) => major >= 24,
	peers: false,
	native: ['sqlite3', 'isolated-vm'],
	cost: 'about 4 minutes and 2.2 GB',
};

/** @type {Release} the last of the 1.x line, the oldest that is supported */
export const OLDEST = {
	version: '1.123.0',
	nodeMajor: 20,
	runsOn: (major) => major === 20,
	// npm 11 takes out of the lock what is a peer alone where it is told to ignore peers, and n8n 1 needs some.
	peers: true,
	native: ['sqlite3'],
	cost: 'about 3 minutes and 1.6 GB',
};

/**
 * @typedef {object} Host
 * @property {string} node the Node binary that runs n8n
 * @property {string} n8n the n8n program
 * @property {string} folder where n8n is installed
 * @property {string} version the version of n8n
 */

/**
 * Installs n8n into the user's cache, once for all clones of the repository.
 * @param {Release} [release]
 * @returns {Promise<Host>}
 */
export async function ensureHost(release = CURRENT) {
	if (process.platform === 'win32') {
		throw new Error('The n8n host runs on Linux and macOS. On Windows, run this inside WSL.');
	}
	const { version, nodeMajor, runsOn, peers } = release;
	const running = runningNode();
	const lock = await readFile(join(manifestsFolder, version, 'package-lock.json'));
	// Native code fits one major version of Node alone.
	const major = runsOn(running.major) ? running.major : nodeMajor;
	const kind = `node${major}${peers ? ' with peers' : ''}`;
	const hash = createHash('sha256').update(lock).update(kind).digest('hex');
	const name = `n8n-${version}-${hash.slice(0, 12)}`;
	if (!(await isInstalled(name))) assertCompiler();
	const node = runsOn(running.major) ? running : await installNode(nodeMajor);
	const fill = async (partial) => await fillHost(partial, release, node);
	const folder = await installOnce(name, fill);
	const program = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	return { node: node.node, n8n: program, folder, version };
}

async function assertSpace() {
	const { bavail, bsize } = await statfs(cacheFolder);
	if (bavail * bsize >= NEEDED_BYTES) return;
	throw new Error(
		`n8n needs 4 GB of free space in ${cacheFolder}. Free some, or set XDG_CACHE_HOME to a folder on another disk, and run this again.`,
	);
}

async function fillHost(folder, { version, peers, native, cost }, { node, headers }) {
	await assertSpace();
	console.log(`Installing n8n ${version} into ${cacheFolder}.`);
	console.log(`This takes ${cost}, once.`);
	const startedAt = Date.now();
	const elapsed = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
	const heartbeat = setInterval(() => console.log(`  … ${elapsed()}`), 30_000);
	try {
		for (const file of ['package.json', 'package-lock.json']) {
			await copyFile(join(manifestsFolder, version, file), join(folder, file));
		}
		const flags = [`--legacy-peer-deps=${!peers}`, '--ignore-scripts'];
		await npm(['install', ...flags], { cwd: folder, node });
		console.log(`  packages installed (${elapsed()}); building ${native.join(' and ')}`);
		await npm(['rebuild', '--ignore-scripts=false', ...native], {
			cwd: folder,
			node,
			env: headers ? { npm_config_nodedir: headers } : {},
		}).catch((error) => {
			throw new Error(`The native parts of n8n could not be built.\n${error.message}`);
		});
		console.log(`  n8n ${version} is installed (${elapsed()})`);
	} finally {
		clearInterval(heartbeat);
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	const releases = { [CURRENT.version]: CURRENT, [OLDEST.version]: OLDEST };
	const chosen = process.argv[2] ?? CURRENT.version;
	if (!releases[chosen]) throw new Error(`Choose one of ${Object.keys(releases).join(' and ')}`);
	console.log(JSON.stringify(await ensureHost(releases[chosen]), null, '\t'));
}
