// Prepares the newest n8n that the registry can install, and prints its version:
// `N8N_VERSION="$(node host/newest.mjs)" && export N8N_VERSION && npm run test:n8n -- smoke hosts`.
import { access, appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CURRENT } from './install.mjs';
import { npm } from './npm.mjs';
import { manifestsFolder, projectFolder } from './paths.mjs';

/**
 * Returns the newest released version that can be installed, and the newer ones that cannot.
 * @param {string[]} versions
 * @param {(version: string) => Promise<boolean>} isInstallable
 * @returns {Promise<{ version: string, refused: string[] }>}
 * @throws {Error} if none can be installed
 */
export async function newestOf(versions, isInstallable) {
	const released = versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version));
	const inOrder = (one, other) => one.localeCompare(other, 'en', { numeric: true });
	const refused = [];
	for (const version of released.sort(inOrder).reverse()) {
		if (await isInstallable(version)) return { version, refused };
		refused.push(version);
	}
	throw new Error('npm has no version of n8n that can be installed.');
}

/**
 * Says which version is tried, and why it is not the newest one.
 * @param {{ version: string, refused: string[] }} found
 */
export function describeNewest({ version, refused }) {
	if (refused.length === 0) return `newest on npm ${version}: tried`;
	return `newest on npm ${refused.join(', ')}: not installable; tried ${version}`;
}

/** Writes the manifest and the lock of a version. Returns false if the registry lacks one of its packages. */
async function isPrepared(version) {
	const folder = join(manifestsFolder, version);
	const isLocked = await access(join(folder, 'package-lock.json')).then(
		() => true,
		() => false,
	);
	if (isLocked) return true;
	const manifest = JSON.parse(
		await readFile(join(manifestsFolder, CURRENT.version, 'package.json'), 'utf8'),
	);
	manifest.dependencies.n8n = version;
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
	const flags = [`--legacy-peer-deps=${!CURRENT.peers}`, '--package-lock-only', '--ignore-scripts'];
	try {
		await npm(['install', ...flags], { cwd: folder });
		return true;
	} catch (error) {
		console.error(`n8n ${version} cannot be installed:\n${error.message}`);
		await rm(folder, { recursive: true });
		return false;
	}
}

async function main() {
	const printed = await npm(['view', 'n8n', 'versions', '--json'], { cwd: projectFolder });
	const found = await newestOf(JSON.parse(printed), isPrepared);
	const line = describeNewest(found);
	console.error(line);
	// The summary that GitHub shows for a job.
	const { GITHUB_STEP_SUMMARY: summary } = process.env;
	if (summary) await appendFile(summary, `${line}\n`);
	console.log(found.version);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main().catch((error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
}
