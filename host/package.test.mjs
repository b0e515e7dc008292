// Tests the tarball with the checks of n8n's reviewers and of n8n: run with `npm run test:package`.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ensureHost } from './install.mjs';
import { pack } from './pack.mjs';
import { projectFolder } from './paths.mjs';
import { run } from './run.mjs';

const ROUNDS = 9;
/** The built-in node for comparison. It has about as many files, is larger, and has a trigger. */
const BUILT_IN = ['Pipedrive', 'PipedriveTrigger'];
const LARGEST_RATIO = 2;

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
	test('finds what is wrong', async () => {
		const wrong = join(folder, 'wrong');
		await mkdir(wrong);
		const manifest = { name: 'n8n-nodes-wrong', dependencies: { axios: '1.0.0' } };
		await writeFile(join(wrong, 'package.json'), JSON.stringify(manifest));
		const { passed, details } = await analyzePackage(wrong, SOURCE_FILE_PATTERNS);
		assert.equal(passed, false);
		assert.match(details, /no-runtime-dependencies/);
	});

	test('finds nothing in the sources', async () => {
		assert.deepEqual(await analyzePackage(projectFolder, SOURCE_FILE_PATTERNS), { passed: true });
	});

	test('finds nothing in the tarball', async () => {
		const files = ['**/*.js', 'package.json'];
		assert.deepEqual(await analyzePackage(unpacked, files), { passed: true });
	});
});

test('n8n loads the package in no more than twice the time of a built-in node of its size', async (t) => {
	const host = await ensureHost();
	const modules = join(host.folder, 'node_modules');
	const builtIn = join(modules, 'n8n-nodes-base', 'dist', 'nodes', 'Pipedrive');
	const own = join(unpacked, 'dist');
	const load = async (files) => {
		const program = join(projectFolder, 'host', 'loadTime.cjs');
		const env = { ...process.env, NODE_PATH: [modules, process.env.NODE_PATH].join(delimiter) };
		return JSON.parse(await run(host.node, [program, host.folder, ...files], { env }));
	};
	const measured = { own: [], builtIn: [] };
	for (let round = 0; round < ROUNDS; round += 1) {
		measured.own.push(
			await load([
				join(own, 'nodes/ContactTaskCrm/ContactTaskCrm.node.js'),
				join(own, 'nodes/ContactTaskCrm/ContactTaskCrmTrigger.node.js'),
				join(own, 'credentials/ContactTaskCrmApi.credentials.js'),
			]),
		);
		measured.builtIn.push(await load(BUILT_IN.map((name) => join(builtIn, `${name}.node.js`))));
	}
	// The fastest round of each, because it was disturbed least.
	const [ours, theirs] = [measured.own, measured.builtIn].map((rounds) =>
		rounds.reduce((least, one) => (one.ms < least.ms ? one : least)),
	);
	const told = ({ ms, files, bytes }) =>
		`${ms.toFixed(0)} ms for ${files} files of ${(bytes / 1000).toFixed(0)} kB`;
	t.diagnostic(`the package ${told(ours)}, Pipedrive ${told(theirs)}`);
	assert.ok(ours.ms / theirs.ms < LARGEST_RATIO, `${told(ours)}, Pipedrive ${told(theirs)}`);
});
