/** Longest time for the download of a prebuilt SQLite, 1 MB. Compiling SQLite takes half a minute or more. */
const DEADLINE_MS = 10_000;
const RELEASES = 'https://github.com/TryGhost/node-sqlite3/releases/download';
/** Version of the interface of Node that the prebuilt file of sqlite3 5 is for. */
const NODE_API = 6;
/** Platforms with a prebuilt binary of isolated-vm, the other native package. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64'];

/** Returns whether this is a Linux without glibc, the C library that the prebuilt files need. */
const hasMusl = () =>
	process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;

/**
 * Returns the address of the prebuilt SQLite for this machine, where its installer looks for it.
 * @param {string} version of the package sqlite3
 * @param {NodeJS.ProcessEnv} env may name a mirror, as the installer reads it
 */
export function addressOfPrebuilt(version, env = process.env) {
	const { npm_config_sqlite3_binary_host: mirror = RELEASES } = env;
	const platform = `${process.platform}-${process.arch}`;
	return `${mirror}/v${version}/sqlite3-v${version}-napi-v${NODE_API}-${platform}.tar.gz`;
}

const tried = new Map();

/**
 * Returns whether nothing has to be compiled, because a prebuilt SQLite can be downloaded within seconds.
 * @param {string} version of the package sqlite3
 * @param {{ env?: NodeJS.ProcessEnv, deadlineMs?: number }} [options]
 * @returns {Promise<boolean>}
 */
export async function canDownloadPrebuilt(version, { env, deadlineMs = DEADLINE_MS } = {}) {
	if (!PLATFORMS.includes(`${process.platform}-${process.arch}`) || hasMusl()) return false;
	const address = addressOfPrebuilt(version, env);
	if (!tried.has(address)) tried.set(address, comesInTime(address, deadlineMs));
	return await tried.get(address);
}

async function comesInTime(address, deadlineMs) {
	try {
		const response = await fetch(address, { signal: AbortSignal.timeout(deadlineMs) });
		// SQLite's installer downloads the file again. This request only checks that all of it comes in time.
		return response.ok && (await response.arrayBuffer()).byteLength > 0;
	} catch {
		return false;
	}
}
