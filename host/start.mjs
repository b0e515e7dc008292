// `npm start`. It cannot import the packages of this repository until they are installed.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertInstallable, ensureHost } from './install.mjs';
import { npm } from './npm.mjs';
import { projectFolder } from './paths.mjs';
import { stopAll } from './run.mjs';

const OPTIONS = {
	run: { type: 'boolean', default: false },
	port: { type: 'string', default: '5678' },
	'service-port': { type: 'string', default: '8377' },
};

function portOf(values, name) {
	const port = Number(values[name]);
	if (Number.isInteger(port) && port > 0 && port < 65536) return port;
	throw new Error(`--${name} takes a port, a number from 1 to 65535, and got "${values[name]}".`);
}

function optionsOf(args) {
	const { values } = parseArgs({ args, options: OPTIONS });
	return {
		run: values.run,
		port: portOf(values, 'port'),
		servicePort: portOf(values, 'service-port'),
	};
}

const modifiedAt = async (...path) =>
	await stat(join(projectFolder, ...path)).then(
		({ mtimeMs }) => mtimeMs,
		() => 0,
	);

/** Installs the packages of this repository if they are missing or outdated. */
async function installPackages() {
	const installedAt = await modifiedAt('node_modules', '.package-lock.json');
	if (installedAt > (await modifiedAt('package-lock.json'))) return;
	const startedAt = Date.now();
	console.log('Installing the packages of this repository …');
	await npm(['ci'], { cwd: projectFolder });
	console.log(`  packages installed (${Math.round((Date.now() - startedAt) / 1000)} s)`);
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

async function start() {
	const options = optionsOf(process.argv.slice(2));
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
