/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- looks at the sources from outside, by a program of its own */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const rules = path.join(root, '.dependency-cruiser.mjs');

const print = (args: string[], cwd = root) =>
	execFileSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

const printRanks = `console.log(JSON.stringify((await import(${JSON.stringify(rules)})).RANKS))`;
const ranks = JSON.parse(print(['--input-type=module', '--eval', printRanks])) as string[][];
const rooms = ranks.flat();

/** The rooms that a room may import from: those of the ranks after its own. */
const below = (room: string) =>
	ranks.slice(ranks.findIndex((rank) => rank.includes(room)) + 1).flat();

/** Holds the rules against a tree: one line "rule: file → file" for each import that breaks one. */
function violationsIn(folder: string): string[] {
	const args = [program, '--config', rules, '--output-type', 'json'];
	const { summary } = JSON.parse(print([...args, 'nodes', 'credentials', 'test'], folder)) as {
		summary: { violations: Array<{ from: string; to: string; rule: { name: string } }> };
	};
	const lines = summary.violations.map(({ rule, from, to }) => {
		const target = /node_modules\/([^/]+)/.exec(to)?.[1] ?? to;
		return `${rule.name}: ${rule.name === 'in-use' ? '' : `${from} → `}${target}`;
	});
	return [...new Set(lines)].sort();
}

const home = 'nodes/ContactTaskCrm';
const node = `${home}/ContactTaskCrm.node.ts`;
const credential = 'credentials/ContactTaskCrmApi.credentials.ts';

/** Where a room keeps its file: a resource has a folder of its own. */
const fileOf = (room: string, name = 'index') =>
	`${home}/${room === 'resources' ? 'resources/person' : room}/${name}.ts`;
const indexOf = (room: string) => fileOf(room);

/** The imports of each file of a small tree in which every import that is allowed is made. */
const allowed = () =>
	new Map<string, string[]>([
		...rooms.map((room): [string, string[]] => [fileOf(room), below(room).map(indexOf)]),
		[fileOf('http'), ['n8n-workflow', 'zod', 'luxon', 'lodash', 'crypto', fileOf('util')]],
		[fileOf('schema'), ['zod']],
		[node, ['n8n-workflow', ...rooms.map(indexOf)]],
		[credential, [fileOf('http'), fileOf('util')]],
		['test/unit/service/limiter.test.ts', ['test/service/index.ts']],
		['test/service/index.ts', ['fastify', 'node:http']],
	]);

const scratch = mkdtempSync(path.join(tmpdir(), 'arrows-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function violationsOf(name: string, tree: Map<string, string[]>): string[] {
	const folder = path.join(scratch, name);
	for (const [file, imports] of tree) {
		const specifiers = imports.map((to) =>
			/^(nodes|credentials|test)\//.test(to)
				? `./${path.posix.relative(path.posix.dirname(file), to.replace(/\.ts$/, ''))}`
				: to,
		);
		mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
		writeFileSync(path.join(folder, file), specifiers.map((to) => `import '${to}';\n`).join(''));
	}
	cpSync(path.join(root, 'tsconfig.json'), path.join(folder, 'tsconfig.json'));
	symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
	return violationsIn(folder);
}

it('is kept by every import of the sources and their tests, and allows what is to the right', () => {
	expect(violationsIn(root)).toEqual([]);
	expect(violationsOf('allowed', allowed())).toEqual([]);
});

it('refuses everything else', () => {
	const tree = allowed();
	const expected: string[] = [];
	/** Adds a file with one import that rules forbid; the node imports it, so that it is in use. */
	const forbid = (file: string, to: string, ...broken: string[]) => {
		tree.set(file, [...(tree.get(file) ?? []), to]);
		if (file.startsWith('nodes/') && file !== node) tree.get(node)?.push(file);
		expected.push(...broken.map((rule) => `${rule}: ${file} → ${to}`));
	};

	for (const room of rooms) {
		const zodAlone = room === 'schema' ? ['schema-zod'] : [];
		for (const other of rooms.filter((one) => one !== room && !below(room).includes(one))) {
			forbid(fileOf(room, `to-${other}`), fileOf(other), `arrow-${room}`, ...zodAlone);
		}
		forbid(fileOf(room, 'to-credential'), credential, `arrow-${room}`, ...zodAlone);
		if (['http', 'util'].includes(room)) continue;
		forbid(`credentials/To-${room}.credentials.ts`, fileOf(room), 'credential');
	}
	tree.set(`${home}/resources/task/index.ts`, []);
	forbid(fileOf('resources', 'to-task'), `${home}/resources/task/index.ts`, 'resource-apart');
	forbid(fileOf('schema', 'to-luxon'), 'luxon', 'schema-zod');
	for (const foreign of ['axios', 'fs', 'nowhere-to-be-found', 'test/service/index.ts']) {
		forbid(fileOf('http', `to-${path.basename(foreign, '.ts')}`), foreign, 'host-packages');
	}
	tree.set(`${home}/loose.ts`, []);
	forbid(node, `${home}/loose.ts`, 'rooms');
	tree.set(fileOf('util', 'dead'), []);
	expected.push(`in-use: ${fileOf('util', 'dead')}`);
	tree.set(fileOf('util', 'other'), [fileOf('util', 'one')]);
	forbid(fileOf('util', 'one'), fileOf('util', 'other'), 'no-cycle');
	tree.set('test/support/between.ts', [fileOf('schema')]);
	tree.set('test/unit/service/far.test.ts', ['test/support/between.ts']);
	expected.push(`stand-in-apart: test/unit/service/far.test.ts → ${fileOf('schema')}`);
	forbid('test/service/near.ts', fileOf('schema'), 'stand-in-apart');

	expect(violationsOf('forbidden', tree)).toEqual(expected.sort());
});
