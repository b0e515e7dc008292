// Runs suites around a real n8n by name: `npm run test:n8n -- trigger queue`. Without a name, it lists them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { CURRENT, ensureHost, OLDEST } from './install.mjs';
import { projectFolder } from './paths.mjs';

/**
 * A suite around n8n.
 * @typedef {object} Suite
 * @property {string} tells what it tests
 * @property {string} takes time on two cores, with n8n installed
 * @property {import('./install.mjs').Release[]} [hosts] versions of n8n that it needs; the current one by default
 * @property {string[]} [flags] for Node
 * @property {string[]} files
 * @property {NodeJS.ProcessEnv[]} [runs] one run for each set of variables; one run without any by default
 */

/** @type {Record<string, Suite>} */
export const SUITES = {
	agent: {
		tells: 'ten tasks of a model, over MCP too, and a review by a person',
		takes: '4 min',
		files: ['host/agent.test.mjs'],
	},
	e2e: {
		tells: 'what people see in the editor; SCREENSHOTS=1 takes all pictures',
		takes: '5 min',
		files: ['host/e2e/editor.test.mjs', 'host/e2e/trigger.test.mjs'],
	},
	examples: {
		tells: 'each example, in both versions of n8n',
		takes: '10 min',
		hosts: [CURRENT, OLDEST],
		flags: ['--test-concurrency=1'],
		files: ['host/examples.test.mjs', 'host/undo.test.mjs'],
		runs: [{}, { HOST: '1.123' }],
	},
	hosts: {
		tells: 'each resource in both versions of n8n, and an update while a run waits',
		takes: '10 min',
		hosts: [CURRENT, OLDEST],
		flags: ['--test-concurrency=2'],
		files: ['host/hosts.test.mjs', 'host/lifecycle.test.mjs'],
	},
	install: {
		tells: 'the installation commands of the README, on Node 20, 22 and 24',
		takes: '1 min',
		hosts: [],
		files: ['host/install.test.mjs'],
	},
	long: {
		tells: 'queue mode before a release: 300 people, a deploy, a stall',
		takes: '40 min',
		flags: ['--import', 'tsx'],
		files: ['host/queueLong.test.mjs'],
	},
	package: {
		tells: "the tarball: n8n's scan, and the files that n8n loads",
		takes: '1 min',
		files: ['host/package.test.mjs'],
	},
	pictures: {
		tells: 'no test: takes the pictures of the examples',
		takes: '2 min',
		flags: ['--test-name-pattern=once .* is imported'],
		files: ['host/e2e/editor.test.mjs'],
		runs: [{ SCREENSHOTS: '1' }],
	},
	queue: {
		tells: 'queue mode: three workers on one budget, one killed',
		takes: '11 min',
		flags: ['--import', 'tsx'],
		files: ['host/queue.test.mjs'],
	},
	smoke: {
		tells: 'the packed package runs one workflow',
		takes: '30 s',
		files: ['host/smoke.mjs'],
	},
	trigger: {
		tells: 'every event of the trigger in both versions of n8n, across a kill',
		takes: '23 min',
		hosts: [CURRENT, OLDEST],
		flags: ['--test-concurrency=2'],
		files: ['host/trigger.test.mjs', 'host/triggerCrowd.test.mjs'],
	},
};

/**
 * Returns the versions of n8n that a suite tries. Suites for several versions try those that contain HOST.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} [env]
 * @throws {Error} if HOST leaves none
 */
export function hostsOf(name, env = process.env) {
	const { hosts = [CURRENT], runs = [{}] } = SUITES[name];
	if (hosts.length < 2) return hosts;
	const wanted = runs.map(({ HOST = env.HOST ?? '' }) => HOST);
	const tried = hosts.filter(({ version }) => wanted.some((part) => version.includes(part)));
	if (tried.length > 0) return tried;
	throw new Error(
		`HOST is "${env.HOST}", and the suite ${name} tries n8n ${hosts.map(({ version }) => version).join(' and ')}.`,
	);
}

/** Returns the list of all suites. */
export function usage() {
	const rows = Object.entries(SUITES).map(
		([name, { tells, takes }]) => `  ${name.padEnd(10)}${takes.padStart(6)}  ${tells}`,
	);
	return [
		'Name one or more suites: npm run test:n8n -- smoke trigger',
		...rows,
		'Options go to node --test: npm run test:n8n -- hosts --test-name-pattern=credential',
	].join('\n');
}

/**
 * Returns the suites and the options of a command line.
 * @param {string[]} args
 * @throws {Error} which lists all suites, if one is unknown or none is named
 */
export function chosenSuites(args) {
	const options = args.filter((arg) => arg.startsWith('-'));
	const names = args.filter((arg) => !arg.startsWith('-'));
	const unknown = names.filter((name) => !Object.hasOwn(SUITES, name));
	if (unknown.length > 0) throw new Error(`Unknown suite: ${unknown.join(', ')}\n${usage()}`);
	if (names.length === 0) throw new Error(usage());
	return { names: [...new Set(names)], options };
}

/**
 * Returns the runs of a suite: the arguments of Node and the variables of each.
 * @param {Suite} suite
 * @param {string[]} [options] further ones for `node --test`
 */
export function runsOf({ flags = [], files, runs = [{}] }, options = []) {
	return runs.map((env) => ({ args: [...flags, '--test', ...options, ...files], env }));
}

let interrupted = false;

/** Runs Node with the terminal of this process, and returns whether it succeeded. */
async function succeeds({ args, env }) {
	if (interrupted) return false;
	const child = spawn(process.execPath, args, {
		cwd: projectFolder,
		env: { ...process.env, ...env },
		stdio: 'inherit',
	});
	const interrupt = () => {
		interrupted = true;
	};
	const terminate = () => {
		interrupted = true;
		child.kill('SIGTERM');
	};
	// The terminal also interrupts the suite, which then ends its own processes.
	process.on('SIGINT', interrupt).on('SIGTERM', terminate);
	const [code] = await once(child, 'exit');
	process.off('SIGINT', interrupt).off('SIGTERM', terminate);
	return code === 0;
}

/** Runs all runs of a suite, even after a failure, and returns its line of the summary. */
async function runSuite(name, options) {
	const startedAt = Date.now();
	let isGood = true;
	for (const run of runsOf(SUITES[name], options)) isGood = (await succeeds(run)) && isGood;
	const seconds = Math.round((Date.now() - startedAt) / 1000);
	const versions = hostsOf(name).map(({ version }) => `, n8n ${version}`);
	return {
		isGood,
		line: `${isGood ? 'passed' : 'FAILED'}  ${name} (${seconds} s${versions.join('')})`,
	};
}

async function main(args) {
	const { names, options } = chosenSuites(args);
	// Before the suites, because node --test shows no progress of an installation.
	for (const release of new Set(names.flatMap((name) => hostsOf(name)))) await ensureHost(release);
	const ends = [];
	for (const name of names) ends.push(await runSuite(name, options));
	const summary = ends.map(({ line }) => line).join('\n');
	console.log(summary);
	// The summary that GitHub shows for a job.
	const { GITHUB_STEP_SUMMARY: file } = process.env;
	if (file) await appendFile(file, `\n${summary}\n`);
	if (!ends.every(({ isGood }) => isGood)) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await main(process.argv.slice(2)).catch((error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
}
