import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { projectFolder } from './paths.mjs';

const distFolder = join(projectFolder, 'dist');
/** Lock for the build, because suites at the same time build into one folder. */
const buildLock = join(projectFolder, 'node_modules', '.cache', 'build');
const PACKED_FOLDERS = ['nodes', 'credentials', 'icons'];
const REQUIRED_FILES = ['index.js', 'package.json', 'README.md', 'LICENSE.md', 'CHANGELOG.md'];
const BUILT_FILE = /^dist\/(?:nodes|credentials)\/.+\.(?:js|json|svg)$|^dist\/icons\/[^/]+\.svg$/;
const NEVER_PACKED = /\.(?:test|spec)\.|\btsbuildinfo\b|\/tsconfig/;

/** Removes the build. */
export async function clean() {
	await rm(distFolder, { recursive: true, force: true });
}

/** Keeps only the files in `dist` that n8n loads. The builder copies every picture of the repository. */
export async function prune() {
	for (const name of await readdir(distFolder)) {
		if (PACKED_FOLDERS.includes(name)) continue;
		await rm(join(distFolder, name), { recursive: true });
	}
}

const wait = () => console.log('Another process is building; waiting for it.');
const SOURCES = [...PACKED_FOLDERS, 'package.json', 'test/schema', 'tsconfig.json'];
/** File that every build writes. */
const BUILT = join(distFolder, 'nodes', 'ContactTaskCrm', 'ContactTaskCrm.node.js');

/** Returns the time of the last change of a file, or in a folder; 0 if it does not exist. */
async function changedAt(path) {
	const entry = await stat(path).catch(() => undefined);
	if (!entry?.isDirectory()) return entry?.mtimeMs ?? 0;
	const inside = await readdir(path);
	return Math.max(
		entry.mtimeMs,
		...(await Promise.all(inside.map((name) => changedAt(join(path, name))))),
	);
}

/** Builds the package if its sources are newer than the build. */
export async function ensureBuilt() {
	const isBuilt = async () => {
		const sources = await Promise.all(SOURCES.map((name) => changedAt(join(projectFolder, name))));
		return (await changedAt(BUILT)) > Math.max(...sources);
	};
	if (await isBuilt()) return;
	await withLock(buildLock, wait, async () => {
		if (await isBuilt()) return;
		const startedAt = Date.now();
		console.log('Building the package …');
		await npm(['run', 'build'], { cwd: projectFolder });
		console.log(`  built (${Math.round((Date.now() - startedAt) / 1000)} s)`);
	});
}

/**
 * Lists the problems with the files of a tarball.
 * @param {string[]} paths
 * @returns {string[]} one sentence for each file that is missing or does not belong
 */
export function problemsOf(paths) {
	const isExpected = (path) =>
		REQUIRED_FILES.includes(path) || (BUILT_FILE.test(path) && !NEVER_PACKED.test(path));
	const extra = paths.filter((path) => !isExpected(path));
	const missing = REQUIRED_FILES.filter((path) => !paths.includes(path));
	const empty = PACKED_FOLDERS.filter(
		(name) => !paths.some((path) => path.startsWith(`dist/${name}/`)),
	);
	return [
		...extra.map((path) => `${path} does not belong into the package`),
		...missing.map((path) => `${path} is missing`),
		...empty.map((name) => `dist/${name} has no files`),
	];
}

/** A tarball for several suites, so that they need not each build and pack one. */
const { PACKED } = process.env;

/**
 * Builds and packs the package, and checks the files of the tarball.
 * @param {string} [folder] where the tarball goes; the folder of the repository by default
 * @returns {Promise<{ tarball: string, files: number, bytes: number, unpackedBytes: number }>}
 */
export async function pack(folder = projectFolder) {
	const npmPack = async (...packages) => {
		const options = ['--json', '--ignore-scripts', '--pack-destination', folder];
		return await npm(['pack', ...packages, ...options], { cwd: projectFolder });
	};
	const printed = PACKED
		? await npmPack(PACKED)
		: await withLock(buildLock, wait, async () => {
				await npm(['run', 'build'], { cwd: projectFolder });
				return await npmPack();
			});
	const [{ filename, files, size, unpackedSize }] = JSON.parse(printed);
	const problems = problemsOf(files.map(({ path }) => path));
	if (problems.length > 0) throw new Error(`The package is not right:\n  ${problems.join('\n  ')}`);
	return {
		tarball: join(folder, filename),
		files: files.length,
		bytes: size,
		unpackedBytes: unpackedSize,
	};
}

/**
 * Describes a tarball in one line.
 * @param {Awaited<ReturnType<typeof pack>>} packed
 */
export function describePack({ tarball, files, bytes, unpackedBytes }) {
	const kilobytes = (count) => `${(count / 1000).toFixed(1)} kB`;
	return `${basename(tarball)}: ${files} files, ${kilobytes(bytes)} (${kilobytes(unpackedBytes)} unpacked)`;
}
