import assert from 'node:assert/strict';
import { ask, requestsOfN8n } from '../service.mjs';
import { BY_HAND } from './editor.mjs';
import { inEditor, picture } from './stage.mjs';
import { crmNode, rowsNode, workflowOf } from './workflows.mjs';

const NAME = 'CRM';
const OUTPUT = { x: 490, y: 66, width: 885, height: 620 };

/** Opens a node with these parameters, after other nodes. */
async function openNode(editor, service, parameters, before = []) {
	const credential = await editor.saveCredential('CRM', service);
	const nodes = [...before, crmNode(NAME, credential, parameters)];
	await editor.openWorkflow(await editor.saveWorkflow(workflowOf('Preview', nodes)));
	await editor.openNode(NAME);
	await editor.settle();
}

async function rowsOf({ node }) {
	await node.execute();
	const rows = await node.readTable();
	await node.waitUntilIdle();
	return rows;
}

const methodsOf = (requests) => requests.map(({ method }) => method);

inEditor(
	'Preview Only is chosen with two clicks, and shows what each row would change, with nothing written',
	async ({ editor, service, t }) => {
		const [person] = (await ask(service, 'GET', '/people?itemsPerPage=1')).member;
		const rows = [
			{ email: person.emailAddresses[0].email, job: 'Head of Purchasing' },
			{ email: 'e.jansen@new.example', job: 'Buyer' },
			{ email: 'bakker at new.example', job: 'Cook' },
		];
		const parameters = {
			...{ resource: 'person', operation: 'upsert', email: '={{ $json.email }}' },
			...{ familyName: 'Jansen', additionalFields: { jobTitle: '={{ $json.job }}' } },
		};
		await openNode(editor, service, parameters, rowsNode('Rows', rows));
		const { node, clicks: before } = editor;
		await node.addField('Add Option', 'Preview Only');
		assert.equal(editor.clicks - before, 2);
		const shown = await rowsOf(editor);
		t.diagnostic(JSON.stringify(shown));
		assert.deepEqual(
			shown.map(({ preview }) => preview),
			['update', 'create', 'refused'],
		);
		const [update, create, refused] = shown;
		assert.equal(update.id, person.id);
		assert.match(update.changes, /jobTitle[^]*from[^]*to[^]*Head of Purchasing/);
		assert.match(create.changes, /jobTitle[^]*Buyer/);
		assert.deepEqual([refused.id, refused.changes], ['null', '{empty object}']);
		assert.match(refused.reason, /bakker at new\.example/);
		assert.ok(methodsOf(await requestsOfN8n(service)).every((method) => method === 'GET'));
		await picture(editor, 'preview', OUTPUT);
	},
);

inEditor('Tell What Changed says what each field was before', async ({ editor, service, t }) => {
	const [person] = (await ask(service, 'GET', '/people?itemsPerPage=1')).member;
	await openNode(editor, service, {
		...{ resource: 'person', operation: 'update' },
		personId: { __rl: true, mode: 'id', value: person.id },
		updateFields: { jobTitle: 'Head of Purchasing' },
	});
	await editor.node.addField('Add Option', 'Tell What Changed');
	const [{ result, changes }] = await rowsOf(editor);
	t.diagnostic(changes);
	assert.equal(result, 'updated');
	assert.match(changes, new RegExp(`from[^]*${person.jobTitle}[^]*to[^]*Head of Purchasing`));
	const [read, written] = methodsOf(await requestsOfN8n(service));
	assert.deepEqual([read, written], ['GET', 'PATCH']);
});

inEditor('an API Request is filled in by clicking', async ({ editor, service, t }) => {
	await editor.saveCredential('CRM', service);
	await editor.newWorkflow();
	await editor.startByHand();
	await editor.addAfter(BY_HAND);
	await editor.creator.search('contacts');
	await editor.creator.choose('Contact Task CRM');
	await editor.creator.choose('Send API request');
	const { node } = editor;
	await node.waitUntilOpen();
	await node.type('path', '/workspaces');
	await node.addEntry('Add Parameter');
	await node.type('name', 'title');
	await node.type('value', 'Sales 2024');
	const rows = await rowsOf(editor);
	t.diagnostic(JSON.stringify(rows));
	assert.deepEqual(
		rows.map(({ title }) => title),
		['Sales 2024'],
	);
	const [asked] = await requestsOfN8n(service);
	assert.equal(asked.query.title, 'Sales 2024');

	await node.pickChoices('method', ['POST']);
	await node.typeJson('jsonBody', '{ "title": "Acme" }');
	await node.addField('Add Option', 'Preview Only');
	const before = (await requestsOfN8n(service)).length;
	const [{ preview, request }] = await rowsOf(editor);
	t.diagnostic(request);
	assert.equal(preview, 'send');
	assert.match(
		request,
		/method:POST[^]*path:\/workspaces\?title=Sales\+2024[^]*body[^]*title:Acme/,
	);
	assert.equal((await requestsOfN8n(service)).length, before);
});
