// How long the first commands take on an empty machine: run with `node host/startBench.mjs`. Each run has a fresh
// clone, an empty npm cache and an empty cache folder. It takes about ten minutes, and 5 GB until it ends.
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus, homedir, loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { register } from 'tsx/cjs/api';
import { projectFolder } from './paths.mjs';
import { run, start, stop, stopAll } from './run.mjs';

register();
const { table, writeSection } = createRequire(import.meta.url)('../test/bench/markdown.ts');

/** Programs that node-gyp needs to build native code. */
const COMPILERS =
	/^(?:python[\d.]*|g?make|(?:.*-)?(?:g\+\+|gcc|c\+\+|cc|clang(?:\+\+)?)(?:-[\d.]+)?)$/;
const POLL_MS = 100;
const DEADLINE_MS = 20 * 60_000;

/** A folder with all programs of this machine but those that compile. */
async function withoutCompiler(folder) {
	await mkdir(folder);
	for (const from of process.env.PATH.split(delimiter)) {
		for (const name of await readdir(from).catch(() => [])) {
			if (COMPILERS.test(name)) continue;
			// The first program of a name counts.
			await symlink(join(from, name), join(folder, name)).catch(() => undefined);
		}
	}
	return folder;
}

/** Returns the time of the first request to the stand-in at this port; undefined before it. */
async function firstRequestAt(port) {
	const response = await fetch(`http://127.0.0.1:${port}/_control/requests`).catch(() => undefined);
	const [first] = (await response?.json().catch(() => undefined)) ?? [];
	return first?.at;
}

/** Runs a program, and returns the seconds until each milestone. */
async function timesOf(program, steps, port) {
	const startedAt = Date.now();
	const times = {};
	const seconds = (at = Date.now()) => Math.round((at - startedAt) / 100) / 10;
	while (Date.now() - startedAt < DEADLINE_MS) {
		for (const [name, pattern] of Object.entries(steps)) {
			if (times[name] !== undefined) continue;
			if (pattern === 'first request') {
				const at = await firstRequestAt(port);
				if (at) times[name] = seconds(at);
			} else if (pattern.test(program.stdout + program.stderr)) times[name] = seconds();
		}
		if (Object.keys(times).length === Object.keys(steps).length) return times;
		if (program.child.exitCode !== null && !(await firstRequestAt(port))) return times;
		await sleep(POLL_MS);
	}
	return times;
}

/** Runs a command in a fresh clone, until the last step. */
async function measure({ name, args, steps, hasCompiler }) {
	const folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-start-'));
	try {
		const clone = join(folder, 'clone');
		await run('git', ['clone', '--quiet', '--no-local', projectFolder, clone]);
		const port = await getPort({ host: '127.0.0.1' });
		const { npm_config_cache: _cache, ...env } = process.env;
		// Files of the last run that are still being written would slow this one down.
		await run('sync', []);
		const [load] = loadavg();
		const program = start('npm', ['start', '--', ...args, '--service-port', String(port)], {
			cwd: clone,
			env: {
				...env,
				PATH: hasCompiler ? env.PATH : await withoutCompiler(join(folder, 'programs')),
				HOME: folder,
				XDG_CACHE_HOME: join(folder, 'cache'),
				npm_config_userconfig: env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
				npm_config_cache: join(folder, 'npm'),
			},
		});
		const times = await timesOf(program, steps, port);
		await stop(program);
		const isThere = Object.keys(times).length > 0;
		if (!isThere) console.error(program.stdout + program.stderr);
		return Object.entries(times).map(([step, at]) => ({
			command: name,
			compiler: hasCompiler ? 'yes' : 'no',
			'load before': Math.round(load),
			step,
			'seconds after the command': at,
		}));
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

const RUN = {
	name: '`npm start -- --run`',
	args: ['--run'],
	steps: {
		'packages installed': /packages installed/,
		'package built': /built \(/,
		'first request': 'first request',
	},
};
const whole = { ...RUN, steps: { ...RUN.steps, 'import done': /Done in / } };
const EDITOR = {
	name: '`npm start`',
	args: [],
	steps: { 'n8n installed': /is installed/, 'the editor opens': /Editor +http/ },
};
const refused = { ...EDITOR, steps: { 'says what is missing': /this is missing/ } };

try {
	const rows = [];
	for (const [what, hasCompiler] of [
		[whole, false],
		[refused, false],
		[RUN, true],
		[EDITOR, true],
	]) {
		rows.push(...(await measure({ ...what, hasCompiler })));
		console.table(rows);
	}
	const machine = `Node ${process.versions.node}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}.`;
	await writeSection('test/bench/figures.md', 'start', `${table(rows)}\n\n${machine}`);
} finally {
	await stopAll();
}
