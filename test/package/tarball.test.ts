/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- looks at the package from outside, as npm and n8n do */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';

const root = path.resolve(__dirname, '../..');

interface Packed {
	files: Array<{ path: string }>;
	size: number;
}

const [packed] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	}),
) as Packed[];
const files = packed.files.map((file) => file.path);
const scripts = files.filter((file) => file.endsWith('.js'));
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	dependencies?: object;
	overrides?: object;
	peerDependencies: Record<string, string>;
	scripts: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
};

describe('the package', () => {
	it("n8n's package loader reads search words and categories from the codex of both nodes", async () => {
		const loader = new PackageDirectoryLoader(root);
		await loader.loadAll();
		expect(loader.types.nodes).toHaveLength(manifest.n8n.nodes.length);
		for (const { codex } of loader.types.nodes) {
			expect(codex?.alias).toEqual(expect.arrayContaining(['CRM', 'Deals', 'Newsletter', 'To Do']));
			expect(codex?.categories).toEqual(['Sales', 'Productivity']);
		}
	});

	it('The package holds what n8n loads and what people read, and nothing else', () => {
		const expected = [
			/^dist\/credentials\/\w+\.credentials\.js$/,
			/^dist\/nodes\/ContactTaskCrm\/(\w+\/)*[\w.]+\.js$/,
			/^dist\/nodes\/ContactTaskCrm\/\w+\.node\.json$/,
			/^dist\/nodes\/ContactTaskCrm\/__schema__\/v[\d.]+\/\w+\/\w+\.json$/,
			/^dist\/icons\/[\w.]+\.svg$/,
			/^(index\.js|package\.json|README\.md|LICENSE\.md|CHANGELOG\.md)$/,
		];
		expect(files.filter((file) => !expected.some((form) => form.test(file)))).toEqual([]);
		for (const form of expected) expect(files.some((file) => form.test(file))).toBe(true);
	});

	it('The package is smaller than 240 kB', () => {
		expect(packed.size).toBeLessThan(240_000);
	});

	it('The package requires only modules that n8n provides at run time', () => {
		expect(manifest.dependencies).toBeUndefined();
		expect(manifest.overrides).toBeUndefined();
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		const required = scripts.flatMap((file) =>
			[...readFileSync(path.join(root, file), 'utf8').matchAll(/require\(["']([^"']+)["']\)/g)].map(
				([, name]) => name,
			),
		);
		const foreign = required.filter((name) => !name.startsWith('.'));
		const brought = ['crypto', 'lodash', 'luxon', 'n8n-workflow', 'zod'];
		expect([...new Set(foreign)].sort()).toEqual(brought);
	});

	it('The package runs no script during installation', () => {
		const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
		expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
	});

	it('The package holds every node and credential that its manifest names', () => {
		for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
			expect(files).toContain(file);
			expect(existsSync(path.join(root, file))).toBe(true);
		}
	});

	it('The package exports the classes of its nodes and of its credential', () => {
		const classes = createRequire(path.join(root, 'index.js'))('./index.js') as Record<
			string,
			new () => { description?: { name: string }; name?: string }
		>;
		const names = Object.values(classes).map((Type) => {
			const { description, name } = new Type();
			return description?.name ?? name;
		});
		expect(names.sort()).toEqual(['contactTaskCrm', 'contactTaskCrmApi', 'contactTaskCrmTrigger']);
	});

	it("The scripts of the package do not contain the build machine's repository path", () => {
		for (const file of scripts) {
			expect(readFileSync(path.join(root, file), 'utf8')).not.toContain(root);
		}
	});
});
