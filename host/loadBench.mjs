// Measures how long n8n takes to load the package, beside a built-in node: run with `node host/loadBench.mjs`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT_IN, described, load } from './load.mjs';
import { pack } from './pack.mjs';
import { run } from './run.mjs';

const ROUNDS = 15;

const folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-load-'));
try {
	const { tarball } = await pack(folder);
	// Outside of the repository, the package finds the libraries of n8n alone.
	await run('tar', ['-xzf', tarball, '-C', folder], { cwd: folder });
	const rounds = { own: [], builtIn: [] };
	for (let round = 0; round < ROUNDS; round += 1) {
		rounds.own.push(await load(join(folder, 'package')));
		rounds.builtIn.push(await load());
	}
	// The fastest round of each, because other programs disturbed it least.
	const [own, builtIn] = [rounds.own, rounds.builtIn].map((all) =>
		all.reduce((least, one) => (one.ms < least.ms ? one : least)),
	);
	console.log(`the package: ${own.ms.toFixed(0)} ms of processor time for ${described(own)}`);
	console.log(`${BUILT_IN}: ${builtIn.ms.toFixed(0)} ms for ${described(builtIn)}`);
	console.log(`ratio of the times: ${(own.ms / builtIn.ms).toFixed(2)}`);
} finally {
	await rm(folder, { recursive: true, force: true });
}
