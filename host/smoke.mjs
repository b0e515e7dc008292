// Tests the packed package in a real n8n: run with `npm run test:n8n -- smoke`.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EXAMPLES, readCredentials, readWorkflow } from './examples.mjs';
import { ensureHost } from './install.mjs';
import * as n8n from './n8n.mjs';
import { describePack, pack } from './pack.mjs';
import { stopAll } from './run.mjs';
import { requestsOf, startService } from './service.mjs';

let service;
let instance;
let listPeople;

before(async () => {
	instance = await n8n.createInstance(await ensureHost());
	const packed = await pack(instance.folder);
	console.log(describePack(packed));
	await n8n.installPackage(instance, packed.tarball);
	service = await startService({ port: 0 });
	listPeople = await readWorkflow(EXAMPLES.listPeople);
	await n8n.importWorkflows(instance, [listPeople]);
});

after(async () => {
	await stopAll();
	if (instance) await n8n.removeInstance(instance);
});

test('A workflow on an installed package lists people', async () => {
	await n8n.importCredentials(instance, await readCredentials(service));
	const { itemsOf } = await n8n.executeWorkflow(instance, listPeople.id);
	const people = itemsOf('Get People');
	assert.equal(people.length, 5);
	for (const person of people) {
		assert.equal(typeof person.id, 'string');
		assert.ok('familyName' in person);
	}
});

test('A workflow requests people and names, with the key only in the header', async () => {
	const requests = await requestsOf(service);
	assert.deepEqual(
		requests.map(({ method, path, status }) => ({ method, path, status })),
		[
			{ method: 'GET', path: '/people', status: 200 },
			// The stand-in has no names of users and tags.
			{ method: 'GET', path: '/users', status: 404 },
			{ method: 'GET', path: '/segments', status: 200 },
			{ method: 'GET', path: '/tags', status: 404 },
		],
	);
	assert.equal(requests[0].query.itemsPerPage, '5');
	for (const { rawUrl, headers } of requests) {
		assert.equal(headers['x-api-key'], service.apiKey);
		assert.ok(!rawUrl.includes(service.apiKey));
	}
});

test('A wrong key stops the workflow with a message that points to the credential', async () => {
	const credentials = await readCredentials({ ...service, apiKey: 'not-the-key' });
	await n8n.importCredentials(instance, credentials);
	await assert.rejects(n8n.executeWorkflow(instance, listPeople.id), (error) => {
		assert.match(error.message, /credential|API key/i);
		assert.ok(!error.message.includes('not-the-key'));
		return true;
	});
});
