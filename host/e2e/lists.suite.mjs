import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, requestsOf, setSwitches } from '../service.mjs';
import { inEditor } from './stage.mjs';
import { crmNode, itemsNode, workflowOf } from './workflows.mjs';

const NAME = 'CRM';
const NOTHING = { __rl: true, mode: 'list', value: '' };

/** Saves a workflow with one node, and returns its ID. */
async function saveNode(editor, credential, parameters) {
	return await editor.saveWorkflow(workflowOf('Lists', [crmNode(NAME, credential, parameters)]));
}

async function openSaved(editor, id) {
	await editor.openWorkflow(id);
	await editor.openNode(NAME);
}

/** Adds segments beyond one page. The limit is off meanwhile. */
async function addSegments(service, count) {
	await setSwitches(service, { rateLimit: { mode: 'off' } });
	for (let index = 0; index < count; index++) {
		await ask(service, 'POST', '/segments', { title: `Zone ${index}`, icon: 'map' });
	}
	await setSwitches(service, { rateLimit: { mode: 'log' } });
}

/** Waits until a run is under way. The run spreads its requests, because lists were opened before. */
async function untilUnderWay(service) {
	for (let sent = 0; sent < 4; ) {
		await sleep(200);
		sent = (await requestsOf(service)).filter(({ method }) => method === 'POST').length;
	}
}

const OPENINGS = 12;

inEditor(
	'lists open while a bulk run sends whatever the limit allows',
	async ({ editor, service, t }) => {
		const credential = await editor.saveCredential('CRM', service);
		const id = await saveNode(editor, credential, {
			resource: 'task',
			operation: 'create',
			title: 'Call back',
			status: NOTHING,
			additionalFields: { author: NOTHING, parent: NOTHING },
		});
		const names = ['status', 'author', 'parent'];
		const openAll = async () => {
			for (const name of names) {
				await editor.node.openLocator(name);
				await editor.node.records.first().waitFor();
				await editor.node.leaveField();
			}
		};
		await openSaved(editor, id);
		await openAll();

		const create = crmNode('Create', credential, {
			resource: 'person',
			operation: 'create',
			familyName: '={{ $json.name }}',
		});
		const bulk = await editor.saveWorkflow(workflowOf('Bulk', [...itemsNode('Rows', 60), create]));
		await editor.openWorkflow(bulk);
		await editor.executeWorkflow();
		await untilUnderWay(service);

		await openSaved(editor, id);
		for (let opened = 0; opened < OPENINGS; opened += names.length) await openAll();
		const requests = await requestsOf(service);
		t.diagnostic(`${OPENINGS} lists opened beside a run of ${requests.length} requests so far`);
		assert.ok(requests.every(({ status }) => status !== 429));
	},
);

inEditor(
	'a drop-down of 45 segments shows all segments and the earlier choice',
	async ({ editor, service }) => {
		await addSegments(service, 40);
		const credential = await editor.saveCredential('CRM', service);
		const id = await saveNode(editor, credential, {
			resource: 'person',
			operation: 'addToSegments',
			segments: ['/segments/gone-7f3a21'],
		});
		await openSaved(editor, id);
		await editor.untilListsAreLoaded();
		await editor.node.parameter('segments').getByText('Chosen before (gone-7f3a21)').waitFor();
		await editor.node.openList('segments');
		const labels = await editor.node.choices.allInnerTexts();
		assert.ok(labels.includes('Zone 39'), labels.join(', '));
		assert.ok(labels.includes('Chosen before (gone-7f3a21)'));
	},
);

inEditor('a segment of the second page is found by its name', async ({ editor, service }) => {
	await addSegments(service, 40);
	const credential = await editor.saveCredential('CRM', service);
	const id = await saveNode(editor, credential, { resource: 'segment', operation: 'get' });
	await openSaved(editor, id);
	await editor.node.openLocator('segmentId');
	await editor.find('rlc-search').fill('Zone 39');
	await editor.node.records.getByText('Zone 39', { exact: true }).waitFor();
});

inEditor(
	"a tag's label shows records that carry it, and no number like a total",
	async ({ editor, service, t }) => {
		const credential = await editor.saveCredential('CRM', service);
		const id = await saveNode(editor, credential, {
			resource: 'person',
			operation: 'addTags',
			tags: [],
		});
		await openSaved(editor, id);
		await editor.node.openList('tags');
		const labels = await editor.node.choices.allInnerTexts();
		t.diagnostic(labels.join(' | '));
		assert.match(labels.at(-1), /^More exist: give an ID or a title as an expression/);
		for (const label of labels.slice(0, -1)) assert.match(label, /^Tag [0-9a-f-]{36} \(on .+\)$/);
	},
);
