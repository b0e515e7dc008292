import { delimiter, dirname } from 'node:path';
import { run } from './run.mjs';

/**
 * Runs npm, by the given Node binary, quietly and in a folder of its own.
 * @param {string[]} args
 * @param {{ cwd: string, node?: string, env?: NodeJS.ProcessEnv }} options
 */
export async function npm(args, { cwd, node = process.execPath, env = {} }) {
	// `npm start` hands the settings of the repository's .npmrc to its children; flags override them.
	const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
	const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
	return await run('npm', [...args, ...quiet], {
		cwd,
		env: { ...process.env, PATH: path, ...env },
	});
}
