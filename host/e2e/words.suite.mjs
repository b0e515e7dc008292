import assert from 'node:assert/strict';
import { ask, setSwitches } from '../service.mjs';
import { inEditor } from './stage.mjs';
import { crmNode, workflowOf } from './workflows.mjs';

const NAME = 'CRM';
const NOTHING = { __rl: true, mode: 'list', value: '' };

async function openNode(editor, service, parameters) {
	const credential = await editor.saveCredential('CRM', service);
	const node = crmNode(NAME, credential, parameters);
	await editor.openWorkflow(await editor.saveWorkflow(workflowOf('Words', [node])));
	await editor.openNode(NAME);
}

/** Words for undoing an action, or for adding one detail. */
const ACTIONS = [
	...['Add email address to person', 'Add phone number to person', 'Unarchive person'],
	...['Reopen task', 'Unarchive task'],
];

inEditor('the node panel offers reopening and unarchiving as actions', async ({ editor }) => {
	await editor.newWorkflow();
	await editor.openActions();
	for (const action of ACTIONS) {
		await editor.creator.scrollTo(action);
	}
});

const LABELS = [
	{
		parameters: { resource: 'task', operation: 'move', taskId: NOTHING, status: NOTHING },
		has: ['Task', 'Column'],
		lacks: ['Status'],
	},
	{
		parameters: { resource: 'person', operation: 'upsert' },
		has: ['Take Values From', 'Email', 'Given Name', 'Family Name', 'Phone', 'Job Title'],
		lacks: ['Identifier', 'Input Mode', 'Match By', 'Match Value', 'Output', 'Value to Find'],
	},
	{
		parameters: { resource: 'person', operation: 'upsert', options: { matchBy: 'identifier' } },
		has: ['Identifier', 'Find By'],
		lacks: ['Email', 'Match By'],
	},
	{
		parameters: { resource: 'task', operation: 'create' },
		has: ['Title', 'Column', 'Person', 'Due Date'],
		lacks: ['Given Name', 'Output'],
	},
	{
		parameters: { resource: 'task', operation: 'create', additionalFields: { positionTop: true } },
		has: ['Column', 'At the Top of the Column'],
		lacks: ['Status', 'Position Top'],
	},
	{
		parameters: {
			resource: 'person',
			operation: 'getAll',
			filters: { createdAtStrictlyAfter: '2026-01-01' },
		},
		has: ['Created Later Than'],
		lacks: ['Strictly After'],
	},
];

inEditor('labels use everyday words, not those of the interface', async (scene) => {
	const { editor, service, t } = scene;
	for (const { parameters, has, lacks } of LABELS) {
		await openNode(editor, service, parameters);
		await editor.node.waitForLabels(has);
		const labels = await editor.node.labels();
		t.diagnostic(labels.join(', '));
		for (const label of has) assert.ok(labels.includes(label), `${label}: ${labels.join(', ')}`);
		for (const label of lacks) assert.ok(!labels.includes(label), label);
	}
});

const MOVE = { resource: 'task', operation: 'move', taskId: NOTHING, status: NOTHING };

inEditor(
	'columns of archived workspaces come last, and are marked',
	async ({ editor, service, t }) => {
		await openNode(editor, service, MOVE);
		await editor.node.openLocator('status');
		await editor.node.records.first().waitFor();
		const labels = await editor.node.records.allInnerTexts();
		t.diagnostic(labels.join(' | '));
		const marks = labels.map((label) => label.trim().endsWith('(archived)'));
		assert.ok(marks.includes(true) && marks.includes(false));
		assert.deepEqual(marks, [...marks].sort());
	},
);

/** Adds tasks to those of the stand-in. The limit is off meanwhile. */
async function addTasks(service, count) {
	await setSwitches(service, { rateLimit: { mode: 'off' } });
	const { member } = await ask(service, 'GET', '/workspaces');
	const status = member[0].columns[0]['@id'];
	for (let index = 1; index <= count; index++) {
		await ask(service, 'POST', '/tasks', { title: `Roof ${index}`, status });
	}
	await setSwitches(service, { rateLimit: { mode: 'log' } });
}

inEditor(
	'a title finds a task beyond page four, and an incomplete search says so',
	async ({ editor, service, t }) => {
		await addTasks(service, 300);
		await openNode(editor, service, MOVE);
		await editor.node.openLocator('taskId');
		await editor.node.search('Roof 120');
		await editor.node.records.getByText(/^Roof 120\b/).waitFor();
		await editor.node.search('Roof 300');
		const said = editor.node.records.first();
		await said.waitFor();
		t.diagnostic(await said.innerText());
		assert.match(await said.innerText(), /first 300/);
	},
);

inEditor('a person is found by a part of an e-mail address', async ({ editor, service }) => {
	const { member } = await ask(service, 'GET', '/people?itemsPerPage=30');
	const [{ email }] = member[3].emailAddresses;
	const [part] = email.split('@');
	await openNode(editor, service, { resource: 'person', operation: 'get', personId: NOTHING });
	await editor.node.openLocator('personId');
	await editor.node.records.first().waitFor();
	await editor.node.search(part);
	await editor.node.records.getByText(email).waitFor();
});
