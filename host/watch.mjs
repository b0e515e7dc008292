// `npm run dev`: compiles the sources on each change into the package that n8n has loaded, and n8n loads it again.
import { join } from 'node:path';
import { projectFolder } from './paths.mjs';
import { start } from './run.mjs';

/**
 * Makes n8n load a package again when one of its files changes. n8n names each reload in a log line of level info.
 * @type {NodeJS.ProcessEnv}
 */
export const RELOADING = { N8N_DEV_RELOAD: 'true', N8N_LOG_LEVEL: 'info' };

/** The line that `tsc --watch` ends each compilation with. */
const COMPILED = /Found \d+ errors?\. Watching for file changes\./;
const RELOAD = /Hot reload (?:triggered|failed) for \S+/;

/** Returns whether the output of `tsc --watch` has the end of a compilation. */
export const hasCompiled = (text) => COMPILED.test(text);

/** Returns the lines of n8n's log that tell of a reload, without the time and the level. */
export const reloadsIn = (text) =>
	text.split('\n').flatMap((line) => RELOAD.exec(line)?.slice(0, 1) ?? []);

/**
 * Passes the output of a program on, in whole lines.
 * @param {import('node:stream').Readable} output
 * @param {(text: string) => void} take
 */
function eachLines(output, take) {
	let rest = '';
	output.on('data', (text) => {
		const lines = (rest + text).split('\n');
		rest = lines.pop();
		if (lines.length > 0) take(lines.join('\n'));
	});
}

/**
 * Compiles the sources now and on each change, and shows the messages of the compiler.
 * @param {string} folder of the installed package
 * @returns {Promise<ReturnType<typeof start>>} the running compiler, after the first compilation
 */
export async function watchSources(folder) {
	const tsc = join(projectFolder, 'node_modules', '.bin', 'tsc');
	const options = ['--watch', '--preserveWatchOutput', '--pretty', 'false'];
	const program = start(tsc, [...options, '--outDir', join(folder, 'dist')], {
		cwd: projectFolder,
	});
	const compiled = new Promise((resolve) => {
		eachLines(program.child.stdout, (text) => {
			const shown = text.trim();
			if (shown) console.log(shown);
			if (hasCompiled(text)) resolve(program);
		});
	});
	const ended = program.ended.then(() => {
		throw new Error(`The compiler has stopped:\n${program.stderr || program.stdout}`);
	});
	return await Promise.race([compiled, ended]);
}

/**
 * Shows each reload of a running n8n.
 * @param {ReturnType<typeof start>} program
 */
export function showReloads({ child }) {
	eachLines(child.stdout, (text) => reloadsIn(text).forEach((line) => console.log(`n8n: ${line}`)));
}
