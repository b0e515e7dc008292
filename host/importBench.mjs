// Measures an import in a real n8n: Create or Update beside a manual loop. Takes about thirteen minutes. Run it with
// tsx.
import { benchWorkflow } from './benchWorkflows.mjs';
import { readCredentials } from './examples.mjs';
import { WAYS_TO_IMPORT } from './importWorkflows.mjs';
import { ensureHost } from './install.mjs';
import { table, writeSection } from '../test/bench/markdown.ts';
import * as n8n from './n8n.mjs';
import { pack } from './pack.mjs';
import { stopAll } from './run.mjs';
import { ask, askForAll, requestsOfN8n, setSwitches, startService } from './service.mjs';

const ROWS = 60;
const JOBS = ['first import', 'the same file again'];

/** Rows of an import: 40 % are new, 30 % differ from the CRM, and 30 % are unchanged. */
const rowsOf = (count) =>
	Array.from({ length: count }, (_, index) => ({
		email: `row${index}@crm.example`,
		job: index % 10 < 3 ? 'Chef' : 'Buyer',
	}));
const isInTheCrm = (_, index) => index % 10 < 6;

/** Executes a workflow, and returns figures of its requests. */
async function runOnce(instance, service, id, since) {
	const outcome = await n8n.executeWorkflow(instance, id).catch((error) => error);
	if (outcome instanceof Error) throw outcome;
	const requests = (await requestsOfN8n(service)).slice(since);
	const ends = requests.map(({ answeredAt, at }) => answeredAt ?? at);
	return {
		requests: requests.length,
		seconds: Math.round((Math.max(...ends) - requests[0].at) / 100) / 10,
	};
}

/** Runs one way twice with a file, against its own service. */
async function measure(host, tarball, [name, build], port) {
	const service = await startService({ port, rateLimit: 'off' });
	const rows = rowsOf(ROWS);
	for (const { email } of rows.filter(isInTheCrm)) {
		const person = { familyName: 'Jansen', jobTitle: 'Buyer', emailAddresses: [{ email }] };
		await ask(service, 'POST', '/people', person);
	}
	const before = await askForAll(service, '/people');
	await setSwitches(service, {
		latencyBeforeMs: 25,
		latencyAfterMs: 25,
		rateLimit: { mode: 'log' },
	});
	const instance = await n8n.createInstance(host);
	try {
		await n8n.installPackage(instance, tarball);
		await n8n.importCredentials(instance, await readCredentials(service));
		const id = `import${port}`;
		await n8n.importWorkflows(instance, [benchWorkflow(id, build(service, rows))]);
		const runs = [];
		for (const job of JOBS) {
			const since = runs.reduce((sum, { requests }) => sum + requests, 0);
			runs.push({ job, way: name, ...(await runOnce(instance, service, id, since)) });
		}
		await setSwitches(service, { rateLimit: { mode: 'off' } });
		const people = (await askForAll(service, '/people')).length - before.length;
		return runs.map((run) => ({ ...run, created: people }));
	} finally {
		await n8n.removeInstance(instance);
	}
}

/** Returns the results: one line per job, with the package's own way beside the manual one. */
function comparison(runs) {
	const [ours, byHand] = WAYS_TO_IMPORT.map(([way]) => runs.filter((run) => run.way === way));
	return ours.map(({ job, created, requests, seconds }, index) => ({
		[`${ROWS} rows`]: job,
		created,
		requests,
		'by hand': byHand[index].requests,
		seconds,
		'seconds by hand': byHand[index].seconds,
	}));
}

/** Measures imports side by side, and writes the table into the document. */
async function importBench() {
	const host = await ensureHost();
	const scratch = await n8n.createInstance(host);
	try {
		const { tarball } = await pack(scratch.folder);
		const measured = await Promise.all(
			WAYS_TO_IMPORT.map(async (way, index) => await measure(host, tarball, way, 8600 + index)),
		);
		const rows = comparison(measured.flat());
		console.table(rows);
		await writeSection('test/bench/figures.md', 'import', table(rows));
	} finally {
		await stopAll();
		await n8n.removeInstance(scratch);
	}
}

await importBench();
