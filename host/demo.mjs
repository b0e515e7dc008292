import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLES, modelCredential, readCredentials, readWorkflow } from './examples.mjs';
import { lookUpLastWord, startModel } from './model.mjs';
import * as n8n from './n8n.mjs';
import { describePack, pack } from './pack.mjs';
import { owner } from './rest.mjs';
import { startService } from './service.mjs';
import { RELOADING, showReloads, watchSources } from './watch.mjs';

async function prepare(installing, { servicePort, watch }, after) {
	const folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-pack-'));
	after(async () => await rm(folder, { recursive: true, force: true }));
	console.log('Building and packing the package …');
	const packed = await pack(folder);
	console.log(`  ${describePack(packed)}`);
	const service = await startService({ port: servicePort });
	const model = await startModel(lookUpLastWord);
	after(model.close);
	const host = await installing;
	console.log(`Preparing n8n ${host.version} …`);
	const instance = await n8n.createInstance(host, { env: watch ? RELOADING : {} });
	after(async () => await n8n.removeInstance(instance));
	await n8n.installPackage(instance, packed.tarball);
	// The first compilation writes all files again. n8n must not load them meanwhile.
	if (watch) await watchSources(n8n.packageFolder(instance));
	const credentials = [...(await readCredentials(service)), modelCredential(model)];
	await n8n.importCredentials(instance, credentials);
	const { fileFolder } = instance;
	const read = async (file) => await readWorkflow(file, { fileFolder });
	const workflows = await Promise.all(Object.values(EXAMPLES).map(read));
	await n8n.importWorkflows(instance, workflows);
	return { instance, service };
}

const whatToTry = ({ fileFolder }) => `What to try:
  1. Sign in, open "List people" and execute it: five people of the CRM.
  2. Open "Import contacts from a CSV file" and execute it: about 4 minutes,
     as the CRM takes 20 requests a minute. Nothing is refused, nothing is lost.
  3. Open "AI agent that answers questions about contacts" and ask in its chat:
     Who is Amber van Dijk? Its model is a stand-in as well, which does nothing
     but look up the last word of your question.
  4. Execute the other examples: a note in each says what it does. The sixth writes its file into
     ${fileFolder}
  5. Add a Contact Task CRM node to a workflow of your own.`;

const WATCHING = `Change a file in nodes/ or credentials/. n8n loads the nodes again within a few seconds,
and the open editor follows. Icons and output previews need a new start.`;

async function showEditor({ instance, service }, { port, watch }) {
	const { address, program } = await n8n.startEditor(instance, { port });
	if (watch) await showReloads(program, n8n.packageFolder(instance));
	console.log(`
  Editor      ${address}
  E-mail      ${owner.email}
  Password    ${owner.password}
  CRM         ${service.address} (a stand-in: 20 requests per 60 s, key ${service.apiKey})
  Its log     ${service.address}/_control/requests

${watch ? WATCHING : whatToTry(instance)}

Ctrl-C stops everything.`);
	await program.ended;
	throw new Error(`n8n has stopped:\n${program.stderr || program.stdout}`);
}

/**
 * Shows the package in a real n8n, beside the stand-in service.
 * @param {{ port: number, servicePort: number, watch: boolean }} options `watch`: compile and load the nodes on each change
 * @param {Promise<import('./install.mjs').Host>} installing the n8n
 * @param {(cleanUp: () => Promise<void>) => void} after registers work for the end
 */
export async function demo(options, installing, after) {
	await showEditor(await prepare(installing, options, after), options);
}
