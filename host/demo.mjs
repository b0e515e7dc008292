import { parseArgs } from 'node:util';
import { EXAMPLES, modelCredential, readCredentials, readWorkflow } from './examples.mjs';
import { ensureHost } from './install.mjs';
import { lookUpLastWord, startModel } from './model.mjs';
import * as n8n from './n8n.mjs';
import { describePack, pack } from './pack.mjs';
import { describeRun, plannedRequests, reportProgress, summarize } from './progress.mjs';
import { owner } from './rest.mjs';
import { stopAll } from './run.mjs';
import { requestsOf, startService } from './service.mjs';

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

/** Ends everything once, whether the demo is done, failed or interrupted. */
function cleanUpOnSignals() {
	const cleanups = [stopAll];
	let interrupted = false;
	const cleanUp = async () => {
		for (const cleanup of cleanups.splice(0)) await cleanup();
	};
	for (const signal of ['SIGINT', 'SIGTERM']) {
		process.on(signal, async () => {
			if (interrupted) process.exit(130);
			interrupted = true;
			console.log('\nStopping …');
			await cleanUp();
			process.exit(130);
		});
	}
	return { cleanUp, after: (cleanup) => cleanups.push(cleanup), wasInterrupted: () => interrupted };
}

async function prepare(servicePort, after) {
	const host = await ensureHost();
	const instance = await n8n.createInstance(host);
	after(async () => await n8n.removeInstance(instance));
	console.log('Building and packing the package …');
	const packed = await pack(instance.folder);
	console.log(`  ${describePack(packed)}`);
	const service = await startService({ port: servicePort });
	const model = await startModel(lookUpLastWord);
	after(model.close);
	console.log(`Preparing n8n ${host.version} …`);
	await n8n.installPackage(instance, packed.tarball);
	const credentials = [...(await readCredentials(service)), modelCredential(model)];
	await n8n.importCredentials(instance, credentials);
	const { fileFolder } = instance;
	const read = async (file) => await readWorkflow(file, { fileFolder });
	const workflows = await Promise.all(Object.values(EXAMPLES).map(read));
	await n8n.importWorkflows(instance, workflows);
	return { instance, service };
}

async function runMainExample({ instance, service }) {
	const { id, name } = await readWorkflow(EXAMPLES.importContacts);
	const planned = await plannedRequests();
	console.log(`Running "${name}": about ${planned} requests at 20 a minute.`);
	const stopReporting = reportProgress(service, planned);
	const { itemsOf } = await n8n.executeWorkflow(instance, id).finally(stopReporting);
	console.log('Done.');
	console.log(`  rows in the file    ${itemsOf('Get the Rows').length}`);
	console.log(`  without an e-mail   ${itemsOf('Rows Without E-Mail').length}`);
	console.log(`  different people    ${itemsOf('One Row per Person').length}`);
	console.log(`  not taken           ${itemsOf('Not Taken by the CRM').length}`);
	console.log(describeRun(summarize(await requestsOf(service))));
}

async function showEditor({ instance, service }, port) {
	const { address, program } = await n8n.startEditor(instance, { port });
	console.log(`
  Editor      ${address}
  E-mail      ${owner.email}
  Password    ${owner.password}
  CRM         ${service.address} (a stand-in: 20 requests per 60 s, key ${service.apiKey})
  Its log     ${service.address}/_control/requests

What to try:
  1. Sign in, open "List people" and execute it: five people of the CRM.
  2. Open "Import contacts from a CSV file" and execute it: about 4 minutes,
     as the CRM takes 20 requests a minute. Nothing is refused, nothing is lost.
  3. Open "AI agent that answers questions about contacts" and ask in its chat:
     Who is Amber van Dijk? Its model is a stand-in as well, which does nothing
     but look up the last word of your question.
  4. Execute the other examples: a note in each says what it does. The sixth writes its file into
     ${instance.fileFolder}
  5. Add a Contact Task CRM node to a workflow of your own.

Ctrl-C stops everything.`);
	await program.ended;
	throw new Error(`n8n has stopped:\n${program.stderr || program.stdout}`);
}

/**
 * Shows the package in a real n8n, beside the stand-in service.
 * @param {string[]} args as on the command line: `npx gulp --tasks` lists them
 */
export async function demo(args) {
	const { values } = parseArgs({ args, options: OPTIONS });
	const [port, servicePort] = ['port', 'service-port'].map((name) => portOf(values, name));
	const { cleanUp, after, wasInterrupted } = cleanUpOnSignals();
	try {
		const prepared = await prepare(servicePort, after);
		if (values.run) await runMainExample(prepared);
		else await showEditor(prepared, port);
	} catch (error) {
		// The programs that an interrupt stops report it as a failure of theirs.
		if (!wasInterrupted()) throw error;
	} finally {
		if (!wasInterrupted()) await cleanUp();
	}
}
