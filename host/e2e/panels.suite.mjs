import assert from 'node:assert/strict';
import { inEditor } from './stage.mjs';
import { crmNode, workflowOf } from './workflows.mjs';

const NAME = 'Panel';
/** Window of a laptop. */
const WINDOW = { width: 1440, height: 900 };

async function openPanel(editor, node) {
	await editor.page.setViewportSize(WINDOW);
	const id = await editor.saveWorkflow(workflowOf('Panels', [{ ...node, name: NAME }]));
	await editor.openWorkflow(id);
	await editor.openNode(NAME);
	await editor.settle();
}

const OURS = [
	['person', 'create'],
	['person', 'upsert'],
	['person', 'update'],
	['task', 'create'],
	['task', 'getAll'],
	['task', 'move'],
	['comment', 'create'],
];

inEditor(
	'the panels of everyday tasks fit into a window of 900 pixels',
	async ({ editor, service, t }) => {
		const credential = await editor.saveCredential('CRM', service);
		for (const [resource, operation] of OURS) {
			await openPanel(editor, crmNode(NAME, credential, { resource, operation }));
			// The last element of each panel.
			const last = editor.find('collection-parameter-add').filter({ visible: true }).last();
			await last.waitFor();
			const { y, height } = await last.boundingBox();
			const bottom = y + height;
			t.diagnostic(`${resource} ${operation} ends at ${Math.round(bottom)}`);
			assert.ok(bottom <= WINDOW.height, `${resource} ${operation} ends at ${bottom}`);
		}
	},
);
