/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- looks at the sources from outside, by a program of its own */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { itInCi } from '../support/drawn';

const root = path.resolve(__dirname, '../..');
const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const rules = path.join(root, '.dependency-cruiser.mjs');

const print = (args: string[], cwd = root) =>
	execFileSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** Returns the violations in a folder: a line "rule: file → file" for each import. */
function violationsIn(folder: string): string[] {
	const args = [program, '--config', rules, '--output-type', 'json'];
	const { summary } = JSON.parse(print([...args, 'nodes', 'credentials', 'test'], folder)) as {
		summary: { violations: Array<{ from: string; to: string; rule: { name: string } }> };
	};
	return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}

const printConfig = `
	const { RANKS, default: config } = await import(${JSON.stringify(rules)});
	console.log(JSON.stringify({ rooms: RANKS.flat(), names: config.forbidden.map(({ name }) => name) }));`;
const { rooms, names } = JSON.parse(print(['--input-type=module', '--eval', printConfig])) as {
	rooms: string[];
	names: string[];
};

const home = 'nodes/ContactTaskCrm';
const node = `${home}/ContactTaskCrm.node.ts`;
const credential = 'credentials/ContactTaskCrmApi.credentials.ts';
const indexOf = (room: string) =>
	`${home}/${room === 'resources' ? 'resources/person' : room}/index.ts`;

/** Files of a small repository, each with its imports. Together they break every rule of the dependency graph. */
const forbidden: Record<string, string[]> = {
	[node]: [...rooms.map(indexOf), `${home}/loose.ts`],
	[`${home}/loose.ts`]: ['axios', `${home}/resources/task/index.ts`],
	[`${home}/resources/task/index.ts`]: [indexOf('resources')],
	[`${home}/util/dead.ts`]: [],
	...Object.fromEntries(
		rooms.map((room, index) => [
			indexOf(room),
			[index > 0 ? indexOf(rooms[index - 1]) : credential],
		]),
	),
	[credential]: [indexOf('crm')],
	'test/service/index.ts': [indexOf('schema')],
};

const scratch = mkdtempSync(path.join(tmpdir(), 'arrows-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it('Every import statement of sources and tests obeys the rules in .dependency-cruiser.mjs', () => {
	expect(violationsIn(root)).toEqual([]);
});

itInCi(
	'Each rule in .dependency-cruiser.mjs reports its violation in a repository that breaks all rules',
	() => {
		for (const [file, imports] of Object.entries(forbidden)) {
			const specifiers = imports.map((to) =>
				to.includes('/')
					? `./${path.posix.relative(path.posix.dirname(file), to.slice(0, -3))}`
					: to,
			);
			mkdirSync(path.dirname(path.join(scratch, file)), { recursive: true });
			writeFileSync(path.join(scratch, file), specifiers.map((to) => `import '${to}';\n`).join(''));
		}
		cpSync(path.join(root, 'tsconfig.json'), path.join(scratch, 'tsconfig.json'));
		symlinkSync(path.join(root, 'node_modules'), path.join(scratch, 'node_modules'));
		const broken = violationsIn(scratch).map((violation) => violation.split(':')[0]);
		expect([...new Set(broken)].sort()).toEqual([...names].sort());
	},
);
