const { join } = require('node:path');

/** Writes the output previews of the node from its contract. */
async function schema() {
	const { run } = await import('./host/run.mjs');
	const tsx = join(__dirname, 'node_modules', '.bin', 'tsx');
	console.log(await run(tsx, ['test/schema/generate.ts'], { cwd: __dirname }));
}

/** Measures bulk runs in real time: the engine alone, then a real n8n beside what else one would pick. */
async function bench() {
	const { run } = await import('./host/run.mjs');
	const tsx = join(__dirname, 'node_modules', '.bin', 'tsx');
	console.log(await run(tsx, ['test/bench/bulkCreate.ts'], { cwd: __dirname }));
	const { bench: benchInN8n } = await import('./host/bench.mjs');
	await benchInN8n();
}

/** Removes what was built. */
async function clean() {
	const { clean: removeBuilt } = await import('./host/pack.mjs');
	await removeBuilt();
}

/** Leaves in dist only what belongs into the package: the builder copies every picture it finds. */
async function prune() {
	const { prune: leaveOnlyPacked } = await import('./host/pack.mjs');
	await leaveOnlyPacked();
}

/** Builds the package, packs it and checks what is in the tarball. */
async function pack() {
	const { describePack, pack: packPackage } = await import('./host/pack.mjs');
	console.log(describePack(await packPackage()));
}

/** Opens the package in a real n8n beside the stand-in service. */
async function demo() {
	const { demo: showPackage } = await import('./host/demo.mjs');
	await showPackage();
}

module.exports = { bench, clean, demo, pack, prune, schema };
