// Tests the tarball with the checks of n8n's reviewers and of n8n: run with `npm run test:n8n -- package`.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { BUILT_IN, described, load } from './load.mjs';
import { pack } from './pack.mjs';
import { projectFolder } from './paths.mjs';
import { run } from './run.mjs';

const LARGEST_RATIO = 1.5;

let folder;
let unpacked;

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-package-'));
	const { tarball } = await pack(folder);
	await run('tar', ['-xzf', tarball, '-C', folder], { cwd: folder });
	unpacked = join(folder, 'package');
});

after(async () => {
	await rm(folder, { recursive: true, force: true });
});

describe("n8n's scan of community packages", () => {
	test('The scan of n8n for community packages finds a runtime dependency', async () => {
		const wrong = join(folder, 'wrong');
		await mkdir(wrong);
		const manifest = { name: 'n8n-nodes-wrong', dependencies: { axios: '1.0.0' } };
		await writeFile(join(wrong, 'package.json'), JSON.stringify(manifest));
		const { passed, details } = await analyzePackage(wrong, SOURCE_FILE_PATTERNS);
		assert.equal(passed, false);
		assert.match(details, /no-runtime-dependencies/);
	});

	test('The scan of n8n for community packages finds nothing in the sources', async () => {
		assert.deepEqual(await analyzePackage(projectFolder, SOURCE_FILE_PATTERNS), { passed: true });
	});

	test('The scan of n8n for community packages finds nothing in the tarball', async () => {
		const files = ['**/*.js', 'package.json'];
		assert.deepEqual(await analyzePackage(unpacked, files), { passed: true });
	});
});

test('The package loads about as many files and bytes as a comparable built-in node', async (t) => {
	const own = await load(unpacked);
	const builtIn = await load();
	// No time is asserted. `node host/loadBench.mjs` measures it.
	t.diagnostic(`the package: ${described(own)}; ${BUILT_IN}: ${described(builtIn)}`);
	assert.ok(own.files / builtIn.files < LARGEST_RATIO, 'files');
	assert.ok(own.bytes / builtIn.bytes < LARGEST_RATIO, 'bytes');
});
