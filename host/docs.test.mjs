// Tests that links and commands in the documents work: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { before, describe, test } from 'node:test';
import GithubSlugger from 'github-slugger';
import gulpfile from '../gulpfile.js';
import { compatibilityRows } from './compatibility.mjs';
import { drawn, drawnThen, pictureOf } from './examplePictures.mjs';
import { EXAMPLES, readWorkflow } from './examples.mjs';
import { projectFolder } from './paths.mjs';
import { run } from './run.mjs';
import { chosenSuites } from './testN8n.mjs';

const list = async (pattern) => {
	const others = ['--cached', '--others', '--exclude-standard'];
	const printed = await run('git', ['ls-files', ...others, pattern], { cwd: projectFolder });
	return printed.split('\n').filter(Boolean);
};

const FENCED = /^```[^]*?^```/gm;
const documents = await list('*.md');

const read = async (file) => await readFile(join(projectFolder, file), 'utf8');

/** Returns GitHub's anchors of the headings in a document. */
async function anchorsOf(file) {
	const slugger = new GithubSlugger();
	const headings = (await read(file)).replace(FENCED, '').matchAll(/^#+ +(.+)$/gm);
	return [...headings].map(([, heading]) => slugger.slug(heading.replace(/[`*_]/g, '')));
}

const exists = async (path) =>
	await access(join(projectFolder, path)).then(
		() => true,
		() => false,
	);

/** Returns the problem with a link within the repository. */
async function problemOf(document, target) {
	const [path, anchor] = target.split('#');
	const file = path ? normalize(join(dirname(document), path)) : document;
	if (!(await exists(file))) return `${target} is not there`;
	if (!anchor || !file.endsWith('.md')) return undefined;
	return (await anchorsOf(file)).includes(anchor) ? undefined : `${target} has no such heading`;
}

for (const document of documents) {
	describe(document, () => {
		let text;

		before(async () => {
			text = await read(document);
		});

		test('Links of a document lead to existing files and headings', async () => {
			const prose = text.replace(FENCED, '');
			const targets = [...prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(
				([, target]) => target,
			);
			const inside = targets.filter((target) => !/^[a-z]+:/.test(target));
			const problems = await Promise.all(inside.map((target) => problemOf(document, target)));
			assert.deepEqual(problems.filter(Boolean), []);
		});

		test('Commands in a document exist', async () => {
			const { scripts } = JSON.parse(await read('package.json'));
			const named = (pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
			for (const name of named(/\bnpm run ([\w:]+)/g)) assert.ok(scripts[name], `npm run ${name}`);
			for (const name of named(/\bnpx gulp (?:-L )?(\w+)/g)) {
				assert.equal(typeof gulpfile[name], 'function', `npx gulp ${name}`);
			}
			for (const suites of named(/\bnpm run test:n8n -- ([\w ]+)/g)) {
				assert.doesNotThrow(() => chosenSuites(suites.trim().split(' ')));
			}
			for (const name of named(/\bnode (?:--test )?(host\/[\w./-]+)/g)) {
				assert.ok(await exists(name), `node ${name}`);
			}
			const tests = await list('*.test.ts');
			for (const name of named(/\bnpx jest ([\w./-]+)/g)) {
				assert.ok(
					tests.some((file) => file.includes(name)),
					`npx jest ${name}`,
				);
			}
		});
	});
}

test('CONTRIBUTING.md names tests for each folder of the nodes, and suites that exist', async () => {
	const [, section] = (await read('CONTRIBUTING.md')).split('\n## Which suite for which change\n');
	const [table] = /(?:^\|.*\|\n)+/m.exec(section);
	const rows = table
		.trim()
		.split('\n')
		.slice(2)
		.map((row) => row.split('|').slice(1, -1));
	const wordsIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code.split(' '));
	const tests = await list('test/*.test.ts');
	for (const [, jest, suites] of rows) {
		for (const name of jest.includes('npm run') ? [] : wordsIn(jest)) {
			const isThere = tests.some((file) => file.includes(name));
			assert.ok(isThere, name);
		}
		if (wordsIn(suites).length > 0) chosenSuites(wordsIn(suites));
	}
	const folders = await readdir(join(projectFolder, 'nodes', 'ContactTaskCrm'), {
		withFileTypes: true,
	});
	const named = rows.flatMap(([folder]) => wordsIn(folder));
	const missing = folders
		.filter((entry) => entry.isDirectory())
		.filter(({ name }) => !named.includes(`${name}/`));
	assert.deepEqual(missing, []);
});

test('The README table names what the suites try, and on which n8n and Node.js', async () => {
	const [, section] = (await read('README.md')).split('\n## Limits\n');
	const [table] = /(?:^\|.*\|\n)+/m.exec(section);
	const [head, , ...rows] = table
		.trim()
		.split('\n')
		.map((row) => row.split('|').slice(1, -1))
		.map((cells) => cells.map((cell) => cell.trim()));
	assert.deepEqual([head, ...rows], compatibilityRows());
});

test('examples/README.md shows each example in a current picture', async () => {
	const text = await read('examples/README.md');
	const then = await drawnThen();
	const files = Object.values(EXAMPLES);
	for (const file of files) {
		const picture = pictureOf(file);
		assert.ok(text.includes(`](../docs/screenshots/${picture}.png)`), picture);
		const now = drawn(await readWorkflow(file));
		assert.equal(then[picture], now, `${file} has changed: npm run test:n8n -- pictures`);
	}
	assert.deepEqual(Object.keys(then).sort(), files.map(pictureOf).sort());
});
