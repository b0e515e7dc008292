// Tests the choice of suites around n8n, without running them: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CURRENT, OLDEST } from './install.mjs';
import { describeNewest, newestOf } from './newest.mjs';
import { projectFolder } from './paths.mjs';
import { run } from './run.mjs';
import { chosenSuites, hostsOf, runsOf, SUITES } from './testN8n.mjs';

const testN8n = async (...args) =>
	await run(process.execPath, [join(projectFolder, 'host', 'testN8n.mjs'), ...args]);

/** Test files that need no n8n, and run with a command of their own in CONTRIBUTING.md. */
const ELSEWHERE = ['prism.test.mjs'];

test('npm run test:n8n runs each named suite once, and passes options to node --test', () => {
	assert.deepEqual(chosenSuites(['queue', '--test-only', 'smoke', 'queue']), {
		names: ['queue', 'smoke'],
		options: ['--test-only'],
	});
	assert.deepEqual(runsOf(SUITES.queue, ['--test-only']), [
		{ args: ['--import', 'tsx', '--test', '--test-only', 'host/queue.test.mjs'], env: {} },
	]);
});

test('The suite of the examples runs once for each version of n8n', () => {
	assert.deepEqual(
		runsOf(SUITES.examples).map(({ env }) => env),
		[{}, { HOST: '1.123' }],
	);
});

test('The variable HOST limits the versions of n8n that a suite tries', () => {
	assert.deepEqual(hostsOf('hosts', {}), [CURRENT, OLDEST]);
	assert.deepEqual(hostsOf('hosts', { HOST: CURRENT.version }), [CURRENT]);
	assert.deepEqual(hostsOf('trigger', { HOST: '1.123' }), [OLDEST]);
	// The runs of this suite choose their own versions.
	assert.deepEqual(hostsOf('examples', {}), [CURRENT, OLDEST]);
	assert.deepEqual(hostsOf('smoke', { HOST: '1.123' }), [CURRENT]);
	assert.throws(() => hostsOf('hosts', { HOST: '9.9' }), /HOST is "9\.9".*tries n8n 2\./);
});

test('The suites take the newest installable n8n, and name releases that are newer', async () => {
	const versions = ['2.9.0', '2.41.1', '2.41.3', '3.0.0-beta.1', '2.41.2'];
	const isInstallable = async (version) => version === '2.9.0' || version === '2.41.1';
	const found = await newestOf(versions, isInstallable);
	assert.deepEqual(found, { version: '2.41.1', refused: ['2.41.3', '2.41.2'] });
	assert.equal(
		describeNewest({ version: '2.41.1', refused: ['2.41.3'] }),
		'newest on npm 2.41.3: not installable; tried 2.41.1',
	);
	assert.equal(describeNewest({ version: '2.41.3', refused: [] }), 'newest on npm 2.41.3: tried');
	await assert.rejects(
		newestOf(versions, async () => false),
		/no version of n8n that can be installed/,
	);
});

test('npm run test:n8n without a known suite lists all suites and fails', async () => {
	const list = new RegExp(Object.keys(SUITES).join(' [^]*\n  '));
	await assert.rejects(testN8n('smoke', 'nothing'), (error) => {
		assert.match(error.message, /Unknown suite: nothing\n/);
		assert.match(error.message, list);
		return true;
	});
	await assert.rejects(testN8n(), list);
	// A name that all objects have.
	assert.throws(() => chosenSuites(['constructor']), /Unknown suite: constructor/);
});

test('The suite of the pictures finds its test', async () => {
	const [pattern] = SUITES.pictures.flags.map((flag) => flag.replace('--test-name-pattern=', ''));
	const text = await readFile(join(projectFolder, 'host', 'e2e', 'examples.suite.mjs'), 'utf8');
	assert.match(text, new RegExp(`inEditor\\('[^']*${pattern}`));
});

test('Each test file of host/ belongs either to npm run test:host or a suite', async () => {
	const inSuites = Object.values(SUITES).flatMap(({ files }) => files);
	await Promise.all(inSuites.map((file) => access(join(projectFolder, file))));
	const { scripts } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
	const alone = scripts['test:host'].split(' ').filter((word) => word.startsWith('host/'));
	const names = await readdir(join(projectFolder, 'host'), { recursive: true });
	const files = names
		.filter((name) => name.endsWith('.test.mjs') && !ELSEWHERE.includes(name))
		.map((name) => `host/${name}`);
	assert.ok(files.length > 15);
	for (const file of files) {
		assert.ok(alone.includes(file) !== inSuites.includes(file), file);
	}
});
