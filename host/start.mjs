// Runs `npm start`, and `npm run dev` with --watch. Its static imports need no package, because it installs
// the packages of this repository itself.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { assertTableAt } from './csvFile.mjs';
import { assertInstallable, ensureHost } from './install.mjs';
import { npm } from './npm.mjs';
import { projectFolder } from './paths.mjs';
import { stopAll } from './run.mjs';

const REPORT_EVERY_MS = 15_000;
const OPTIONS = {
	help: { type: 'boolean', short: 'h', default: false },
	run: { type: 'boolean', default: false },
	watch: { type: 'boolean', default: false },
	port: { type: 'string', default: '5678' },
	'service-port': { type: 'string', default: '8377' },
};

const USAGE = `npm start -- --run           imports the contacts of example 1 into a made-up CRM on this machine
npm start -- --run FILE.csv  previews the import of your own file
npm start                    opens the editor of n8n; --port and --service-port choose ports`;

function portOf(values, name) {
	const port = Number(values[name]);
	if (Number.isInteger(port) && port > 0 && port < 65536) return port;
	throw new Error(`--${name} takes a port, a number from 1 to 65535, and got "${values[name]}".`);
}

/** Returns the options and the files of a command line. */
function parsed(args) {
	try {
		return parseArgs({ args, options: OPTIONS, allowPositionals: true });
	} catch {
		throw new Error(USAGE);
	}
}

function optionsOf(args) {
	const { values, positionals } = parsed(args);
	const [file, ...others] = positionals;
	if (values.help) return values;
	// npm keeps an option before the two hyphens for itself.
	const { npm_config_run: kept } = process.env;
	if (kept && !values.run) {
		const files = [...(kept === 'true' ? [] : [kept]), ...positionals];
		throw new Error(`Write ${['npm start -- --run', ...files].join(' ')}`);
	}
	if (file !== undefined && !values.run)
		throw new Error(`To preview ${file}: npm start -- --run ${file}`);
	if (others.length > 0)
		throw new Error(`--run takes one file, and got ${positionals.join(' and ')}.`);
	return {
		run: values.run,
		watch: values.watch,
		// npm starts this program in the folder of the repository. INIT_CWD is the folder of the user.
		file: file && resolve(process.env.INIT_CWD ?? '.', file),
		port: portOf(values, 'port'),
		servicePort: portOf(values, 'service-port'),
	};
}

const packagesIn = async (...path) =>
	await readFile(join(projectFolder, ...path), 'utf8').then(
		(text) => JSON.parse(text).packages,
		() => ({}),
	);

/** Whether all packages that the lock asks for are there. Packages of other platforms need not be. */
async function areInstalled() {
	const installed = await packagesIn('node_modules', '.package-lock.json');
	const wanted = Object.entries(await packagesIn('package-lock.json'));
	return wanted.every(([path, { version, optional = false }]) => {
		const isFree = path === '' || (optional && !installed[path]);
		return isFree || installed[path]?.version === version;
	});
}

const secondsSince = (startedAt) => `${Math.round((Date.now() - startedAt) / 1000)} s`;

/** Installs the packages of this repository, where some are missing. */
async function installPackages() {
	if (await areInstalled()) return;
	const startedAt = Date.now();
	console.log('Installing the packages of this repository (0.6 GB, about a minute) …');
	const progress = setInterval(
		() => console.log(`  … ${secondsSince(startedAt)}`),
		REPORT_EVERY_MS,
	);
	await npm(['ci'], { cwd: projectFolder }).finally(() => clearInterval(progress));
	console.log(`  packages installed (${secondsSince(startedAt)})`);
}

const cleanups = [stopAll];
const after = (cleanUp) => cleanups.push(cleanUp);
const cleanUp = async () => {
	for (const step of cleanups.splice(0)) await step();
};

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
	process.on(signal, async () => {
		if (interrupted) process.exit(130);
		interrupted = true;
		console.log('\nStopping …');
		await cleanUp();
		process.exit(130);
	});
}

/** Settles only if the promise fails. */
const failureOf = (promise) => new Promise((_, reject) => promise.catch(reject));

/** Runs the main example, or previews a file, without n8n: n8n's engine is a package of this repository. */
async function runHere({ file, servicePort }) {
	// Before anything is installed.
	if (file) await assertTableAt(file);
	await installPackages();
	const { ensureBuilt } = await import('./pack.mjs');
	// The engine takes some seconds to load, and the build leaves a processor free.
	const [{ importContacts, previewFile }] = await Promise.all([
		import('./embedded.mjs'),
		ensureBuilt(),
	]);
	const options = { servicePort, after };
	const { isComplete } = file ? await previewFile(file, options) : await importContacts(options);
	if (!isComplete) process.exitCode = 1;
}

async function start() {
	const options = optionsOf(process.argv.slice(2));
	if (options.help) return console.log(USAGE);
	if (options.run) return await runHere(options);
	await assertInstallable();
	// Downloads and builds run at the same time, because one needs the network and the other the processor.
	const host = ensureHost();
	after(async () => await host.catch(() => {}));
	await Promise.race([installPackages(), failureOf(host)]);
	const { demo } = await import('./demo.mjs');
	await demo(options, host, after);
}

await start()
	.catch((error) => {
		// Programs that an interrupt stops report this as a failure.
		if (interrupted) return;
		console.error(error.message);
		process.exitCode = 1;
	})
	.finally(async () => {
		if (!interrupted) await cleanUp();
	});
