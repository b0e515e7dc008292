// The development tasks that n8n-node has no command for: `npx gulp --tasks` lists them.
const { join } = require('node:path');

/** Runs a TypeScript program of the repository, and shows what it prints. */
async function runTypeScript(file) {
	await runTool('tsx', [file]);
}

/** Runs a program whose time is that of jest's timers, and shows what it prints. */
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
schema.description = 'Writes the output previews into the build, from the contract of the node.';

async function parameters() {
	await runTypeScript('test/parameters/generate.ts');
}
parameters.description =
	'Writes docs/parameters.md, the contract of saved workflows, from the descriptions of the nodes.';

/** What needs one processor each: beside each other on two, in half the time. Everything is done, whatever fails. */
async function check() {
	const { npm } = await import('./host/npm.mjs');
	const { ensureBuilt } = await import('./host/pack.mjs');
	const runScripts = async (...names) => {
		for (const name of names) console.log(await npm(['run', name], { cwd: __dirname }));
	};
	const ends = await Promise.allSettled([
		runScripts('typecheck', 'lint'),
		// Other suites may read an up-to-date build meanwhile, so it stays.
		ensureBuilt().then(async () => await runScripts('test:host')),
	]);
	const failures = ends.flatMap(({ reason }) => reason?.message ?? []);
	if (failures.length > 0) withoutStack(new Error(failures.join('\n\n')));
}
check.description = 'Lints, checks types, builds, and tests the tools: what npm test begins with.';

async function bench() {
	for (const program of ['way', 'requests', 'sharedBudget', 'load', 'reliability']) {
		await runTypeScript(`test/bench/${program}.ts`);
	}
	await runInVirtualTime('test/bench/besideImport.ts');
	await runTypeScript('host/bench.mjs');
	await runTypeScript('host/importBench.mjs');
}
bench.description =
	'Measures the way of an item, a budget that is shared, costs and faults, then a real n8n beside what else one would pick.';

async function virtual() {
	await runInVirtualTime('test/bench/{trigger,besideImport}.ts');
}
virtual.description = 'Measures the trigger and imports in virtual time, for the documents.';

async function clean() {
	const { clean: removeBuilt } = await import('./host/pack.mjs');
	await removeBuilt();
}
clean.description = 'Removes what was built.';

async function prune() {
	const { prune: leaveOnlyPacked } = await import('./host/pack.mjs');
	await leaveOnlyPacked();
}
prune.description =
	'Leaves in dist only what belongs into the package: the builder copies every picture it finds.';

async function pack() {
	const { describePack, pack: packPackage } = await import('./host/pack.mjs');
	console.log(describePack(await packPackage()));
}
pack.description = 'Builds the package, packs it and checks what is in the tarball.';

/** What stands behind a task on the command line: gulp takes flags that it does not know for those of its tasks. */
const flagsOf = (task) => process.argv.slice(process.argv.indexOf(task) + 1);

/** Has gulp show the message alone. */
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
owner.description = 'Writes who publishes the package wherever that stands.';
owner.flags = {
	'--name <name>': 'Of a person or a company.',
	'--email <address>': 'Shown on npm.',
	'--repository <address>': 'On GitHub, such as https://github.com/name/repository.',
	'--service <name>': 'What the CRM is called.',
	'--api <address>': 'Where the API of the CRM is documented.',
};

async function releasable() {
	const { assertReleasable } = await import('./host/release.mjs');
	await assertReleasable().catch(withoutStack);
}
releasable.description = 'Refuses to begin a release that nobody could publish.';

async function stamp() {
	const { writeVersion } = await import('./host/release.mjs');
	await writeVersion();
}
stamp.description = 'Writes the version of package.json wherever it stands as well.';

async function notes() {
	const { notesOfTag } = await import('./host/release.mjs');
	console.log(await notesOfTag(flagsOf('notes')).catch(withoutStack));
}
notes.description = 'Holds tag, version and changelog against each other, and prints what is new.';
notes.flags = { '--tag <version>': 'The tag that is to be published.' };

module.exports = {
	bench,
	check,
	clean,
	notes,
	owner,
	pack,
	parameters,
	prune,
	releasable,
	schema,
	stamp,
	virtual,
};
