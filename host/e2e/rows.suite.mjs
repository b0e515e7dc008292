import assert from 'node:assert/strict';
import { inEditor } from './stage.mjs';
import { crmNode, rowsNode, workflowOf } from './workflows.mjs';

const ROWS = [
	{ name: 'Jansen', email: 'e.jansen@new.example', source: 'fair' },
	{ name: 'Bakker', email: 'bakker at new.example', source: 'website' },
	{ name: '', email: 'nobody@new.example', source: 'phone' },
];

/** Returns a workflow that turns rows into people. It has one node for the successful rows and one for the others. */
function workflowWithErrorOutput(credential) {
	const create = {
		...crmNode('Create person', credential, {
			resource: 'person',
			operation: 'create',
			familyName: '={{ $json.name }}',
			email: '={{ $json.email }}',
		}),
		onError: 'continueErrorOutput',
	};
	const nothing = (name) => ({ name, type: 'n8n-nodes-base.noOp', typeVersion: 1 });
	const nodes = [...rowsNode('Rows', ROWS), create, nothing('Taken'), nothing('Not Taken')];
	const workflow = workflowOf('Rows', nodes);
	const to = (node) => [{ node, type: 'main', index: 0 }];
	workflow.connections['Create person'] = { main: [to('Taken'), to('Not Taken')] };
	delete workflow.connections.Taken;
	return workflow;
}

inEditor(
	'a failed row keeps its columns on the error output, with reason and advice',
	async ({ editor, service, t }) => {
		const credential = await editor.saveCredential('CRM', service);
		await editor.openWorkflow(await editor.saveWorkflow(workflowWithErrorOutput(credential)));
		await editor.executeWorkflow();
		await editor.waitForSuccess(['Create person', 'Taken', 'Not Taken']);
		await editor.openNode('Not Taken');
		const rows = await editor.node.readTable();
		assert.deepEqual(
			rows.map(({ name, email, source }) => ({ name, email, source })),
			// The editor shows an empty text as "empty".
			[ROWS[1], { ...ROWS[2], name: 'empty' }],
		);
		const [wrongAddress, noName] = rows;
		t.diagnostic(JSON.stringify(rows));
		assert.match(wrongAddress.error, /Email.*bakker at new\.example/);
		assert.match(noName.error, /Family Name/);
		for (const { details } of rows) assert.match(details, /howToGoOn[^]*\w/);
	},
);
