// Tests the summary after a run of all suites: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { projectFolder } from './paths.mjs';
import { run } from './run.mjs';

const TESTS = `
const { test } = require('node:test');
test('a test that passes', () => {});
test('a test of node that fails', () => { throw new Error('no'); });
`;
const OF_JEST = `
it('passes', () => {});
it('passes too', () => {});
describe('a suite', () => it('of Jest that fails', () => expect(1).toBe(2)));
it('alone, it fails', () => expect(1).toBe(2));
`;
const jest = join(projectFolder, 'node_modules', '.bin', 'jest');

let folder;

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-ci-'));
	await writeFile(join(folder, 'node.cjs'), TESTS);
	await writeFile(
		join(folder, 'jest.config.js'),
		'module.exports = { testMatch: ["**/of.jest.js"] };',
	);
	await writeFile(join(folder, 'of.jest.js'), OF_JEST);
});

after(async () => {
	await rm(folder, { recursive: true, force: true });
});

/** Returns the output of a run of these suites, and whether it succeeded. */
async function printed(suites) {
	const script = `set -euo pipefail\nsource ${projectFolder}/.ci/suites\n${suites}`;
	// With this variable, node --test assumes a parent run and prints no readable output.
	const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
	const ended = run('bash', ['-c', script], { cwd: folder, env });
	const [text, succeeds] = await ended.then(
		(stdout) => [stdout, true],
		({ stdout }) => [stdout, false],
	);
	const lines = text.trimEnd().split('\n');
	return { lines, last: lines.at(-1), end: text.slice(text.indexOf('== Done in')), succeeds };
}

for (const reporter of ['tap', 'spec']) {
	test(`A CI summary counts suites of Jest and node --test (${reporter}), then shows failures`, async () => {
		const node = `${process.execPath} --test --test-reporter=${reporter} node.cjs`;
		const { last, end, succeeds } = await printed(`
			one() { suite 'Of node' ${node}; suite 'Which passes' true; }
			other() { suite 'Of Jest' ${jest}; }
			lanes one other
		`);
		assert.equal(succeeds, false);
		assert.equal(last, '3 passed, 3 failed');
		assert.match(end, /^ +\d+ s {2}Of node, FAILED$/m);
		assert.match(end, /^ +\d+ s {2}Which passes$/m);
		assert.match(end, /== FAILED: Of node\n[^=]*a test of node that fails/);
		assert.match(
			end,
			/== FAILED: Of Jest\n[^=]*a suite › of Jest that fails\n[^=]*● alone, it fails/,
		);
		assert.ok(end.split('\n').length < 45);
	});
}

test('Without a count of tests, the CI summary shows a failure in plain text', async () => {
	const lint = String.raw`printf '\033[0m  \033[2m1:7\033[22m   \033[31merror\033[39m  No such thing\033[0m\nmuch\nelse'; exit 1`;
	const { last, end } = await printed(`suite 'Lint' bash -c ${JSON.stringify(lint)}`);
	assert.equal(last, '0 passed, 1 failed');
	assert.match(end, /== FAILED: Lint\n {2}1:7 {3}error {2}No such thing\n\n/);
});

test('If an installation fails, the CI summary shows its output, and ends the run', async () => {
	const { last, end, succeeds } = await printed(`
		suite 'Install' bash -c 'echo first; echo the registry is not there >&2; exit 3'
		go_on
		suite 'Never' echo never
	`);
	assert.equal(succeeds, false);
	assert.equal(last, '0 passed, 1 failed');
	assert.match(end, /== FAILED: Install\nfirst\nthe registry is not there\n/);
	assert.doesNotMatch(end, /Never/);
});

for (const [where, suites] of Object.entries({
	'between two suites': "suite 'Good' true\nfalse\nsuite 'Never' true",
	'in one of two lanes':
		"one() { false; suite 'Never' true; }\nother() { suite 'Good' true; }\nlanes one other",
})) {
	test(`The CI summary counts a failed command outside the suites as a failure: ${where}`, async () => {
		const { last, end, succeeds } = await printed(suites);
		assert.equal(succeeds, false);
		assert.equal(last, '0 passed, 1 failed');
		assert.match(end, /Good/);
		assert.doesNotMatch(end, /Never/);
	});
}

test('A CI run without failures succeeds', async () => {
	const { last, succeeds } = await printed(
		"suite 'Good' echo 'Tests:       1 skipped, 12 passed, 13 total'\ngo_on",
	);
	assert.equal(succeeds, true);
	assert.equal(last, '12 passed, 0 failed');
});
