import { delimiter, dirname } from 'node:path';
import { run } from './run.mjs';

/**
 * Runs npm with the given Node binary, quietly and in a given folder.
 * @param {string[]} args
 * @param {{ cwd: string, node?: string, env?: NodeJS.ProcessEnv }} options
 */
export async function npm(args, { cwd, node = process.execPath, env = {} }) {
	// `npm start` passes the settings of the repository's .npmrc to its children. Flags override them.
	const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
	const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
	return await run('npm', [...args, ...quiet], {
		cwd,
		env: { ...process.env, PATH: path, ...env },
	});
}
