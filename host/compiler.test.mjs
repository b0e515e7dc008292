// Tests the message on a machine that cannot build the native parts of n8n: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { chmod, cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertCompiler } from './compiler.mjs';
import { run } from './run.mjs';

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

	test('will do with Python, make and a compiler, whichever of them', async () => {
		await offer('python3', 'make', 'clang++');
		assertCompiler(env);
	});

	test('is told what is missing, and how it is installed there', async () => {
		await offer('python3', 'apt-get');
		assert.throws(
			() => assertCompiler(env),
			/missing: make, a C\+\+ compiler\..*sudo apt-get install.*g\+\+/s,
		);
	});

	test('is told what is missing where nobody knows how it is installed', async () => {
		await offer('make', 'g++');
		assert.throws(() => assertCompiler(env), /missing: Python 3\. Install it and run this again/);
	});

	test('takes the compiler and Python that the environment names, and no other', async () => {
		await offer('python3', 'make', 'g++', 'snake', 'my-c++');
		assertCompiler({ ...env, PYTHON: 'snake', CXX: 'my-c++' });
		assert.throws(() => assertCompiler({ ...env, PYTHON: 'worm' }), /missing: Python 3\./);
	});

	test('is told before anything is fetched for it, in a clone without a package', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-clone-'));
		try {
			const own = dirname(fileURLToPath(import.meta.url));
			await cp(own, join(folder, 'host'), { recursive: true });
			const started = run(process.execPath, [join(folder, 'host', 'start.mjs')], {
				env: { ...env, HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
			});
			await assert.rejects(started, /Nothing was downloaded/);
			assert.deepEqual(await readdir(folder), ['host']);
		} finally {
			await rm(folder, { recursive: true });
		}
	});
});
