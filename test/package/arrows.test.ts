/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- looks at the sources from outside, by a program of its own */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const rules = path.join(root, '.dependency-cruiser.mjs');

interface Cruised {
	summary: { totalCruised: number };
	violations: string[];
}

/** The package that a file is of, or else the file. */
const packageOf = (file: string) => /node_modules\/([^/]+)/.exec(file)?.[1] ?? file;

/** Holds the rules against a tree: one line "rule: file → file" for each import that breaks one. */
function cruise(folder: string): Cruised {
	const args = [program, '--config', rules, '--output-type', 'json'];
	const printed = execFileSync(process.execPath, [...args, 'nodes', 'credentials', 'test'], {
		cwd: folder,
		encoding: 'utf8',
		maxBuffer: 64 * 1024 * 1024,
	});
	const { summary } = JSON.parse(printed) as {
		summary: {
			totalCruised: number;
			violations: Array<{ from: string; to: string; rule: { name: string } }>;
		};
	};
	const violations = summary.violations.map(({ rule, from, to }) =>
		rule.name === 'in-use' ? `in-use: ${to}` : `${rule.name}: ${from} → ${packageOf(to)}`,
	);
	return { summary, violations: [...new Set(violations)].sort() };
}

const home = 'nodes/ContactTaskCrm';
const node = `${home}/ContactTaskCrm.node.ts`;
const credential = 'credentials/ContactTaskCrmApi.credentials.ts';

/** Which rooms each room may import from. */
const allowed: Record<string, string[]> = {
	trigger: [
		'resources',
		'description',
		'lookups',
		'runtime',
		'directory',
		'transport',
		'common',
		'contract',
	],
	resources: ['description', 'lookups', 'runtime', 'directory', 'transport', 'common', 'contract'],
	description: ['runtime', 'directory', 'transport', 'common', 'contract'],
	lookups: ['runtime', 'directory', 'transport', 'common', 'contract'],
	runtime: ['directory', 'transport', 'common', 'contract'],
	directory: ['transport', 'common', 'contract'],
	transport: ['common', 'contract'],
	common: ['contract'],
	contract: [],
};
const rooms = Object.keys(allowed);

/** Where a room keeps its file: a resource has a folder of its own. */
const fileOf = (room: string, name: string) =>
	room === 'resources' ? `${home}/resources/person/${name}.ts` : `${home}/${room}/${name}.ts`;

type Tree = Map<string, string[]>;

/** A small tree in which every import that is allowed is made. */
function allowedTree(): Tree {
	const tree: Tree = new Map(
		rooms.map((room) => [
			fileOf(room, 'index'),
			allowed[room].map((other) => fileOf(other, 'index')),
		]),
	);
	tree.set(node, ['n8n-workflow', ...rooms.map((room) => fileOf(room, 'index'))]);
	tree.set(credential, ['n8n-workflow', fileOf('transport', 'index'), fileOf('common', 'index')]);
	tree.get(fileOf('transport', 'index'))?.push('n8n-workflow', 'zod', 'luxon', 'lodash', 'crypto');
	tree.get(fileOf('contract', 'index'))?.push('zod');
	tree.set('test/service/index.ts', ['fastify', 'node:http']);
	tree.set('test/unit/service/limiter.test.ts', ['test/service/index.ts']);
	return tree;
}

