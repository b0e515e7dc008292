// The development tasks that n8n-node has no command for: `npx gulp --tasks` lists them.
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { join } = require('node:path');

/** Runs a TypeScript program of the repository, and shows what it prints. */
async function runTypeScript(file) {
	await runTool('tsx', [file]);
}

/** Runs a program in virtual time, with Jest's fake timers, and shows what it prints. */
async function runInVirtualTime(file) {
	await runTool('jest', ['--testMatch', `**/${file}`]);
}

async function runTool(name, args) {
	const { run } = await import('./host/run.mjs');
	const tool = join(__dirname, 'node_modules', '.bin', name);
	console.log(await run(tool, args, { cwd: __dirname }));
}

async function schema() {
	await runTypeScript('test/schema/generate.ts');
}
schema.description = 'Writes the output previews of the operations into the build.';

async function parameters() {
	await runTypeScript('test/parameters/generate.ts');
}
parameters.description =
	'Writes the parameters that saved workflows rely on, and the texts of the editor, into test/parameters/.';

/**
 * Suites that only CI runs, because nearly all of their tests are long: simulations, random runs, and checks of all
 * files. `npx jest` with the path of a suite runs it.
 */
const ONLY_IN_CI = [
	'unit/trigger/(?!description|features|promises|published)',
	'unit/limit/(polls|sharedBudget)',
	'unit/builtDescription',
	'engine/(listsDuringRun|longLists)',
	'property/(decided|files|overlaps|previews|undo)',
	'package/testNames',
].map((suite) => `/test/${suite}`);

/** Checks types and style during the tests, because the checks use one processor. A failure stops neither. */
async function test() {
	const { npm } = await import('./host/npm.mjs');
	const { ensureBuilt } = await import('./host/pack.mjs');
	const checkTypesAndStyle = async () => {
		// The build checks the types of the other files.
		await runTool('tsc', ['--noEmit', '-p', 'test/tsconfig.json']);
		console.log(await npm(['run', 'lint'], { cwd: __dirname }));
	};
	const runJest = async () => {
		await ensureBuilt();
		// Jest writes to the terminal itself, and Ctrl-C ends it.
		const leftOut = process.env.CI ? [] : ['--testPathIgnorePatterns', ...ONLY_IN_CI];
		const jest = spawn(process.execPath, [require.resolve('jest/bin/jest'), ...leftOut], {
			stdio: 'inherit',
		});
		const [code] = await once(jest, 'close');
		if (code !== 0) throw new Error('Some tests failed.');
	};
	const ends = await Promise.allSettled([checkTypesAndStyle(), runJest()]);
	const failures = ends.flatMap(({ reason }) => reason?.message ?? []);
	if (failures.length > 0) withoutStack(new Error(failures.join('\n\n')));
}
test.description = 'Builds, checks types, lints, and runs the tests.';

async function bench() {
	for (const program of ['way', 'requests', 'sharedBudget', 'load', 'reliability']) {
		await runTypeScript(`test/bench/${program}.ts`);
	}
	await runInVirtualTime('test/bench/{besideImport,listRequests}.ts');
	await runTypeScript('host/bench.mjs');
	await runTypeScript('host/importBench.mjs');
}
bench.description =
	'Measures the way of an item, a shared budget, requests, load and faults. Then measures a real n8n with this node and with its alternatives.';

async function virtual() {
	await runInVirtualTime('test/bench/{trigger,besideImport,listRequests}.ts');
}
virtual.description =
	'Measures the trigger and imports in virtual time, and writes the figures into docs/trigger.md and test/bench/figures.md.';

async function clean() {
	const { clean: removeBuilt } = await import('./host/pack.mjs');
	await removeBuilt();
}
clean.description = 'Removes the build.';

async function prune() {
	const { prune: leaveOnlyPacked } = await import('./host/pack.mjs');
	await leaveOnlyPacked();
}
prune.description =
	'Removes files from dist that do not belong into the package. n8n-node copies every picture it finds.';

async function pack() {
	const { describePack, pack: packPackage } = await import('./host/pack.mjs');
	console.log(describePack(await packPackage()));
}
pack.description = 'Builds the package, packs it and checks what is in the tarball.';

/** Returns the flags of a task on the command line. Gulp passes unknown flags on to the task. */
const flagsOf = (task) => process.argv.slice(process.argv.indexOf(task) + 1);

/** Throws an error whose message gulp shows without a stack. */
function withoutStack(error) {
	throw Object.assign(error, { showStack: false });
}

async function owner() {
	const { ownerOf, writeOwner } = await import('./host/owner.mjs');
	const written = await Promise.resolve(flagsOf('owner'))
		.then(ownerOf)
		.then((given) => writeOwner(given))
		.catch(withoutStack);
	console.log(`Written into ${written.join(', ')}`);
}
owner.description = 'Writes the name of the publisher into every file that shows it.';
owner.flags = {
	'--name <name>': 'Name of a person or a company.',
	'--email <address>': 'Shown on npm.',
	'--repository <address>': 'On GitHub, such as https://github.com/name/repository.',
	'--service <name>': 'Name of the CRM.',
	'--api <address>': 'Web page with the documentation of the API.',
};

async function releasable() {
	const { assertReleasable } = await import('./host/release.mjs');
	await assertReleasable().catch(withoutStack);
}
releasable.description = 'Fails if a release could not be published.';

async function stamp() {
	const { writeVersion } = await import('./host/release.mjs');
	await writeVersion();
}
stamp.description = 'Writes the version of package.json into every file that shows it.';

async function notes() {
	const { notesOfTag } = await import('./host/release.mjs');
	console.log(await notesOfTag(flagsOf('notes')).catch(withoutStack));
}
notes.description = 'Compares tag, version and changelog, and prints the entries of the changelog.';
notes.flags = { '--tag <version>': 'Tag to publish.' };

async function trimLock() {
	const { trimLock: leaveOut } = await import('./host/packageLock.mjs');
	await leaveOut();
}
trimLock.description =
	'Leaves packages out of package-lock.json that this repository never uses: half of all files.';

module.exports = {
	bench,
	clean,
	notes,
	owner,
	pack,
	parameters,
	prune,
	releasable,
	schema,
	stamp,
	test,
	trimLock,
	virtual,
};
