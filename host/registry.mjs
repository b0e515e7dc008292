import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import fastify from 'fastify';
import { npm } from './npm.mjs';
import { run } from './run.mjs';

/**
 * An npm that uses the local registry. Without a licence, n8n only uses npm's own registry, and names it on npm's
 * command line.
 */
const npmOf = (program, registry) => `#!/usr/bin/env bash
exec ${JSON.stringify(program)} "$@" --registry=${registry}
`;

/** A closed port: n8n gives up at once on all requests but those to the registry. */
const CLOSED = 'http://127.0.0.1:9';

/**
 * Packs a tarball again with another version.
 * @param {string} tarball
 * @param {string} version
 * @param {string} folder where the new one goes
 * @returns {Promise<string>} the new tarball
 */
export async function packedAs(tarball, version, folder) {
	const unpacked = await mkdtemp(join(folder, 'unpacked-'));
	await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	const manifest = join(unpacked, 'package.json');
	const described = JSON.parse(await readFile(manifest, 'utf8'));
	await writeFile(manifest, JSON.stringify({ ...described, version }));
	const printed = await npm(
		['pack', unpacked, '--json', '--ignore-scripts', '--pack-destination', folder],
		{ cwd: folder },
	);
	return join(folder, JSON.parse(printed)[0].filename);
}

/**
 * Starts a local registry with one package that has a version for each tarball.
 * @param {string[]} tarballs the newest last
 */
async function startRegistry(tarballs) {
	const server = fastify();
	const byFile = new Map(tarballs.map((tarball) => [basename(tarball), tarball]));
	const versions = {};
	server.get('/:name', async () => {
		const latest = Object.keys(versions).at(-1);
		return { name: versions[latest].name, 'dist-tags': { latest }, versions };
	});
	server.get('/-/:file', async ({ params: { file } }, reply) =>
		reply.type('application/octet-stream').send(await readFile(byFile.get(file))),
	);
	const address = await server.listen({ host: '127.0.0.1', port: 0 });
	for (const [file, tarball] of byFile) {
		const manifest = JSON.parse(await run('tar', ['-xzOf', tarball, 'package/package.json']));
		const hash = createHash('sha512')
			.update(await readFile(tarball))
			.digest('base64');
		const dist = { tarball: `${address}/-/${file}`, integrity: `sha512-${hash}` };
		versions[manifest.version] = { ...manifest, dist };
	}
	return { address, close: async () => await server.close() };
}

/**
 * Prepares an n8n that can install these tarballs as community packages, as if npm had them.
 * @param {string[]} tarballs the newest last
 * @param {string} folder for the `npm` that n8n finds on its PATH
 * @returns {Promise<{ env: NodeJS.ProcessEnv, close: () => Promise<void> }>}
 */
export async function publishHere(tarballs, folder) {
	const { address, close } = await startRegistry(tarballs);
	const programs = join(folder, 'programs');
	await mkdir(programs, { recursive: true });
	const program = (await run('bash', ['-c', 'command -v npm'])).trim();
	await writeFile(join(programs, 'npm'), npmOf(program, address));
	await chmod(join(programs, 'npm'), 0o755);
	const env = {
		PATH: `${programs}${delimiter}${process.env.PATH}`,
		HTTPS_PROXY: CLOSED,
		NO_PROXY: '127.0.0.1,localhost',
	};
	return { env, close };
}
