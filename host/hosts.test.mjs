// Tests the package in every version of n8n that it supports: run with `npm run test:n8n -- hosts`.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { crmNode, itemsNode, workflowOf } from './e2e/workflows.mjs';
import { readCredentials } from './examples.mjs';
import { hostsToTry } from './compatibility.mjs';
import { ensureHost } from './install.mjs';
import * as n8n from './n8n.mjs';
import { installNode } from './node.mjs';
import { pack } from './pack.mjs';
import { projectFolder } from './paths.mjs';
import { credentialTester, signIn } from './rest.mjs';
import { stop } from './run.mjs';
import { askForAll, requestsOfN8n, startService } from './service.mjs';

const ITEMS = 25;
const REFUSED = 'Jansen 2';

/** High enough to never wait, because these tests are not about the rate limit. */
const REQUESTS_PER_MINUTE = 1_000;

const byId = (value) => ({ __rl: true, mode: 'id', value });
const onTask = byId("={{ $('Get Tasks').first().json.id }}");

/** Reads or writes a record of every resource, one after the other. */
function everyResource(crm) {
	const once = (name, parameters) => ({ ...crm(name, parameters), executeOnce: true });
	return [
		...itemsNode('Rows', ITEMS),
		crm('Create People', {
			resource: 'person',
			operation: 'create',
			familyName: '={{ $json.name }}',
		}),
		once('Get People', { resource: 'person', operation: 'getAll', returnAll: true }),
		once('Get Workspaces', { resource: 'workspace', operation: 'getAll', limit: 2 }),
		once('Ask', { resource: 'apiRequest', operation: 'send', path: '/workspaces', limit: 2 }),
		once('Create Segment', {
			resource: 'segment',
			operation: 'create',
			title: 'From everywhere',
			icon: 'star',
		}),
		once('Get Tasks', { resource: 'task', operation: 'getAll', limit: 3 }),
		once('Comment', {
			resource: 'comment',
			operation: 'create',
			taskId: onTask,
			description: 'Tried',
		}),
		once('Update Task', {
			resource: 'task',
			operation: 'update',
			taskId: onTask,
			updateFields: { title: 'Tried' },
		}),
		once('Get History', { resource: 'history', operation: 'getAll', taskId: onTask, limit: 2 }),
	];
}

/** Returns nodes for three items. The service refuses the second; a later node shows the item links. */
function oneRefused(crm, onError) {
	const refused = {
		...crm('Create', {
			resource: 'person',
			operation: 'create',
			inputMode: 'json',
			jsonBody: `={{ JSON.stringify($json.name === '${REFUSED}' ? { familyName: 5 } : { familyName: $json.name }) }}`,
		}),
		onError,
	};
	return [...itemsNode('Rows', 3), refused, linkNode('Link')];
}

/** Returns a node that outputs the source row of each item. n8n finds the row only by the item's link. */
function linkNode(name) {
	return {
		name,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			mode: 'raw',
			jsonOutput:
				"={{ JSON.stringify({ row: $('Rows').item.json.name, error: $json.error ?? null }) }}",
		},
	};
}

function imported(id, name, nodes) {
	// n8n 1.123 does not accept a workflow without a version ID.
	return { ...workflowOf(name, nodes), id, versionId: randomUUID(), active: false };
}

function workflowsFor(credential) {
	const crm = (name, parameters) => crmNode(name, credential, parameters);
	const regular = oneRefused(crm, 'continueRegularOutput');
	const errorOutput = imported('hosts3', 'Error output', oneRefused(crm, 'continueErrorOutput'));
	errorOutput.nodes.push({
		...linkNode('Link of Error'),
		id: randomUUID(),
		position: [900, 200],
	});
	errorOutput.connections.Create.main.push([{ node: 'Link of Error', type: 'main', index: 0 }]);
	return {
		all: imported('hosts1', 'Every resource', everyResource(crm)),
		regular: imported('hosts2', 'Regular output', regular),
		errorOutput,
	};
}

let folder;
let tarball;

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-hosts-'));
	({ tarball } = await pack(folder));
});

after(async () => {
	await rm(folder, { recursive: true, force: true });
});

