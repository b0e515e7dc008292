// Tests the installation commands of the README word for word: run with `npm run test:n8n -- install`.
import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { installNode, NODE_VERSIONS, runningNode } from './node.mjs';
import { pack } from './pack.mjs';
import { installationCommands, runCommands } from './readme.mjs';

const PACKAGE = 'n8n-nodes-contact-task-crm';
const LARGEST_BYTES = 1_500_000;

/**
 * A fake of Docker for the README's commands. The container is a folder: absolute paths lead into it, and commands
 * run on this machine.
 */
const DOCKER = `#!/usr/bin/env bash
set -eu
command="$1"; shift
echo "$command" >> "$HOME/docker.log"
case "$command" in
	cp) mkdir -p "$HOME/container\${2#n8n:}"; cp "$1" "$HOME/container\${2#n8n:}" ;;
	exec) [ "$1" = n8n ]; shift; exec "\${@/#\\//$HOME/container/}" ;;
	restart) [ "$1" = n8n ] ;;
	*) echo "docker $command is not known here" >&2; exit 1 ;;
esac
`;

let folder;
let packed;
let commands;

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-install-'));
	packed = await pack(folder);
	commands = await installationCommands();
});

after(async () => {
	await rm(folder, { recursive: true, force: true });
});

/** Creates a home folder with a package.json from earlier use of npm. npm looks for one in parent folders. */
async function newHome() {
	const home = await mkdtemp(join(folder, 'home-'));
	await writeFile(join(home, 'package.json'), '{ "name": "something-else", "private": true }\n');
	return home;
}

async function bytesOf(path) {
	const names = await readdir(path, { recursive: true });
	const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size));
	return sizes.reduce((sum, size) => sum + size, 0);
}

const packagesIn = async (nodes) =>
	(await readdir(join(nodes, 'node_modules'))).filter((name) => !name.startsWith('.'));

/** Checks that n8n finds the installed package. */
async function assertInstalled(nodes) {
	assert.deepEqual(await packagesIn(nodes), [PACKAGE]);
	const installed = join(nodes, 'node_modules', PACKAGE);
	const { n8n } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
	for (const file of [...n8n.nodes, ...n8n.credentials]) await stat(join(installed, file));
	assert.ok((await bytesOf(installed)) < LARGEST_BYTES);
}

for (const major of Object.keys(NODE_VERSIONS)) {
	describe(`with Node ${major}`, () => {
		let node;

		before(async () => {
			({ node } = await installNode(major));
		});

		test('A package installed by hand is removable, and leaves other packages alone', async () => {
			const home = await newHome();
			const options = { home, node, tarball: packed.tarball };
			const nodes = join(home, '.n8n', 'nodes');
			await runCommands(commands.install, options);
			await assertInstalled(nodes);
			await runCommands(commands.install, options);
			await assertInstalled(nodes);
			await runCommands(commands.uninstall, options);
			assert.deepEqual(await packagesIn(nodes), []);
			assert.deepEqual((await readdir(home)).sort(), ['.n8n', 'package.json']);
		});

		test('The package installs into a container', async () => {
			const home = await newHome();
			const programs = join(home, 'programs');
			await mkdir(programs);
			await writeFile(join(programs, 'docker'), DOCKER);
			await chmod(join(programs, 'docker'), 0o755);
			await runCommands(commands.inContainer, { home, node, tarball: packed.tarball, programs });
			await assertInstalled(join(home, 'container', 'home', 'node', '.n8n', 'nodes'));
			const asked = await readFile(join(home, 'docker.log'), 'utf8');
			assert.deepEqual(asked.trim().split('\n'), ['cp', 'exec', 'exec', 'restart']);
		});
	});
}

test('The package installs on a machine without a registry', async () => {
	const { node } = runningNode();
	const closed = 'npm_config_registry=http://127.0.0.1:9 npm_config_fetch_retries=0';
	const home = await newHome();
	const options = { home, node, tarball: packed.tarball };
	const offline = commands.install.replace('npm install', `${closed} npm install`);
	await runCommands(offline, options);
	await assertInstalled(join(home, '.n8n', 'nodes'));
});
