import assert from 'node:assert/strict';
import { askForAll, setSwitches } from '../service.mjs';
import { inEditor } from './stage.mjs';
import { crmNode, workflowOf } from './workflows.mjs';

const NAME = 'CRM';

inEditor('tasks are filtered by column and status in the panel', async ({ editor, service, t }) => {
	// A higher limit, so that requests of the test do not use up n8n's.
	await setSwitches(service, { rateLimit: { limit: 100 } });
	const workspaces = await askForAll(service, '/workspaces');
	const sales = workspaces.find(({ title }) => title === 'Sales');
	const lead = sales.columns.find(({ title }) => title === 'Lead')['@id'];
	const wanted = (await askForAll(service, '/tasks')).filter(
		({ status, completedAt }) => status === lead && !completedAt,
	);
	const credential = await editor.saveCredential('CRM', service);
	const parameters = { resource: 'task', operation: 'getAll' };
	const id = await editor.saveWorkflow(
		workflowOf('Filters', [crmNode(NAME, credential, parameters)]),
	);
	await editor.openWorkflow(id);
	await editor.openNode(NAME);
	const { node } = editor;
	const before = editor.clicks;
	await node.addField('Add Filter', 'Column');
	await node.openLocator('status');
	await node.pickRecord('Sales / Lead');
	// A new filter has the value Open.
	await node.addField('Add Filter', 'Open or Completed');
	assert.ok(editor.clicks - before <= 6, `${editor.clicks - before} clicks`);
	await node.execute();
	const rows = await node.readTable();
	await node.waitUntilIdle();
	t.diagnostic(`${rows.length} open leads`);
	assert.ok(wanted.length > 0);
	assert.deepEqual(rows.map((row) => row.id).sort(), wanted.map((task) => task.id).sort());
	assert.ok(rows.every(({ statusTitle }) => statusTitle === 'Lead'));
});