for (const { release, nodeMajor } of hostsToTry('resources')) {
	describe(`n8n ${release.version} on Node ${nodeMajor}`, () => {
		let service;
		let instance;
		let workflows;
		let outcomes;
		let peopleBefore;

		before(async () => {
			service = await startService({ port: 0, rateLimit: 'off' });
			const host = await ensureHost(release);
			const { node } = release.nodeMajor === nodeMajor ? host : await installNode(nodeMajor);
			instance = await n8n.createInstance({ ...host, node });
			await n8n.installPackage(instance, tarball);
			const [credential] = await readCredentials(service);
			credential.data.requestsPerMinute = REQUESTS_PER_MINUTE;
			await n8n.importCredentials(instance, [credential]);
			workflows = workflowsFor({ id: credential.id, name: credential.name });
			await n8n.importWorkflows(instance, Object.values(workflows));
			peopleBefore = (await askForAll(service, '/people')).length;
			outcomes = await n8n.executeWorkflows(
				instance,
				Object.values(workflows).map(({ id }) => id),
			);
		});

		after(async () => {
			if (service) await stop(service.program);
			if (instance) await n8n.removeInstance(instance);
		});

		const itemsOf = (workflow, node, output) => outcomes.get(workflow.id).itemsOf(node, output);

		test('n8n executes every resource of the node', async () => {
			const { ContactTaskCrm } = createRequire(import.meta.url)(join(projectFolder, 'index.js'));
			const { properties } = new ContactTaskCrm().description;
			const resources = properties.find(({ name }) => name === 'resource').options;
			const executed = workflows.all.nodes.filter(({ parameters }) => parameters.resource);
			assert.deepEqual(
				[...new Set(executed.map(({ parameters }) => parameters.resource))].sort(),
				resources.map(({ value }) => value).sort(),
			);
			for (const { name } of executed) {
				const items = itemsOf(workflows.all, name);
				assert.ok(items.length > 0, name);
				for (const { id, error } of items) assert.ok(id && !error, name);
			}
		});

		test(`n8n creates ${ITEMS} people for ${ITEMS} items, and reads all people page by page`, () => {
			const created = itemsOf(workflows.all, 'Create People');
			assert.equal(created.length, ITEMS);
			assert.equal(new Set(created.map(({ id }) => id)).size, ITEMS);
			const read = new Set(itemsOf(workflows.all, 'Get People').map(({ id }) => id));
			assert.ok(read.size >= peopleBefore + ITEMS);
			for (const { id } of created) assert.ok(read.has(id));
		});

		test('With On Error: Continue, a refused item stays among others, linked to its row', () => {
			const links = itemsOf(workflows.regular, 'Link');
			assert.deepEqual(
				links.map(({ row }) => row),
				['Jansen 1', REFUSED, 'Jansen 3'],
			);
			assert.deepEqual(
				links.map(({ error }) => error !== null),
				[false, true, false],
			);
		});

		test('A refused item goes to the error output, linked to its row', () => {
			const rows = (node) => itemsOf(workflows.errorOutput, node).map(({ row }) => row);
			assert.deepEqual(rows('Link'), ['Jansen 1', 'Jansen 3']);
			assert.deepEqual(rows('Link of Error'), [REFUSED]);
			const [refused] = itemsOf(workflows.errorOutput, 'Create', 1);
			assert.ok(refused.error);
			assert.equal(refused.name, REFUSED, 'the row itself');
			assert.ok(refused.details?.howToGoOn ?? refused.message);
		});

		test('The node sends nothing for an item that it refuses itself', async () => {
			const sent = await requestsOfN8n(service);
			const created = sent.filter(({ method, path }) => method === 'POST' && path === '/people');
			assert.equal(created.length, ITEMS + 2 + 2);
			// A service may lack the lists of users and tags.
			const isOfNames = ({ path }) => path === '/users' || path === '/tags';
			assert.deepEqual(
				sent.filter((request) => request.status >= 400 && !isOfNames(request)),
				[],
			);
		});

		test('n8n tests a credential by the answer from its base URL', async () => {
			const editor = await n8n.startEditor(instance, { port: 0 });
			try {
				const tested = credentialTester(await signIn(editor), 'contactTaskCrmApi');
				const data = { baseUrl: ` ${service.address} `, apiKey: service.apiKey };
				assert.equal((await tested(data)).status, 'OK');
				const { status, message } = await tested({ ...data, baseUrl: editor.address });
				assert.equal(status, 'Error');
				assert.match(message, /web page|no CRM interface/);
				const refused = await tested({ ...data, baseUrl: 'http://127.0.0.1:9' });
				assert.match(
					refused.message,
					/Check the Base URL.*connection was refused \(ECONNREFUSED\)/,
				);
				const wrongKey = await tested({ ...data, apiKey: 'not-the-key' });
				assert.match(wrongKey.message, /did not accept the API key/);
				const noTls = await tested({ ...data, baseUrl: editor.address.replace('http', 'https') });
				assert.match(noTls.message, /does not speak HTTPS/);
			} finally {
				await stop(editor.program);
			}
		});
	});
}
