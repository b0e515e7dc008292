// Tests the message on a machine that cannot build the native parts of n8n: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { chmod, cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertCompiler } from './compiler.mjs';
import { canDownloadPrebuilt } from './prebuilt.mjs';
import { run } from './run.mjs';

/** A mirror without a prebuilt SQLite: nothing listens on this port. */
const NO_MIRROR = { npm_config_sqlite3_binary_host: 'http://127.0.0.1:9' };

describe('a machine on which n8n is to be installed', () => {
	let programs;
	let env;

	const offer = async (...names) => {
		for (const name of names) {
			const file = join(programs, name);
			await writeFile(file, '#!/bin/sh\nexit 0\n');
			await chmod(file, 0o755);
		}
	};

	beforeEach(async () => {
		programs = await mkdtemp(join(tmpdir(), 'contact-task-crm-compiler-'));
		const which = (await run('sh', ['-c', 'command -v which'])).trim();
		await symlink(which, join(programs, 'which'));
		await symlink('/bin/sh', join(programs, 'sh'));
		env = { PATH: programs };
	});

	afterEach(async () => await rm(programs, { recursive: true }));

	test('The compiler check accepts Python, make and any compiler', async () => {
		await offer('python3', 'make', 'clang++');
		assertCompiler(env);
	});

	test('The compiler check names missing programs and the command that installs them', async () => {
		await offer('python3', 'apt-get');
		assert.throws(
			() => assertCompiler(env),
			/missing: make, a C\+\+ compiler\..*sudo apt-get install.*g\+\+/s,
		);
	});

	test('The compiler check names missing programs even on an unknown system', async () => {
		await offer('make', 'g++');
		assert.throws(() => assertCompiler(env), /missing: Python 3\. Install it and run this again/);
	});

	test('The compiler check takes only the compiler and Python that the environment names', async () => {
		await offer('python3', 'make', 'g++', 'snake', 'my-c++');
		assertCompiler({ ...env, PYTHON: 'snake', CXX: 'my-c++' });
		assert.throws(() => assertCompiler({ ...env, PYTHON: 'worm' }), /missing: Python 3\./);
	});

	test('Without a compiler, npm start in a fresh clone stops before it downloads anything', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-clone-'));
		try {
			const own = dirname(fileURLToPath(import.meta.url));
			await cp(own, join(folder, 'host'), { recursive: true });
			const started = run(process.execPath, [join(folder, 'host', 'start.mjs')], {
				env: { ...env, ...NO_MIRROR, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
			});
			await assert.rejects(
				started,
				/Nothing was downloaded\.\n"npm start -- --run" needs none of it/,
			);
			assert.deepEqual(await readdir(folder), ['host']);
		} finally {
			await rm(folder, { recursive: true });
		}
	});
});

describe('a prebuilt SQLite', () => {
	/** Looks for a prebuilt SQLite on a server that gives this answer. */
	const whether = async (answer, deadlineMs = 2_000) => {
		const asked = [];
		const server = createServer((request, response) => {
			asked.push(request.url);
			answer(response);
		});
		await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
		const mirror = `http://127.0.0.1:${server.address().port}`;
		try {
			const env = { npm_config_sqlite3_binary_host: mirror };
			return { isThere: await canDownloadPrebuilt('5.1.7', { env, deadlineMs }), asked };
		} finally {
			server.closeAllConnections();
			server.close();
		}
	};

	test('The check finds a prebuilt SQLite if the download arrives as a whole', async () => {
		const { isThere, asked } = await whether((response) => response.end('binary'));
		assert.equal(isThere, true);
		const { platform, arch } = process;
		assert.deepEqual(asked, [`/v5.1.7/sqlite3-v5.1.7-napi-v6-${platform}-${arch}.tar.gz`]);
	});

	for (const [what, answer] of [
		['is not there', (response) => response.writeHead(404).end('no')],
		['does not answer', () => undefined],
		['comes too slowly', (response) => response.writeHead(200).write('half')],
		['breaks off', (response) => response.writeHead(200, { 'content-length': 9 }).end('half')],
	]) {
		test(`The check finds no prebuilt SQLite if the download ${what}`, async () => {
			assert.equal((await whether(answer, 300)).isThere, false);
		});
	}

	test('The check finds no prebuilt SQLite if it reaches no server', async () => {
		assert.equal(await canDownloadPrebuilt('5.1.7', { env: NO_MIRROR }), false);
	});
});
