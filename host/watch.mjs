// `npm run dev`: compiles the sources on each change into the package that n8n has loaded, and n8n loads it again.
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectFolder } from './paths.mjs';
import { start } from './run.mjs';

/**
 * Makes n8n load a package again when one of its files changes. n8n names each reload in a log line of level info.
 * @type {NodeJS.ProcessEnv}
 */
export const RELOADING = { N8N_DEV_RELOAD: 'true', N8N_LOG_LEVEL: 'info' };

/** The line that `tsc --watch` ends each compilation with. */
const COMPILED = /Found \d+ errors?\. Watching for file changes\./;
const POKE_MS = 1_000;
const MOST_POKES = 60;
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
 * Waits until n8n loads a package again on each change, and then shows each reload. n8n begins to watch some seconds
 * after it answers, and would miss a change before that. Its first reload lists each node twice, so this waits for
 * a second one.
 * @param {ReturnType<typeof start>} program n8n
 * @param {string} folder of the installed package
 */
export async function showReloads({ child, stdout: before }, folder) {
	const poked = join(folder, 'package.json');
	let reloads = reloadsIn(before).length;
	let isReady = false;
	eachLines(child.stdout, (text) => {
		const lines = reloadsIn(text);
		reloads += lines.length;
		if (isReady) lines.forEach((line) => console.log(`n8n: ${line}`));
	});
	for (let pokes = 0; reloads < 2; pokes++) {
		if (pokes === MOST_POKES) throw new Error('n8n does not load the nodes again on a change.');
		const now = new Date();
		await utimes(poked, now, now);
		await sleep(POKE_MS);
	}
	isReady = true;
}
