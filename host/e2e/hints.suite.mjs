import assert from 'node:assert/strict';
import { inEditor, picture } from './stage.mjs';
import { crmNode, itemsNode, rowsNode, workflowOf } from './workflows.mjs';

/** Opens a node that creates a person from each of a number of items, with visible input. */
async function openWithItems(editor, service, count) {
	const credential = await editor.saveCredential('CRM', service);
	const create = crmNode('Create person', credential, {
		resource: 'person',
		operation: 'create',
		familyName: '={{ $json.name }}',
	});
	const id = await editor.saveWorkflow(
		workflowOf('Many Items', [...itemsNode('Rows', count), create]),
	);
	await editor.openWorkflow(id);
	await editor.openNode('Create person');
	await editor.node.executePrevious();
}

inEditor(
	'the node says before a run of many items how long it takes',
	async ({ editor, service }) => {
		await openWithItems(editor, service, 60);
		await editor.node.hints.first().waitFor();
		const [hint, ...others] = await editor.node.hints.allInnerTexts();
		assert.equal(others.length, 0);
		assert.match(hint, /41 to 60 requests.*20 Requests per Minute.*2 to 3 minutes/);
		await picture(editor, 'hint', { x: 24, y: 66, width: 1351, height: 620 });
	},
);

inEditor(
	'Get Many warns before a run that many items each get the same list',
	async ({ editor, service }) => {
		const credential = await editor.saveCredential('CRM', service);
		const list = crmNode('List', credential, { resource: 'person', operation: 'getAll' });
		const workflow = workflowOf('Same List', [...itemsNode('Rows', 200), list]);
		await editor.openWorkflow(await editor.saveWorkflow(workflow));
		await editor.openNode('List');
		await editor.node.executePrevious();
		const hint = editor.node.hints.filter({ hasText: 'the same list once for each item' });
		await hint.waitFor();
		assert.match(await hint.innerText(), /turn on Settings → Execute Once/);
	},
);

inEditor(
	'before the run, the node names input columns that it does not take',
	async ({ editor, service }) => {
		const credential = await editor.saveCredential('CRM', service);
		const rows = [
			{ Achternaam: 'Jansen', Bedrijf: 'Acme BV', Opmerkingen: 'belde', Regio: 'Noord' },
		];
		const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [] };
		const create = crmNode('Import', credential, {
			...{ resource: 'person', operation: 'create', inputMode: 'columns' },
			columns: { ...columns, schema: [] },
		});
		const workflow = workflowOf('Columns', [...rowsNode('Rows', rows), create]);
		await editor.openWorkflow(await editor.saveWorkflow(workflow));
		await editor.openNode('Import');
		await editor.node.executePrevious();
		await editor.node.hints.first().waitFor();
		assert.equal(await editor.node.hints.count(), 1);
		const hint = editor.node.hints.first();
		assert.match(await hint.innerText(), /Preview Only lists the columns that are not taken/);
		await hint.locator('[data-test-id="node-hint-toggle"]').click();
		await hint.getByText('Bedrijf').waitFor();
		assert.match(await hint.innerText(), /Bedrijf.*Opmerkingen.*Others/s);
	},
);

inEditor(
	'the node gives no hint on the duration of a run of few items',
	async ({ editor, service }) => {
		await openWithItems(editor, service, 3);
		assert.equal(await editor.node.hints.count(), 0);
	},
);
