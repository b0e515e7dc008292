// Leaves packages out of package-lock.json that this repository never uses, so that `npm ci` does not install them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './paths.mjs';

/**
 * Dependencies to leave out, by the package that asks for them. With the packages that only these need, they would be
 * half of all files to install. n8n's linter forbids `overrides` in package.json, which would do the same.
 */
const UNUSED = {
	// Only the templates of `n8n-node new` for AI nodes import it.
	'@n8n/node-cli': ['@n8n/ai-node-sdk'],
	// n8n loads them only if it stores files at these services.
	'@n8n/blob-storage': ['@azure/identity', '@azure/storage-blob', '@aws-sdk/client-s3'],
	// n8n loads them only if it reports errors to Sentry.
	'n8n-core': ['@sentry/core', '@sentry/node', '@sentry/node-native', '@sentry/profiling-node'],
	'n8n-workflow': ['@sentry/node'],
};

/** npm installs no peer dependency by itself, because .npmrc has `legacy-peer-deps`. */
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Returns the path of a package that another package imports, found as Node.js does; undefined without one. */
function pathOf(name, importer, packages) {
	for (let folder = importer; ; ) {
		const path = `${folder && `${folder}/`}node_modules/${name}`;
		if (packages[path]) return path;
		if (folder === '') return undefined;
		folder = folder.slice(0, folder.lastIndexOf('node_modules/')).replace(/\/$/, '');
	}
}

/**
 * Returns a lock without unused dependencies, and without the packages that only these need.
 * @param {{ packages: Record<string, object> }} lock content of package-lock.json, version 3
 */
export function withoutUnused(lock) {
	const packages = structuredClone(lock.packages);
	for (const [path, { dependencies = {} }] of Object.entries(packages)) {
		const [, name] = path.split(/.*node_modules\//);
		for (const unused of UNUSED[name] ?? []) delete dependencies[unused];
	}
	const used = new Set(['']);
	for (const path of used) {
		const names = KINDS.flatMap((kind) => Object.keys(packages[path][kind] ?? {}));
		for (const needed of names.map((name) => pathOf(name, path, packages))) {
			// An optional package may be absent.
			if (needed) used.add(needed);
		}
	}
	const kept = Object.entries(packages).filter(([path]) => used.has(path));
	return { ...lock, packages: Object.fromEntries(kept) };
}

const lockFile = join(projectFolder, 'package-lock.json');

export async function readLock() {
	return JSON.parse(await readFile(lockFile, 'utf8'));
}

/** Writes the lock again, without unused dependencies. */
export async function trimLock() {
	const lock = withoutUnused(await readLock());
	await writeFile(lockFile, `${JSON.stringify(lock, null, '\t')}\n`);
}