function specifierOf(from: string, to: string) {
	if (!/^(nodes|credentials|test)\//.test(to)) return to;
	const relative = path.posix.relative(path.posix.dirname(from), to.replace(/\.ts$/, ''));
	return relative.startsWith('.') ? relative : `./${relative}`;
}

const scratch = mkdtempSync(path.join(tmpdir(), 'arrows-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function cruiseTree(name: string, tree: Tree) {
	const folder = path.join(scratch, name);
	for (const [file, imports] of tree) {
		const written = path.join(folder, file);
		mkdirSync(path.dirname(written), { recursive: true });
		const lines = imports.map((to) => `import '${specifierOf(file, to)}';\n`);
		writeFileSync(written, lines.join(''));
	}
	cpSync(path.join(root, 'tsconfig.json'), path.join(folder, 'tsconfig.json'));
	symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
	return cruise(folder);
}

describe('the arrows between the rooms', () => {
	it('are kept by every import of the sources and their tests', () => {
		const { summary, violations } = cruise(root);
		expect(violations).toEqual([]);
		expect(summary.totalCruised).toBeGreaterThan(100);
	});

	it('allow what is to the right', () => {
		expect(cruiseTree('allowed', allowedTree()).violations).toEqual([]);
	});

	it('refuse everything else', () => {
		const tree = allowedTree();
		const expected: string[] = [];
		/** Adds a file with one import that a rule forbids; the node imports it, so that it is in use. */
		const forbid = (rule: string, file: string, to: string) => {
			tree.set(file, [to]);
			if (file.startsWith('nodes/')) tree.get(node)?.push(file);
			expected.push(`${rule}: ${file} → ${to}`);
		};

		for (const room of rooms) {
			for (const other of rooms) {
				if (room === other || allowed[room].includes(other)) continue;
				forbid(`arrow-${room}`, fileOf(room, `to-${other}`), fileOf(other, 'index'));
				if (room === 'contract') {
					expected.push(`contract-zod: ${fileOf(room, `to-${other}`)} → ${fileOf(other, 'index')}`);
				}
			}
			forbid(`arrow-${room}`, fileOf(room, 'to-credential'), credential);
		}
		expected.push(`contract-zod: ${fileOf('contract', 'to-credential')} → ${credential}`);

		const task = `${home}/resources/task/index.ts`;
		tree.set(task, []);
		forbid('resource-apart', fileOf('resources', 'to-task'), task);
		for (const room of rooms.filter((name) => !['transport', 'common'].includes(name))) {
			forbid('credential', `credentials/To${room}.credentials.ts`, fileOf(room, 'index'));
		}
		forbid('contract-zod', fileOf('contract', 'to-luxon'), 'luxon');
		forbid('host-packages', fileOf('transport', 'to-axios'), 'axios');
		forbid('host-packages', fileOf('transport', 'to-file-system'), 'fs');
		forbid('host-packages', fileOf('transport', 'to-nothing'), 'nowhere-to-be-found');
		forbid('host-packages', fileOf('runtime', 'to-test'), 'test/service/index.ts');

		const loose = `${home}/loose.ts`;
		tree.set(loose, []);
		tree.get(node)?.push(loose);
		expected.push(`rooms: ${node} → ${loose}`);

		expected.push(`in-use: ${fileOf('common', 'dead')}`);
		tree.set(fileOf('common', 'dead'), []);

		expect(cruiseTree('forbidden', tree).violations).toEqual(expected.sort());
	});

	it('go round in no circle', () => {
		const tree = allowedTree();
		const [one, other] = [fileOf('common', 'one'), fileOf('common', 'other')];
		tree.set(one, [other]);
		tree.set(other, [one]);
		tree.get(node)?.push(one);
		expect(cruiseTree('circular', tree).violations).toEqual([`no-cycle: ${one} → ${other}`]);
	});

	it('keep the stand-in service apart, through files between as well', () => {
		const tree = allowedTree();
		const between = 'test/support/between.ts';
		tree.set(between, [fileOf('contract', 'index')]);
		tree.set('test/service/near.ts', [fileOf('contract', 'index')]);
		tree.set('test/unit/service/far.test.ts', [between]);
		expect(cruiseTree('standIn', tree).violations).toEqual([
			`stand-in-apart: test/service/near.ts → ${fileOf('contract', 'index')}`,
			`stand-in-apart: test/unit/service/far.test.ts → ${fileOf('contract', 'index')}`,
		]);
	});
});
