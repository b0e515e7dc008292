import assert from 'node:assert/strict';
import { askForAll, setSwitches } from '../service.mjs';
import { inEditor } from './stage.mjs';
import { crmNode, workflowOf } from './workflows.mjs';

const NAME = 'CRM';

/** Executes a node, and returns the rows of its output. */
async function rowsOf(editor, service, parameters) {
	const credential = await editor.saveCredential('CRM', service);
	const node = crmNode(NAME, credential, parameters);
	await editor.openWorkflow(await editor.saveWorkflow(workflowOf('Output', [node])));
	await editor.openNode(NAME);
	await editor.node.execute();
	const rows = await editor.node.readTable();
	await editor.node.waitUntilIdle();
	return rows;
}

inEditor(
	'tasks come with titles of column and workspace, and with names of people',
	async ({ editor, service, t }) => {
		// A higher limit, so that requests of the test do not use up n8n's.
		await setSwitches(service, { rateLimit: { limit: 100 } });
		const workspaces = await askForAll(service, '/workspaces');
		const tasks = await askForAll(service, '/tasks');
		const rows = await rowsOf(editor, service, { resource: 'task', operation: 'getAll', limit: 5 });
		t.diagnostic(Object.keys(rows[0]).join(', '));
		assert.equal(rows.length, 5);
		for (const row of rows) {
			const { status, workspace } = tasks.find(({ id }) => id === row.id);
			const { title, columns } = workspaces.find((one) => one['@id'] === workspace);
			assert.equal(row.workspaceTitle, title);
			assert.equal(row.statusTitle, columns.find((column) => column['@id'] === status).title);
		}
	},
);

inEditor('workspaces come with the titles of their columns', async ({ editor, service }) => {
	const [sales] = await rowsOf(editor, service, { resource: 'workspace', operation: 'getAll' });
	assert.equal(sales.title, 'Sales');
	assert.match(sales.columns, /^Lead, /);
});

/** Most fields that n8n considers readable. */
const MOST_FIELDS = 10;

inEditor(
	'a created person has at most ten columns beside result, summary and changes',
	async ({ editor, service, t }) => {
		const [person] = await rowsOf(editor, service, {
			resource: 'person',
			operation: 'create',
			familyName: 'Jansen',
		});
		const [result, name, summary, ...names] = Object.keys(person);
		t.diagnostic(names.join(', '));
		assert.deepEqual([result, name, summary], ['result', 'name', 'summary']);
		// The name is one of the fields, too.
		assert.equal(names.pop(), 'changes');
		assert.ok(names.length < MOST_FIELDS);
		assert.equal(names[0], 'id');
		assert.ok(!names.some((name) => name.startsWith('@')));
		assert.equal(person.familyName, 'Jansen');
	},
);
