import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { projectFolder } from './paths.mjs';
import { run } from './run.mjs';

/** Folder of the tarball in the commands of the README. */
const ANY_FOLDER = '/path/to/';

/**
 * Returns the commands of the README's installation section.
 * @returns {Promise<{ install: string, uninstall: string, inContainer: string }>}
 */
export async function installationCommands() {
	const readme = await readFile(join(projectFolder, 'README.md'), 'utf8');
	const [section] = /^## Installation$[^]*?(?=^## )/m.exec(readme) ?? [''];
	const blocks = [...section.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, block]) => block);
	if (blocks.length !== 3) throw new Error('The README has other installation commands than three');
	const [inContainer, install, uninstall] = blocks;
	return { install, uninstall, inContainer };
}

/**
 * Runs commands of the README word for word, with a separate home folder. Only the folder of the tarball is replaced.
 * @param {string} commands
 * @param {{ home: string, node: string, tarball: string, programs?: string }} options `programs`: first folder of the PATH
 */
export async function runCommands(commands, { home, node, tarball, programs }) {
	const named = commands.includes(ANY_FOLDER) ? `${ANY_FOLDER}${basename(tarball)}` : '';
	if (!commands.includes(named)) {
		throw new Error(`The README names another tarball than ${basename(tarball)}:\n${commands}`);
	}
	const path = [programs, dirname(node), process.env.PATH].filter(Boolean).join(delimiter);
	// `npm run …` passes its settings to its children, including those of the repository's .npmrc.
	const inherited = Object.entries(process.env).filter(
		([name]) => !/^npm_config_(legacy_peer_deps|ignore_scripts|prefix|local_prefix)$/i.test(name),
	);
	return await run('bash', ['-euc', commands.replaceAll(ANY_FOLDER, `${dirname(tarball)}/`)], {
		cwd: home,
		env: {
			...Object.fromEntries(inherited),
			HOME: home,
			PATH: path,
			// Settings for reaching a registry, and the cache of earlier downloads.
			npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
			npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
			npm_config_update_notifier: 'false',
		},
	});
}

/** Returns the bold names for clicks in the README's first workflow. */
export async function firstWorkflowNames() {
	const readme = await readFile(join(projectFolder, 'README.md'), 'utf8');
	const [section] = /^## Your first workflow$[^]*?(?=^## )/m.exec(readme) ?? [''];
	const steps = section.split('\n\n').filter((paragraph) => /^1\. /.test(paragraph));
	const names = steps.flatMap((step) => [...step.matchAll(/\*\*([^*]+)\*\*/g)]);
	return [...new Set(names.map(([, name]) => name.replace(/\s+/g, ' ')))].filter(
		(name) => name !== '+',
	);
}

/** The cells of the first table of the README, without the line below its head. */
export async function firstTable() {
	const readme = await readFile(join(projectFolder, 'README.md'), 'utf8');
	const [table] = /(?:^\|.*\|\n)+/m.exec(readme);
	const rows = table.trim().split('\n');
	rows.splice(1, 1);
	return rows.map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}
