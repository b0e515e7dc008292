// Prepares the newest n8n that the registry can install, and prints its version:
// `N8N_VERSION=$(node host/newest.mjs) npm run test:n8n -- smoke hosts`.
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CURRENT } from './install.mjs';
import { npm } from './npm.mjs';
import { manifestsFolder, projectFolder } from './paths.mjs';

const versions = JSON.parse(
	await npm(['view', 'n8n', 'versions', '--json'], { cwd: projectFolder }),
);
const released = versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version));
const inOrder = (one, other) => one.localeCompare(other, 'en', { numeric: true });
for (const version of released.sort(inOrder).reverse()) {
	if (await isPrepared(version)) {
		console.log(version);
		break;
	}
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
